// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Version, time and idleness: from XML and back.
@Suite struct SmallAnswersCodecTests {
  static let versions: [(String, Software)] = [
    ("<name>a</name><version>1</version>", Software(name: "a", version: "1")),
    ("<name>a</name><version/><os>B &amp; C</os>", Software(name: "a", version: "", system: "B & C")),
  ]

  @Test("Software versions are read and written", arguments: versions)
  func versionsAreReadAndWritten(_ xml: String, _ software: Software) throws {
    let element = try Element(parsing: "<query xmlns='\(Software.namespace)'>\(xml)</query>")
    #expect(Software(element) == software)
    #expect(Software(software.element) == software)
    #expect(software.element == element)
  }

  @Test(
    "A version without a name is ignored",
    arguments: ["", "<name/>", "<version>1</version>", "<name xmlns='urn:other'>a</name>"])
  func aVersionOfNothingIsNone(_ xml: String) throws {
    #expect(Software(try Element(parsing: "<query xmlns='\(Software.namespace)'>\(xml)</query>")) == nil)
  }

  static let times: [(tzo: String, utc: String, moment: LocalMoment)] = [
    ("Z", "1970-01-01T00:00:01.000Z", LocalMoment(time: Timestamp(milliseconds: 1_000), offset: 0)),
    ("-06:00", "1970-01-01T00:00:00.000Z", LocalMoment(time: Timestamp(milliseconds: 0), offset: -21_600)),
    ("+05:45", "1970-01-01T00:00:00.000Z", LocalMoment(time: Timestamp(milliseconds: 0), offset: 20_700)),
    (
      "+23:59", "9999-12-31T23:59:59.999Z",
      LocalMoment(time: Timestamp(milliseconds: 253_402_300_799_999), offset: 86_340)
    ),
    ("-00:30", "1970-01-01T00:00:00.000Z", LocalMoment(time: Timestamp(milliseconds: 0), offset: -1_800)),
  ]

  @Test("Times are read and written", arguments: times)
  func timesAreReadAndWritten(_ tzo: String, _ utc: String, _ moment: LocalMoment) throws {
    let element = try Element(
      parsing: "<time xmlns='\(LocalMoment.namespace)'><tzo>\(tzo)</tzo><utc>\(utc)</utc></time>")
    #expect(LocalMoment(element) == moment)
    #expect(moment.element == element)
  }

  @Test("The example of XEP-0202 is read") func theExampleOfTheXEP() throws {
    let xml = "<time xmlns='urn:xmpp:time'><tzo>-06:00</tzo><utc>2006-12-19T17:58:35Z</utc></time>"
    #expect(LocalMoment(try Element(parsing: xml))?.time.description == "2006-12-19T17:58:35.000Z")
  }

  @Test(
    "Malformed times are ignored",
    arguments: [
      ("", "2006-12-19T17:58:35Z"), ("+24:00", "2006-12-19T17:58:35Z"), ("+1:00", "2006-12-19T17:58:35Z"),
      ("+01:60", "2006-12-19T17:58:35Z"), ("01:00", "2006-12-19T17:58:35Z"), ("+01:00:00", "2006-12-19T17:58:35Z"),
      ("+٠١:00", "2006-12-19T17:58:35Z"), ("x01:00", "2006-12-19T17:58:35Z"), ("Z", "now"), ("Z", ""),
      ("Z", "99999-01-01T00:00:00Z"),
    ])
  func oddTimesAreNone(_ tzo: String, _ utc: String) throws {
    let xml = "<time xmlns='urn:xmpp:time'><tzo>\(tzo)</tzo><utc>\(utc)</utc></time>"
    #expect(LocalMoment(try Element(parsing: xml)) == nil)
  }

  static let idlenesses: [(String, Idleness)] = [
    ("<query xmlns='jabber:iq:last' seconds='0'/>", Idleness(seconds: 0)),
    (
      "<query xmlns='jabber:iq:last' seconds='903'>Heading Home</query>", Idleness(seconds: 903, status: "Heading Home")
    ),
    ("<query xmlns='jabber:iq:last' seconds='9223372036854775807'/>", Idleness(seconds: .max)),
  ]

  @Test("Idleness is read and written", arguments: idlenesses)
  func idlenessIsReadAndWritten(_ xml: String, _ idleness: Idleness) throws {
    #expect(Idleness(try Element(parsing: xml)) == idleness)
    #expect(idleness.element == (try Element(parsing: xml)))
  }

  @Test(
    "Idleness without a number is ignored",
    arguments: ["", "seconds=''", "seconds='-1'", "seconds='a'", "seconds='99999999999999999999'", "seconds='1.5'"])
  func idlenessWithoutNumberIsNone(_ attribute: String) throws {
    #expect(Idleness(try Element(parsing: "<query xmlns='jabber:iq:last' \(attribute)/>")) == nil)
  }
}

