// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// Where plain lines go around a command that enters a room.
@Client @Suite("Entering a room", .onLoop)
struct EnteringRoomTests {
  private let rig: ApplicationRig
  private let host: RoomHost
  private let tea = "tea@rooms.example.org"
  private let bob = "bob@example.org"

  init() async throws {
    rig = try ApplicationRig(isTerminal: true)
    host = RoomHost(rig)
    _ = try await rig.start()
  }

  /// Whom the messages went to that have a text.
  private var spokenTo: [String] {
    rig.fixture.server.received.filter { $0.name == "message" && $0.child("body", "jabber:client") != nil }
      .compactMap { $0.attribute("to") }
  }

  private var open: String? { rig.prompt.states.last?.conversation }

  @Test(
    "opens it at the prompt: what is typed next is said there",
    arguments: [
      ("/join tea@rooms.example.org", "tea"), ("/rooms join tea@rooms.example.org --nick Al", "tea"),
      ("/rooms create milk@rooms.example.org", "milk"),
    ])
  func opens(line: String, room: String) async throws {
    await rig.type("/to \(bob)", line, "hi all")
    #expect(spokenTo == ["\(room)@rooms.example.org"], "\(rig.output.failures) \(rig.prompt.returned)")
    #expect(open?.hasPrefix(room) == true && !rig.output.notices.contains { $0.hasPrefix("To talk there") })
  }

  @Test("by an invitation opens it, too")
  func opensByInvitation() async throws {
    await rig.fixture.receive(
      "<message from='\(tea)' to='alice@example.org' id='i1'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<invite from='bob@example.org/x'/></x></message>")
    await rig.type("/to \(bob)", "/rooms accept \(tea)", "thanks")
    #expect(spokenTo == [tea])
  }

  @Test("by an invitation whose password is not the room's any more asks for it")
  func invitationWithOldPassword() async throws {
    let secrets = TypedSecrets(.success("new"))
    let rig = try ApplicationRig(isTerminal: true, secrets: secrets)
    let host = RoomHost(rig)
    host.password = "new"
    _ = try await rig.start()
    await rig.fixture.receive(
      "<message from='bob@example.org/x' to='alice@example.org' id='i1'>"
        + "<x xmlns='jabber:x:conference' jid='\(tea)' password='old'/></message>")
    rig.prompt.type("/rooms accept \(tea)")
    await rig.fixture.clock.settle()
    #expect(secrets.secretQuestions == ["Password for \(tea): "])
    #expect(host.bookmarks.first?.content.contains("<password>new</password>") == true)
  }

  @Test("waits for whoever is asked for its password")
  func slowTypist() async throws {
    let typist = SlowTypist()
    let rig = try ApplicationRig(isTerminal: true, secrets: typist)
    let host = RoomHost(rig)
    host.password = "new"
    _ = try await rig.start()
    rig.prompt.type("/join \(tea)")
    await rig.fixture.clock.settle()
    #expect(typist.isAsking)
    await rig.fixture.clock.elapse(.seconds(50))
    typist.type("new")
    await rig.fixture.clock.settle()
    let isKept = host.bookmarks.first?.content.contains("<password>new</password>") == true
    #expect(isKept, "\(rig.output.failures)")
  }

