// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

extension StreamMachine {
  /// Where the stream stands, with the data that is valid there: beside the machine, which is looked at for each stanza and copied for it.
  indirect enum State: Sendable {
    /// Nothing is connected yet.
    case idle(Request)
    /// Our header is out, in the clear.
    case openingClear(Purpose)
    case awaitingTLSOffer(Purpose)
    case awaitingProceed(Purpose)
    /// The server must be silent until the handshake.
    case securing(Purpose)
    /// Our header is out, under TLS.
    case openingSecure(Purpose, [ChannelBinding])
    case awaitingMechanisms(Purpose, [ChannelBinding])
    /// The server is asked to make an account; nobody is logged in.
    case registering(Registration)
    case authenticating(Authentication)
    /// Our last header and the bind request, or the request to resume, are out.
    case openingBound(Binding)
    case awaitingLastFeatures(Binding)
    /// A stream that was cut is to go on.
    case resuming(Binding, StreamResumption, features: Element)
    case binding(Binding, features: Element)
    /// A resource was bound with the log-in; the features come behind it.
    case bound(LoginOutcome)
    /// Bound; the session of RFC 3921 is asked for.
    case startingSession(LoginOutcome, id: String)
    case ready
    /// Our `</stream:stream>` is out. `delivering`: the stream was ready, and what the server still sends counts.
    case closing(delivering: Bool)
    case ended
  }

  /// What the stream was made for, as it was asked for.
  enum Request: Sendable {
    case logIn(LoginRequest)
    case register(RegistrationRequest)
    case reach(JID)
  }

  /// What the stream was made for, prepared.
  enum Purpose: Sendable {
    case logIn(Login)
    case register(Registration)
    /// Only to see who answers.
    case reach(JID)

    /// - Throws: ``StreamFailure`` for what cannot be sent to any server.
    init(_ request: Request) throws(StreamFailure) {
      switch request {
      case .logIn(let request): self = .logIn(try Login(request))
      case .register(let request): self = .register(try Registration(request))
      case .reach(let account): self = .reach(account)
      }
    }

    var domain: String {
      switch self {
      case .logIn(let login): login.account.domain
      case .register(let registration): registration.account.domain
      case .reach(let account): account.domain
      }
    }

    var language: String? {
      switch self {
      case .logIn(let login): login.language
      case .register(let registration): registration.language
      case .reach: nil
      }
    }

    /// Who is already somebody at the server.
    var sender: JID? {
      switch self {
      case .logIn(let login): login.account.bare
      case .register, .reach: nil
      }
    }
  }

  /// An account that is to be made, prepared.
  struct Registration: Sendable {
    enum Step: Sendable {
      /// What the server wants to know is asked for.
      case askingForForm
      /// The form is sent in.
      case askingForAccount
    }

    var account: JID
    /// By the names of the form's fields; the user name and the password among them.
    var values: [String: String]
    /// The server's questions are for somebody to answer.
    var canAsk: Bool
    var id: String
    var language: String?
    var step = Step.askingForForm

    /// Of the request that is out.
    var currentID: String {
      switch step {
      case .askingForForm: id
      case .askingForAccount: id + ".2"
      }
    }
  }

  /// Who logs in, prepared.
  struct Login: Sendable {
    var account: JID
    /// Prepared (SASLprep), not escaped.
    var username: String
    /// Prepared; nil: it is not known.
    var password: SecretBytes?
    var nonce: String
    var bindID: String
    var language: String?
    var memory: LoginMemory
    var bindsChannel: Bool
    var resumption: StreamResumption?
    var extras: LoginExtras

    /// - Throws: `.authentication` when the account or the password cannot be right.
    init(_ request: LoginRequest) throws(StreamFailure) {
      guard let localpart = request.jid.localpart else {
        throw StreamFailure(.authentication, sentence: "\(request.jid) is a server, not a user.")
      }
      do {
        username = try SASLprep.prepare(localpart)
      } catch {
        throw StreamFailure(.authentication, sentence: "The user name cannot be sent to a server: \(error)")
      }
      do {
        password = try request.password.map { password in
          var prepared = try SASLprep.prepare(password)
          return prepared.withUTF8 { SecretBytes(UnsafeRawBufferPointer($0)) }
        }
      } catch {
        throw StreamFailure(.authentication, sentence: "The password cannot be sent to a server: \(error)")
      }
      guard password?.count != 0 else { throw StreamFailure(.authentication, sentence: "The password is empty.") }
      account = request.jid
      nonce = request.clientNonce
      bindID = request.bindID
      language = request.language
      memory = request.memory
      bindsChannel = request.bindsChannel
      resumption = request.resumption
      extras = request.extras
    }
  }

