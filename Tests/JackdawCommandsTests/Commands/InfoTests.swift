// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("info, friends show and ping", .onLoop)
struct InfoTests {
  @Test(
    "a time without activity is what XEP-0012 has it be for whoever answers",
    arguments: [
      ("bob@example.org", "last seen|12 s ago"), ("bob@example.org/x", "idle|12 s"), ("example.org", "running|12 s"),
    ])
  func idleness(_ address: String, _ shown: String) throws {
    let jid = try JID(address)
    var findings = Inquiry.Findings(jid: jid)
    findings.idleness = Idleness(seconds: 12)
    let lines = InfoRow(findings: findings).lines.map { $0.map(\.text).joined(separator: "|") }
    #expect(lines == ["\(address)|\(shown)"])
  }

  private static let privacy = "privacy|receipts on, markers on, typing on"

  /// What the world answers: by address and namespace, a payload or an error's condition; nothing at all to `silence`. What
  /// is not listed is refused.
  private static func world(
    _ rig: ApplicationRig, _ answers: [String: String], friends: [String] = [], online: [String] = []
  ) {
    let items = friends.map { "<item jid='\($0)' subscription='both'/>" }.joined()
    rig.fixture.answer = { [unowned rig] element in
      if element.name == "presence", element.attribute("type") == nil {
        return online.map { Element("presence", Namespace.client, ["from": $0]) }
      }
      guard let iq = try? IQ(element), let payload = iq.payload else { return [] }
      let key = "\(iq.to?.description ?? "") \(payload.namespace)"
      var answer: IQ
      switch answers[key] {
      case "silence": return []
      case let text? where text.hasPrefix("<"): answer = iq.result(try? Element(parsing: text))
      case let condition?: answer = iq.failure(StanzaError(kind: .cancel, condition: condition))
      case nil where payload.namespace == Namespace.roster:
        answer = iq.result(try? Element(parsing: "<query xmlns='jabber:iq:roster'>\(items)</query>"))
      case nil: return SessionFixture.manners(element)
      }
      answer.from = iq.to
      _ = rig
      return [answer.element]
    }
  }

  private nonisolated static let disco = ServiceDiscovery.information
  private nonisolated static let account =
    "<query xmlns='\(disco)'><identity category='account' type='registered'/><feature var='urn:xmpp:ping'/></query>"
  private nonisolated static let client =
    "<query xmlns='\(disco)'><identity category='client' type='phone' name='Bird'/></query>"
  private nonisolated static let version =
    "<query xmlns='jabber:iq:version'><name>Bird</name><version>2</version></query>"
  private nonisolated static let time =
    "<time xmlns='urn:xmpp:time'><tzo>+01:00</tzo><utc>2026-11-21T08:00:00Z</utc></time>"
  private nonisolated static let card =
    "<vCard xmlns='vcard-temp'><FN>Bob B.</FN><EMAIL><WORK/><USERID>b@b.example</USERID></EMAIL></vCard>"

  private func text(_ rig: ApplicationRig) -> [String] {
    rig.output.rows.flatMap { $0.row.lines.map { $0.map(\.text).joined(separator: "|") } }
  }

