// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("Going on with a stream that was cut")
struct ResumingTests {
  /// As far as the request to resume.
  private func resuming(features: String = Say.lastFeatures) throws -> StreamDriver {
    let jid = try JID("alice@example.org/bound")
    let resumption = StreamResumption(id: "s'1", jid: jid, handled: 7)
    let driver = try StreamDriver.binding("alice@example.org/here", resumption: resumption)
    driver.server(Say.header + features)
    return driver
  }

  @Test("It is asked for in place of a resource, together with the header")
  func asked() throws {
    let sent = try #require(try resuming().sent.last)
    #expect(sent.hasPrefix("<?xml"))
    #expect(sent.hasSuffix("<resume xmlns='urn:xmpp:sm:3' previd='s&apos;1' h='7'/>"))
    #expect(!sent.contains("<bind"))
  }

  @Test(
    "Resumed: the stream is ready at once, with the address of before",
    arguments: [("h='4'", UInt32?.some(4)), ("", nil)])
  func resumed(attribute: String, handled: UInt32?) throws {
    let driver = try resuming()
    driver.server("<resumed xmlns='urn:xmpp:sm:3' previd=\"s'1\" \(attribute)/><message from='bob@example.org'/>")
    let outcome = try #require(driver.outcome)
    #expect(outcome.continuation == .resumed(handled: handled))
    #expect(outcome.jid.description == "alice@example.org/bound")
    #expect(outcome.mechanism == "PLAIN")
    #expect(outcome.features?.child("bind", Namespace.bind) != nil)
    #expect(driver.machine.isReady)
    #expect(driver.stanzas.count == 1)
  }

  @Test(
    "Not resumed: a resource is bound on the same stream",
    arguments: [(" h='3'", UInt32?.some(3)), ("", nil), (" h='many'", nil)])
  func lost(attribute: String, handled: UInt32?) throws {
    let driver = try resuming()
    driver.server(
      "<failed xmlns='urn:xmpp:sm:3'\(attribute)><item-not-found xmlns='\(Namespace.stanzaErrors)'/></failed>")
    #expect(driver.outcome == nil)
    #expect(driver.sent.last?.contains("<resource>here</resource>") == true)
    driver.server(Say.bound("alice@example.org/here"))
    let outcome = try #require(driver.outcome)
    #expect(outcome.continuation == .lost(handled: handled))
    #expect(outcome.jid.description == "alice@example.org/here")
  }

  @Test("Nothing to resume: a log-in is as it ever was")
  func fresh() throws {
    let driver = try StreamDriver.binding()
    driver.server(Say.header + Say.lastFeatures + Say.bound("alice@example.org/here"))
    #expect(driver.outcome?.continuation == .fresh)
  }

  @Test("Another stream than the one asked for, none at all, and a count that is none: fatal")
  func surprises() throws {
    for answer in ["previd='s2' h='1'", "h='1'", "previd=\"s'1\" h='-1'"] {
      let driver = try resuming()
      driver.server("<resumed xmlns='urn:xmpp:sm:3' \(answer)/>")
      #expect(driver.failure?.code == .protocolViolation)
      #expect(driver.outcome == nil)
    }
  }

  @Test("An answer before the features, and a second one: fatal, and without effect")
  func misplaced() throws {
    let early = try StreamDriver.binding(
      resumption: StreamResumption(id: "s1", jid: try JID("alice@example.org/bound"), handled: 0))
    early.server(Say.header + "<resumed xmlns='urn:xmpp:sm:3' previd='s1'/>")
    #expect(early.failure?.code == .protocolViolation)

    let twice = try resuming()
    twice.server("<failed xmlns='urn:xmpp:sm:3'/><resumed xmlns='urn:xmpp:sm:3' previd=\"s'1\"/>")
    twice.server(Say.bound("alice@example.org/here"))
    #expect(twice.outcome?.continuation == .lost(handled: nil))
  }

  @Test("Stanzas before the answer do not pass")
  func gate() throws {
    let driver = try resuming()
    driver.server("<message from='bob@example.org'><body>early</body></message>")
    #expect(driver.failure == nil)
    #expect(driver.stanzas.isEmpty)
    driver.server("<success xmlns='\(Namespace.sasl)'/>")
    #expect(driver.failure?.code == .protocolViolation)
  }

  @Test("A server that counts wrong is told so, and left")
  func miscounting() throws {
    let driver = try resuming()
    driver.server("<resumed xmlns='urn:xmpp:sm:3' previd=\"s'1\"/>")
    driver.handle(.miscounted(.tooMuch(handled: 9, sent: 4)))
    let sent = try #require(driver.sent.last)
    #expect(sent.contains("<undefined-condition xmlns='\(Namespace.streamErrors)'/>"))
    #expect(sent.contains("<handled-count-too-high xmlns='urn:xmpp:sm:3' h='9' send-count='4'/>"))
    #expect(sent.hasSuffix("</stream:stream>"))
    #expect(driver.failure?.code == .protocolViolation)
    #expect(!driver.machine.isReady)
  }
}
