// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// The `rooms` commands against a server in memory.
@Client @Suite("rooms", .onLoop)
struct RoomsTests: RoomSuite {
  let rig: ApplicationRig
  let host: RoomHost

  init() throws {
    rig = try ApplicationRig()
    host = RoomHost(rig)
  }

  // MARK: In and out

  @Test("join enters a room, bookmarks it to be joined everywhere, and says who is there")
  func join() async throws {
    #expect(try await rooms("join", tea, "--nick", "Al") == .success)
    #expect(lines == ["You are in \(tea) as Al, with 1 other."])
    #expect(host.bookmarks.map(\.jid) == [tea])
    #expect(host.bookmarks.first?.content.contains("name='TEA' autojoin='true'><nick>Al</nick>") == true)
    #expect(try stored(tea)?.autojoin == true)
    #expect(try stored(tea)?.name == "TEA", "as the room calls itself")
  }

  @Test("join takes the nick out of the address too", arguments: [["/Bea"], ["/Bea", "--nick", "Al"]])
  func joinByNick(_ rest: [String]) async throws {
    #expect(try await rig.run(["rooms", "join", tea + rest[0]] + rest.dropFirst()) == .success)
    #expect(lines == ["You are in \(tea) as \(rest.last == "Al" ? "Al" : "Bea"), with 1 other."])
    #expect(try stored(tea)?.nick == (rest.last == "Al" ? "Al" : "Bea"))
  }

  /// A prompt with a room's server, once it is there.
  private func prompt() async throws -> (rig: ApplicationRig, host: RoomHost) {
    let rig = try ApplicationRig(isTerminal: true)
    let host = RoomHost(rig)
    _ = try await rig.start()
    return (rig, host)
  }

  @Test("join of a room that lets nobody in is told once at the prompt, by the room, and by the failure elsewhere")
  func refusedOnce() async throws {
    let (rig, host) = try await prompt()
    host.moved = ["tea": "coffee@rooms.example.org"]
    rig.prompt.type("/rooms join \(tea)")
    await rig.fixture.clock.settle()
    let told = rig.output.events.compactMap { $0 as? RoomChanged }.filter { $0.change == .refused }
    #expect(told.count == 1 && rig.output.failures.isEmpty)
    rig.prompt.type("/rooms join nowhere")
    await rig.fixture.clock.settle()
    #expect(rig.output.failures.map(\.condition) == ["item-not-found"], "what no room has said is told")
    self.host.moved = host.moved
    #expect(try await rooms("join", tea) == .noUser)
    #expect(self.rig.output.failures.count == 1)
  }

