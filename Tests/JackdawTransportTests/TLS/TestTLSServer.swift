// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL

/// The server's end of a TLS connection, without a socket: real OpenSSL, good or bad as a test wants it.
final class TestTLSServer {
  struct Settings {
    var minimumVersion: Int32 = TLS1_2_VERSION
    var maximumVersion: Int32 = 0
    /// For TLS 1.2 and older.
    var ciphers: String?
    /// Nil: ALPN is ignored. Otherwise the only protocol that is spoken.
    var applicationProtocol: String?
    var sendsExtendedMasterSecret = true
    /// What it gives for the next connection is a name, and what that stands for stays here.
    var remembersSessions = false
  }

  private let context: OpaquePointer
  let session: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer

  /// The end of another connection of the same server: it knows the tickets of the first.
  init(again other: TestTLSServer) {
    context = other.context
    SSL_CTX_up_ref(context)
    (session, input, output) = Self.accepting(context)
  }

  /// - Parameters:
  ///   - identity: nil: a server without a certificate, for anonymous ciphers.
  ///   - chain: sent along with the identity.
  init(_ identity: TestCertificate?, chain: [TestCertificate] = [], settings: Settings = Settings()) {
    context = SSL_CTX_new(TLS_server_method())
    // A server that does wrong must be able to.
    SSL_CTX_set_security_level(context, 0)
    jackdaw_ssl_ctx_set_min_version(context, settings.minimumVersion)
    jackdaw_ssl_ctx_set_max_version(context, settings.maximumVersion)
    if let ciphers = settings.ciphers { precondition(SSL_CTX_set_cipher_list(context, ciphers) == 1) }
    if let identity {
      precondition(SSL_CTX_use_certificate(context, identity.certificate) == 1)
      precondition(SSL_CTX_use_PrivateKey(context, identity.key) == 1)
    }
    for certificate in chain {
      SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate.certificate))
    }
    // SSL_OP_NO_EXTENDED_MASTER_SECRET, a macro that Swift does not import.
    if !settings.sendsExtendedMasterSecret { SSL_CTX_set_options(context, 1) }
    // SSL_OP_NO_TICKET.
    if settings.remembersSessions { SSL_CTX_set_options(context, 1 << 14) }
    if settings.applicationProtocol == "xmpp-client" {
      SSL_CTX_set_alpn_select_cb(
        context,
        { _, chosen, length, offered, count, _ in
          let wanted: StaticString = "\u{0B}xmpp-client"
          let list = UnsafeMutablePointer(mutating: offered)
          return SSL_select_next_proto(
            UnsafeMutableRawPointer(chosen)?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self), length,
            wanted.utf8Start, 12,
            list, count) == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
        }, nil)
    } else if settings.applicationProtocol != nil {
      SSL_CTX_set_alpn_select_cb(context, { _, _, _, _, _, _ in SSL_TLSEXT_ERR_ALERT_FATAL }, nil)
    }
    (session, input, output) = Self.accepting(context)
  }

  private static func accepting(
    _ context: OpaquePointer
  ) -> (session: OpaquePointer, input: OpaquePointer, output: OpaquePointer) {
    let session: OpaquePointer = SSL_new(context)
    let input: OpaquePointer = BIO_new(BIO_s_mem())
    let output: OpaquePointer = BIO_new(BIO_s_mem())
    SSL_set_bio(session, input, output)
    SSL_set_accept_state(session)
    return (session, input, output)
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  func receive(_ bytes: [UInt8]) { BIO_write(input, bytes, Int32(bytes.count)) }

  /// What is to be sent.
  func takeOutput() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(BIO_ctrl_pending(output))) { buffer, count in
      count = max(0, Int(BIO_read(output, buffer.baseAddress, Int32(buffer.count))))
    }
  }

  /// True when the handshake is done.
  @discardableResult
  func handshake() -> Bool {
    defer { ERR_clear_error() }
    return SSL_do_handshake(session) == 1
  }

  var isEstablished: Bool { SSL_is_init_finished(session) == 1 }

  func write(_ bytes: [UInt8]) {
    if !bytes.isEmpty { precondition(SSL_write(session, bytes, Int32(bytes.count)) == bytes.count) }
  }

  func read() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = SSL_read(session, &buffer, Int32(buffer.count))
      guard count > 0 else { break }
      all += buffer.prefix(Int(count))
    }
    ERR_clear_error()
    return all
  }

  /// Sends close_notify.
  func finish() { SSL_shutdown(session) }

  var hasPeerFinished: Bool { SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 }

  /// The name that the client asked for.
  var serverName: String? { SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) } }

  var applicationProtocol: String? {
    var data: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(session, &data, &length)
    return data.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
  }

  func exported(_ label: String) -> [UInt8] {
    var data = [UInt8](repeating: 0, count: 32)
    precondition(SSL_export_keying_material(session, &data, 32, label, label.utf8.count, "", 0, 1) == 1)
    return data
  }
}
