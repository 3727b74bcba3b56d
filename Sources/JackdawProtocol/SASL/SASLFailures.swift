// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the failures of a log-in mean (RFC 6120 6.5, RFC 5802 7).
enum SASLFailures {
  private static let conditions: [String: (code: StreamFailure.Code, sentence: String)] = [
    "aborted": (.refused, "The log-in was aborted"),
    "account-disabled": (.authentication, "The account is disabled"),
    "credentials-expired": (.authentication, "The password has expired"),
    "encryption-required": (.refused, "The server wants encryption for this way to log in, though TLS is up"),
    "incorrect-encoding": (.refused, "The server could not read the log-in's encoding"),
    "invalid-authzid": (.authentication, "The server does not accept the user name"),
    "invalid-mechanism": (.refused, "The server refuses the way to log in that it offered"),
    "malformed-request": (.refused, "The server could not read the log-in"),
    "mechanism-too-weak": (.refused, "The server considers this way to log in too weak for the account"),
    "not-authorized": (.authentication, "The server does not accept this user name and password"),
    "temporary-auth-failure": (.temporaryAuthentication, "The server cannot check passwords just now"),
  ]

  /// Conditions by which servers refuse a kind of channel binding: Prosody says malformed-request, ejabberd
  /// not-authorized.
  private static let bindingRefusals: Set<String> = ["not-authorized", "malformed-request", "invalid-mechanism"]

  /// True when a refusal of the first message may be one of its channel binding alone.
  static func mayConcernBinding(_ condition: String) -> Bool { bindingRefusals.contains(condition) }

  /// The way out where the server's channel binding is broken, by a proxy that ends TLS before it for one.
  private static let wayOut = "channel_binding = \"off\" for the account in the configuration turns channel binding off"

  /// Mostly somebody has mistyped their password: no word of attackers then, unless it is asked for.
  private static let adviceOnDoubt = "If both are right, 'jackdaw account check' says more."

  /// The failure that `<failure/>` with `condition` means after `attempt`.
  /// - Parameter proofSent: the server had let the attempt's channel binding pass and was checking the password.
  static func failure(
    _ condition: String, text: String?, after attempt: SASLAttempt, proofSent: Bool
  ) -> StreamFailure {
    // A condition that nobody defined says nothing against a later try.
    let (code, sentence) =
      conditions[condition] ?? (.temporaryAuthentication, "The server refused the log-in without saying why")
    var failure = StreamFailure(code, condition: condition, sentence: sentence, peerText: text)
    guard mayConcernBinding(condition) else { return failure }
    switch attempt {
    case .scram(_, .bound, _):
      failure.advice = Self.adviceOnDoubt
      failure.sentence +=
        " on this TLS connection; if they are right: possible man in the middle, or the server's channel "
        + "binding does not work (\(wayOut))"
    case .scram(_, .notOffered, _) where !proofSent:
      failure.advice = Self.adviceOnDoubt
      failure.sentence += "; if they are right, its offer of channel binding may be hidden: possible man in the middle"
    case .scram(_, .notOffered, _), .scram(_, .impossible, _), .plain:
      return failure
    }
    if condition != "not-authorized" {
      failure.code = .protocolViolation
      failure.advice = nil
      failure.sentence =
        switch attempt {
        case .scram(_, .bound, _):
          "The server refuses to have the log-in bound to this TLS connection: possible man in the middle, or its channel "
            + "binding does not work (\(wayOut))"
        case .scram, .plain:
          "The server refuses a log-in that is not bound to this TLS connection: its offer of channel binding may be hidden "
            + "(possible man in the middle), or its channel binding does not work (\(wayOut))"
        }
    }
    return failure
  }

  /// The failure of a token of an earlier log-in: the next try is without it.
  static func staleToken(_ condition: String) -> StreamFailure {
    StreamFailure(
      .staleToken, condition: condition, sentence: "The server does not take the token of the last log-in any more.",
      mayRetry: true)
  }

  /// The failure of SCRAM keys of an earlier process: the next try is with the password.
  /// - Parameter condition: what the server said; nil: it has another salt by now.
  static func staleKeys(_ condition: String?) -> StreamFailure {
    StreamFailure(
      .staleKeys, condition: condition, sentence: "The keys that were kept of an earlier log-in do not fit any more.",
      mayRetry: true)
  }

  /// The failure that `e=` in SCRAM means.
  static func scramError(_ error: String) -> StreamFailure {
    switch error {
    case "channel-bindings-dont-match", "server-does-support-channel-binding", "channel-binding-not-supported",
      "unsupported-channel-binding-type":
      StreamFailure(
        .protocolViolation, condition: error,
        sentence: "The server sees another TLS connection than this one, or another offer: possible man in the middle, "
          + "or its channel binding does not work (\(wayOut)).",
        peerText: error)
    case "no-resources":
      StreamFailure(
        .temporaryAuthentication, condition: error, sentence: "The server cannot check passwords just now.",
        peerText: error)
    case _:
      StreamFailure(
        .authentication, condition: error, sentence: "The server does not accept this user name and password.",
        peerText: error)
    }
  }
}
