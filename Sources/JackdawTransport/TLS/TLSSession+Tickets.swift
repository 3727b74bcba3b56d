// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc

/// Resumption (RFC 8446 2.2), of TLS 1.3 alone: what TLS 1.2 needs for it are the keys of the connection itself, and on the disk
/// they would open to its finder what was said on it. Nothing is ever sent before the handshake is done (0-RTT): it can be replayed.
extension TLSSession {
  /// True where the server has taken the ticket.
  var isResumed: Bool { SSL_session_reused(session) == 1 }

  /// Has the handshake begin with a ticket. One that is of no use, or that the server does not know, leaves it a whole one.
  func offer(_ ticket: TLSTicket) {
    guard ticket.scope == scope, ticket.expiry > Self.now, let resumed = Self.decoded(ticket.session) else { return }
    defer { SSL_SESSION_free(resumed) }
    // What was verified is in it, and looked at once more: no other certificate comes.
    guard SSL_SESSION_get_protocol_version(resumed) == TLS1_3_VERSION, SSL_SESSION_is_resumable(resumed) == 1,
      let certificate = SSL_SESSION_get0_peer(resumed), CertificateNames.has(domain, in: certificate),
      X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0,
      X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0
    else { return }
    guard SSL_set_session(session, resumed) == 1 else { return ERR_clear_error() }
    verifiedUntil = ticket.verifiedUntil
  }

  /// The handshake is done: a certificate that came with it was verified just now.
  func noteVerification() {
    guard keepsTickets, !isResumed else { return }
    let now = Self.now
    let chain = SSL_get0_verified_chain(session)
    let ends = (0..<jackdaw_chain_count(chain)).compactMap { index in
      jackdaw_chain_certificate(chain, index).flatMap { Self.secondsUntil(X509_get0_notAfter($0)) }
    }
    // Where OpenSSL names no chain it has verified none.
    verifiedUntil = ends.min().map { now + min($0, TransportLimits.ticketLifetime) } ?? now
  }

  /// Takes what OpenSSL makes of a ticket that came.
  /// - Returns: whether the reference is ours from here on.
  func takeOver(_ given: OpaquePointer?) -> Bool {
    guard keepsTickets, let given, SSL_SESSION_get_protocol_version(given) == TLS1_3_VERSION, !Self.isName(given) else {
      return false
    }
    SSL_SESSION_free(newest)
    newest = given
    return true
  }

  /// Whether a ticket is no more than a name for what the server would have to remember. Prosody and ejabberd give such and remember
  /// nothing: each would be written to the disk, and taken out again before the next handshake, for nothing.
  private static func isName(_ session: OpaquePointer) -> Bool {
    var length = 0
    SSL_SESSION_get0_ticket(session, nil, &length)
    return length <= TransportLimits.sessionName
  }

  /// The newest ticket that the server gave since the last call; nil: none that may be kept.
  func takeTicket() -> TLSTicket? {
    guard isEstablished, let given = newest else { return nil }
    newest = nil
    defer { SSL_SESSION_free(given) }
    let now = Self.now
    let expiry = TLSTicket.expiry(
      at: now, lifetime: SSL_SESSION_get_ticket_lifetime_hint(given), verifiedUntil: verifiedUntil)
    guard expiry > now, SSL_SESSION_is_resumable(given) == 1, let bytes = Self.encoded(given) else { return nil }
    return TLSTicket(scope: scope, session: bytes, expiry: expiry, verifiedUntil: verifiedUntil)
  }

  private static var now: Int64 { Int64(time(nil)) }

  private static func secondsUntil(_ moment: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard let moment, ASN1_TIME_diff(&days, &seconds, nil, moment) == 1 else { return nil }
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// Nil where it is larger than is kept.
  private static func encoded(_ session: OpaquePointer) -> [UInt8]? {
    let length = Int(i2d_SSL_SESSION(session, nil))
    guard length > 0, length <= TransportLimits.ticketBytes else { return nil }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var start = buffer.baseAddress
      count = max(0, min(length, Int(i2d_SSL_SESSION(session, &start))))
    }
  }

  /// Nil where it is damaged.
  private static func decoded(_ bytes: [UInt8]) -> OpaquePointer? {
    guard bytes.count <= TransportLimits.ticketBytes else { return nil }
    return bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      guard let session = d2i_SSL_SESSION(nil, &start, buffer.count) else {
        ERR_clear_error()
        return nil
      }
      guard let start, let first = buffer.baseAddress, start == first + buffer.count else {
        SSL_SESSION_free(session)
        return nil
      }
      return session
    }
  }
}