  private func json(_ rig: ApplicationRig) throws -> [String] {
    try rig.output.rows.map {
      let bytes = try $0.row.jsonLine(of: $0.command, at: Timestamp(milliseconds: 0), account: nil)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test("shows identity, features, version, time and vCard, the card of an account once")
  func all() async throws {
    let rig = try ApplicationRig()
    let phone = "bob@example.org/phone"
    Self.world(
      rig,
      [
        "bob@example.org \(Self.disco)": Self.account, "bob@example.org vcard-temp": Self.card,
        "\(phone) \(Self.disco)": Self.client, "\(phone) jabber:iq:version": Self.version,
        "\(phone) urn:xmpp:time": Self.time,
      ], friends: ["bob@example.org"], online: [phone])
    #expect(try await rig.run("info", "bob@example.org") == .success)
    #expect(
      text(rig) == [
        "bob@example.org|identity|account/registered", "bob@example.org|vcard|fn: Bob B.",
        "bob@example.org|vcard|email.work: b@b.example", "bob@example.org|feature|urn:xmpp:ping",
        "\(phone)|identity|client/phone Bird", "\(phone)|version|Bird 2",
        "\(phone)|time|2026-11-21 09:00:00 +01:00",
      ])
    let cards = rig.fixture.server.received.filter { $0.firstChild?.namespace == "vcard-temp" }
    #expect(cards.map { $0.attribute("to") } == ["bob@example.org"])
    let lines = try json(rig)
    #expect(
      lines[0].contains(
        #""vcard":[{"field":"fn","uses":[],"value":"Bob B.","type":null,"size":null,"sha1":null},"#
          + #"{"field":"email","uses":["work"],"value":"b@b.example","#))
    #expect(lines[1].contains(#""vcard":null"#))
  }

  @Test("what is more than a screen is summed up, and shown whole by --all")
  func screen() async throws {
    let features = (10..<50).map { "<feature var='urn:example:\($0)'/>" }.joined()
    let start = "<query xmlns='\(Self.disco)'><identity category='server' type='im'/>\(features)"
    let answer = start + "</query>"
    let fields = (10..<40).map { "<field var='f\($0)'><value>v</value></field>" }.joined()
    let wordy = start + "<x xmlns='jabber:x:data' type='result'>\(fields)</x></query>"
    for (answer, count) in [(answer, 2), (wordy, 10)] {
      let rig = try ApplicationRig()
      Self.world(rig, ["big.example \(Self.disco)": answer])
      #expect(try await rig.run("info", "big.example") == .success)
      #expect(text(rig).count == count && text(rig).last == "big.example|features|40, listed by --all")
      #expect(try json(rig)[0].contains("urn:example:49"))
    }
    let rig = try ApplicationRig()
    Self.world(rig, ["big.example \(Self.disco)": answer])
    #expect(try await rig.run("info", "--all", "big.example") == .success)
    #expect(text(rig).count == 41 && text(rig).last == "big.example|feature|urn:example:49")
  }

  @Test("a client that is named has the card of its account")
  func namedClient() async throws {
    let rig = try ApplicationRig()
    Self.world(rig, ["bob@example.org vcard-temp": Self.card])
    #expect(try await rig.run("info", "bob@example.org/phone") == .success)
    #expect(
      text(rig) == [
        "bob@example.org/phone|vcard|fn: Bob B.", "bob@example.org/phone|vcard|email.work: b@b.example",
      ])
  }

  @Test("asks all parts of all addresses side by side")
  func sideBySide() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("info", "a.example", "b.example", "c.example")
    let asked = rig.fixture.server.received.filter { $0.name == "iq" }
    #expect(asked.count { $0.attribute("to") != nil } == 15)
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain && rig.output.failures.count == 3)
  }

  @Test(
    "each of several is reported, and the code is that of the last failure",
    arguments: [
      // Found, unknown, refused, silent; in which order; the code.
      (["found"], ExitCode.success, 0), (["gone"], .noUser, 1), (["shut"], .unavailable, 1),
      (["found", "gone", "shut"], .unavailable, 2), (["shut", "found", "gone"], .noUser, 2),
      (["found", "mute"], .tryAgain, 1), (["mute", "gone"], .noUser, 2),
    ])
  func several(_ names: [String], _ code: ExitCode, _ failures: Int) async throws {
    let rig = try ApplicationRig()
    var answers: [String: String] = ["found.example \(Self.disco)": Self.account]
    for namespace in [Self.disco, "jabber:iq:last", "jabber:iq:version", "urn:xmpp:time", "vcard-temp"] {
      answers["gone.example \(namespace)"] = "item-not-found"
      answers["mute.example \(namespace)"] = "silence"
    }
    Self.world(rig, answers)
    let application = rig.application
    let request = try CommandTable.standard.parse(shell: ["info"] + names.map { $0 + ".example" })
    let run = StartedTask { await application.run(request) }
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == code)
    #expect(rig.output.failures.count == failures)
    #expect(text(rig).count == (names.contains("found") ? 2 : 0))
    if names.count > 1 {
      let named = Set(rig.output.failures.compactMap { $0.text.split(separator: ":").first.map(String.init) })
      #expect(named == Set(names.filter { $0 != "found" }.map { $0 + ".example" }))
    }
  }

  @Test("what one part does not answer is told, and the rest shown")
  func onePartIsLate() async throws {
    let rig = try ApplicationRig()
    Self.world(rig, ["a.example \(Self.disco)": Self.account, "a.example vcard-temp": "silence"])
    let run = try await rig.start("info", "a.example")
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain && text(rig).count == 2)
  }

  @Test("what a client does not name among what it can do is not waited for long, and what it names is")
  func unnamedParts() async throws {
    let phone = "bob@example.org/phone"
    for (named, code, timeout) in [
      ("jabber:iq:version", ExitCode.success, "30"), ("urn:xmpp:time", .tryAgain, "30"),
      ("jabber:iq:version", .success, "1"),
    ] {
      let rig = try ApplicationRig()
      let information =
        "<query xmlns='\(Self.disco)'><identity category='client' type='phone'/><feature var='\(named)'/></query>"
      Self.world(
        rig,
        [
          "\(phone) \(Self.disco)": information, "\(phone) jabber:iq:version": Self.version,
          "\(phone) jabber:iq:last": "silence", "\(phone) urn:xmpp:time": "silence",
        ])
      let run = try await rig.start("info", phone, "--timeout", timeout)
      await rig.fixture.clock.elapse(.seconds(3))
      #expect((run.value == nil) == (code == .tryAgain))
      await rig.fixture.clock.elapse(.seconds(31))
      #expect(run.value == code)
      #expect(
        text(rig) == ["\(phone)|identity|client/phone", "\(phone)|version|Bird 2", "\(phone)|feature|\(named)"])
    }
  }

  @Test("friends show has the card, and the clients with what they run")
  func friend() async throws {
    let rig = try ApplicationRig()
    let phone = "bob@example.org/phone"
    Self.world(
      rig, ["bob@example.org vcard-temp": Self.card, "\(phone) jabber:iq:version": Self.version],
      friends: ["bob@example.org"], online: [phone])
    #expect(try await rig.run("friends", "show", "bob@example.org") == .success)
    #expect(
      text(rig) == [
        "address|bob@example.org", "friendship|friend", "client|phone, online, priority 0, Bird 2", Self.privacy,
        "vcard|fn: Bob B.", "vcard|email.work: b@b.example",
      ])
    #expect(try json(rig)[0].contains(#""vcard":[{"field":"fn","uses":[],"value":"Bob B.","#))
  }

  @Test(
    "friends show leaves out what there is not",
    arguments: ["item-not-found", "service-unavailable", "<vCard xmlns='vcard-temp'/>"])
  func friendWithoutACard(_ answer: String) async throws {
    let rig = try ApplicationRig()
    Self.world(rig, ["bob@example.org vcard-temp": answer], friends: ["bob@example.org"])
    #expect(try await rig.run("friends", "show", "bob@example.org") == .success)
    #expect(text(rig) == ["address|bob@example.org", "friendship|friend", "presence|offline", Self.privacy])
    let end = #""presence":"unavailable","privacy":{"receipts":true,"markers":true,"typing":true},"blocked":false}"#
    #expect(try json(rig)[0].hasSuffix(#""vcard":null,"away_for":null,"# + end + "\n"))
  }

  @Test(
    "friends show and info leave out what is no number of seconds, and no vCard",
    arguments: [["friends", "show"], ["info"]])
  func oddAnswers(_ words: [String]) async throws {
    let rig = try ApplicationRig()
    Self.world(
      rig,
      [
        "bob@example.org jabber:iq:last": "<query xmlns='jabber:iq:last' seconds='-1'/>",
        "bob@example.org vcard-temp": "<query xmlns='urn:x'/>", "bob@example.org \(Self.disco)": Self.account,
      ], friends: ["bob@example.org"])
    #expect(try await rig.run(words + ["bob@example.org"]) == .success)
    #expect(rig.output.failures.isEmpty && !text(rig).isEmpty)
  }

  @Test("friends show tells what is not answered at all")
  func silentFriend() async throws {
    let rig = try ApplicationRig()
    Self.world(rig, ["bob@example.org vcard-temp": "silence"], friends: ["bob@example.org"])
    let run = try await rig.start("friends", "show", "bob@example.org")
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain && text(rig).count == 4)
  }

  @Test("ping reports each of several")
  func ping() async throws {
    let rig = try ApplicationRig()
    Self.world(rig, ["gone.example urn:xmpp:ping": "item-not-found", "shut.example urn:xmpp:ping": "forbidden"])
    #expect(try await rig.run("ping", "a.example", "gone.example", "b.example", "shut.example") == .unavailable)
    #expect(rig.output.rows(PingRow.self).map(\.jid.description).sorted() == ["a.example", "b.example"])
    #expect(rig.output.failures.map(\.code) == [.noUser, .unavailable])
  }
}