/// Version, time and idleness: who is told, and what is asked.
@Client @Suite(.onLoop) struct SmallAnswersTests {
  private static let version = "<query xmlns='jabber:iq:version'/>"
  private static let time = "<time xmlns='urn:xmpp:time'/>"
  private static let last = "<query xmlns='jabber:iq:last'/>"

  private func fixture(answers: @escaping @Client (IQ) -> Element? = { _ in nil }) async throws -> SessionFixture {
    let fixture = try SessionFixture()
    fixture.befriend(
      ["both@example.org": "both", "from@example.org": "from", "to@example.org": "to", "none@example.org": "none"],
      answers: answers)
    try await fixture.settleIn()
    return fixture
  }

  /// Sender, and whether they may see our presence.
  private nonisolated static let senders = [
    ("both@example.org/x", true), ("from@example.org/x", true), ("alice@example.org/other", true),
    ("alice@example.org", true), ("to@example.org/x", false), ("none@example.org/x", false),
    ("mallory@example.org/x", false), ("example.org", false),
  ]

  @Test("Presence leak: the time is told only to those who see our presence", arguments: senders)
  func presenceLeaksOfTimeAreForThoseWhoSeeOurPresence(_ sender: String, _ maySee: Bool) async throws {
    let fixture = try await fixture()
    fixture.session.features[EntityTime.self].offset = { _ in 7_200 }
    let answer = try await fixture.ask(Self.time, from: sender)
    if maySee {
      #expect(answer.payload.flatMap { LocalMoment($0) } == LocalMoment(time: fixture.date, offset: 7_200))
    } else {
      #expect(answer.error?.condition == "service-unavailable")
      #expect(answer.payload == nil)
    }
  }

  @Test("Presence leak: idleness is told only to those who see our presence", arguments: senders)
  func presenceLeaksOfIdlenessAreForThoseWhoSeeOurPresence(_ sender: String, _ maySee: Bool) async throws {
    let fixture = try await fixture()
    fixture.session.features[LastActivity.self].userActed()
    await fixture.clock.elapse(.seconds(90))
    let answer = try await fixture.ask(Self.last, from: sender)
    if maySee {
      #expect(answer.payload.flatMap { Idleness($0) } == Idleness(seconds: 90))
    } else {
      #expect(answer.error?.condition == "service-unavailable")
    }
  }

  @Test("Idleness is not told by a program without a user, nor when the user does not want it")
  func idlenessIsNotToldWhereNobodySitsNorWhenItIsNotWanted() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.ask(Self.last, from: "both@example.org/x").error?.condition == "service-unavailable")
    let feature = fixture.session.features[LastActivity.self]
    feature.userActed()
    feature.isTold = false
    #expect(try await fixture.ask(Self.last, from: "both@example.org/x").error?.condition == "service-unavailable")
  }

  @Test(
    "Our version is told without the operating system",
    arguments: senders.filter { $0.1 || $0.0 == "example.org" }.map(\.0))
  func theVersionIsToldWithoutTheSystem(_ sender: String) async throws {
    let fixture = try await fixture()
    let answer = try await fixture.ask(Self.version, from: sender)
    #expect(answer.payload.flatMap { Software($0) } == Software.own)
    #expect(Software.own.system == nil)
  }

  @Test("Version, time and idleness of others are queried") func othersAreAsked() async throws {
    let moment = LocalMoment(time: Timestamp(milliseconds: 5_000), offset: -3_600)
    let fixture = try await fixture { iq in
      switch iq.payload?.namespace {
      case Software.namespace: Software(name: "Psi", version: "0.11", system: "Mac").element
      case LocalMoment.namespace: moment.element
      case Idleness.namespace: Idleness(seconds: 7, status: "gone").element
      default: nil
      }
    }
    let jid = try JID("both@example.org/x")
    let features = fixture.session.features
    #expect(try await features[SoftwareVersion.self].software(of: jid).system == "Mac")
    #expect(try await features[EntityTime.self].time(of: jid) == moment)
    #expect(try await features[LastActivity.self].idleness(of: jid).status == "gone")
  }

  @Test("Answers that make no sense throw") func answersThatMakeNoSenseAreErrors() async throws {
    let fixture = try await fixture { _ in Element("odd", "urn:odd") }
    let jid = try JID("both@example.org/x")
    let features = fixture.session.features
    let version = await #expect(throws: RequestError.self) {
      try await features[SoftwareVersion.self].software(of: jid)
    }
    let time = await #expect(throws: RequestError.self) { try await features[EntityTime.self].time(of: jid) }
    let last = await #expect(throws: RequestError.self) { try await features[LastActivity.self].idleness(of: jid) }
    #expect([version, time, last].allSatisfy { $0?.code == .malformedReply })
  }
}
