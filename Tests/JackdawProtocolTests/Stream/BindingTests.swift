// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("Bind and after")
struct BindingTests {
  private func bound(_ jid: String = "alice@example.org/here") throws -> StreamDriver {
    let driver = try StreamDriver.binding(jid)
    driver.server(Say.header + Say.lastFeatures)
    return driver
  }

  @Test(
    "The resource that was asked for, and another: taken as the server says", arguments: ["here", "there", "ä€ @/"])
  func resources(resource: String) throws {
    let driver = try bound()
    #expect(driver.sent.last?.contains("<resource>here</resource>") == true)
    driver.server(Say.bound("alice@example.org/\(resource)"))
    let outcome = try #require(driver.outcome)
    #expect(outcome.jid.description == "alice@example.org/\(resource)")
    #expect(outcome.mechanism == "PLAIN")
    #expect(outcome.channelBinding == nil)
    #expect(outcome.memory == LoginMemory(mechanism: "PLAIN"))
    #expect(outcome.features?.child("bind", Namespace.bind) != nil)
    #expect(outcome.warning?.contains("PLAIN") == true)
    #expect(driver.machine.isReady)
  }

  @Test(
    "A bind result from those who may answer",
    arguments: ["", " from='alice@example.org'", " from='example.org'", " from='alice@example.org/here'"])
  func senders(from: String) throws {
    let driver = try bound()
    driver.server(Say.bound("alice@example.org/here", more: from))
    #expect(driver.outcome != nil)
  }

  @Test(
    "Bind surprises: a wrong id or sender, and what is no answer, leave the request open",
    arguments: [
      Say.bound("alice@example.org/here", id: "b2"), Say.bound("alice@example.org/here", more: " from='evil.example'"),
      Say.bound("alice@example.org/here", more: " from='mallory@example.org'"),
      Say.bound("alice@example.org/here", more: " from='@@'"), "<iq type='get' id='b1'><q xmlns='urn:q'/></iq>",
      "<iq id='b1'/>", "<iq type='frob' id='b1'/>", "<message type='result' id='b1'/>",
    ])
  func notTheAnswer(said: String) throws {
    let driver = try bound()
    driver.server(said)
    #expect(driver.failure == nil)
    #expect(driver.outcome == nil)
    driver.server(Say.bound("alice@example.org/here"))
    #expect(driver.outcome != nil)
    #expect(driver.stanzas.isEmpty)
  }

