// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

@testable import JackdawProtocol

/// Whatever a server says, nothing of the account goes out before TLS, no stanza passes before the log-in, what is sent is XML,
/// and an end is an end.
enum StreamProperties {
  /// The first byte has the choices; then comes what the server says, with a NUL wherever it lets something else happen.
  static func check(_ input: inout FuzzInput) throws {
    let choice = input.byte()
    let owner = StreamOwner(try machine(choice))
    owner.handle(.connected)
    for (turn, part) in input.parts().enumerated() {
      if turn > 0, let first = part.first { owner.happened(first) }
      owner.receive(part.dropFirst(turn > 0 ? 1 : 0))
      try owner.check()
    }
    owner.handle(.closeRequested)
    try owner.check()
    try require(!owner.machine.awaited.isEmpty, "it waits for nothing that has a name")
  }

  private static func machine(_ choice: UInt8) throws -> StreamMachine {
    let account = try JID("alice@example.org/here")
    if choice & 1 != 0 {
      return StreamMachine(
        registering: RegistrationRequest(
          account: account.bare, password: StreamOwner.password, fields: ["email": "a@b"], id: "b1"))
    }
    let resumption = choice & 2 != 0 ? StreamResumption(id: "s1", jid: account, handled: 3) : nil
    let memory = LoginMemory(mechanism: choice & 4 != 0 ? "SCRAM-SHA-1" : nil)
    return StreamMachine(
      LoginRequest(
        jid: account, password: StreamOwner.password, clientNonce: "fyko+d2lbbFgONRv9qkxdawL", bindID: "b1",
        memory: memory, resumption: resumption))
  }
}

/// Owns a stream machine as a connection does, and keeps an eye on it.
private final class StreamOwner {
  static let password = "p4ss-w0rd"
  private static let encodedPassword = String(
    decoding: Base64.encode(Array("\0alice\0\(password)".utf8)), as: UTF8.self)
  private static let keys = {
    var derivation = SCRAMDerivation(
      hash: .sha1, password: Array(password.utf8).withUnsafeBytes { SecretBytes($0) }, salt: [1], iterations: 4096)
    derivation.keepsSaltedPassword = true
    return derivation.run()
  }()

  private(set) var machine: StreamMachine
  private let decoder = StanzaDecoder()
  private var isSecure = false
  private var isLoggedIn = false
  private var isOver = false
  private var isDecodable = true
  /// Counted from the log-in on.
  private var management = StreamManagement()
  /// Reads what is sent, as a server would.
  private var reader = StanzaDecoder()
  /// The first thing that went wrong.
  private var flaw: String?

  init(_ machine: StreamMachine) { self.machine = machine }

  func check() throws {
    if let flaw { throw PropertyFailure(description: flaw) }
    try require(!machine.isReady || isLoggedIn, "ready without a log-in")
  }

  func handle(_ input: StreamMachine.Input) { perform(machine.handle(input)) }

  /// Something that is not the server's doing.
  func happened(_ kind: UInt8) {
    switch kind {
    case UInt8(ascii: "c"): handle(.closeRequested)
    case UInt8(ascii: "k"): Self.keys.map { handle(.keysDerived($0)) }
    case UInt8(ascii: "f"): handle(.keyDerivationFailed)
    case UInt8(ascii: "m"): handle(.miscounted(.unreadable))
    case UInt8(ascii: "d"): handle(.decodingFailed(condition: "not-well-formed", description: "it is no XML"))
    case UInt8(ascii: "s"): sendStanza()
    case UInt8(ascii: "l"): management.connectionLost()
    default: break
    }
  }

