// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("Stream management: counting and acknowledging")
struct StreamManagementTests {
  private let jid: JID
  init() throws { jid = try JID("alice@example.org/here") }

  private func element(_ xml: String) throws -> Element {
    try Element(parsing: xml.replacing("/>", with: " xmlns='urn:xmpp:sm:3'/>"))
  }

  private func stanza(_ number: Int) -> Element { Element("message", Namespace.client, ["id": "m\(number)"]) }

  private func managed(_ enabled: String = "<enabled id='s1' resume='true'/>") throws -> StreamManagement {
    var management = StreamManagement()
    _ = management.enable()
    #expect(try management.received(element(enabled)) == .enabled)
    return management
  }

  @Test("Nothing counts before it is asked for")
  func off() throws {
    var management = StreamManagement()
    management.sent(stanza(1))
    management.handled()
    #expect(management.unacknowledgedCount == 0)
    #expect(management.ask() == nil)
    #expect(management.acknowledgement() == nil)
    #expect(try management.received(element("<a h='0'/>")) == .unknown)
    #expect(try management.received(element("<r/>")) == .unknown)
    #expect(management.resumption(of: jid) == nil)
  }

  @Test("What is sent counts from <enable/> on, what is received from <enabled/> on")
  func beginning() throws {
    var management = StreamManagement()
    #expect(management.enable().description == "<enable xmlns='urn:xmpp:sm:3' resume='true'/>")
    management.sent(stanza(1))
    management.handled()
    #expect(management.ask() == nil)
    #expect(
      try management.received(element("<enabled id='s1' resume='1' max='600' location='[::1]:5222'/>")) == .enabled)
    management.handled()
    #expect(management.unacknowledgedCount == 1)
    #expect(
      management.resumption(of: jid)
        == StreamResumption(
          id: "s1", jid: jid, handled: 1, location: HostPort(host: "::1", port: 5222), lifetime: .seconds(600)))
    #expect(management.acknowledgement()?.attribute("h") == "1")
  }

  @Test(
    "What cannot be resumed",
    arguments: [
      "<enabled/>", "<enabled resume='true'/>", "<enabled id='s1'/>", "<enabled id='s1' resume='false'/>",
      "<enabled id='' resume='true'/>", "<enabled id='\(String(repeating: "x", count: 4_001))' resume='true'/>",
    ])
  func notResumable(enabled: String) throws {
    let management = try managed(enabled)
    #expect(management.isOn == true)
    #expect(management.resumption(of: jid) == nil)
  }

  @Test(
    "A lifetime beyond reason is cut, one that is no number is none", arguments: [("4294967295", 86_400), ("-1", nil)])
  func lifetime(written: String, seconds: Int?) throws {
    let management = try managed("<enabled id='s1' resume='true' max='\(written)'/>")
    #expect(management.resumption(of: jid)?.lifetime == seconds.map { .seconds($0) })
  }

  @Test("Refused: nothing counts any more")
  func refused() throws {
    var management = StreamManagement()
    _ = management.enable()
    management.sent(stanza(1))
    let failed = try Element(
      parsing: "<failed xmlns='urn:xmpp:sm:3'><unexpected-request xmlns='\(Namespace.stanzaErrors)'/></failed>")
    #expect(try management.received(failed) == .refused(StanzaError(kind: .cancel, condition: "unexpected-request")))
    #expect(management.isCounting == false)
    #expect(management.unacknowledgedCount == 0)
  }

  @Test("One question at a time, whatever is sent")
  func asking() throws {
    var management = try managed()
    #expect(management.unasked == 0)
    management.sent(stanza(1))
    #expect(management.unasked > 0)
    #expect(management.ask()?.description == "<r xmlns='urn:xmpp:sm:3'/>")
    for number in 2...1_000 {
      management.sent(stanza(number))
      #expect(management.ask() == nil)
    }
    #expect(try management.received(element("<a h='1'/>")) == .acknowledged([stanza(1)]))
    #expect(management.unasked > 0)
    #expect(management.ask() != nil)
    #expect(try management.received(element("<a h='1000'/>")) == .acknowledged((2...1_000).map(stanza)))
    #expect(management.unasked == 0)
    // A heartbeat asks with nothing to ask about.
    #expect(management.ask() != nil)
    #expect(try management.received(element("<a h='1000'/>")) == .acknowledged([]))
  }

  @Test("Several questions among much else: each answer is that to one of them at least, and to all that it covers")
  func askingAmong() throws {
    var management = try managed()
    func ask() { #expect(management.askAmong() != nil) }
    for number in 1...30 {
      management.sent(stanza(number))
      if number % 10 == 0 { ask() }
    }
    #expect(management.unasked == 0 && management.ask() == nil)
    // Behind what it was asked about.
    #expect(try management.received(element("<a h='5'/>")) == .acknowledged((1...5).map(stanza)))
    #expect(management.ask() == nil)
    #expect(try management.received(element("<a h='30'/>")) == .acknowledged((6...30).map(stanza)))
    #expect(management.ask() != nil)
    // Its answer to what has been answered already.
    #expect(try management.received(element("<a h='30'/>")) == .acknowledged([]))
    ask()
    management.connectionLost()
    #expect(management.ask() != nil, "what was asked before is not answered any more")
  }

  @Test("The server's question is answered with what has been handled")
  func answering() throws {
    var management = try managed()
    for _ in 0..<3 { management.handled() }
    #expect(management.unacknowledgedInbound == 3)
    #expect(try management.received(element("<r/>")) == .asked)
    #expect(management.unacknowledgedInbound == 3)
    #expect(try management.acknowledgement() == element("<a h='3'/>"))
    #expect(management.unacknowledgedInbound == 0)
  }

  @Test("What is not in a safe place when the connection is cut is not counted, and counts when it has come again")
  func unsafeAtACut() throws {
    var management = StreamManagement()
    _ = management.enable()
    _ = try management.received(element("<enabled id='s' resume='true'/>"))
    let jid = try JID("alice@example.org/here")
    management.handled()
    management.allIsSafe()
    management.handled()
    management.connectionLost()
    #expect(management.resumption(of: jid)?.handled == 2)
    #expect(management.safeResumption(of: jid)?.handled == 1)
    management.forgetUnsafe()
    #expect(management.unacknowledgedInbound == 0)
    management.handled()
    #expect(try management.acknowledgement() == element("<a h='2'/>"))
    let next = StreamManagement(earlier: StreamResumption(id: "s", jid: jid, handled: 7))
    #expect(next.safeResumption(of: jid)?.handled == 7)
  }

  @Test("Both counters go round at 2^32")
  func modulo() throws {
    var management = try managed()
    management.acknowledged = .max - 1
    management.handledCount = .max - 1
    for number in 1...4 {
      management.sent(stanza(number))
      management.handled()
    }
    #expect(management.sentCount == 2)
    #expect(management.acknowledgement()?.attribute("h") == "2")
    #expect(management.hasAcknowledged(1) == false)
    #expect(try management.received(element("<a h='4294967295'/>")) == .acknowledged([stanza(1)]))
    #expect(try management.received(element("<a h='1'/>")) == .acknowledged([stanza(2), stanza(3)]))
    #expect(management.hasAcknowledged(.max) == true)
    #expect(management.hasAcknowledged(1) == true)
    #expect(management.hasAcknowledged(2) == false)
    #expect(throws: StreamManagementError.tooMuch(handled: 3, sent: 2)) {
      try management.received(element("<a h='3'/>"))
    }
  }

  @Test(
    "More than was sent, less than before, and what is no number",
    arguments: ["3", "0", "4294967295", "", "-1", "+2", "2.0", "4294967296", "two", " 2"])
  func bogus(count: String) throws {
    var management = try managed()
    management.sent(stanza(1))
    management.sent(stanza(2))
    #expect(try management.received(element("<a h='1'/>")) == .acknowledged([stanza(1)]))
    #expect(throws: StreamManagementError.self) { try management.received(element("<a h='\(count)'/>")) }
    #expect(management.unacknowledgedCount == 1)
    #expect(throws: StreamManagementError.unreadable) { try management.received(element("<a/>")) }
  }

  @Test("What else comes in this namespace, or with these names in another, means nothing")
  func others() throws {
    var management = try managed()
    for xml in ["<enabled id='s2' resume='true'/>", "<failed/>", "<resumed previd='s1'/>", "<t/>", "<frob/>"] {
      #expect(try management.received(element(xml)) == .unknown)
    }
    #expect(try management.received(Element("a", "urn:other", ["h": "9"])) == .unknown)
    #expect(management.resumption(of: jid)?.id == "s1")
  }

  @Test("A stream that goes on: what the server has is settled, the rest goes again in order and counts once")
  func resuming() throws {
    var management = try managed()
    for number in 1...5 { management.sent(stanza(number)) }
    _ = management.ask()
    management.connectionLost()
    let (acknowledged, again) = try management.resume(handled: 2)
    #expect(acknowledged == [stanza(1), stanza(2)])
    #expect(again == (3...5).map(stanza))
    #expect(management.sentCount == 5)
    // The question before the cut is not waited for.
    #expect(management.unasked > 0)
    #expect(management.ask() != nil)
    #expect(try management.received(element("<a h='5'/>")) == .acknowledged((3...5).map(stanza)))
  }

  @Test("Questions among what goes again are each about what stands before them")
  func askingAmongWhatGoesAgain() throws {
    var management = try managed()
    for number in 1...5 { management.sent(stanza(number)) }
    management.connectionLost()
    #expect(management.ask() != nil)
    #expect(try management.resume(handled: 0).again.count == 5)
    #expect(management.askAmong(before: 3) != nil)
    #expect(management.askAmong(before: 1) != nil)
    #expect(management.unasked == 1)
    // One answer to the first, which came before all of them, and one to both of the others.
    _ = try management.received(element("<a h='0'/>"))
    #expect(management.ask() == nil)
    _ = try management.received(element("<a h='4'/>"))
    #expect(management.ask() != nil)
  }

  @Test("A server that does not say what it has gets all again; one that has too much is wrong")
  func resumingOddly() throws {
    var management = try managed()
    for number in 1...2 { management.sent(stanza(number)) }
    #expect(try management.resume(handled: nil).again == [stanza(1), stanza(2)])
    #expect(throws: StreamManagementError.tooMuch(handled: 3, sent: 2)) { try management.resume(handled: 3) }
  }

  @Test(
    "A stream that is over: what is known to have arrived, and what is not",
    arguments: [(UInt32?.some(1), 1), (nil, 0), (9, 0)])
  func ending(handled: UInt32?, arrived: Int) throws {
    var management = try managed()
    for number in 1...2 { management.sent(stanza(number)) }
    let (acknowledged, rest, isCertain) = management.end(handled: handled)
    #expect(acknowledged.count == arrived)
    #expect(rest.count == 2 - arrived)
    // A number that cannot be says nothing of the rest.
    #expect(isCertain == (handled == 1))
    #expect(management.isCounting == false)
  }

  @Test("Cut before the server said whether it counts: nothing is left")
  func cutTooEarly() {
    var management = StreamManagement()
    _ = management.enable()
    management.sent(stanza(1))
    management.connectionLost()
    #expect(management.isCounting == false)
    #expect(management.unacknowledgedCount == 0)
  }

  @Test("100,000 unacknowledged stanzas, acknowledged one by one")
  func many() throws {
    var management = try managed()
    let one = stanza(1)
    for _ in 0..<100_000 { management.sent(one) }
    for number in 1...100_000 {
      guard
        case .acknowledged(let stanzas) = try management.received(
          Element("a", StreamManagement.namespace, ["h": "\(number)"])),
        stanzas.count == 1
      else {
        Issue.record("at \(number)")
        return
      }
    }
    #expect(management.unacknowledgedCount == 0)
  }
}
