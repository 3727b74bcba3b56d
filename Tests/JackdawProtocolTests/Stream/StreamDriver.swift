// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawXML

@testable import JackdawProtocol

/// Owns a stream machine as a session does, with the real decoder: the server's words go in as text, and what the
/// machine did is kept.
final class StreamDriver {
  var machine: StreamMachine
  private let decoder = StanzaDecoder()

  /// Each `.send`, in order.
  var sent: [String] = []
  var outcome: LoginOutcome?
  var failure: StreamFailure?
  var redirection: String?
  var isClosed = false
  var isRegistered = false
  /// What the server wants to know before it makes an account.
  var asked: RegistrationForm?
  var isReached = false
  /// Times that TLS was asked for.
  var handshakes = 0
  var derivations = 0
  var stanzas: [Element] = []
  var others: [Element] = []
  /// The tags of stanzas that were left out.
  var leftOut: [Element] = []
  /// Called in place of deriving at once.
  var derive: (SCRAMDerivation) -> StreamMachine.Input? = { $0.run().map { .keysDerived($0) } ?? .keyDerivationFailed }

  init(_ request: LoginRequest) { machine = StreamMachine(request) }
  init(registering request: RegistrationRequest) { machine = StreamMachine(registering: request) }
  init(reaching account: JID) { machine = StreamMachine(reaching: account) }

  /// An account and a password as the scripted server has them.
  static func request(
    _ jid: String = "alice@example.org/here", password: String? = "secret", memory: LoginMemory = LoginMemory(),
    resumption: StreamResumption? = nil
  ) throws -> LoginRequest {
    LoginRequest(
      jid: try JID(jid), password: password, clientNonce: "fyko+d2lbbFgONRv9qkxdawL", bindID: "b1", memory: memory,
      resumption: resumption)
  }

  func handle(_ input: StreamMachine.Input) { perform(machine.handle(input)) }

  /// The server says `text`, in one piece.
  func server(_ text: String) { server(Array(text.utf8)) }

  func server(_ bytes: [UInt8]) {
    var pending: [StreamMachine.Action] = []
    do {
      try bytes.withUnsafeBytes { raw in
        try decoder.feed(raw) { event in
          switch machine.received(event) {
          case .stanza(let element): stanzas.append(element)
          case .other(let element): others.append(element)
          case .leftOut(let envelope, _): leftOut.append(envelope)
          case .actions(let actions):
            pending += actions
            let ends = actions.contains {
              switch $0 {
              case .restartDecoder, .fail, .closed, .redirect: true
              case .send, .startTLS, .deriveKeys, .loggedIn, .registered, .asked, .reached: false
              }
            }
            if ends { return .stop }
          }
          return .more
        }
      }
    } catch {
      guard let error = error as? DecodeError else { return }
      pending += machine.handle(.decodingFailed(condition: error.condition, description: error.description))
    }
    perform(pending)
  }

  private func perform(_ actions: [StreamMachine.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes): sent.append(String(decoding: bytes, as: UTF8.self))
      case .restartDecoder:
        let left = decoder.restart()
        guard left == 0 else { return handle(.unexpectedBytes(left)) }
      case .startTLS: handshakes += 1
      case .deriveKeys(let derivation):
        derivations += 1
        if let input = derive(derivation) { handle(input) }
      case .loggedIn(let outcome): self.outcome = outcome
      case .registered: isRegistered = true
      case .asked(let form): asked = form
      case .reached: isReached = true
      case .redirect(let target): redirection = target.description
      case .fail(let failure): self.failure = failure
      case .closed: isClosed = true
      }
    }
  }
}

/// What servers say.
enum Say {
  static let header =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
    + "id='s1' from='example.org' version='1.0'>"
  static let tlsFeatures =
    "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>"
  static let proceed = "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
  static let lastFeatures =
    "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>"

  static func mechanisms(_ names: String...) -> String {
    let list = names.map { "<mechanism>\($0)</mechanism>" }.joined()
    return
      "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(list)</mechanisms></stream:features>"
  }

  static func sasl(_ name: String, _ message: String) -> String { saslText(name, base64(message)) }

  static func saslText(_ name: String, _ text: String) -> String {
    "<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(text)</\(name)>"
  }

  static func failure(_ condition: String) -> String { saslText("failure", "<\(condition)/>") }

  static func streamError(_ condition: String, _ text: String = "", words: String = "") -> String {
    "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(text)</\(condition)>"
      + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(words)</text></stream:error>"
  }

  static func bound(_ jid: String, id: String = "b1", more: String = "") -> String {
    "<iq type='result' id='\(id)'\(more)><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>\(jid)</jid></bind></iq>"
  }

  static func base64(_ text: String) -> String { String(decoding: Base64.encode(text.utf8), as: UTF8.self) }
}

extension StreamDriver {
  /// Over TLS, with the mechanisms offered and the first SASL message out.
  static func authenticating(
    _ mechanisms: String = Say.mechanisms("SCRAM-SHA-1"), request: LoginRequest? = nil,
    channelBindings: [String: [UInt8]] = ["tls-exporter": [1, 2, 3]]
  ) throws -> StreamDriver {
    let driver = StreamDriver(try request ?? Self.request())
    driver.handle(.secured(channelBindings: channelBindings, version: "TLSv1.3"))
    driver.server(Say.header + mechanisms)
    return driver
  }

  /// SASL has ended well (by PLAIN, as the shortest); the last header and the bind request are out.
  static func binding(
    _ jid: String = "alice@example.org/here", resumption: StreamResumption? = nil
  ) throws -> StreamDriver {
    let driver = try authenticating(Say.mechanisms("PLAIN"), request: try request(jid, resumption: resumption))
    driver.server(Say.saslText("success", ""))
    return driver
  }

  static func ready() throws -> StreamDriver {
    let driver = try binding()
    driver.server(Say.header + Say.lastFeatures + Say.bound("alice@example.org/here"))
    return driver
  }

  /// The text of the SASL message in the last thing sent.
  var lastMessage: String? {
    guard let last = sent.last, let start = last.firstIndex(of: ">"), let end = last.lastIndex(of: "<") else {
      return nil
    }
    return Base64.decode(last[last.index(after: start)..<end].utf8).map { String(decoding: $0, as: UTF8.self) }
  }
}
