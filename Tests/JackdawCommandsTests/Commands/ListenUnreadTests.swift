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

/// What `listen` leaves unread, and for whom.
@Client @Suite("listen, over the log", .onLoop)
struct ListenUnreadTests {
  @Test("whose program cannot keep up leaves what it has no time for in the log")
  func overrun() async throws {
    let rig = try ApplicationRig()
    let count = 120
    let context = rig.context()
    let listener = Listener(
      senders: [], count: ListenCount(nil),
      program: MessageProgram(["sleep", "600"], replies: false, context: context, limits: .init(messages: 100)),
      as: .bot("exec sleep 600"), context: context)
    let run = StartedTask { try? await listener.run(for: nil) }
    await rig.fixture.clock.settle()
    await rig.fixture.receive((0..<count).map { ListenTests.message("m\($0)") }.joined())
    #expect(rig.output.messages.count == 100)
    #expect(listener.interrupt() == true)
    await rig.fixture.clock.elapse(CommandLimits.lastPrograms)
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(try rig.store.messages.unpresented(to: "bot exec sleep 600").count == count)
    #expect(try rig.store.messages.unpresented().count == count, "a program is no screen")
  }

  @Test("whose program cannot keep up holds few bytes: the rest is read from the log when its turn comes, as it was")
  func bytes() async throws {
    let rig = try ApplicationRig()
    let context = rig.context()
    let listener = Listener(
      senders: [], count: ListenCount(5),
      program: MessageProgram(
        ["sed", "-n", "-e", #"s/.*"body":"\([^"]*\)".*"delayed":\([^,]*\),.*/\1 \2/p"#], replies: true,
        context: context,
        limits: .init(bytes: 8, bytesOfOne: 6)),
      as: .bot("x"), context: context)
    rig.setRoster([("bob@example.org", nil, []), ("carol@example.org", nil, [])])
    let run = StartedTask { try? await listener.run(for: nil) }
    await rig.fixture.clock.settle()
    await rig.fixture.receive(
      ["bob1", "bob2", "bob3", "bob4"].map { ListenTests.message($0) }.joined()
        + ListenTests.message("carol", from: "carol@example.org/x"))
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(
      rig.sentMessages == [
        "bob@example.org/x|bob1 null", "carol@example.org/x|carol null", "bob@example.org/x|bob2 null",
        "bob@example.org/x|bob3 null", "bob@example.org/x|bob4 null",
      ])
    #expect(try rig.store.messages.unpresented(to: "bot x") == [])
  }

  @Test("whose time is over hands over for a few seconds more, and leaves the rest to the next start")
  func timeIsOver() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--for", "10", "--as", "x", "--exec", "sleep 600")
    await rig.fixture.receive(ListenTests.message("one") + ListenTests.message("two"))
    // The run that is under way has its minute.
    await rig.fixture.clock.elapse(CommandLimits.programRun - .milliseconds(1))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(1))
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.notices.count == 1)
    #expect(try rig.store.messages.unpresented(to: "bot as x") == ["one", "two"])
  }

  @Test("whose time is over hands over what its program still has time for")
  func timeIsAlmostOver() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--for", "10", "--as", "x", "--exec", "cat")
    await rig.fixture.receive(ListenTests.message("one") + ListenTests.message("two"))
    await rig.fixture.clock.elapse(.seconds(10))
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(run.value == .success)
    #expect(try rig.store.messages.unpresented(to: "bot as x") == [])
  }

  @Test("whose program fails for a message hands that one over again at the next start")
  func handedOverAgain() async throws {
    let rig = try ApplicationRig()
    let words = #"sh -c 'grep -q two && exit 3 || exit 0'"#
    let run = try await rig.start("listen", "--count", "3", "--exec", words)
    await rig.fixture.receive(ListenTests.message("one") + ListenTests.message("two") + ListenTests.message("three"))
    try await ListenTests.wait(rig) { run.hasEnded }
    #expect(rig.output.notices == ["'sh' ended with code 3."])
    let name = "bot exec " + (try ShellWords.split(words)).joined(separator: " ")
    #expect(try rig.store.messages.unpresented(to: name) == ["two"])
  }

  @Test("leaves what is filtered out, and what is beyond the count, to the next one")
  func leftUnread() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--from", "bob@example.org")
    await rig.fixture.receive(
      ListenTests.message("0", from: "eve@example.org/x") + ListenTests.message("1") + ListenTests.message("2")
        + ListenTests.message("3"))
    #expect(run.value == .success && rig.output.messages == ["1"])
    #expect(try rig.store.messages.unpresented() == ["0", "2", "3"])
  }

  @Test("shows first what nobody was shown, when there is room for it, and notes it when it is out")
  func unread() async throws {
    let rig = try ApplicationRig()
    try rig.store.messages.record(
      ArrivedMessage(
        MessageArrived(
          id: nil, from: try JID("bob@example.org/x"), to: try JID("alice@example.org"), kind: .chat, body: "early"),
        archiveID: nil, hasUniqueID: false, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000)))
    rig.output.holdsBack = true
    let run = try await rig.start("listen", "--count", "2")
    await rig.fixture.receive(ListenTests.message("news"))
    #expect(rig.output.messages == [], "whoever reads has no time: it waits in the log")
    #expect(try rig.store.messages.unpresented() == ["early", "news"])
    rig.output.holdsBack = false
    await rig.fixture.clock.settle()
    #expect(rig.output.messages == ["early", "news"])
    #expect(try rig.store.messages.unpresented() == [])
    #expect(run.value == .success)
  }
}
