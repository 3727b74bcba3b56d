// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawXML

/// A server in memory that does what RFC 6120 says: bytes in, bytes out, no socket, no clock, no chance.
///
/// It takes one client through STARTTLS (or direct TLS), SASL and bind, and then hands stanzas to ``answer``. What it
/// offers and how it errs is in its ``Script``. Servers that break the rules are better written out in the test.
package final class ScriptedServer {
  package let script: Script
  /// Called for each stanza, and each other element, of a client that is logged in; what it returns is sent.
  package var answer: (Element) -> [Element] = { _ in [] }

  /// Everything that came after the log-in, in order.
  package private(set) var received: [Element] = []
  /// The mechanisms that the client tried, in order.
  package internal(set) var attempts: [String] = []
  /// The full address, once bound.
  package internal(set) var boundJID: String?
  /// Its streams where it offers XEP-0198.
  package var managedStreams: ManagedStreams?
  /// Stanzas are counted (XEP-0198).
  var isManaged = false

  var phase = Phase.clear
  var sasl: SASLPhase?
  private var channelBindings: [String: [UInt8]] = [:]
  private let decoder = StanzaDecoder()
  private var output: [Output] = []

  package init(_ script: Script = Script()) {
    self.script = script
    if script.isDirectTLS { phase = .secure }
  }

  /// What there is to do for the server, in order.
  package enum Output: Sendable, Equatable {
    case send([UInt8])
    /// The server waits for the handshake: call ``ScriptedServer/secured(channelBindings:)`` and secure the client.
    case startTLS
    /// The server has ended the stream and drops the connection.
    case close
  }

  enum Phase: Sendable { case clear, secure, authenticated, bound }

  /// TLS is up; `channelBindings` is what the server's side of it says.
  package func secured(channelBindings: [String: [UInt8]] = [:]) {
    phase = .secure
    self.channelBindings = channelBindings
  }

  func bindingData(_ type: String) -> [UInt8]? {
    script.bindableTypes.contains(type) ? channelBindings[type] : nil
  }

  /// The client's bytes came, in any pieces.
  package func receive(_ bytes: [UInt8]) -> [Output] {
    output = []
    var restarts = false
    do {
      try bytes.withUnsafeBytes { raw in
        try decoder.feed(raw) { event in
          let verdict = take(event)
          if verdict == .stop { restarts = true }
          return verdict
        }
      }
    } catch {
      let condition = (error as? DecodeError)?.condition ?? "undefined-condition"
      send("<stream:error><\(condition) xmlns='\(Namespace.streamErrors)'/></stream:error></stream:stream>")
      output.append(.close)
    }
    if restarts { _ = decoder.restart() }
    return output
  }

  /// The bytes of `element`, for a server that sends without being asked.
  package func bytes(of element: Element) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try StanzaWriter.append(element, to: &bytes)
    } catch {
      preconditionFailure("a test's stanza cannot be written: \(error)")
    }
    return bytes
  }

  private func take(_ event: StreamEvent) -> DecoderVerdict {
    switch event {
    case .opened: open()
    case .closed:
      send("</stream:stream>")
      output.append(.close)
    case .element(let element): return take(element)
    case .leftOut(let stanza): preconditionFailure("a client of ours sends more than it takes: \(stanza)")
    }
    return .more
  }

  private func open() {
    send(
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "id='s1' from='\(script.domain)' version='1.0'>")
    switch phase {
    case .clear:
      send("<stream:features><starttls xmlns='\(Namespace.tls)'><required/></starttls></stream:features>")
    case .secure: send(script.mechanismFeatures)
    case .authenticated, .bound:
      send(script.lastFeatures(managedStreams.map { _ in "<sm xmlns='\(StreamManagement.namespace)'/>" } ?? ""))
    }
  }

  private func take(_ element: Element) -> DecoderVerdict {
    switch phase {
    case .clear:
      guard element.matches("starttls", Namespace.tls) else { return refuse("not-authorized") }
      send("<proceed xmlns='\(Namespace.tls)'/>")
      output.append(.startTLS)
      return .stop
    case .secure:
      guard element.namespace == Namespace.sasl else { return refuse("not-authorized") }
      return authenticate(element)
    case .authenticated:
      return resume(element) ? .more : bind(element)
    case .bound:
      received.append(element)
      guard manage(element) else { return .more }
      for reply in answer(element) { output.append(.send(bytes(of: reply))) }
      return .more
    }
  }

  private func bind(_ element: Element) -> DecoderVerdict {
    guard let request = element.child("bind", Namespace.bind), let id = element.attribute("id") else {
      return refuse("not-authorized")
    }
    let asked = request.text(of: "resource", Namespace.bind)
    if let asked, script.takenResources.contains(asked) {
      send(
        "<iq type='error' id='\(id)'><error type='cancel'><conflict xmlns='\(Namespace.stanzaErrors)'/></error></iq>")
      return .more
    }
    let jid = "\(script.user)@\(script.domain)/\(asked ?? "server-made")"
    boundJID = jid
    phase = .bound
    send("<iq type='result' id='\(id)'><bind xmlns='\(Namespace.bind)'><jid>\(jid)</jid></bind></iq>")
    return .more
  }

  private func refuse(_ condition: String) -> DecoderVerdict {
    send("<stream:error><\(condition) xmlns='\(Namespace.streamErrors)'/></stream:error></stream:stream>")
    output.append(.close)
    return .more
  }

  func send(_ text: String) { output.append(.send(Array(text.utf8))) }
}