  func receive(_ bytes: some Collection<UInt8>) {
    guard isDecodable, !isOver else { return }
    var pending: [StreamMachine.Action] = []
    do throws(DecodeError) {
      try Array(bytes).withUnsafeBufferPointer { buffer throws(DecodeError) in
        try decoder.feed(UnsafeRawBufferPointer(buffer)) { event in
          switch machine.received(event) {
          case .stanza(let element): passed(element)
          case .other(let element): count(element)
          case .leftOut(let envelope, _): passed(envelope)
          case .actions(let actions):
            guard actions.contains(where: Self.stopsReading) else {
              perform(actions)
              break
            }
            pending = actions
            return .stop
          }
          return .more
        }
      }
    } catch {
      isDecodable = false
      perform(pending)
      return handle(.decodingFailed(condition: error.condition, description: error.description))
    }
    perform(pending)
  }

  /// Whether nothing that follows in the same bytes may be read.
  private static func stopsReading(_ action: StreamMachine.Action) -> Bool {
    switch action {
    case .restartDecoder, .registered, .asked, .reached, .redirect, .fail, .closed: true
    case .send, .startTLS, .deriveKeys, .loggedIn: false
    }
  }

  private func passed(_ stanza: Element) {
    note(isLoggedIn, "a stanza passed before the log-in: \(stanza)")
    management.handled()
  }

  private func perform(_ actions: [StreamMachine.Action]) {
    var actions = actions[...]
    while let action = actions.popFirst() {
      note(!isOver, "after its end the stream does this: \(action)")
      switch action {
      case .send(let bytes): read(bytes)
      case .restartDecoder:
        let unread = decoder.restart()
        if unread > 0 { actions = machine.handle(.unexpectedBytes(unread))[...] }
      case .startTLS:
        note(!isSecure, "TLS within TLS")
        isSecure = true
        actions += machine.handle(
          .secured(channelBindings: ["tls-exporter": [1, 2, 3]], version: "TLSv1.3"))
      case .deriveKeys:
        actions += machine.handle(Self.keys.map { .keysDerived($0) } ?? .keyDerivationFailed)
      case .loggedIn:
        note(isSecure && !isLoggedIn, "a log-in without TLS, or a second one")
        isLoggedIn = true
        _ = management.enable()
      case .registered: note(isSecure, "an account is made without TLS")
      case .asked: note(isSecure, "a server without TLS asks for what only itself may know")
      case .reached: note(isSecure, "a server without TLS is taken for one")
      case .redirect, .fail, .closed:
        isOver = true
        note(actions.isEmpty, "behind the end there is more to do: \(actions)")
      }
    }
  }

  // MARK: What is sent

  private func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if !isSecure {
      note(
        !text.contains(Self.encodedPassword) && !text.contains(Self.password) && !text.contains("<auth"),
        "sent in the clear: \(text)")
    }
    var first = true
    // A new stream begins a new document, wherever it stands in what goes out at once.
    for part in text.split(separator: "<?xml", omittingEmptySubsequences: false) {
      let document = (first ? "" : "<?xml") + part
      if !first { reader = StanzaDecoder() }
      first = false
      do throws(DecodeError) {
        try Array(document.utf8).withUnsafeBufferPointer { buffer throws(DecodeError) in
          try reader.feed(UnsafeRawBufferPointer(buffer)) { _ in .more }
        }
      } catch {
        note(false, "what is sent is no XML: \(error) in \(text)")
      }
    }
  }

  // MARK: Counting

  private func sendStanza() {
    guard machine.isReady else { return }
    management.sent(Element("message", Namespace.client, ["id": String(management.sentCount)]))
    _ = management.ask()
  }

  private func count(_ element: Element) {
    note(isLoggedIn, "an element passed before the log-in: \(element)")
    let before = management.unacknowledgedCount
    let first = management.acknowledged
    do throws(StreamManagementError) {
      guard case .acknowledged(let stanzas) = try management.received(element) else { return }
      note(management.unacknowledgedCount == before - stanzas.count, "stanzas got lost in counting")
      for (offset, stanza) in stanzas.enumerated() {
        note(stanza.attribute("id") == String(first &+ UInt32(offset)), "acknowledged out of order: \(stanza)")
      }
    } catch {
      handle(.miscounted(error))
    }
  }

  private func note(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition, flaw == nil { flaw = text() }
  }
}
