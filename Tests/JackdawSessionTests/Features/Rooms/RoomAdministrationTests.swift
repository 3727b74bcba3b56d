// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What is asked of a room, and how its answers are taken.
@Client @Suite("The administration of a room", .onLoop) struct RoomAdministrationTests {
  private let admin = "http://jabber.org/protocol/muc#admin"
  private let owner = "http://jabber.org/protocol/muc#owner"
  private let bob: JID

  init() throws { bob = try JID("bob@example.net/phone") }

  @Test("asks for roles by nick and for affiliations by address, with the reason")
  func changes() async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in .empty }
    let rooms = rig.administration
    try await rooms.setRole(.none, of: "Bob & <co>", in: rig.room, reason: "Too loud")
    try await rooms.setRole(.visitor, of: "Bob", in: rig.room)
    try await rooms.setAffiliation(.outcast, of: bob, in: rig.room, reason: "Spam")
    try await rooms.setAffiliation(.none, of: bob, in: rig.room)
    let to = "set tea@rooms.example.org <query xmlns='\(admin)'>"
    #expect(
      rig.asked == [
        to + "<item nick='Bob &amp; &lt;co&gt;' role='none'><reason>Too loud</reason></item></query>",
        to + "<item nick='Bob' role='visitor'/></query>",
        to + "<item affiliation='outcast' jid='bob@example.net'><reason>Spam</reason></item></query>",
        to + "<item affiliation='none' jid='bob@example.net'/></query>",
      ])
  }

  @Test("throws what the room says against it", arguments: ["forbidden", "not-allowed", "conflict", "item-not-found"])
  func refused(condition: String) async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in .error(condition) }
    let rooms = rig.administration
    let steps: [@Client () async throws -> Void] = [
      { try await rooms.setRole(.none, of: "Bob", in: rig.room) },
      { try await rooms.setAffiliation(.owner, of: bob, in: rig.room) },
      { _ = try await rooms.members(.owner, of: rig.room) },
      { _ = try await rooms.configuration(of: rig.room) },
      { try await rooms.configure(rig.room) },
      { try await rooms.destroy(rig.room) },
      { _ = try await rooms.registration(with: rig.room) },
      { try await rooms.register(with: rig.room, Element("query", RegistrationForm.namespace)) },
    ]
    for step in steps {
      let error = await #expect(throws: RequestError.self) { try await step() }
      #expect(error?.stanzaError?.condition == condition)
    }
  }

  @Test("takes no word of anybody but the room")
  func foreign() async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in nil }
    let kicking = rig.fixture.start { try await rig.administration.setRole(.none, of: "Bob", in: rig.room) }
    await rig.fixture.clock.settle()
    let id = try #require(rig.fixture.sent().last?.attribute("id"))
    for sender in ["mallory@example.org", "rooms.example.org", "tea@rooms.example.org/Bob", "tea@rooms.example.org"] {
      #expect(!kicking.hasEnded)
      await rig.fixture.receive("<iq type='result' id='\(id)' from='\(sender)'/>")
    }
    #expect(kicking.hasEnded)
  }

  // MARK: Lists

  private func list(_ items: String) -> String { "<query xmlns='\(admin)'>\(items)</query>" }

  @Test("reads who has an affiliation, and leaves out what makes no sense")
  func members() async throws {
    let rig = try await RoomRig()
    rig.answers = { [list] _, _ in
      .result(
        list(
          "<item affiliation='outcast' jid='bob@example.net'><reason>Spam</reason></item>"
            + "<item jid='spam.example' nick='S'/><item affiliation='owner' jid='eve@example.net'/>"
            + "<item affiliation='outcast' jid='@'/><item affiliation='outcast'/><item nick='x'/>"
            + "<item xmlns='urn:x' affiliation='outcast' jid='x@example.net'/><other/>"))
    }
    let banned = try await rig.administration.members(.outcast, of: rig.room)
    #expect(
      banned == [
        RoomMember(jid: bob.bare, affiliation: .outcast, reason: "Spam"),
        RoomMember(jid: try JID("spam.example"), affiliation: .outcast, nick: "S"),
      ])
    #expect(
      rig.asked == ["get tea@rooms.example.org <query xmlns='\(admin)'><item affiliation='outcast'/></query>"])
  }

  @Test("reads of a list that never ends as much as it can hold")
  func endless() async throws {
    let rig = try await RoomRig()
    let items = (0..<FeatureLimits.roomMembers + 100).map { "<item jid='u\($0)@e.x'/>" }.joined()
    rig.answers = { [list] _, _ in .result(list(items)) }
    let members = try await rig.administration.members(.member, of: rig.room)
    #expect(members.count == FeatureLimits.roomMembers)
  }

  @Test(
    "takes no list that is none",
    arguments: [nil, "<query xmlns='http://jabber.org/protocol/muc#owner'/>", "<list xmlns='urn:x'/>"])
  func noList(payload: String?) async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in payload.map { .result($0) } ?? .empty }
    let error = await #expect(throws: RequestError.self) { try await rig.administration.members(.owner, of: rig.room) }
    #expect(error?.code == .malformedReply)
  }

  // MARK: Owners

  @Test("reads the configuration, and sends it filled in, or empty for an instant room")
  func configuration() async throws {
    let rig = try await RoomRig()
    let form =
      "<x xmlns='jabber:x:data' type='form'><field var='FORM_TYPE' type='hidden'>"
      + "<value>http://jabber.org/protocol/muc#roomconfig</value></field>"
      + "<field var='muc#roomconfig_membersonly' type='boolean'><value>0</value></field></x>"
    rig.answers = { [owner] iq, _ in iq.kind == .get ? .result("<query xmlns='\(owner)'>\(form)</query>") : .empty }
    let configuration = try await rig.administration.configuration(of: rig.room)
    try await rig.administration.configure(rig.room, configuration.filled(with: [("membersonly", "yes")]))
    try await rig.administration.configure(rig.room)
    #expect(
      rig.asked.dropFirst() == [
        "set tea@rooms.example.org <query xmlns='\(owner)'><x xmlns='jabber:x:data' type='submit'>"
          + "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/muc#roomconfig</value></field>"
          + "<field var='muc#roomconfig_membersonly'><value>1</value></field></x></query>",
        "set tea@rooms.example.org <query xmlns='\(owner)'><x xmlns='jabber:x:data' type='submit'/></query>",
      ])
  }

  @Test(
    "takes no configuration that is none",
    arguments: [
      "", "<x xmlns='jabber:x:data'/>", "<x xmlns='jabber:x:data' type='result'/>", "<x xmlns='urn:x' type='form'/>",
    ])
  func noConfiguration(content: String) async throws {
    let rig = try await RoomRig()
    rig.answers = { [owner] _, _ in .result("<query xmlns='\(owner)'>\(content)</query>") }
    let error = await #expect(throws: RequestError.self) { try await rig.administration.configuration(of: rig.room) }
    #expect(error?.code == .malformedReply)
  }

  @Test("destroys a room, and says why and where else to go")
  func destroying() async throws {
    let rig = try await RoomRig()
    rig.answers = { _, _ in .empty }
    try await rig.administration.destroy(
      rig.room, reason: "Moved", alternative: try JID("coffee@rooms.example.org/x"))
    try await rig.administration.destroy(rig.room)
    #expect(
      rig.asked == [
        "set tea@rooms.example.org <query xmlns='\(owner)'><destroy jid='coffee@rooms.example.org'>"
          + "<reason>Moved</reason></destroy></query>",
        "set tea@rooms.example.org <query xmlns='\(owner)'><destroy/></query>",
      ])
  }

  // MARK: Registration

  @Test("reads what a room asks of new members, and who is one already")
  func registration() async throws {
    let rig = try await RoomRig()
    let namespace = RegistrationForm.namespace
    rig.answers = { _, _ in
      .result("<query xmlns='\(namespace)'><registered/><username>third</username></query>")
    }
    #expect(try await rig.administration.registration(with: rig.room) == .registered(nick: "third"))
    rig.answers = { _, _ in
      .result(
        "<query xmlns='\(namespace)'><x xmlns='jabber:x:data' type='form'>"
          + "<field var='\(RoomRegistration.nickField)' type='text-single'><required/></field></x></query>")
    }
    guard case .asks(let form) = try await rig.administration.registration(with: rig.room) else {
      Issue.record("it asks for something")
      return
    }
    #expect(try form.questions(besides: [:]).map(\.name) == [RoomRegistration.nickField])
    rig.answers = { _, _ in .result("<query xmlns='urn:x'/>") }
    await #expect(throws: RequestError.self) { try await rig.administration.registration(with: rig.room) }
  }

  // MARK: Moderation

  private func moderating(_ features: [String]) async throws -> RoomRig {
    let rig = try await RoomRig()
    rig.answers = { _, payload in
      payload.namespace == DiscoveryInformation.namespace
        ? .result(DiscoveryInformation(features: features).element().description) : .empty
    }
    return rig
  }

  @Test("has a message taken back in the form that the room speaks")
  func moderation() async throws {
    let new = try await moderating(["urn:xmpp:message-moderate:1", "urn:xmpp:message-moderate:0"])
    try await new.administration.takeBack("s1", in: new.room, reason: "Spam")
    #expect(
      new.asked.last == "set tea@rooms.example.org <moderate xmlns='urn:xmpp:message-moderate:1' id='s1'>"
        + "<retract xmlns='urn:xmpp:message-retract:1'/><reason>Spam</reason></moderate>")
    let old = try await moderating(["urn:xmpp:message-moderate:0"])
    try await old.administration.takeBack("s1", in: old.room)
    #expect(
      old.asked.last == "set tea@rooms.example.org <apply-to xmlns='urn:xmpp:fasten:0' id='s1'>"
        + "<moderate xmlns='urn:xmpp:message-moderate:0'><retract xmlns='urn:xmpp:message-retract:0'/></moderate>"
        + "</apply-to>")
    let none = try await moderating([])
    let error = await #expect(throws: FeatureError.self) {
      try await none.administration.takeBack("s1", in: none.room)
    }
    #expect(error?.code == .notOffered && none.asked.count == 1)
  }
}
