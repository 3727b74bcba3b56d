// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL

/// OpenSSL's reasons as sentences.
enum TLSFailure {
  static func error(_ reason: (code: Int32, text: String)?, domain: String) -> TransportError {
    guard let reason else { return TransportError(.tls, "The server of \(domain) ended the TLS handshake.") }
    let sentence =
      switch reason.code {
      case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
        "The server of \(domain) offers no version of TLS that is safe (1.2 at least)."
      case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, SSL_R_NO_SHARED_CIPHER, SSL_R_WRONG_CIPHER_RETURNED,
        SSL_R_UNKNOWN_CIPHER_RETURNED,
        SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
        "The server of \(domain) offers no cipher that is safe."
      case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_BAD_PROTOCOL_VERSION_NUMBER:
        "The server of \(domain) does not speak TLS there."
      case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
        "The server of \(domain) speaks TLS there, but not for XMPP clients."
      case SSL_R_TLSV1_UNRECOGNIZED_NAME:
        "The server does not know the domain \(domain)."
      case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, SSL_R_SSLV3_ALERT_BAD_RECORD_MAC:
        "The TLS connection to \(domain) was tampered with or damaged."
      case SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK, SSL_R_DH_KEY_TOO_SMALL:
        "The server of \(domain) uses a key that is too weak."
      default:
        "TLS with the server of \(domain) failed: \(reason.text)."
      }
    return TransportError(.tls, sentence)
  }
}