  @Test("leave and destroy leave nothing unread of the room", arguments: ["leave", "destroy"])
  func leavesNothingUnread(command: String) async throws {
    let (rig, _) = try await prompt()
    rig.prompt.type("/rooms join \(tea)")
    await rig.fixture.clock.settle()
    rig.prompt.type("/close")
    await rig.fixture.receive("<message from='\(tea)/Bob' type='groupchat' id='m1'><body>Cake?</body></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(rig.prompt.states.last?.allUnread == 1)
    rig.prompt.type("/rooms \(command) \(tea)")
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(rig.prompt.states.last?.allUnread == 0 && rig.output.failures.isEmpty)
    #expect(try rig.store.log.unread().messages == 0)
  }

  @Test("join without a bookmark keeps none, and on a server without bookmarks the room is kept here")
  func unbookmarked() async throws {
    #expect(try await rooms("join", tea, "--no-bookmark") == .success)
    #expect(host.bookmarks.isEmpty)
    let other = try ApplicationRig()
    let bare = RoomHost(other)
    bare.refusesBookmarks = true
    #expect(try await other.run("rooms", "join", tea) == .success)
    #expect(other.output.notices.contains { $0.hasPrefix("The bookmark is on this device alone") })
    #expect(try other.store.rooms.room(try JID(tea))?.autojoin == true)
  }

  @Test("join asks for the password of a room that wants one, and keeps the right one")
  func password() async throws {
    let secrets = TypedSecrets(.success("wrong"))
    let rig = try ApplicationRig(secrets: secrets)
    let host = RoomHost(rig)
    host.password = "right"
    #expect(try await rig.run("rooms", "join", tea) == .unavailable)
    #expect(rig.output.failures.map(\.condition) == ["not-authorized"])
    #expect(host.bookmarks.isEmpty)
    let other = try ApplicationRig(secrets: TypedSecrets(.success("right")))
    let second = RoomHost(other)
    second.password = "right"
    #expect(try await other.run("rooms", "join", tea) == .success)
    #expect(second.bookmarks.first?.content.contains("<password>right</password>") == true)
  }

  @Test(
    "join refuses what is no room and what cannot be a nick before anything is asked",
    arguments: [
      (["rooms.example.org"], 65), (["@"], 65), (["tea@rooms.example.org", "--nick", ""], 65), (["nowhere"], 67),
    ])
  func refusedWords(words: [String], code: Int) async throws {
    #expect(try await rig.run(["rooms", "join"] + words).value == Int32(code))
    #expect(!rig.fixture.server.received.contains { $0.name == "presence" })
  }

  @Test("a room is known by its name or its first part, by the bookmarks of the server too")
  func names() async throws {
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1' name='My tea'><nick>Al</nick></conference>")]
    for word in ["tea", "MY TEA"] {
      let rig = try ApplicationRig()
      let host = RoomHost(rig)
      host.bookmarks = self.host.bookmarks
      #expect(try await rig.run("rooms", "who", word) == .success)
      #expect(rig.output.rows.count == 1)
    }
    host.bookmarks.append(("tea@rooms.example.com", "<conference xmlns='urn:xmpp:bookmarks:1'/>"))
    #expect(try await rooms("who", "tea") == .badInput)
    #expect(rig.output.failures.first?.text == "Which 'tea' do you mean: tea@rooms.example.com, \(tea)?")
  }

  @Test("leave removes the bookmark everywhere; of a room that is none of the user's it fails")
  func leave() async throws {
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1' autojoin='true'/>")]
    #expect(try await rooms("leave", "tea", "--reason", "Bye") == .success)
    #expect(host.bookmarks.isEmpty)
    #expect(try stored(tea) == nil)
    #expect(lines == ["You left \(tea)."])
    let other = try ApplicationRig()
    _ = RoomHost(other)
    #expect(try await other.run("rooms", "leave", tea) == .noUser)
  }

  @Test("join of a room that has moved says how to follow it, and that takes its bookmark along")
  func moved() async throws {
    let cake = "cake@rooms.example.org"
    host.moved = ["tea": cake]
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1' name='Tea time'><nick>Al</nick></conference>")]
    #expect(try await rooms("join", "Tea time") == .noUser)
    let command = "rooms join \(cake) --instead-of \(tea)"
    #expect(
      rig.output.failures.map(\.text)
        == ["The room \(tea) has moved to \(cake). To follow it, type: jackdaw \(command)"])
    let other = try ApplicationRig()
    let second = RoomHost(other)
    second.bookmarks = host.bookmarks
    #expect(try await other.run(command.split(separator: " ").map(String.init)) == .success)
    #expect(second.bookmarks.map(\.jid) == [cake])
    #expect(second.bookmarks.first?.content.contains("name='Tea time' autojoin='true'><nick>Al</nick>") == true)
    #expect(try other.store.rooms.room(try JID(tea)) == nil)
  }

  @Test(
    "join takes the place of a room of the user's, and of another one",
    arguments: [("nowhere@rooms.example.org", 67), ("tea@rooms.example.org", 65)])
  func insteadOfWhat(room: String, code: Int32) async throws {
    #expect(try await rooms("join", tea, "--instead-of", room).value == code)
    #expect(host.bookmarks.isEmpty)
  }

  @Test("list shows the rooms as the server keeps them, with what is unread")
  func list() async throws {
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1' name='Tea' autojoin='1'/>")]
    #expect(try await rooms() == .success)
    #expect(lines == ["Tea|\(tea)|not in it"])
  }

  // MARK: Making and ending

