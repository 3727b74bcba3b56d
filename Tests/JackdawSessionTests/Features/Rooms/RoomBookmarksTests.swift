// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// Bookmarks against a server in memory, with a store.
@Client @Suite("Bookmarks", .onLoop) struct RoomBookmarksTests {
  private let store = AccountStore.inMemory().rooms
  private let server = BookmarkServer()
  private let tea = "tea@rooms.example.org"
  private let chess = "chess@rooms.example.org"

  private struct Rig {
    let fixture: SessionFixture
    let witness: RoomWitness
    @Client var bookmarks: RoomBookmarks { fixture.session.features[RoomBookmarks.self] }
  }

  private func online() async throws -> Rig {
    let fixture = try SessionFixture(
      stores: SessionStores(rooms: store),
      features: SessionFixture.core + [PubSub.self, PersonalEvents.self, RoomBookmarks.self, RoomWitness.self])
    server.serve(fixture)
    try await fixture.settleIn()
    return Rig(fixture: fixture, witness: fixture.session.features[RoomWitness.self])
  }

  private func conference(_ attributes: String, _ content: String = "") throws -> Element {
    try Element(parsing: "<conference xmlns='\(BookmarkServer.node)' \(attributes)>\(content)</conference>")
  }

  private func stored(_ jid: String) throws -> RoomRecord? { try store.room(try JID(jid)) }

  private func room(_ jid: String, _ change: (inout RoomRecord) -> Void = { _ in }) throws -> RoomRecord {
    var room = RoomRecord(try JID(jid))
    change(&room)
    return room
  }

  // MARK: Reading

  @Test("are read at the log-in, kept, and told to the rooms")
  func atLogin() async throws {
    server.items = [
      (tea, try conference("name='Tea' autojoin='1'", "<nick>Al</nick><password>s</password>")),
      (chess, try conference("")), ("@", try conference("")), ("rooms.example.org", try conference("autojoin='1'")),
    ]
    let rig = try await online()
    #expect(rig.witness.heard == ["read tea+ chess"])
    let kept = try room(tea) { room in
      (room.name, room.nick, room.password) = ("Tea", "Al", "s")
      (room.isBookmarked, room.autojoin) = (true, true)
    }
    #expect(try stored(tea) == kept)
    #expect(try store.rooms().count == 2)
    #expect(rig.fixture.remarks.contains("Left out 2 bookmarks that are none."))
  }

  @Test("that went while this device was away are forgotten, others and what is its own of each stay")
  func whileAway() async throws {
    try store.keep(try room(tea) { ($0.isBookmarked, $0.autojoin, $0.notify) = (true, true, .always) })
    try store.keep(try room(chess) { $0.isBookmarked = true })
    try store.keep(try room("mine@rooms.example.org") { $0.autojoin = true })
    server.items = [(tea, try conference("name='New'"))]
    let rig = try await online()
    #expect(rig.witness.heard == ["removed chess", "read tea mine+"])
    #expect(try stored(chess) == nil)
    #expect(try stored(tea)?.notify == .always)
    #expect(try stored(tea)?.name == "New")
  }

  @Test(
    "that cannot be read are taken as they were known",
    arguments: ["service-unavailable", "feature-not-implemented", "internal-server-error", "forbidden"])
  func unreadable(condition: String) async throws {
    try store.keep(try room(tea) { ($0.isBookmarked, $0.autojoin) = (true, true) })
    server.refusal = StanzaError(kind: .cancel, condition: condition)
    let rig = try await online()
    #expect(rig.witness.heard == ["read tea+"])
    let isNews = condition == "internal-server-error" || condition == "forbidden"
    #expect(rig.fixture.remarks.contains { $0.hasPrefix("The bookmarks cannot be read") } == isNews)
    await #expect(throws: RequestError.self) { try await rig.bookmarks.refresh() }
    #expect(try stored(tea)?.isBookmarked == true)
  }

  @Test("beyond what is read of them remove none of those that were known")
  func tooMany() async throws {
    try store.keep(try room(chess) { $0.isBookmarked = true })
    let plain = try conference("")
    server.items = (0..<FeatureLimits.bookmarks + 5).map { ("r\($0)@rooms.example.org", plain) }
    let rig = try await online()
    #expect(try stored(chess) != nil)
    #expect(rig.witness.read.count == FeatureLimits.bookmarks + 1)
    #expect(rig.witness.heard.count == 1)
  }

  // MARK: The end of rooms

  /// The room's end, as its occupants note it.
  private func end(_ jid: String, in rig: Rig) throws {
    if var record = try stored(jid) {
      record.autojoin = false
      try store.keep(record)
    }
    rig.fixture.session.events.post(RoomChanged(try JID(jid), .destroyed))
  }

