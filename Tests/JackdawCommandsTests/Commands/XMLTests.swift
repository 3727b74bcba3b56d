// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("xml", .onLoop)
struct XMLTests {
  private func sent(_ rig: ApplicationRig) -> [Element] {
    rig.fixture.server.received.filter { $0.firstChild?.name != "ping" }
  }

  @Test("prints the answer to a request")
  func result() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("xml", "<iq type='get' id='a'><query xmlns='jabber:iq:roster'/></iq>") == .success)
    #expect(rig.output.lines == ["<iq type='result' id='a'><query xmlns='jabber:iq:roster'/></iq>"])
  }

  @Test(
    "prints an answer of type error as XML too, and ends with its code",
    arguments: [
      ("item-not-found", ExitCode.noUser), ("gone", .noUser), ("remote-server-not-found", .noUser),
      ("service-unavailable", .unavailable), ("forbidden", .unavailable), ("undefined-condition", .unavailable),
      ("remote-server-timeout", .tryAgain),
    ])
  func refusal(_ condition: String, _ code: ExitCode) async throws {
    let rig = try ApplicationRig()
    let namespace = Namespace.stanzaErrors
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element) else { return [] }
      var answer = iq.failure(
        StanzaError(kind: .cancel, condition: condition, text: "no <way>", application: Element("own", "urn:own")))
      answer.from = iq.to
      answer.payload = iq.payload
      return [answer.element]
    }
    #expect(try await rig.run("xml", "<iq type='get' id='a' to='b.example'><q xmlns='urn:q'/></iq>") == code)
    #expect(
      rig.output.lines == [
        "<iq type='error' id='a' to='alice@example.org/here' from='b.example'><q xmlns='urn:q'/><error type='cancel'>"
          + "<\(condition) xmlns='\(namespace)'/><text xmlns='\(namespace)'>no &lt;way&gt;</text>"
          + "<own xmlns='urn:own'/></error></iq>"
      ])
    #expect(rig.output.order.filter { !$0.hasPrefix("event") } == ["row xml", "failure \(code.value)"])
  }

  @Test("an answer that does not come is no answer")
  func silence() async throws {
    let rig = try ApplicationRig(words: ["--timeout", "5"])
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("--timeout", "5", "xml", "<iq type='get'><q xmlns='urn:q'/></iq>")
    await rig.fixture.clock.elapse(.seconds(4))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(run.value == .tryAgain && rig.output.rows.isEmpty)
  }

  @Test(
    "sends messages and presence as they are, and waits until the server has them",
    arguments: [
      "<message to='bob@example.org' type='chat' id='own'><body>hi &amp; bye</body><x xmlns='urn:x' a='&quot;'/></message>",
      "<presence id='own'><show>away</show></presence>", "<iq type='result' id='own' to='bob@example.org/x'/>",
    ])
  func sends(_ stanza: String) async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("xml", stanza)
    #expect(sent(rig) == [try Element(parsing: stanza)])
    #expect(!run.hasEnded)
    for ping in rig.fixture.server.received where ping.firstChild?.name == "ping" {
      for answer in SessionFixture.manners(ping) { await rig.fixture.receive(answer.description) }
    }
    #expect(run.value == .success && rig.output.rows.isEmpty)
  }

  @Test("adds an id where there is none", arguments: ["", " id=''"])
  func id(_ attribute: String) async throws {
    for stanza in [
      "<message to='bob@example.org'\(attribute)><body>hi</body></message>",
      "<iq type='get'\(attribute)><ping xmlns='urn:xmpp:ping'/></iq>",
    ] {
      let rig = try ApplicationRig()
      #expect(try await rig.run("xml", stanza) == .success)
      #expect((rig.fixture.server.received.first?.attribute("id") ?? "").utf8.count > 10)
    }
  }

  @Test(
    "refuses what is not one stanza, before there is a connection",
    arguments: [
      "", " ", "hello", "<message", "<message>", "<message></presence>", "<message/><message/>", "<message/>hello",
      "<presence/></stream:stream>", "</stream:stream>", "<stream:stream/>", "<stream:features/>", "<stream:error/>",
      "<?xml version='1.0'?><presence/>", "<?php ?><presence/>", "<presence><?php ?></presence>",
      "<!-- x --><presence/>", "<presence><!-- x --></presence>", "<!DOCTYPE a><presence/>",
      "<!DOCTYPE a [<!ENTITY b 'c'>]><presence>&b;</presence>", "<presence>&nbsp;</presence>", "<a:presence/>",
      "<presence a='1' a='2'/>", "<presence>\u{1}</presence>", "<presence>&#1;</presence>", "<foo/>",
      "<presence xmlns='urn:evil'/>", "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>", "<r xmlns='urn:xmpp:sm:3'/>",
      "<iq/>", "<iq type='frob'/>", "<iq id='a'><ping xmlns='urn:xmpp:ping'/></iq>",
    ])
  func refused(_ text: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("xml", text) == .badInput)
    #expect(rig.output.failures.count == 1 && rig.fixture.connector.plans.isEmpty)
  }

  @Test("a request to what is no address is bad input", arguments: ["@@", "a@"])
  func address(_ to: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("xml", "<iq type='get' to='\(to)'><ping xmlns='urn:xmpp:ping'/></iq>") == .badInput)
    #expect(rig.fixture.server.received.isEmpty)
  }

  @Test("without a stanza sends those of stdin in their order, and prints each answer")
  func stdin() async throws {
    let rig = try ApplicationRig(
      TypedLines(
        """

        <iq type='get' id='a'><query xmlns='jabber:iq:roster'/></iq> <presence
          id='b'/>
        <iq type='get' id='c'><ping xmlns='urn:xmpp:ping'/></iq>
        """))
    #expect(try await rig.run("xml") == .success)
    let own = rig.fixture.server.received.filter { ["a", "b", "c"].contains($0.attribute("id")) }
    #expect(own.map { $0.attribute("id") } == ["a", "b", "c"])
    #expect(
      rig.output.lines == [
        "<iq type='result' id='a'><query xmlns='jabber:iq:roster'/></iq>", "<iq type='result' id='c'/>",
      ])
    #expect(rig.output.notices.isEmpty)
  }

  @Test(
    "refuses what is wrong in stdin by its line, before there is a connection",
    arguments: [
      ("", "There is no stanza to send on stdin."), (" \n\n", "There is no stanza to send on stdin."),
      ("<presence/>\n<presence>", "line 2: The last stanza does not end"),
      ("<presence/>\n\nhello", "line 3: This is not XML"), ("<presence/>\n<foo/>", "line 2: A stanza is a message"),
      ("<presence/>\n<iq/>\n<presence/>", "line 2: An iq needs the type"),
      ("<presence/>\n</stream:stream>", "line 2: This is not XML"),
      ("<presence a='1'\na='2'/>", "line 2: This is not XML"),
      ("<presence/>\n" + String(repeating: " ", count: 8 << 20), "line 2: There is more than 8 MB"),
    ])
  func wrongStdin(_ text: String, _ says: String) async throws {
    let rig = try ApplicationRig(TypedLines(text))
    #expect(try await rig.run("xml") == .badInput)
    #expect(rig.output.failures.count == 1 && rig.output.failures[0].text.hasPrefix(says), "\(rig.output.failures)")
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("goes on after an answer of type error, and ends with the last one's code")
  func refusedOfSeveral() async throws {
    let rig = try ApplicationRig(
      TypedLines(
        """
        <iq type='get' id='a' to='b.example'><q xmlns='urn:q'/></iq>
        <iq type='get' id='b'><ping xmlns='urn:xmpp:ping'/></iq>
        """))
    let usual = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.attribute("id") == "a", let iq = try? IQ(element) else { return usual(element) }
      var answer = iq.failure(StanzaError(kind: .cancel, condition: "item-not-found"))
      answer.from = iq.to
      return [answer.element]
    }
    #expect(try await rig.run("xml") == .noUser)
    #expect(rig.output.lines.count == 2)
    #expect(rig.output.failures.count == 1 && rig.output.failures[0].text.hasPrefix("line 1: "))
  }

  @Test("in a line needs its stanza there")
  func inALine() async throws {
    let rig = try ApplicationRig(TypedLines("/xml\n"))
    #expect(try await rig.run() == .usage)
  }
}
