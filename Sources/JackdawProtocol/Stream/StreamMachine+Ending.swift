// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawXML

/// How a stream ends (RFC 6120 4.4, 4.9).
extension StreamMachine {
  mutating func closeRequested() -> [Action] {
    switch state {
    case .idle, .securing:
      state = .ended
      return [.closed]
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .openingSecure, .awaitingMechanisms, .registering,
      .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession:
      state = .closing(delivering: false)
      return [.send(StanzaWriter.streamEnd)]
    case .ready:
      state = .closing(delivering: true)
      return [.send(StanzaWriter.streamEnd)]
    case .closing, .ended:
      return []
    }
  }

  /// `</stream:stream>` came.
  mutating func closed() -> [Action] {
    switch state {
    case .ready:
      state = .ended
      return [.send(StanzaWriter.streamEnd), .closed]
    case .closing:
      state = .ended
      return [.closed]
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .openingSecure, .awaitingMechanisms, .registering,
      .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession:
      return leave(
        StreamFailure(
          isUpgrading ? .failedUpgrade : .serverGone,
          sentence: "The server ended the stream while this side waited for \(awaited).",
          mayRetry: true))
    case .idle, .securing:
      return end(.violation("The server went on in the clear where TLS had to begin: possible man in the middle."))
    case .ended:
      return []
    }
  }

  mutating func streamErrorReceived(_ error: Element) -> [Action] {
    switch state {
    case .closing:
      state = .ended
      return [.closed]
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound,
      .startingSession,
      .ready, .ended:
      break
    }
    guard let target = StreamErrors.redirection(error) else { return leave(failure(StreamErrors.failure(error))) }
    // Only the domain's own server may say where else it is: before TLS is verified anybody could.
    guard !isUnverified else {
      return leave(
        StreamFailure(
          .refused, condition: "see-other-host",
          sentence: "The server, or somebody between, points to another one before TLS: that is not followed."))
    }
    guard let target = HostPort(redirection: target) else {
      return leave(
        StreamFailure(
          .refused, condition: "see-other-host", sentence: "The server points to another one that has no usable name."))
    }
    state = .ended
    return [.send(StanzaWriter.streamEnd), .redirect(to: target)]
  }

  private var isRegistering: Bool { if case .registering = state { true } else { false } }

  /// A server that knows no registration may end the stream of a stranger who asks for it, as ejabberd does.
  private func failure(_ failure: StreamFailure) -> StreamFailure {
    if isUpgrading {
      var failure = failure
      (failure.code, failure.mayRetry) = (.failedUpgrade, true)
      return failure
    }
    // Somebody can be thrown out only after the log-in.
    if failure.condition == "conflict", !isReady, !isPendingBind, !isRegistering {
      return StreamFailure(
        .refused, condition: failure.condition, sentence: "The server speaks of a conflict before there is a log-in.",
        peerText: failure.peerText)
    }
    guard case .registering(let registration) = state, failure.condition == "not-authorized" else { return failure }
    return registration.unwanted(failure)
  }

  mutating func decodingFailed(_ condition: String, _ description: String) -> [Action] {
    switch state {
    case .openingClear, .openingSecure:
      let sentence =
        condition == "invalid-namespace" ? description : "What answered is not an XMPP server: \(description)"
      return end(.violation(sentence, condition: condition))
    case .idle, .securing:
      return end(.violation(description, condition: condition))
    case .awaitingTLSOffer, .awaitingProceed, .awaitingMechanisms, .registering, .authenticating, .openingBound,
      .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready:
      return end(.violation(description, condition: condition), telling: condition)
    case .closing:
      state = .ended
      return [.closed]
    case .ended:
      return []
    }
  }

  mutating func miscounted(_ error: StreamManagementError) -> [Action] {
    guard isReady else { return [] }
    let failure = retryableAfterAuthentication(.violation(error.description))
    state = .ended
    return [.send(StreamErrors.closing(with: "undefined-condition", error.detail)), .fail(failure)]
  }

  mutating func unexpectedBytes(_ count: Int) -> [Action] {
    switch state {
    case .idle, .securing:
      return end(
        .violation("\(count) bytes came in the clear after the server's consent to TLS: possible man in the middle."))
    case .openingBound:
      // The server has proved itself, and nobody else speaks within TLS. Prosody, when it stops between our proof and our header,
      // opens the stream by itself to say so; with its success in one read, that is this. Unread all the same.
      return end(
        StreamFailure(.serverGone, sentence: "The server went on, by \(count) bytes, before the new stream had begun."))
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .openingSecure, .awaitingMechanisms, .registering,
      .authenticating, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession, .ready:
      return end(.violation("The server sent \(count) bytes where it had to wait for a new stream."))
    case .closing:
      state = .ended
      return [.closed]
    case .ended:
      return []
    }
  }

  /// Over, and the server is told why.
  mutating func violate(_ sentence: String, telling condition: String = "policy-violation") -> [Action] {
    end(.violation(sentence), telling: condition)
  }

  /// Over, with a proper end of the stream.
  mutating func leave(_ failure: StreamFailure) -> [Action] {
    let failure = marked(failure)
    state = .ended
    return [.send(StanzaWriter.streamEnd), .fail(failure)]
  }

  /// A server that breaks the protocol before the end of SASL may not be who it says it is: the log-in is not retried. After that it is
  /// who it says, and the connection is made again.
  private func retryableAfterAuthentication(_ failure: StreamFailure) -> StreamFailure {
    var failure = marked(failure)
    guard isReady || isPendingBind, failure.code == .protocolViolation else { return failure }
    failure.mayRetry = true
    return failure
  }

  /// Says of a failure whether it can be believed.
  private func marked(_ failure: StreamFailure) -> StreamFailure {
    guard isUnverified else { return failure }
    var failure = failure
    failure.isUnverified = true
    return failure
  }

  /// Over; the server hears of it only where a stream error is given.
  mutating func end(_ failure: StreamFailure, telling condition: String? = nil) -> [Action] {
    let failure = retryableAfterAuthentication(failure)
    state = .ended
    guard let condition else { return [.fail(failure)] }
    return [.send(StreamErrors.closing(with: condition)), .fail(failure)]
  }
}
