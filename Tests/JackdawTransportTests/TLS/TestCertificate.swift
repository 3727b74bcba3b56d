// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc

/// A key and a certificate for it, made in memory when a test needs them.
final class TestCertificate {
  enum Key { case curve, rsa(bits: UInt32), ed25519 }

  /// What is in the certificate. The defaults make a good one for a server.
  struct Contents {
    var commonName = "Test"
    /// As OpenSSL's configuration writes it: `DNS:a.example,IP:192.0.2.1`.
    var alternativeNames: String?
    var isCA = false
    var extendedKeyUsage: String? = "serverAuth"
    /// In days from now.
    var validFrom = -1
    var validTo = 30
    /// Seconds more.
    var validLonger = 0
    var key = Key.curve
    var digest: OpaquePointer? = EVP_sha256()
  }

  let key: OpaquePointer
  let certificate: OpaquePointer
  private let kind: Key

  /// - Parameter issuer: who signs it; nil for a self-signed one.
  init(_ contents: Contents, issuer: TestCertificate?) {
    kind = contents.key
    key = Self.makeKey(contents.key)
    certificate = X509_new()
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), Int64.random(in: 1...Int64.max))
    X509_time_adj_ex(X509_getm_notBefore(certificate), Int32(contents.validFrom), 0, nil)
    X509_time_adj_ex(X509_getm_notAfter(certificate), Int32(contents.validTo), contents.validLonger, nil)
    let subject = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_FLAG | 1, contents.commonName, -1, -1, 0)
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer?.certificate ?? certificate))
    X509_set_pubkey(certificate, key)
    add(NID_basic_constraints, contents.isCA ? "critical,CA:TRUE" : "critical,CA:FALSE")
    if contents.isCA { add(NID_key_usage, "critical,keyCertSign,cRLSign") }
    if !contents.isCA, let usage = contents.extendedKeyUsage { add(NID_ext_key_usage, usage) }
    if let names = contents.alternativeNames { add(NID_subject_alt_name, names) }
    var digest = contents.digest
    if case .ed25519 = (issuer == nil ? contents.key : issuer?.kind ?? .curve) { digest = nil }
    let size = X509_sign(certificate, issuer?.key ?? key, digest)
    precondition(size > 0, "the certificate cannot be signed")
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// In PEM form.
  var pem: [UInt8] {
    let output = BIO_new(BIO_s_mem())
    defer { BIO_free(output) }
    PEM_write_bio_X509(output, certificate)
    return [UInt8](unsafeUninitializedCapacity: Int(BIO_ctrl_pending(output))) { buffer, count in
      count = Int(BIO_read(output, buffer.baseAddress, Int32(buffer.count)))
    }
  }

  /// The name of its file in a directory that OpenSSL searches by hash.
  var hashedFileName: String {
    let digits = String(X509_NAME_hash_ex(X509_get_subject_name(certificate), nil, nil, nil), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + ".0"
  }

  func digest(_ type: OpaquePointer?) -> [UInt8] {
    var length: UInt32 = 0
    var data = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    X509_digest(certificate, type, &data, &length)
    return Array(data.prefix(Int(length)))
  }

  private func add(_ kind: Int32, _ value: String) {
    guard let made = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
      preconditionFailure("OpenSSL does not understand \(value)")
    }
    X509_add_ext(certificate, made, -1)
    X509_EXTENSION_free(made)
  }

  private static func makeKey(_ kind: Key) -> OpaquePointer {
    let type =
      switch kind {
      case .curve: EVP_PKEY_EC
      case .rsa: EVP_PKEY_RSA
      case .ed25519: EVP_PKEY_ED25519
      }
    let context = EVP_PKEY_CTX_new_id(type, nil)
    defer { EVP_PKEY_CTX_free(context) }
    EVP_PKEY_keygen_init(context)
    switch kind {
    case .curve: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
    case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
    case .ed25519: break
    }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen(context, &key) == 1, let key else { preconditionFailure("no key could be made") }
    return key
  }
}

/// A directory that is removed with its owner.
final class TemporaryDirectory {
  let path: String
  private var files: [String] = []

  init() {
    var template = Array("/tmp/jackdaw-transport.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("no temporary directory") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
    let file = "\(path)/\(name)"
    files.append(file)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "cannot write \(file)")
    close(descriptor)
    return file
  }
}
