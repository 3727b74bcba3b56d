// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Services and rooms, found at servers in memory.
@Client @Suite("The search for rooms", .onLoop) struct RoomSearchTests {
  private let information = DiscoveryInformation.namespace
  private let items = DiscoveryItem.namespace
  private let service: JID
  private let muc = "http://jabber.org/protocol/muc"

  init() throws { service = try JID("rooms.example.org") }

  private func search(_ rig: RoomRig) -> RoomSearch { rig.fixture.session.features[RoomSearch.self] }

  private func identity(_ features: String..., type: String = "text") -> String {
    "<query xmlns='\(information)'><identity category='conference' type='\(type)'/>"
      + (features + [muc]).map { "<feature var='\($0)'/>" }.joined() + "</query>"
  }

  private func list(_ content: String) -> String { "<query xmlns='\(items)'>\(content)</query>" }

  private func room(_ name: String, of attributes: String = "") -> String {
    "<item jid='\(name)@rooms.example.org' \(attributes)/>"
  }

  @Test("finds the services of our server, and asks each what it is")
  func services() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] iq, payload in
      if payload.namespace == items {
        return .result(
          list(
            "<item jid='rooms.example.org'/><item jid='irc.example.org'/><item jid='silent.example.org'/>"
              + "<item jid='pubsub.example.org'/><item jid='@'/><item jid='user@example.org'/><item/>"))
      }
      return switch iq.to?.domain {
      case "rooms.example.org": .result(identity())
      case "irc.example.org": .result(identity(type: "irc"))
      case "pubsub.example.org": .result("<query xmlns='\(information)'><identity category='pubsub' type='x'/></query>")
      default: .error("remote-server-timeout")
      }
    }
    #expect(try await search(rig).services() == [service])
    #expect(rig.asked.first == "get example.org <query xmlns='\(items)'/>")
  }

  @Test("of a service that lists thousands asks a bounded number")
  func manyServices() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] _, payload in
      payload.namespace == items
        ? .result(list((0..<2_000).map { "<item jid='s\($0).example.org'/>" }.joined())) : .result(identity())
    }
    #expect(try await search(rig).services().count == FeatureLimits.roomServices)
    #expect(rig.asked.count == FeatureLimits.roomServices + 1)
  }

  @Test("reads a list, and what each room says of itself")
  func rooms() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] iq, payload in
      if payload.namespace == items {
        return .result(
          list(
            room("tea", of: "name='tea (3)'") + room("chess", of: "name='Chess'") + room("shy")
              + "<item jid='rooms.example.org' node='x'/><item jid='tea@rooms.example.org/Nick'/><item jid='@'/>"))
      }
      switch iq.to?.localpart {
      case "tea":
        return .result(
          "<query xmlns='\(information)'><identity category='conference' type='text' name='Tea'/>"
            + "<feature var='muc_membersonly'/><feature var='muc_passwordprotected'/>"
            + "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
            + "<value>\(muc)#roominfo</value></field><field var='muc#roominfo_occupants'><value>4</value></field>"
            + "<field var='muc#roominfo_subject'><value>Green or black?</value></field>"
            + "<field var='muc#roominfo_description'><value>All about tea</value></field></x></query>")
      case "chess":
        return .result(
          "<query xmlns='\(information)'><x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
            + "<value>\(muc)#roominfo</value></field><field var='muc#roominfo_occupants'><value>-1</value></field>"
            + "</x></query>")
      case nil: return .result(identity())
      default: return .error("forbidden")
      }
    }
    let found = try await search(rig).rooms(of: service, matching: [], limit: 10)
    #expect(found.map(\.jid.localpart) == ["tea", "chess", "shy"])
    #expect((found[0].name, found[0].topic, found[0].description) == ("Tea", "Green or black?", "All about tea"))
    #expect(found[0].occupants == 4 && found[0].isProtected && found[0].isMembersOnly)
    #expect((found[1].name, found[1].occupants) == ("Chess", nil))
    #expect((found[2].name, found[2].occupants) == (nil, nil))
    for words in [["TEA"], ["green", "tea"], ["about"]] {
      #expect(try await search(rig).rooms(of: service, matching: words, limit: 10).map(\.jid.localpart) == ["tea"])
    }
    #expect(try await search(rig).rooms(of: service, matching: ["coffee"], limit: 10).isEmpty)
    #expect(try await search(rig).rooms(of: service, matching: [], limit: 2).count == 2)
  }

  @Test("reads a list page by page where the service gives pages")
  func paged() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] iq, payload in
      guard payload.namespace == items else {
        return iq.to == service ? .result(identity(ResultSetRequest.namespace)) : .error("forbidden")
      }
      let set = payload.child("set", ResultSetRequest.namespace)
      let after = set?.text(of: "after", ResultSetRequest.namespace).flatMap { Int($0) } ?? -1
      guard after < 5 else { return .result(list("")) }
      return .result(
        list(
          room("r\(after + 1)") + room("r\(after + 2)") + "<set xmlns='\(ResultSetRequest.namespace)'>"
            + "<first>\(after + 1)</first><last>\(after + 2)</last></set>"))
    }
    let found = try await search(rig).rooms(of: service, matching: [], limit: 100)
    #expect(found.map(\.jid.localpart) == (0...5).map { "r\($0)" })
  }

  @Test("of a list that goes in circles, or never ends, comes to an end", arguments: [false, true])
  func endless(isGrowing: Bool) async throws {
    let rig = try await RoomRig()
    var number = 0
    rig.answers = { [self] iq, payload in
      guard payload.namespace == items else {
        return iq.to == service ? .result(identity(ResultSetRequest.namespace)) : .error("forbidden")
      }
      number += 1
      let rooms = (0..<500).map { room("r\(isGrowing ? number : 0)-\($0)") }.joined()
      return .result(
        list(rooms + "<set xmlns='\(ResultSetRequest.namespace)'><last>\(isGrowing ? number : 1)</last></set>"))
    }
    let found = try await search(rig).rooms(of: service, matching: [], limit: 20_000)
    #expect(found.count == (isGrowing ? FeatureLimits.foundRooms : 500))
    #expect(number <= FeatureLimits.foundRooms / 500 + 1)
  }

  @Test("of words that no name has asks a bounded number of rooms")
  func manyRooms() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] iq, payload in
      payload.namespace == items
        ? .result(list((0..<1_000).map { room("r\($0)") }.joined()))
        : iq.to == service ? .result(identity()) : .error("forbidden")
    }
    #expect(try await search(rig).rooms(of: service, matching: ["coffee"], limit: 10).isEmpty)
    #expect(rig.asked.count == FeatureLimits.describedRooms + 2)
  }

  @Test(
    "takes no answer that is none",
    arguments: ["<query xmlns='urn:x'/>", "<result xmlns='urn:xmpp:channel-search:0:search'/>"])
  func malformed(answer: String) async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] _, payload in payload.namespace == information ? .result(identity()) : .result(answer) }
    let error = await #expect(throws: RequestError.self) {
      try await search(rig).rooms(of: service, matching: [], limit: 10)
    }
    #expect(error?.code == .malformedReply)
  }

  @Test("at an address that has no rooms says so")
  func noService() async throws {
    let rig = try await RoomRig()
    rig.answers = { [self] _, _ in
      .result("<query xmlns='\(information)'><identity category='server' type='im'/></query>")
    }
    let error = await #expect(throws: FeatureError.self) {
      try await search(rig).rooms(of: service, matching: [], limit: 10)
    }
    #expect(error?.code == .notFound)
  }

  @Test("is the service's own where it has one, by words or of all, page by page")
  func channelSearch() async throws {
    let rig = try await RoomRig()
    let namespace = RoomSearch.namespace
    var forms: [DataForm] = []
    rig.answers = { [self] _, payload in
      guard payload.namespace == namespace else { return .result(identity(namespace)) }
      if let form = payload.child("x", DataForm.namespace).flatMap({ try? DataForm($0) }) { forms.append(form) }
      let isSecond = payload.child("set", ResultSetRequest.namespace)?.child("after", ResultSetRequest.namespace) != nil
      guard !isSecond else {
        return .result(
          "<result xmlns='\(namespace)'><item address='b@elsewhere.example'><nusers>x</nusers></item></result>")
      }
      return .result(
        "<result xmlns='\(namespace)'><item address='a@elsewhere.example'><name>A</name><nusers>10</nusers>"
          + "<description>All</description></item><item address='@'/><item/><item address='elsewhere.example'/>"
          + "<set xmlns='\(ResultSetRequest.namespace)'><last>1</last></set></result>")
    }
    let found = try await search(rig).rooms(of: service, matching: ["xmpp", "tea"], limit: 10)
    #expect(found.map(\.jid.description) == ["a@elsewhere.example", "b@elsewhere.example"])
    #expect((found[0].name, found[0].occupants, found[0].description) == ("A", 10, "All"))
    #expect(found[1].occupants == nil)
    #expect(forms.first?.value(of: "q") == "xmpp tea" && forms.first?["all"] == nil)
    #expect(forms.first?.formType == "urn:xmpp:channel-search:0:search-params")
    #expect(forms.first?.value(of: "key") == "{urn:xmpp:channel-search:0:order}address")
    forms = []
    _ = try await search(rig).rooms(of: service, matching: [], limit: 1)
    #expect(forms.first?.value(of: "all") == "true" && forms.first?["q"] == nil)
  }
}
