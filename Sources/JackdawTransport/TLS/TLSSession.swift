// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc
import JackdawHosts

/// The client's end of one TLS connection, without a socket: what came from the network goes in, what is to be sent
/// comes out. The certificate must be one for the domain, whatever host was connected to (RFC 6120 section 13.7, RFC
/// 9525).
final class TLSSession {
  enum Handshake {
    /// The peer's answer is needed.
    case underway
    case done(TransportSecurity)
    case failed(TransportError)
  }

  enum Reading {
    case bytes(Int)
    /// All that came is read.
    case drained
    /// The peer said that nothing comes any more (close_notify).
    case closed
    case failed(TransportError)
  }

  private let context: TLSContext
  let session: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer
  let domain: String
  /// What tickets of this connection are good for: connections of the same scope.
  let scope: String
  /// Whether a ticket that the server gives is wanted.
  let keepsTickets: Bool
  /// Until when what the certificate was judged by holds, in seconds since 1970; see ``TLSTicket/verifiedUntil``.
  var verifiedUntil: Int64 = 0
  /// What the last ticket stands for, which has not been asked for yet.
  var newest: OpaquePointer?
  private(set) var isEstablished = false
  /// True once ``handshake()`` was called.
  private(set) var hasBegun = false

  /// - Parameters:
  ///   - domain: A-labels or an IP address (IPv6 in brackets, as a JID has it, or without).
  ///   - isDirect: TLS from the first byte, which is announced by ALPN (XEP-0368 section 3).
  ///   - keepsTickets: ``takeTicket()`` is asked.
  /// - Throws: ``TransportError`` `tls`.
  init(context: TLSContext, domain: String, isDirect: Bool, keepsTickets: Bool = false) throws(TransportError) {
    guard let session = SSL_new(context.pointer), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem())
    else {
      throw TransportError(.tls, "TLS cannot be set up: \(OpenSSLError.last).")
    }
    self.context = context
    self.session = session
    self.input = input
    self.output = output
    self.domain = domain
    self.keepsTickets = keepsTickets
    scope = TLSTicket.scope(domain: domain, isDirect: isDirect, rules: context.rules)
    SSL_set_bio(session, input, output)
    SSL_set_connect_state(session)
    guard Self.require(domain, of: session) else {
      throw TransportError(.tls, "\(domain) cannot be the name of a server.")
    }
    if isDirect {
      let protocols = [UInt8(11)] + Array("xmpp-client".utf8)
      SSL_set_alpn_protos(session, protocols, UInt32(protocols.count))
    }
    SSL_set_ex_data(session, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    SSL_SESSION_free(newest)
    SSL_free(session)
  }

  /// Whose connection it is.
  static func of(_ connection: OpaquePointer?) -> TLSSession? {
    SSL_get_ex_data(connection, 0).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The only name that the certificate may have, and the name that the server is told (SNI; never an IP address, RFC
  /// 6066).
  private static func require(_ domain: String, of session: OpaquePointer) -> Bool {
    let parameters = SSL_get0_param(session)
    X509_VERIFY_PARAM_set_hostflags(parameters, CertificateNames.rules)
    if let address = CertificateNames.address(in: domain) {
      return X509_VERIFY_PARAM_set1_ip_asc(parameters, address) == 1
    }
    guard HostName.isValid(domain) else { return false }
    return X509_VERIFY_PARAM_set1_host(parameters, domain, domain.utf8.count) == 1
      && jackdaw_ssl_set_server_name(session, domain) == 1
  }

  /// Takes what came from the network.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    // A memory BIO takes everything or is out of memory; the latter shows as a broken record.
    BIO_write(input, start, Int32(bytes.count))
  }

  /// True when there is something to read that no `receive` has to bring first.
  var hasInput: Bool { SSL_has_pending(session) == 1 || BIO_ctrl_pending(input) > 0 }

  /// Hands over what is to be sent.
  func takeOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
    while BIO_ctrl_pending(output) > 0 {
      let taken = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = BIO_read(output, buffer.baseAddress, Int32(buffer.count))
        if count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)])) }
        return count > 0
      }
      if !taken { return }
    }
  }

  /// Takes the handshake as far as what came allows.
  func handshake() -> Handshake {
    hasBegun = true
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    if result == 1 {
      guard SSL_get_verify_result(session) == X509_V_OK, let security = security() else {
        return .failed(TransportError(.certificate, "The certificate of \(domain) could not be verified."))
      }
      isEstablished = true
      noteVerification()
      return .done(security)
    }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
      ERR_clear_error()
      return .underway
    default:
      let reason = OpenSSLError.takeReason()
      let verdict = SSL_get_verify_result(session)
      guard verdict == X509_V_OK else {
        return .failed(
          CertificateFailure.error(Int32(verdict), domain: domain, chain: SSL_get_peer_cert_chain(session)))
      }
      return .failed(TLSFailure.error(reason, domain: domain))
    }
  }

  /// Decrypts into `buffer` as much as there is and fits.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(truncatingIfNeeded: buffer.count))
    if count > 0 { return .bytes(Int(count)) }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .drained
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: return .failed(TLSFailure.error(OpenSSLError.takeReason(), domain: domain))
    }
  }

  /// Encrypts all of `bytes`; the result is for ``takeOutput(_:)``. Nil, or what went wrong.
  func write(_ bytes: UnsafeRawBufferPointer) -> TransportError? {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
    ERR_clear_error()
    let count = SSL_write(session, start, Int32(truncatingIfNeeded: bytes.count))
    return count == bytes.count ? nil : TLSFailure.error(OpenSSLError.takeReason(), domain: domain)
  }

  /// Says that nothing comes from us any more (close_notify).
  func finishWriting() {
    guard isEstablished else { return }
    ERR_clear_error()
    SSL_shutdown(session)
    ERR_clear_error()
  }

  private func security() -> TransportSecurity? {
    guard let version = SSL_get_version(session), let cipher = SSL_get_current_cipher(session),
      let cipherName = SSL_CIPHER_get_name(cipher)
    else { return nil }
    return TransportSecurity(
      version: String(cString: version), cipher: String(cString: cipherName),
      channelBindings: ChannelBinding.all(of: session), isResumed: isResumed)
  }
}
