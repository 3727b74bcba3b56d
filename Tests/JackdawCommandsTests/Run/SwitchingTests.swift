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

@Client @Suite("Switching at the prompt", .onLoop)
struct SwitchingTests {
  private func receive(_ rig: ApplicationRig, _ body: String, from name: String) async {
    await rig.fixture.receive(
      "<message from='\(name)@example.org/x' type='chat'><body>\(body)</body></message>")
    await rig.fixture.clock.elapse(.milliseconds(100))
  }

  /// Bob is a friend.
  private func begin(_ words: [String] = []) async throws -> (rig: ApplicationRig, run: StartedTask<ExitCode>) {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", []), ("carol@example.org", "Carol", [])])
    let request = try CommandTable.standard.parse(shell: words)
    let run = StartedTask { [application = rig.application] in await application.run(request) }
    await rig.fixture.clock.settle()
    return (rig, run)
  }

  private func others(_ rig: ApplicationRig) -> [String] {
    rig.prompt.states.last?.others.map { "\($0.name) +\($0.count)" } ?? []
  }

  @Test("by the key for what is unread opens the newest first, and what was opened is read")
  func unread() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    await receive(rig, "one", from: "carol")
    await receive(rig, "two", from: "carol")
    await receive(rig, "hi", from: "eve")
    #expect(others(rig) == ["eve@example.org +1", "Carol +2"])
    #expect(rig.prompt.states.last?.allUnread == 3 && rig.prompt.states.last?.conversation == "Bob")
    rig.prompt.delegate?.promptSwitches(.nextUnread)
    // Before the next key is read the prompt names them.
    #expect(try rig.prompt.states.last?.address == ConversationKey(JID("eve@example.org")))
    #expect(rig.prompt.states.last?.company == .stranger && others(rig) == ["Carol +2"])
    rig.prompt.type("for eve")
    rig.prompt.delegate?.promptSwitches(.nextUnread)
    rig.prompt.type("for carol")
    #expect(others(rig) == [] && rig.prompt.states.last?.allUnread == 0)
    rig.prompt.delegate?.promptSwitches(.nextUnread)
    #expect(rig.output.notices.last == "There are no unread messages elsewhere.")
    #expect(rig.prompt.states.last?.conversation == "Carol")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages == ["eve@example.org|for eve", "carol@example.org|for carol"])
  }

  @Test("by '/goto' has what it shows read, unless something unread stands above that")
  func goneTo() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    for number in 1...12 { await receive(rig, "\(number)", from: "carol") }
    func number(of body: String) throws -> Int64 {
      let query = LogQuery(conversation: try JID("carol@example.org"))
      return try #require(try rig.store.log.page(query, before: nil).messages.first { $0.event.body == body }).number
    }
    // Ten stand above it, and one above those.
    rig.prompt.type("/goto \(try number(of: "12"))")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.prompt.states.last?.conversation == "Carol" && rig.prompt.states.last?.allUnread == 12)
    rig.prompt.type("/goto \(try number(of: "11"))")
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.prompt.states.last?.unread == 0 && rig.prompt.states.last?.allUnread == 0, "\(rig.output.failures)")
  }

  @Test("to a conversation whose message is on its way to the screen has it read, once it is there")
  func onItsWay() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    rig.output.isOnItsWay = true
    await receive(rig, "one", from: "carol")
    rig.prompt.delegate?.promptSwitches(.nextUnread)
    #expect(rig.prompt.states.last?.conversation == "Carol")
    rig.output.isOnItsWay = false
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(rig.prompt.states.last?.unread == 0 && rig.prompt.states.last?.allUnread == 0)
  }

  @Test("by a digit opens the conversation with that number, and none where there is none")
  func numbers() async throws {
    let (rig, _) = try await begin()
    rig.prompt.type("/to Bob")
    rig.prompt.type("/to Carol")
    for (number, name) in [(1, "Bob"), (2, "Carol"), (1, "Bob")] {
      rig.prompt.delegate?.promptSwitches(.number(number))
      #expect(rig.prompt.states.last?.conversation == name)
    }
    rig.prompt.delegate?.promptSwitches(.number(7))
    #expect(rig.output.notices.last?.hasPrefix("No conversation has the number 7") == true)
    #expect(rig.prompt.states.last?.conversation == "Bob")
    rig.prompt.type("/chats")
    #expect(rig.output.rows(ChatRow.self).map(\.entry.number) == [1, 2])
    #expect(rig.output.rows(ChatRow.self).map(\.isOpen) == [true, false])
  }

  @Test("after a '/to' that failed picks somebody again, and what was typed before stays unsent")
  func afterFailure() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    rig.prompt.type("/to nobody")
    rig.prompt.type("SECRET")
    rig.prompt.delegate?.promptSwitches(.number(1))
    rig.prompt.type("for bob")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages == ["bob@example.org|for bob"] && rig.prompt.returned == ["SECRET"])
  }

  @Test("to whoever wrote last goes to the last line on the screen, by key and by '/r'")
  func reply() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    rig.prompt.delegate?.promptSwitches(.reply)
    #expect(rig.output.notices.last == "Nobody has written to you yet.")
    rig.prompt.type("/r")
    #expect(rig.output.failures.map(\.text) == ["Nobody has written to you yet."])
    // As after any line that may have meant somebody else.
    rig.prompt.type("to nobody")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages.isEmpty && rig.prompt.returned == ["to nobody"])
    await receive(rig, "hi", from: "carol")
    rig.prompt.type("/r")
    rig.prompt.type("for carol")
    await receive(rig, "hi", from: "bob")
    rig.prompt.type("for carol still")
    rig.prompt.delegate?.promptSwitches(.reply)
    rig.prompt.type("for bob")
    await rig.fixture.clock.settle()
    #expect(
      rig.sentMessages == [
        "carol@example.org|for carol", "carol@example.org|for carol still", "bob@example.org|for bob",
      ])
  }

  @Test("settles what a command is about when it is entered, whoever is picked before it runs")
  func settledAtEnter() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    for name in ["bob", "carol"] {
      await rig.fixture.receive(
        "<message id='\(name)-1' from='\(name)@example.org/x' type='chat'><body>hi</body></message>")
    }
    await rig.fixture.clock.elapse(.milliseconds(100))
    // All in one go: no command has run when the next line is entered.
    for line in ["/reply for bob", "/react 👍", "/friends rename . Bobby", "/to Carol", "for carol"] {
      rig.prompt.type(line)
    }
    await rig.fixture.clock.settle()
    let names = rig.sentMessages.map { $0.prefix { $0 != "@" } }
    #expect(names == ["bob", "bob", "carol"], "\(rig.sentMessages) \(rig.output.failures)")
    let renamed = rig.fixture.server.received.map(\.description).filter { $0.contains("name='Bobby'") }
    #expect(renamed.count == 1 && renamed.allSatisfy { $0.contains("jid='bob@example.org'") }, "\(renamed)")
  }

  @Test("by the key for a correction offers one's last message, which never comes back later")
  func correction() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    rig.prompt.type("at nein")
    await rig.fixture.clock.settle()
    rig.prompt.delegate?.promptSwitches(.correctLast)
    #expect(rig.prompt.offered == ["/correct at nein"] && rig.prompt.returned.isEmpty, "\(rig.output.failures)")
  }

  @Test("by the key for a correction offers the text of a message that did not arrive, to be written anew")
  func failed() async throws {
    let (rig, _) = try await begin(["chat", "bob@example.org"])
    rig.prompt.type("//etc is full")
    await rig.fixture.clock.settle()
    let id = try #require(try rig.store.log.conversations().first?.last.event.id)
    await rig.fixture.receive(
      "<message type='error' id='\(id)' from='bob@example.org'><error type='cancel'>"
        + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    await rig.fixture.clock.elapse(.milliseconds(100))
    rig.prompt.delegate?.promptSwitches(.correctLast)
    #expect(rig.prompt.offered == ["//etc is full"] && rig.prompt.returned.isEmpty, "\(rig.output.failures)")
  }

  /// An earlier run was said so much by bob, and has shown it.
  private func rig(with count: Int) throws -> ApplicationRig {
    let rig = try ApplicationRig(isTerminal: true)
    let records = try (1...count).map { number in
      let (alice, bob) = (try JID("alice@example.org"), try JID("bob@example.org/x"))
      return ArrivedMessage(
        MessageArrived(id: nil, from: bob, to: alice, kind: .chat, body: "\(number)"),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    }
    _ = try rig.store.messages.record(records, archiveCursor: nil)
    let end = try rig.store.messages.end()
    try rig.store.messages.open("screen", from: nil)
    try rig.store.messages.present((1...end.seq).map { LogPlace(seq: $0, beginning: 0) }, to: "screen")
    try rig.store.log.markRead(JID("bob@example.org"), through: end.seq)
    return rig
  }

  @Test("lets '/back' go on in the conversation where it was entered")
  func back() async throws {
    let rig = try rig(with: 30)
    _ = try await rig.start("chat", "bob@example.org")
    func bodies() -> [String] { rig.output.rows(HistoryRow.self).map(\.message.event.body) }
    let first = try #require(bodies().first.flatMap { Int($0) })
    let count = bodies().count
    rig.prompt.type("/back 2")
    rig.prompt.type("/to carol@example.org")
    await rig.fixture.clock.settle()
    #expect(bodies().dropFirst(count) == ["\(first - 2)", "\(first - 1)"])
  }

  @Test(
    "lets a second '/back' that is entered at once go on where the first one ends, also where another conversation is opened then",
    arguments: [false, true])
  func backTwice(_ switches: Bool) async throws {
    let rig = try rig(with: 30)
    _ = try await rig.start("chat", "bob@example.org")
    func numbers() -> [Int64] { rig.output.rows(HistoryRow.self).map(\.message.number) }
    let first = try #require(numbers().first)
    let count = numbers().count
    rig.prompt.type("/back 2")
    rig.prompt.type("/back 2")
    if switches { rig.prompt.type("/to carol@example.org") }
    await rig.fixture.clock.settle()
    #expect(numbers().dropFirst(count) == [first - 2, first - 1, first - 4, first - 3])
  }

  @Test("shows all that there is where '/back' is to show more than there can be", arguments: [1_000, Int.max])
  func backToTheBeginning(_ number: Int) async throws {
    let rig = try rig(with: 500)
    _ = try await rig.start("chat", "bob@example.org")
    let count = rig.output.rows(HistoryRow.self).count
    rig.prompt.type("/back \(number)")
    await rig.fixture.clock.settle()
    #expect(rig.output.rows(HistoryRow.self).dropFirst(count).map(\.message.number) == Array(1...Int64(500 - count)))
    #expect(rig.output.failures.isEmpty)
  }

  @Test("marks only what others wrote as unread: behind what the user said meanwhile another block begins")
  func unreadBlocks() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    func keep(_ bodies: (body: String, isOurs: Bool)...) throws {
      let records = try bodies.map { said in
        let (alice, bob) = (try JID("alice@example.org"), try JID("bob@example.org/x"))
        return ArrivedMessage(
          MessageArrived(
            id: nil, from: said.isOurs ? alice : bob, to: said.isOurs ? bob.bare : alice, kind: .chat, body: said.body,
            carbon: said.isOurs ? .sent : nil),
          archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      }
      _ = try rig.store.messages.record(records, archiveCursor: nil)
    }
    try keep(("one", false), ("from the shell", true), ("two", false), ("three", false), ("more", true))
    let end = try rig.store.messages.end()
    try rig.store.messages.open("screen", from: nil)
    try rig.store.messages.present((1...end.seq).map { LogPlace(seq: $0, beginning: 0) }, to: "screen")
    _ = try await rig.start("chat", "bob@example.org")
    let rows = rig.output.rows(HistoryRow.self).map { "\($0.message.event.body) \($0.unread.map(String.init) ?? "-")" }
    #expect(rows == ["one 1", "from the shell -", "two 2", "three -", "more -"])
  }

  @Test("knows at the start what is unread from before, and who wrote last")
  func fromBefore() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let records = try [("bob", "one"), ("carol", "two"), ("bob", "three")].map { name, body in
      ArrivedMessage(
        MessageArrived(
          id: nil, from: try JID("\(name)@example.org/x"), to: try JID("alice@example.org"), kind: .chat, body: body),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    }
    _ = try rig.store.messages.record(records, archiveCursor: nil)
    _ = try await rig.start()
    await rig.fixture.clock.elapse(.milliseconds(100))
    #expect(others(rig) == ["bob@example.org +2", "carol@example.org +1"])
    rig.prompt.type("/r")
    #expect(try rig.prompt.states.last?.address == ConversationKey(JID("bob@example.org")))
    #expect(others(rig) == ["carol@example.org +1"])
  }

  @Test("says of oneself, servers and strangers what they are, and of nobody that they are offline who is not seen")
  func company() async throws {
    let (rig, _) = try await begin()
    for (word, company, words) in [
      ("alice@example.org", PromptState.Company.oneself, "your other devices get these notes"),
      ("example.org", .server, "is a server"), ("eve@example.org", .stranger, "is not a contact of yours"),
    ] {
      rig.prompt.type("/to \(word)")
      #expect(rig.prompt.states.last?.company == company && rig.prompt.states.last?.presence == nil)
      #expect(rig.output.notices.last?.contains(words) == true)
    }
    let told = rig.output.notices.count
    rig.prompt.type("/to eve@example.org")
    rig.prompt.type("/to Bob")
    #expect(rig.output.notices.count == told && rig.prompt.states.last?.company == nil)
    #expect(rig.prompt.states.last?.presence == "unavailable")
  }

  @Test("says of whom that they are blocked, for as long as they are")
  func blocked() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.setRoster([("bob@example.org", "Bob", [])])
    let answer = rig.fixture.answer
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == Blocking.namespace else { return answer(element) }
      let item = Element("item", Blocking.namespace, ["jid": "bob@example.org"])
      return [iq.result(iq.kind == .get ? Element("blocklist", Blocking.namespace, [item]) : nil).element]
    }
    _ = try await rig.start()
    await rig.fixture.clock.settle()
    rig.prompt.type("/to Bob")
    #expect(rig.prompt.states.last?.company == .blocked)
    #expect(rig.output.notices.last?.hasPrefix("You have blocked Bob: ") == true)
    rig.prompt.type("/unblock --all")
    await rig.fixture.clock.settle()
    #expect(rig.prompt.states.last?.company == nil)
  }

  @Test("says how the user is shown, from the moment they are")
  func ownPresence() async throws {
    let (rig, _) = try await begin()
    #expect(rig.prompt.states.last?.ownPresence == nil)
    rig.prompt.type("/status dnd")
    await rig.fixture.clock.settle()
    #expect(rig.prompt.states.last?.ownPresence == "dnd")
    rig.prompt.type("/status offline")
    await rig.fixture.clock.settle()
    #expect(rig.prompt.states.last?.ownPresence == "unavailable")
    rig.prompt.type("/status available")
    await rig.fixture.clock.settle()
    #expect(rig.prompt.states.last?.ownPresence == nil)
  }

  @Test("offers whom one talked to last first")
  func completion() async throws {
    let (rig, _) = try await begin()
    func offered(_ partial: String) -> [String] {
      rig.prompt.delegate?.promptCompletions(words: ["/to"], partial: partial).map(\.text) ?? []
    }
    #expect(offered("") == ["Bob", "Carol"])
    rig.prompt.type("/to Carol")
    rig.prompt.type("/to eve@example.org")
    #expect(offered("") == ["eve@example.org", "Carol", "Bob"])
    #expect(offered("e") == ["eve@example.org"])
  }
}
