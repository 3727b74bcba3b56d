// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc

/// Why a certificate is refused, as one sentence each.
enum CertificateFailure {
  /// - Parameters:
  ///   - verdict: one of `X509_V_ERR_…`.
  ///   - chain: what the server sent, its own certificate first.
  static func error(_ verdict: Int32, domain: String, chain: OpaquePointer?) -> TransportError {
    let certificates = (0..<jackdaw_chain_count(chain)).compactMap { jackdaw_chain_certificate(chain, $0) }
    let own = certificates.first
    let subject = "The certificate of \(domain)"
    let sentence: String
    switch verdict {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      let end = certificates.lazy.compactMap { X509_get0_notAfter($0) }.first { X509_cmp_current_time($0) < 0 }
      sentence = subject + " expired" + (end.flatMap(date).map { " on \($0)." } ?? ".")
    case X509_V_ERR_CERT_NOT_YET_VALID:
      let start = certificates.lazy.compactMap { X509_get0_notBefore($0) }.first { X509_cmp_current_time($0) > 0 }
      sentence = subject + notYetValid(from: start.flatMap(fields), now: fieldsOfNow())
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      sentence = subject + " is self-signed."
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
      let issuer = certificates.last.flatMap(CertificateNames.issuer)
      sentence = subject + " is signed by an authority that is not trusted here" + (issuer.map { " (\($0))." } ?? ".")
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      sentence = subject + " is not for this domain, but for \(own.map(CertificateNames.list) ?? "none")."
    case X509_V_ERR_INVALID_PURPOSE:
      let isLeaf = own.map { X509_check_purpose($0, X509_PURPOSE_SSL_SERVER, 0) != 1 } ?? true
      sentence =
        subject + (isLeaf ? " is not one for a server." : " is signed by somebody who may not sign certificates.")
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_PATH_LENGTH_EXCEEDED,
      X509_V_ERR_INVALID_NON_CA:
      sentence = subject + " is signed by somebody who may not sign certificates."
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
      sentence = subject + " has a key or a signature that is too weak."
    case X509_V_ERR_CERT_REVOKED:
      sentence = subject + " was revoked."
    default:
      let reason = X509_verify_cert_error_string(Int(verdict)).map { String(cString: $0) } ?? "error \(verdict)"
      sentence = subject + " could not be verified: \(reason)."
    }
    return TransportError(.certificate, sentence)
  }

  /// With the clock of this machine: mostly that has no battery, and it is no fault of the server. Of one day the hours are told.
  static func notYetValid(from start: tm?, now: tm?) -> String {
    let isOneDay = start.map(date) == now.map(date)
    func told(_ fields: tm) -> String { date(fields) + (isOneDay ? " \(hours(fields)) UTC" : "") }
    return " is not valid" + (start.map { " before \(told($0))" } ?? " yet")
      + (now.map { "; the clock of this machine says \(told($0))." } ?? ".")
  }

  /// `2026-11-21`.
  private static func date(_ time: UnsafePointer<ASN1_TIME>) -> String? { fields(time).map(date) }

  private static func fields(_ time: UnsafePointer<ASN1_TIME>) -> tm? {
    var fields = tm()
    return ASN1_TIME_to_tm(time, &fields) == 1 ? fields : nil
  }

  private static func fieldsOfNow() -> tm? {
    var (now, fields) = (time(nil), tm())
    return gmtime_r(&now, &fields) == nil ? nil : fields
  }

  private static func date(_ fields: tm) -> String {
    "\(fields.tm_year + 1900)-\(twoDigits(fields.tm_mon + 1))-\(twoDigits(fields.tm_mday))"
  }

  private static func hours(_ fields: tm) -> String { "\(twoDigits(fields.tm_hour)):\(twoDigits(fields.tm_min))" }

  private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
