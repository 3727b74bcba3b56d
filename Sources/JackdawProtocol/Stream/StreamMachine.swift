// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts
package import JackdawXML

/// A client's side of one XMPP stream from the first header to bind and on to the end (RFC 6120 4–7): what happened
/// goes in, what to do comes out. It passes no stanza on before TLS is verified and SASL has ended with a verified
/// server signature and a resource is bound.
///
/// Until SASL has ended an element that is not part of the negotiation is fatal. Between that and the end of bind
/// stanzas are dropped: they cannot be meant for a resource that is not bound yet, and no honest server sends any.
///
/// The last header and the bind request go out together, without waiting for the features between them (as XEP-0305
/// does): the server has restarted its parser before it wrote `<success/>`, and reads the two in order. That saves a
/// round trip; Prosody 0.12 and ejabberd 23.01 take it.
package struct StreamMachine {
  /// Something other than a decoded element happened.
  package enum Input: Sendable {
    /// TCP stands, without TLS.
    case connected
    /// TLS is up and verified, after `startTLS` or from the start (direct TLS); channel-binding data by type name,
    /// version as OpenSSL writes it (`TLSv1.3`).
    case secured(channelBindings: [String: [UInt8]], version: String)
    /// What ``Action/deriveKeys(_:)`` asked for.
    case keysDerived(SCRAMKeys)
    /// The derivation failed (a bug or no memory).
    case keyDerivationFailed
    /// The decoder gave up; its stream-error condition and sentence.
    case decodingFailed(condition: String, description: String)
    /// The peer's bytes went on after an element after which it had to wait (`restartDecoder` returned more than 0).
    /// What the machine answers takes the place of the actions that stood after that `restartDecoder`.
    case unexpectedBytes(Int)
    /// The server counts wrong on a stream that is ready (XEP-0198).
    case miscounted(StreamManagementError)
    /// We want to leave: `</stream:stream>`.
    case closeRequested
  }

  /// What the owner has to do, in order.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    /// Deliver nothing more of the present bytes and forget the decoder's state; tell the machine by
    /// ``Input/unexpectedBytes(_:)`` when bytes had been left over.
    case restartDecoder
    case startTLS
    /// Run ``SCRAMDerivation/run()`` where blocking is allowed, then come back with ``Input/keysDerived(_:)``.
    case deriveKeys(SCRAMDerivation)
    /// The stream is ready for stanzas.
    case loggedIn(LoginOutcome)
    /// The server is there and has proved who it is. The stream is over: close the transport when what stands before this is sent.
    case reached
    /// The account is there. The stream is over: close the transport when what stands before this is sent.
    case registered
    /// The server wants answers before it makes the account (``RegistrationRequest/canAsk``). The stream is over, as with ``registered``.
    case asked(RegistrationForm)
    /// Connect there instead (see-other-host, RFC 6120 4.9.3.19); verified against the same domain as ever.
    case redirect(to: HostPort)
    /// It is over: drop the connection. Comes after any bytes that are still to be sent.
    case fail(StreamFailure)
    /// The peer has closed its side of a stream that we closed, or closed first and was answered: close the transport.
    case closed
  }

  /// What an element led to.
  package enum Reception: Sendable {
    /// A stanza (message, presence, iq) of a stream that is ready.
    case stanza(Element)
    /// Any other element of a ready stream that is not the negotiation's (say XEP-0198), and what looks like a stanza
    /// and is in another namespace than a stanza's.
    case other(Element)
    /// A stanza of a stream that is ready exceeds a limit of ours: its tag is there, its content is not.
    case leftOut(Element, reason: DecodeError)
    case actions([Action])
  }

  var state: State
  /// How often the server has been waited for since TLS stood.
  private(set) var roundTrips = 0

  /// A stream that is to log in as `login` says; nothing happens before ``Input/connected``.
  package init(_ login: LoginRequest) { state = .idle(.logIn(login)) }

  /// A stream that makes an account and ends (XEP-0077 3.1): as far as TLS it is like any other, then the two answers of
  /// the registration are all that the server may say; nothing of it passes on.
  package init(registering registration: RegistrationRequest) { state = .idle(.register(registration)) }

  /// A stream that finds out whether the server of this account is there and proves who it is, and ends before anything is said of the
  /// account.
  package init(reaching account: JID) { state = .idle(.reach(account)) }

  /// Something other than an element happened: what there is to do, in order.
  package mutating func handle(_ input: Input) -> [Action] {
    let actions =
      switch input {
      case .connected: connected()
      case .secured(let channelBindings, let version): secured(channelBindings, version: version)
      case .keysDerived(let keys): keysDerived(keys)
      case .keyDerivationFailed: keyDerivationFailed()
      case .decodingFailed(let condition, let description): decodingFailed(condition, description)
      case .unexpectedBytes(let count): unexpectedBytes(count)
      case .miscounted(let error): miscounted(error)
      case .closeRequested: closeRequested()
      }
    return counted(actions)
  }

  /// What is sent in one go is answered in one.
  private mutating func counted(_ actions: [Action]) -> [Action] {
    let isSending = actions.contains { if case .send = $0 { true } else { false } }
    if isSending, !isUnverified, !isReady { roundTrips += 1 }
    return actions
  }

  /// A decoded event came in.
  package mutating func received(_ event: StreamEvent) -> Reception {
    switch event {
    case .element(let element):
      switch state {
      case .ready, .closing(delivering: true):
        receivedWhenReady(element)
      case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
        .registering, .authenticating, .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound,
        .startingSession,
        .closing(delivering: false), .ended:
        .actions(counted(negotiate(element)))
      }
    case .leftOut(let stanza): received(stanza)
    case .opened(let header): .actions(opened(header))
    case .closed: .actions(closed())
    }
  }

  /// True between `loggedIn` and the end: stanzas may be sent.
  package var isReady: Bool {
    if case .ready = state { true } else { false }
  }

  /// True while a request for a resource, or for a stream to go on (XEP-0198), is out: whatever becomes of the connection, the
  /// server may still grant it.
  package var isPendingBind: Bool {
    switch state {
    case .openingBound, .awaitingLastFeatures, .resuming, .binding, .bound, .startingSession: true
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .authenticating, .ready, .closing, .ended:
      false
    }
  }

  /// How the log-in was done that the server has accepted, while what comes behind it is not done yet; nil before and after that.
  package var acceptedLogin: AcceptedLogin? {
    switch state {
    case .openingBound(let binding), .awaitingLastFeatures(let binding), .resuming(let binding, _, _),
      .binding(let binding, _):
      AcceptedLogin(binding)
    case .bound(let outcome), .startingSession(let outcome, _):
      AcceptedLogin(outcome)
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .authenticating, .ready, .closing, .ended:
      nil
    }
  }

  /// True while a connection is there and TLS is not: nothing proves that what speaks is the server.
  var isUnverified: Bool {
    switch state {
    case .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing: true
    case .idle, .openingSecure, .awaitingMechanisms, .registering, .authenticating, .openingBound,
      .awaitingLastFeatures,
      .resuming, .binding, .bound, .startingSession, .ready, .closing, .ended:
      false
    }
  }

  /// True while the server has been asked whether a stream goes on (XEP-0198 5), and has not said so.
  package var isAskingToResume: Bool {
    switch state {
    case .openingBound(let binding), .awaitingLastFeatures(let binding): binding.resumption != nil
    case .authenticating(let authentication): authentication.asksToResume
    case .resuming: true
    case .idle, .openingClear, .awaitingTLSOffer, .awaitingProceed, .securing, .openingSecure, .awaitingMechanisms,
      .registering, .binding, .bound, .startingSession, .ready, .closing, .ended:
      false
    }
  }

  /// What the machine waits for, for messages of a deadline that has passed: "the server's features".
  package var awaited: String { state.awaited }
}