  @Test("of a room that was ended say for all devices that it is entered no more at a log-in")
  func ended() async throws {
    server.items = [(tea, try conference("autojoin='1' name='Tea'", "<nick>Al</nick>"))]
    let rig = try await online()
    try end(tea, in: rig)
    try end(chess, in: rig)
    await rig.fixture.clock.elapse(FeatureLimits.endedRoomDelay)
    #expect(server.heard.filter { $0.hasPrefix("publish") } == ["publish \(tea)"])
    let kept = try room(tea) { ($0.name, $0.nick, $0.isBookmarked) = ("Tea", "Al", true) }
    #expect(try stored(tea) == kept)
    #expect(server.items?.map(\.id) == [tea], "what was no bookmark becomes none")
  }

  @Test(
    "of a room that the user ends and forgets do not come back, here and on another device", arguments: [true, false])
  func endedAndRemoved(isHere: Bool) async throws {
    server.items = [(tea, try conference("autojoin='1'"))]
    let rig = try await online()
    try end(tea, in: rig)
    if isHere { try await rig.bookmarks.remove(try JID(tea)) } else { server.items = [] }
    await rig.fixture.clock.elapse(FeatureLimits.endedRoomDelay)
    #expect(server.items?.isEmpty == true)
    #expect(!server.heard.contains("publish \(tea)"), "\(server.heard)")
  }

  @Test("of a room that was ended, and that the user has made anew, stay as they are")
  func madeAnew() async throws {
    server.items = [(tea, try conference("autojoin='1'"))]
    let rig = try await online()
    try end(tea, in: rig)
    try store.keep(try room(tea) { ($0.isBookmarked, $0.autojoin) = (true, true) })
    await rig.fixture.clock.elapse(FeatureLimits.endedRoomDelay)
    #expect(!server.heard.contains("publish \(tea)"), "\(server.heard)")
  }

  @Test("of a room that was ended say so before the program leaves, which waits for no room that has none")
  func endedAtLeaving() async throws {
    server.items = [(tea, try conference("autojoin='1'"))]
    let rig = try await online()
    try end(tea, in: rig)
    try end(chess, in: rig)
    let leaving = StartedTask { await rig.bookmarks.leaving() }
    await rig.fixture.clock.settle()
    #expect(!leaving.hasEnded)
    await rig.fixture.clock.elapse(FeatureLimits.endedRoomDelay)
    #expect(leaving.hasEnded && server.heard.contains("publish \(tea)"), "\(server.heard)")
    try end(chess, in: rig)
    let again = StartedTask { await rig.bookmarks.leaving() }
    await rig.fixture.clock.settle()
    #expect(again.hasEnded)
  }

  @Test(
    "of a room that was ended say so on the next stream where the connection is lost before, and the room is not entered"
  )
  func endedBeforeLoss() async throws {
    server.items = [(tea, try conference("autojoin='1'"))]
    let rig = try await online()
    try end(tea, in: rig)
    rig.bookmarks.streamLost()
    try await rig.bookmarks.loginTask?()
    await rig.fixture.clock.settle()
    #expect(rig.witness.heard == ["read tea+", "read tea"])
    #expect(try stored(tea)?.autojoin == false)
    await rig.fixture.clock.elapse(FeatureLimits.endedRoomDelay)
    #expect(server.heard.filter { $0.hasPrefix("publish") } == ["publish \(tea)"])
  }

  // MARK: Old formats

  private func storage(_ content: String) throws -> Element {
    try Element(parsing: "<storage xmlns='storage:bookmarks'>\(content)</storage>")
  }