  @Test("is not done by a key that opens the invitation: the room hears nothing before it is accepted, or written to")
  func readsInvitation() async throws {
    await rig.fixture.receive(
      "<message from='\(tea)' to='alice@example.org' id='i1'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<invite from='mallory@example.net'/></x></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    rig.prompt.delegate?.promptSwitches(.nextUnread)
    await rig.fixture.clock.settle()
    #expect(rig.prompt.states.last?.address == ConversationKey(try JID(tea)))
    #expect(!rig.fixture.server.received.contains { $0.attribute("to")?.hasPrefix(tea) == true })
    #expect(
      rig.output.notices.contains(
        "You are not in \(tea), which you are invited to. To enter it, type: /rooms accept \(tea)"))
    await rig.type("hi all")
    #expect(
      spokenTo == [tea] && rig.fixture.server.received.contains { $0.attribute("to")?.hasPrefix("\(tea)/") == true })
  }

  @Test("shows what was said there before, and what has come since, once")
  func showsOnce() async throws {
    await rig.type("/join \(tea)")
    await rig.fixture.receive("<message from='\(tea)/Bob' type='groupchat' id='m1'><body>Cake?</body></message>")
    await rig.fixture.clock.elapse(.milliseconds(200))
    await rig.type("/to \(bob)")
    let count = rig.output.rows.count
    await rig.type("/join \(tea)")
    #expect(rig.output.rows.dropFirst(count).count { ($0.row as? HistoryRow)?.message.shownText == "Cake?" } == 1)
    #expect(open?.hasPrefix("tea") == true)
  }

  @Test("leaves nothing unread of what the room sends with it")
  func readsHistory() async throws {
    rig.fixture.answer = { [host, tea] element in
      let answer = host.answer(element)
      guard element.name == "presence", element.attribute("to")?.hasPrefix(tea) == true else { return answer }
      return answer + [
        host.element(
          "<message xmlns='jabber:client' from='\(tea)/Bob' type='groupchat' id='m1'><body>Cake?</body>"
            + "<delay xmlns='urn:xmpp:delay' stamp='2026-11-20T08:00:00Z'/></message>")
      ]
    }
    await rig.type("/join \(tea)")
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(rig.output.messages == ["Cake?"] && rig.prompt.states.last?.allUnread == 0)
  }

  @Test("takes no message for whoever was talked to before while the room has not answered")
  func waits() async throws {
    await rig.type("/to \(bob)")
    rig.prompt.type("/join \(tea)")
    rig.prompt.type("hi all")
    #expect(rig.prompt.returned == ["hi all"])
    #expect(rig.output.failures.last?.text == "Not sent, as the '/rooms join' before it has yet to end.")
    await rig.fixture.clock.settle()
    #expect(spokenTo.isEmpty && open?.hasPrefix("tea") == true)
  }

  @Test(
    "that fails leaves nobody to talk to",
    arguments: [
      "/join nowhere", "/join tea@rooms.example.org --bogus", "/rooms join", "/rooms create tea@rooms.example.org",
    ])
  func fails(line: String) async throws {
    await rig.type("/to \(bob)", line, "hi all")
    #expect(spokenTo.isEmpty && open == nil && rig.prompt.returned == ["hi all"])
    #expect(
      rig.output.failures.last?.text.contains("before it failed. Pick somebody first: /to ") == true)
    await rig.type("/to \(bob)", "hi Bob")
    #expect(spokenTo == [bob])
  }

  @Test("does not take one away from whom one picked meanwhile")
  func pickedMeanwhile() async throws {
    rig.prompt.type("/join \(tea)")
    rig.prompt.type("/to \(bob)")
    await rig.fixture.clock.settle()
    #expect(rig.output.notices.contains("To talk there, type: /to \(tea)"))
    await rig.type("hi Bob")
    #expect(spokenTo == [bob])
  }

  @Test("has what is typed meanwhile about the open room wait for it, whatever is opened then")
  func commandMeanwhile() async throws {
    for line in ["/to \(bob)", "/join \(tea)", "/names", "/to \(bob)"] { rig.prompt.type(line) }
    await rig.fixture.clock.settle()
    #expect(rig.output.rows.contains { $0.row is RoomOccupantRow }, "\(rig.output.failures)")
    for line in ["/join nowhere", "/names"] { rig.prompt.type(line) }
    await rig.fixture.clock.settle()
    #expect(rig.output.failures.last?.text.contains("'/rooms join' before it failed") == true)
  }

  @Test("the last of two rooms is the one that is open then")
  func lastOfTwo() async throws {
    host.rooms["milk"] = []
    rig.prompt.type("/join \(tea)")
    rig.prompt.type("/join milk@rooms.example.org")
    await rig.fixture.clock.settle()
    #expect(open?.hasPrefix("milk") == true, "\(rig.output.failures)")
  }

  @Test(
    "that does not exist is no place to send a message to; the one that there is, is", arguments: ["send", "--lines"])
  func missing(option: String) async throws {
    let words = option == "send" ? [] : [option]
    let rig = try ApplicationRig(TypedLines("anybody?"))
    let host = RoomHost(rig)
    #expect(try await rig.run(["send"] + words + ["milk@rooms.example.org"]) == .noUser)
    #expect(rig.output.failures.first?.text.hasPrefix("There is no room milk@rooms.example.org.") == true)
    #expect(!rig.fixture.server.received.contains { $0.attribute("to")?.hasPrefix("milk@rooms.example.org/") == true })
    _ = host
  }

  @Test("that was not there says that it was made, once")
  func made() async throws {
    await rig.type(
      "/join milk@rooms.example.org", "/join \(tea)", "/join milk@rooms.example.org", "/to rum@rooms.example.org")
    let entered = rig.output.events.compactMap { $0 as? RoomChanged }.filter { $0.change == .joined }
    #expect(entered.map(\.room.localpart) == ["milk", "tea", "rum"] && entered.map(\.isNew) == [true, false, true])
    let shell = try ApplicationRig()
    _ = RoomHost(shell)
    #expect(try await shell.run("rooms", "join", "milk@rooms.example.org") == .success)
    let sentence = "There was no room milk@rooms.example.org: you made it, and are in it as alice."
    #expect(shell.output.rows.last?.row.cells.map(\.text) == [sentence])
  }

  @Test("in a script leaves plain lines where they went")
  func inScript() async throws {
    let rig = try ApplicationRig(TypedLines("/to \(bob)\n/rooms join \(tea)\nhi Bob\n"))
    _ = RoomHost(rig)
    #expect(try await rig.run("run", "-") == .success)
    let to = rig.fixture.server.received.filter { $0.name == "message" && $0.child("body", "jabber:client") != nil }
    #expect(to.map { $0.attribute("to") } == [bob])
  }
}

/// Somebody who looks for the password first.
@Client private final class SlowTypist: SecretAsking {
  private var waiting: CheckedContinuation<String, Never>?

  var isAsking: Bool { waiting != nil }

  func askSecret(_ prompt: String) async throws(CommandFailure) -> String {
    await withCheckedContinuation { waiting = $0 }
  }

  func askLine(_ prompt: String) async throws(CommandFailure) -> String { try await askSecret(prompt) }

  func type(_ text: String) { waiting.take()?.resume(returning: text) }
}
