// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL

/// Data that both ends of one TLS connection know and nobody between them can have the same of (RFC 5056).
enum ChannelBinding {
  /// What an established session has, by the names of the IANA registry.
  static func all(of session: OpaquePointer) -> [String: [UInt8]] {
    var bindings: [String: [UInt8]] = [:]
    bindings["tls-exporter"] = exporter(session)
    bindings["tls-server-end-point"] = serverEndPoint(session)
    bindings["tls-unique"] = unique(session)
    return bindings
  }

  /// RFC 9266 section 2: 32 exported bytes. Without the extended master secret TLS 1.2 does not bind them to the
  /// handshake.
  private static func exporter(_ session: OpaquePointer) -> [UInt8]? {
    guard SSL_version(session) == TLS1_3_VERSION || jackdaw_ssl_has_extended_master_secret(session) == 1 else {
      return nil
    }
    let label = "EXPORTER-Channel-Binding"
    var data = [UInt8](repeating: 0, count: 32)
    // An empty context, which for TLS 1.2 is not the same as none.
    guard SSL_export_keying_material(session, &data, data.count, label, label.utf8.count, "", 0, 1) == 1 else {
      return nil
    }
    return data
  }

  /// RFC 5929 section 3.1: our Finished message, the first of a full handshake. It is unique to the connection only with
  /// the extended master secret (RFC 7627), and TLS 1.3 has none. Servers that know no other type exist (Prosody 0.12).
  private static func unique(_ session: OpaquePointer) -> [UInt8]? {
    guard SSL_version(session) == TLS1_2_VERSION, jackdaw_ssl_has_extended_master_secret(session) == 1,
      SSL_session_reused(session) == 0
    else { return nil }
    var data = [UInt8](repeating: 0, count: 64)
    let length = SSL_get_finished(session, &data, data.count)
    return length > 0 && length <= data.count ? Array(data.prefix(length)) : nil
  }

  /// RFC 5929 section 4.1: the certificate, hashed as its signature is, but not by MD5 or SHA-1. A signature algorithm
  /// that names no single hash (Ed25519) leaves this undefined.
  private static func serverEndPoint(_ session: OpaquePointer) -> [UInt8]? {
    guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
    defer { X509_free(certificate) }
    var digestID: Int32 = 0
    guard X509_get_signature_info(certificate, &digestID, nil, nil, nil) == 1, digestID != NID_undef else { return nil }
    let isWeak = digestID == NID_md5 || digestID == NID_sha1 || digestID == NID_md5_sha1
    guard let digest = isWeak ? EVP_sha256() : EVP_get_digestbyname(OBJ_nid2sn(digestID)) else { return nil }
    var length: UInt32 = 0
    var data = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    guard X509_digest(certificate, digest, &data, &length) == 1 else { return nil }
    return Array(data.prefix(Int(length)))
  }
}