  @Test("of old clients are converted where there is no node, and then read no more")
  func conversion() async throws {
    server.legacyNode = try storage(
      "<conference jid='TEA@rooms.example.org' autojoin='true' name='Tea'><nick>Al</nick><password>s</password>"
        + "</conference><url url='https://example.org'/><conference jid='@'/><conference/>")
    server.privateStorage = try storage(
      "<conference jid='\(tea)' name='other'/><conference jid='\(chess)'/><conference jid='\(chess)' name='again'/>")
    let rig = try await online()
    #expect(
      server.heard == [
        "items \(BookmarkServer.node)", "items storage:bookmarks", "private", "publish \(tea)", "publish \(chess)",
      ])
    #expect(rig.witness.heard == ["read tea+ chess"])
    #expect(server.items?.first?.payload.text(of: "password", BookmarkServer.node) == "s")
    #expect(server.items?.first?.payload.attribute("name") == "Tea")
    _ = try await rig.bookmarks.refresh()
    #expect(server.heard.dropFirst(5) == ["items \(BookmarkServer.node)"])
  }

  @Test("of old clients do not come back to a user who has removed all")
  func emptied() async throws {
    server.items = []
    server.privateStorage = try storage("<conference jid='\(tea)' autojoin='1'/>")
    let rig = try await online()
    #expect(rig.witness.heard == ["read "])
    #expect(server.heard == ["items \(BookmarkServer.node)"])
  }

  nonisolated static let places: [(features: [String], asked: [String])] = [
    (["urn:xmpp:bookmarks:1#compat"], []),
    (["urn:xmpp:bookmarks:1#compat-pep"], ["private"]),
    (["urn:xmpp:bookmarks-conversion:0"], ["items storage:bookmarks"]),
    ([], ["items storage:bookmarks", "private"]),
  ]

  @Test("of old clients are asked for only where the server does not keep them in step", arguments: places)
  func unified(features: [String], asked: [String]) async throws {
    server.features += features
    server.legacyNode = try storage("<conference jid='\(tea)'/>")
    _ = try await online()
    #expect(server.heard.dropFirst().filter { !$0.hasPrefix("publish") } == asked)
  }

  @Test("of old clients that cannot be converted are kept on this device")
  func unconverted() async throws {
    server.features = []
    server.privateStorage = try storage("<conference jid='\(tea)' autojoin='1'/>")
    let rig = try await online()
    #expect(server.items == nil, "a server that cannot keep them private is not given them")
    #expect(rig.witness.heard == ["read tea+"])
    #expect(try stored(tea)?.isBookmarked == false)
  }

  // MARK: Other devices

  @Test("that other devices add, change and remove are followed; those that are as they were are no news")
  func events() async throws {
    server.items = [(chess, try conference(""))]
    let rig = try await online()
    try store.keep(try room(chess) { ($0.isBookmarked, $0.notify) = (true, .never) })
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(tea)))
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(tea)))
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(chess, "autojoin='true' name='C'")))
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='0'")))
    await rig.fixture.receive(
      BookmarkServer.changed("<retract id='\(tea)'/><retract id='@'/><retract id='unknown@rooms.example.org'/>"))
    #expect(
      rig.witness.heard == ["read chess", "changed tea+", "changed chess+", "changed tea", "removed tea"])
    #expect(try stored(tea) == nil)
    #expect(try stored(chess)?.notify == .never)
  }

  @Test(
    "are nobody else's to change",
    arguments: ["mallory@example.org", "example.org", "alice@example.org/other", "rooms.example.org"])
  func impostors(sender: String) async throws {
    let rig = try await online()
    await rig.fixture.receive(
      BookmarkServer.event("<items node='\(BookmarkServer.node)'>\(BookmarkServer.item(tea))</items>", from: sender))
    #expect(rig.witness.heard == ["read "])
    #expect(try store.rooms().isEmpty)
  }

  @Test("that other devices take away all at once are asked for once more", arguments: ["purge", "delete"])
  func purged(change: String) async throws {
    server.items = [(tea, try conference("")), (chess, try conference(""))]
    let rig = try await online()
    server.items = [(chess, try conference(""))]
    await rig.fixture.receive(BookmarkServer.event("<\(change) node='\(BookmarkServer.node)'/>"))
    #expect(rig.witness.heard == ["read tea chess", "removed tea", "read chess"])
  }

  // MARK: This one

  @Test("that are kept go to the server, with what other clients keep with them")
  func keeping() async throws {
    let extensions = "<extensions><x xmlns='urn:x' a='1'>t</x><y xmlns='urn:y'/></extensions>"
    server.items = [(tea, try conference("name='Tea'", extensions))]
    let rig = try await online()
    let new = try room(tea) { ($0.name, $0.nick, $0.autojoin, $0.notify) = ("T", "Al", true, .always) }
    try await rig.bookmarks.keep(new)
    let published = try #require(server.items?.first?.payload)
    #expect(
      published == (try conference("name='T' autojoin='true'", "<nick>Al</nick>" + extensions)))
    #expect(try stored(tea)?.isBookmarked == true && stored(tea)?.notify == .always)
    await rig.fixture.receive(
      BookmarkServer.changed("<item id='\(tea)'>\(published.description)</item>"))
    #expect(rig.witness.heard == ["read tea"], "its echo is no news")
  }

  @Test("that come back before the server says that it has them are no news")
  func earlyEcho() async throws {
    server.items = [(tea, try conference("autojoin='false'"))]
    let rig = try await online()
    let answer = rig.fixture.answer
    let echo = RoomServer.xml(
      BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='false'", "<nick>Karo</nick>")))
    rig.fixture.answer = { element in
      let answers = answer(element)
      return element.description.contains("<publish ") ? [echo] + answers : answers
    }
    try await rig.bookmarks.keep(try room(tea) { $0.nick = "Karo" })
    #expect(rig.witness.heard == ["read tea"])
    #expect(try stored(tea)?.nick == "Karo")
    server.items = [(tea, try conference("autojoin='false'", "<nick>K</nick>"))]
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='false'", "<nick>K</nick>")))
    #expect(rig.witness.heard == ["read tea", "changed tea"], "another device's is")
  }

  @Test("that come back late, however often, are no news; those that another device keeps anew are")
  func lateEcho() async throws {
    let rig = try await online()
    let echo = BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='true'"))
    try await rig.bookmarks.keep(try room(tea) { $0.autojoin = true })
    // As a room is kept that has ended.
    try store.keep(try room(tea) { $0.isBookmarked = true })
    // ejabberd tells the account, and then each of its devices.
    await rig.fixture.receive(echo)
    try await rig.bookmarks.remove(try JID(tea))
    await rig.fixture.receive(echo)
    await rig.fixture.receive(echo)
    #expect(rig.witness.heard == ["read ", "changed tea+"], "told in time it is what it was; later it is gone")
    #expect(try stored(tea) == nil)
    server.items = [(tea, try conference("autojoin='true'"))]
    await rig.fixture.receive(echo)
    #expect(rig.witness.heard == ["read ", "changed tea+", "changed tea+"])
    try await rig.bookmarks.keep(try room(chess) { $0.autojoin = true })
    try await rig.bookmarks.keep(try room(chess) { ($0.autojoin, $0.nick) = (true, "Al") })
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(chess, "autojoin='true'")))
    await rig.fixture.receive(BookmarkServer.changed(BookmarkServer.item(chess, "autojoin='true'", "<nick>Al</nick>")))
    #expect(rig.witness.heard == ["read ", "changed tea+", "changed tea+"])
    #expect(try stored(chess)?.nick == "Al")
  }

  @Test("go to a server that takes no configuration with an item, which is changed once")
  func configuring() async throws {
    server.refusesConfiguration = true
    let rig = try await online()
    try await rig.bookmarks.keep(try room(tea))
    try await rig.bookmarks.keep(try room(chess))
    #expect(server.heard.suffix(4) == ["refused", "publish \(tea)", "configure", "publish \(chess)"])
  }

  @Test("that the server refuses are kept on this device, and told")
  func refused() async throws {
    let rig = try await online()
    server.refusal = StanzaError(kind: .cancel, condition: "not-allowed")
    await #expect(throws: RequestError.self) { try await rig.bookmarks.keep(try room(tea) { $0.autojoin = true }) }
    #expect(try stored(tea)?.autojoin == true && stored(tea)?.isBookmarked == false)
  }

  @Test("that are removed go from the server and from here; those that are gone are no error")
  func removing() async throws {
    server.items = [(tea, try conference(""))]
    let rig = try await online()
    try await rig.bookmarks.remove(try JID(tea + "/nick"))
    #expect(server.items?.isEmpty == true)
    #expect(try stored(tea) == nil)
    try store.keep(try room(chess))
    try await rig.bookmarks.remove(try JID(chess))
    #expect(try stored(chess) == nil)
  }

  @Test("by which a room is joined say before they go that it is not, for servers that tell nobody of their going")
  func leftElsewhere() async throws {
    server.items = [(tea, try conference("autojoin='1'", "<nick>Al</nick>"))]
    let rig = try await online()
    try await rig.bookmarks.remove(try JID(tea))
    #expect(server.heard.suffix(2) == ["publish \(tea)", "retract \(tea)"])
    #expect(server.items?.isEmpty == true)
    await rig.fixture.receive(
      BookmarkServer.changed(BookmarkServer.item(tea, "autojoin='false'", "<nick>Al</nick>") + "<retract id='\(tea)'/>")
    )
    #expect(!rig.witness.heard.contains { $0.hasSuffix("tea+") && $0.hasPrefix("changed") }, "its echo joins nothing")
  }

  @Test("that cannot be removed stay, but where the server has none")
  func notRemoved() async throws {
    server.items = [(tea, try conference(""))]
    let rig = try await online()
    server.refusal = StanzaError(kind: .auth, condition: "forbidden")
    await #expect(throws: RequestError.self) { try await rig.bookmarks.remove(try JID(tea)) }
    #expect(try stored(tea) != nil)
    server.refusal = .serviceUnavailable
    try await rig.bookmarks.remove(try JID(tea))
    #expect(try stored(tea) == nil)
  }
}