  @Test("create makes a room that stays, named and private as it is wanted")
  func create() async throws {
    #expect(try await rooms("create", "plans", "--private", "--name", "Plans & more") == .success)
    let submitted = host.asked.last ?? ""
    for (setting, value) in [
      ("persistentroom", "1"), ("membersonly", "1"), ("publicroom", "0"), ("roomname", "Plans &amp; more"),
    ] {
      #expect(
        submitted.contains("<field var='muc#roomconfig_\(setting)'><value>\(value)</value></field>"), "\(setting)")
    }
    #expect(host.bookmarks.map(\.jid) == ["plans@rooms.example.org"])
  }

  @Test("create fails where the room is there already, and leaves it")
  func createTwice() async throws {
    #expect(try await rooms("create", tea) == .unavailable)
    #expect(rig.output.failures.map(\.condition) == ["conflict"])
    #expect(host.asked.isEmpty && host.bookmarks.isEmpty)
    #expect(rig.fixture.server.received.contains { $0.attribute("type") == "unavailable" })
  }

  @Test("create fails where somebody else is making the room")
  func createAtOnce() async throws {
    host.locked = ["plans"]
    #expect(try await rooms("create", "plans@rooms.example.org") == .unavailable)
    #expect(rig.output.failures.map(\.condition) == ["conflict"])
    #expect(host.asked.isEmpty && host.bookmarks.isEmpty)
  }

  @Test("create leaves nothing behind where the room cannot be configured")
  func createUnconfigured() async throws {
    host.refusal = "forbidden"
    #expect(try await rooms("create", "plans@rooms.example.org", "--private") == .unavailable)
    #expect(host.asked.last?.contains("<destroy") == true)
    #expect(host.bookmarks.isEmpty)
  }

  @Test("destroy says why and where to go, and removes the bookmark")
  func destroy() async throws {
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1'/>")]
    #expect(try await rooms("destroy", "tea", "--reason", "Over", "--to", "coffee@rooms.example.org") == .success)
    #expect(
      host.asked == [
        "set tea <destroy xmlns='http://jabber.org/protocol/muc#owner' jid='coffee@rooms.example.org'>"
          + "<reason>Over</reason></destroy>"
      ])
    #expect(host.bookmarks.isEmpty)
  }

  // MARK: Finding and looking

  @Test("find shows the rooms of the own server, of a named one, and those with the words")
  func find() async throws {
    host.rooms["chess"] = []
    #expect(try await rooms("find") == .success)
    #expect(lines == ["CHESS|chess@rooms.example.org|0 people|Green or black?", "TEA|\(tea)|1 person|Green or black?"])
    let other = try ApplicationRig()
    let named = RoomHost(other)
    named.rooms["chess"] = []
    #expect(try await other.run("rooms", "find", "rooms.example.org", "ches", "--limit", "1") == .success)
    #expect(other.output.rows.count == 1)
  }

  @Test("who and topic enter no room where it tells them outside")
  func outside() async throws {
    #expect(try await rooms("who", tea) == .success)
    #expect(lines == ["Bob"])
    let other = try ApplicationRig()
    _ = RoomHost(other)
    #expect(try await other.run("rooms", "topic", tea) == .success)
    for rig in [rig, other] { #expect(!rig.fixture.server.received.contains { $0.name == "presence" }) }
  }

  // MARK: From inside

  @Test("topic sets what a room is about, or takes it away", arguments: [["Green", "tea"], ["--clear"]])
  func topic(words: [String]) async throws {
    #expect(try await rig.run(["rooms", "topic", tea] + words) == .success)
    let text = words == ["--clear"] ? "" : "Green tea"
    let subject =
      text.isEmpty ? "<subject/>" : "<subject>Green tea</subject>"
    #expect(host.asked == ["message tea \(subject)"])
  }

  nonisolated static let roles: [(words: [String], role: String)] = [
    (["kick", "Bob", "--reason", "Too loud"], "none"), (["mute", "Bob", "--reason", "Too loud"], "visitor"),
    (["voice", "Bob", "--reason", "Too loud"], "participant"),
    (["role", "Bob", "moderator", "--reason", "Too loud"], "moderator"),
  ]

  @Test("kick, mute, voice and role are asked from inside", arguments: roles.indices)
  func roles(_ index: Int) async throws {
    let (words, role) = Self.roles[index]
    #expect(try await rig.run(["rooms", words[0], tea] + words.dropFirst()) == .success)
    #expect(
      host.asked == [
        "set tea <item xmlns='http://jabber.org/protocol/muc#admin' nick='Bob' role='\(role)'>"
          + "<reason>Too loud</reason></item>"
      ])
    #expect(rig.fixture.server.received.contains { $0.name == "presence" })
  }

  @Test("of a nick that nobody has fails as such, however the room says it; a refusal stays one")
  func noOccupant() async throws {
    host.refusal = "not-acceptable"
    #expect(try await rooms("kick", tea, "Nobody") == .noUser)
    #expect(rig.output.failures.first?.text == "Nobody is called 'Nobody' in \(tea).")
    let other = try ApplicationRig()
    RoomHost(other).refusal = "not-allowed"
    #expect(try await other.run("rooms", "kick", tea, "Bob") == .unavailable)
  }

  @Test(
    "kick and ban of several do nothing where one is not found, and name each who is not",
    arguments: [("kick", "Nobody is called"), ("mute", "Nobody is called"), ("ban", "You have no friend")])
  func noneOfSeveral(_ command: String, _ text: String) async throws {
    #expect(try await rooms(command, tea, "Bob", "Nobody", "Noone") == .noUser)
    #expect(host.asked.isEmpty && lines.isEmpty, "\(host.asked)")
    let told = rig.output.failures.map(\.text)
    #expect(told.count == 2 && told.allSatisfy { $0.hasPrefix(text) }, "\(told)")
    #expect(told.first?.contains("'Nobody'") == true && told.last?.contains("'Noone'") == true)
    #expect(told.last?.hasSuffix(" Nothing was done.") == true)
  }

  @Test("ban is by address, or by nick where the room shows it; affiliation says anything else")
  func affiliations() async throws {
    #expect(try await rooms("ban", tea, "eve@example.net/x", "Bob", "--reason", "Spam") == .success)
    let item = "set tea <item xmlns='http://jabber.org/protocol/muc#admin' affiliation="
    #expect(
      host.asked.sorted() == [
        item + "'outcast' jid='bob@example.org'><reason>Spam</reason></item>",
        item + "'outcast' jid='eve@example.net'><reason>Spam</reason></item>",
      ])
    let other = try ApplicationRig()
    let second = RoomHost(other)
    #expect(try await other.run("rooms", "affiliation", tea, "bob@example.org", "admin") == .success)
    #expect(second.asked == [item + "'admin' jid='bob@example.org'/>"])
    #expect(!other.fixture.server.received.contains { $0.name == "presence" })
  }

  @Test("unban of who is not banned fails")
  func unban() async throws {
    #expect(try await rooms("unban", tea, "bob@example.org", "eve@example.net") == .noUser)
    #expect(lines == ["bob@example.org is no longer banned from \(tea)."])
    #expect(rig.output.failures.map(\.text) == ["eve@example.net is not banned from \(tea)."])
  }

  @Test("list of a room shows who is what", arguments: ["owners", "admins", "members", "banned"])
  func members(kind: String) async throws {
    #expect(try await rooms("list", tea, kind) == .success)
    #expect(lines == ["bob@example.org|Bob|Spam"])
  }

  @Test("register answers with the nick, and names what else is asked")
  func register() async throws {
    #expect(try await rooms("register", tea, "--nick", "Al") == .success)
    #expect(host.asked.last?.contains("<field var='muc#register_roomnick'><value>Al</value></field>") == true)
  }

  @Test("register --remove gives up being a member, and takes no answers")
  func unregister() async throws {
    #expect(try await rooms("register", tea, "--remove") == .success)
    #expect(host.asked.last?.hasPrefix("set tea <remove") == true, "\(host.asked)")
    #expect(lines == ["You are no longer registered with \(tea)."])
  }

  @Test(
    "presence is kept on this device",
    arguments: [("on", true), ("off", false), ("default", nil)] as [(String, Bool?)])
  func presence(setting: String, kept: Bool?) async throws {
    var record = RoomRecord(try JID(tea))
    record.tellsOccupants = setting != "on"
    try rig.store.rooms.keep(record)
    #expect(try await rooms("presence", tea, setting) == .success)
    #expect(try stored(tea)?.tellsOccupants == kept)
  }

  @Test("notify is kept on this device, and only of a room that is known")
  func notify() async throws {
    host.bookmarks = [(tea, "<conference xmlns='urn:xmpp:bookmarks:1'/>")]
    #expect(try await rooms("notify", "tea", "always") == .success)
    #expect(try stored(tea)?.notify == .always)
    let other = try ApplicationRig()
    _ = RoomHost(other)
    #expect(try await other.run("rooms", "notify", tea, "never") == .noUser)
  }

  @Test("moderate takes a message back where the room can")
  func moderate() async throws {
    host.features = ["urn:xmpp:message-moderate:1"]
    #expect(try await rooms("moderate", tea, "s1", "--reason", "Spam") == .success)
    #expect(host.asked.last?.contains("id='s1'") == true)
    let other = try ApplicationRig()
    _ = RoomHost(other)
    #expect(try await other.run("rooms", "moderate", tea, "s1") == .unavailable)
  }

  @Test("at the prompt and in scripts nothing enters a room silently")
  func scripts() async throws {
    let rig = try ApplicationRig(TypedLines("/rooms kick \(tea) Bob"))
    let host = RoomHost(rig)
    #expect(try await rig.run("run", "-") == .unavailable)
    #expect(rig.output.failures.first?.text.contains("'/rooms join \(tea)' enters it.") == true)
    #expect(host.asked.isEmpty)
  }
}
