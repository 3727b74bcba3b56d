// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// What the stream errors mean for a client (RFC 6120 4.9.3).
enum StreamErrors {
  private struct Meaning {
    var code: StreamFailure.Code
    var mayRetry: Bool
    var sentence: String
  }

  private static let meanings: [String: Meaning] = [
    "bad-format": ours("XML that it cannot process"),
    "bad-namespace-prefix": ours("a bad namespace prefix"),
    "conflict": Meaning(
      code: .conflict, mayRetry: false, sentence: "Another log-in of this account replaced this one"),
    "connection-timeout": gone("The server had not heard from Jackdaw for too long."),
    "host-gone": refused("The server does not serve this domain any more."),
    "host-unknown": refused("The server does not serve this domain."),
    "improper-addressing": ours("a bad address"),
    "internal-server-error": gone("The server has an internal error."),
    "invalid-from": ours("a wrong sender"),
    "invalid-id": ours("a wrong stream id"),
    "invalid-namespace": ours("a wrong namespace"),
    "invalid-xml": ours("invalid XML"),
    "not-authorized": refused("The server no longer allows this connection."),
    "not-well-formed": ours("XML that is not well-formed"),
    "policy-violation": Meaning(
      code: .refused, mayRetry: true, sentence: "The server says that one of its rules was broken"),
    "remote-connection-failed": gone("The server cannot reach a service that it needs."),
    "reset": gone("The server asked for a new connection."),
    "resource-constraint": gone("The server has no capacity for this connection."),
    "restricted-xml": ours("restricted XML"),
    "system-shutdown": gone("The server is shutting down."),
    "undefined-condition": gone("The server closed the connection without saying why."),
    "unsupported-encoding": ours("an encoding that it does not support"),
    "unsupported-feature": refused("The server wants a feature that this client does not have."),
    "unsupported-stanza-type": ours("a stanza of unknown kind"),
    "unsupported-version": ours("a version of XMPP that it does not support"),
  ]

  private static func gone(_ sentence: String) -> Meaning {
    Meaning(code: .serverGone, mayRetry: true, sentence: sentence)
  }

  private static func refused(_ sentence: String) -> Meaning {
    Meaning(code: .refused, mayRetry: false, sentence: sentence)
  }

  /// The server blames our bytes. The same bytes would be refused again, but the stream that comes next brings others.
  private static func ours(_ what: String) -> Meaning {
    Meaning(code: .refused, mayRetry: true, sentence: "The server says that it got \(what) from us")
  }

  /// The failure that `error`, a `<stream:error/>`, means.
  static func failure(_ error: Element) -> StreamFailure {
    let condition = Self.condition(of: error)
    // ejabberd has one word for this and for another log-in, and tells them apart by its own (seen with 23.01).
    if condition?.name == "conflict", error.text(of: "text", Namespace.streamErrors) == "User removed" {
      return StreamFailure(
        .refused, condition: condition?.name, sentence: "The account was removed from its server.", mayRetry: false)
    }
    let meaning =
      condition.flatMap { meanings[$0.name] }
      ?? gone("The server closed the connection for a reason that Jackdaw does not know.")
    return StreamFailure(
      meaning.code, condition: condition?.name, sentence: meaning.sentence,
      peerText: error.text(of: "text", Namespace.streamErrors).map(PeerText.cut), mayRetry: meaning.mayRetry)
  }

  /// Where see-other-host points; nil for any other error.
  static func redirection(_ error: Element) -> String? {
    guard let condition = condition(of: error), condition.name == "see-other-host" else { return nil }
    return condition.text
  }

  private static func condition(of error: Element) -> Element? {
    error.children.first { $0.namespace == Namespace.streamErrors && $0.name != "text" }
  }

  /// Our own stream error and the end of our stream after it.
  /// - Parameter detail: an application-specific condition (RFC 6120 4.9.4), as XML.
  static func closing(with condition: String, _ detail: String = "") -> [UInt8] {
    Array("<stream:error><\(condition) xmlns='\(Namespace.streamErrors)'/>\(detail)</stream:error>".utf8)
      + StanzaWriter.streamEnd
  }
}

/// Words of the peer that go into an error.
enum PeerText {
  static func cut(_ text: String) -> String { String(text.prefix(StreamLimits.peerText)) }
}
