// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc

/// Names out of a certificate that nobody has verified, made fit for a message.
enum CertificateNames {
  /// RFC 9525 section 6.3: the common name says nothing, and a wildcard is the whole leftmost label.
  static let rules = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)

  /// The IP address that `domain` is, without the brackets of IPv6; nil: it is a name.
  static func address(in domain: String) -> String? {
    let unbracketed = domain.hasPrefix("[") && domain.hasSuffix("]") ? String(domain.dropFirst().dropLast()) : domain
    return SocketAddress(literal: unbracketed, port: 0) == nil ? nil : unbracketed
  }

  /// Whether the certificate is one for `domain`, by the same rules as in a handshake.
  static func has(_ domain: String, in certificate: OpaquePointer) -> Bool {
    if let address = address(in: domain) { return X509_check_ip_asc(certificate, address, 0) == 1 }
    return X509_check_host(certificate, domain, domain.utf8.count, rules, nil) == 1
  }

  /// The host names and addresses that it is for, a few of them: `a.example, *.b.example and 12 more`.
  static func list(of certificate: OpaquePointer) -> String {
    guard let extensionData = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return "none" }
    let names = OpaquePointer(extensionData)
    defer { GENERAL_NAMES_free(names) }
    var shown: [String] = []
    var more = 0
    for index in 0..<jackdaw_alt_names_count(names) {
      var bytes: UnsafePointer<UInt8>?
      var count: Int32 = 0
      let type = jackdaw_alt_name(names, index, &bytes, &count)
      guard type >= 0, count >= 0 else { continue }
      let value = UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
      if shown.count < TransportLimits.listedNames {
        shown.append(type == GEN_IPADD ? address(value) : printable(value))
      } else {
        more += 1
      }
    }
    if shown.isEmpty { return "none" }
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// The common name of the issuer, or its organisation.
  static func issuer(of certificate: OpaquePointer) -> String? {
    let name = X509_get_issuer_name(certificate)
    for kind in [NID_commonName, NID_organizationName] {
      let index = X509_NAME_get_index_by_NID(name, kind, -1)
      guard index >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)) else { continue }
      return printable(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }
    return nil
  }

  /// Anything but printable ASCII becomes `?`: these bytes are the other side's.
  private static func printable(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let shown = bytes.prefix(TransportLimits.listedNameLength).map {
      (0x21...0x7E).contains($0) || $0 == 0x20 ? $0 : UInt8(ascii: "?")
    }
    return String(decoding: shown, as: UTF8.self) + (bytes.count > shown.count ? "…" : "")
  }

  private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count == 4 || bytes.count == 16 else { return "?" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress,
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes.baseAddress, start, socklen_t(text.count)) != nil
      else { return "?" }
      return String(cString: start)
    }
  }
}