  @Test(
    "Bind surprises: another account, a malformed address, none: refused",
    arguments: [
      Say.bound("mallory@example.org/here"), Say.bound("alice@evil.example/here"), Say.bound("example.org/here"),
      Say.bound("alice@example.org"), Say.bound(""), Say.bound("@@/"), Say.bound("alice@example.org/"),
      "<iq type='result' id='b1'/>", "<iq type='result' id='b1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
      "<iq type='result' id='b1'><bind xmlns='urn:evil'><jid>alice@example.org/here</jid></bind></iq>",
    ])
  func refused(said: String) throws {
    let driver = try bound()
    driver.server(said)
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.outcome == nil)
    #expect(!driver.machine.isReady)
  }

  private func bindError(_ condition: String, type: String = "cancel", id: String = "b1") -> String {
    "<iq type='error' id='\(id)'><error type='\(type)'>"
      + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
  }

  @Test("Bind error conflict: asked once more without a resource")
  func conflict() throws {
    let driver = try bound()
    driver.server(bindError("conflict"))
    #expect(driver.failure == nil)
    #expect(driver.sent.last?.contains("<resource") == false)
    #expect(driver.sent.last?.contains("b1.2") == true)
    driver.server(Say.bound("alice@example.org/made", id: "b1.2"))
    #expect(driver.outcome?.jid.resource == "made")
    #expect(driver.outcome?.remarks.contains { $0.contains("taken") } == true)
  }

  @Test("Bind errors end the log-in; a conflict does where no resource was asked for")
  func errors() throws {
    let twice = try bound()
    twice.server(bindError("conflict"))
    twice.server(bindError("conflict", id: "b1.2"))
    #expect(twice.failure?.code == .refused)

    let none = try bound("alice@example.org")
    none.server(bindError("conflict"))
    #expect(none.failure?.code == .refused)
    #expect(none.failure?.condition == "conflict")

    for (condition, type, mayRetry, why) in [
      ("not-allowed", "cancel", false, "This is not allowed."),
      ("resource-constraint", "wait", true, "The server is too busy or has no room left."),
      ("bad-request", "modify", false, "The request was not understood."),
    ] {
      let driver = try bound()
      driver.server(bindError(condition, type: type))
      #expect(driver.failure?.description == "The server refused to open a session for this device. \(why)")
      #expect(driver.failure?.code == .refused)
      #expect(driver.failure?.condition == condition)
      #expect(driver.failure?.mayRetry == mayRetry)
    }
  }

  @Test("Stanzas before bind: dropped, and the log-in completes")
  func stanzasBeforeBind() throws {
    let driver = try StreamDriver.binding()
    driver.server(
      Say.header + "<message from='evil@example.org'><body>early</body></message>" + Say.lastFeatures
        + "<iq type='set' id='push'><query xmlns='jabber:iq:roster'/></iq><presence/><r xmlns='urn:xmpp:sm:3'/>"
        + Say.lastFeatures + Say.bound("alice@example.org/here"))
    #expect(driver.stanzas.isEmpty)
    #expect(driver.others.isEmpty)
    #expect(driver.outcome?.remarks.contains { $0.hasPrefix("3 stanzas") } == true)
  }

  @Test(
    "What has no place after SASL",
    arguments: [
      (Say.saslText("success", ""), true), (Say.saslText("challenge", "QQ=="), true), (Say.proceed, true),
      ("<message xmlns='jabber:server'/>", true), (Say.bound("alice@example.org/here"), false),
    ])
  func misplaced(said: String, alsoLater: Bool) throws {
    let early = try StreamDriver.binding()
    early.server(Say.header + said)
    #expect(early.failure?.code == .protocolViolation)
    #expect(early.failure?.mayRetry == true, "a server that has authenticated itself is tried again")
    guard alsoLater else { return }
    let late = try bound()
    late.server(said)
    #expect(late.failure?.code == .protocolViolation)
  }

  @Test("A session of RFC 3921 is asked for only where the server demands it")
  func session() throws {
    let optional = try StreamDriver.binding()
    optional.server(
      Say.header + "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
        + "<session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session></stream:features>"
        + Say.bound("alice@example.org/here"))
    #expect(optional.outcome != nil)

    for (answer, isGood) in [("type='result'", true), ("type='error'", false)] {
      let driver = try StreamDriver.binding()
      driver.server(
        Say.header + "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
          + "<session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></stream:features>"
          + Say.bound("alice@example.org/here"))
      #expect(driver.outcome == nil)
      #expect(driver.sent.last?.contains("urn:ietf:params:xml:ns:xmpp-session") == true)
      #expect(driver.machine.awaited == "the server's answer to the request for a session")
      driver.server("<message/><iq id='b1.session' \(answer) from='example.org'/>")
      #expect((driver.outcome != nil) == isGood)
      #expect((driver.failure?.code == .refused) == !isGood)
    }
  }

  @Test("A ready stream: stanzas by name and namespace, the rest apart")
  func reception() throws {
    let driver = try StreamDriver.ready()
    driver.server(
      "<message><body>1</body><message/></message><presence/><iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(driver.stanzas.map(\.name) == ["message", "presence", "iq"])
    driver.server(
      "<message xmlns='urn:evil'><body>2</body></message><iq xmlns='jabber:server'/><r xmlns='urn:xmpp:sm:3'/>"
        + "<frob/>")
    #expect(driver.stanzas.count == 3)
    #expect(driver.others.map(\.namespace) == ["urn:evil", "jabber:server", "urn:xmpp:sm:3", "jabber:client"])
    driver.server("<x:message xmlns:x='jabber:client'><x:body>prefixed</x:body></x:message>")
    #expect(driver.stanzas.count == 4)
    driver.server(Say.lastFeatures)
    #expect(driver.failure == nil)
    driver.server(Say.saslText("success", ""))
    #expect(driver.failure?.code == .protocolViolation)
    driver.server("<message><body>too late</body></message>")
    #expect(driver.stanzas.count == 4)
  }
}