  /// The SASL part of a log-in.
  struct Authentication: Sendable {
    enum Exchange: Sendable {
      case plain
      case scram(SCRAMExchange)
      case token(TokenExchange)
    }

    /// How the two sides speak of it.
    enum Profile: Sendable {
      /// RFC 6120 6.
      case plain
      /// XEP-0388.
      case extensible(ExtensibleOffer)
    }

    var login: Login
    var profile: Profile
    var offer: SASLOffer
    /// What this side can bind to.
    var bindings: [ChannelBinding]
    /// Nil: the token of the last log-in.
    var current: SASLAttempt?
    var exchange: Exchange
    /// What to try where the server refuses the current attempt's first message.
    var others: ArraySlice<SASLAttempt>
    /// How many attempts the server has refused so.
    var refused = 0
    /// What the current attempt asks for with the log-in.
    var upgrade: SCRAMUpgrade?

    /// The mechanism that a token which comes is for: that of the one which was used, or that one was asked for.
    func tokenMechanism(of offer: ExtensibleOffer) -> String? {
      if case .token(let token) = exchange { return token.mechanism }
      guard login.bindsChannel, login.memory.agent != nil, !login.extras.revokesToken else { return nil }
      return TokenExchange.wanted(of: offer.tokenMechanisms, bindings: bindings)
    }

    var namespace: String {
      switch profile {
      case .plain: Namespace.sasl
      case .extensible: ExtensibleOffer.namespace
      }
    }

    /// A stream that was cut is asked for with the log-in.
    var asksToResume: Bool {
      switch profile {
      case .plain: false
      case .extensible(let offer): offer.resumes && login.resumption != nil
      }
    }
  }

  /// The part after SASL. The password is not in it any more.
  struct Binding: Sendable {
    var account: JID
    /// Of the request that is out.
    var id: String
    /// False once the bind request without a resource is out.
    var isResourceAsked: Bool
    var mechanism: String
    var channelBinding: String?
    var upgrade: String?
    var memory: LoginMemory
    var warning: String?
    var remarks: [String]
    /// What is asked for in place of a resource, as long as it may still be granted.
    var resumption: StreamResumption?
    var continuation = StreamContinuation.fresh
    /// Stanzas that came too early.
    var dropped = 0

    init(_ login: Login, _ result: LoginResult) {
      account = login.account
      id = login.bindID
      isResourceAsked = login.account.resource != nil
      (mechanism, channelBinding, memory) = (result.mechanism, result.channelBinding, result.memory)
      (upgrade, warning, remarks) = (result.upgrade, result.warning, result.remarks)
      resumption = login.resumption
    }
  }
}

extension StreamMachine.State {
  /// To be put after "waiting for".
  var awaited: String {
    switch self {
    case .idle: "the connection"
    case .openingClear, .openingSecure: "the server's stream header"
    case .awaitingTLSOffer, .awaitingMechanisms: "the server's features"
    case .awaitingProceed: "the server's consent to TLS"
    case .securing: "the TLS handshake"
    case .registering(let registration):
      switch registration.step {
      case .askingForForm: "the server's questions for a new account"
      case .askingForAccount: "the new account"
      }
    case .authenticating(let authentication) where authentication.isUpgrading:
      authentication.upgrade?.awaited ?? "the keys of the upgrade"
    case .authenticating(let authentication):
      switch authentication.exchange {
      case .plain: "the server's answer to the log-in"
      case .scram(let exchange) where exchange.isDeriving: "the keys of the log-in"
      case .scram, .token: "the server's answer to the log-in"
      }
    case .openingBound: "the server's stream header after the log-in"
    case .awaitingLastFeatures, .bound: "the server's features after the log-in"
    case .resuming: "the server's answer to the request to resume"
    case .binding: "the server's answer to the request for a resource"
    case .startingSession: "the server's answer to the request for a session"
    case .ready: "stanzas"
    case .closing: "the server's end of the stream"
    case .ended: "nothing: the stream is over"
    }
  }
}
