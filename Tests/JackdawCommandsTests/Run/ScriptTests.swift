// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A script", .onLoop)
struct ScriptTests {
  @Test("runs line by line, and ends when the server has every message")
  func runsLineByLine() async throws {
    let rig = try ApplicationRig(
      TypedLines(
        """
        # to begin with
        /to bob@example.org

        hello
        //slash
        /me waves
        /send carol@example.org hi there
        /close
        """))
    #expect(try await rig.run() == .success)
    #expect(
      rig.sentMessages == [
        "bob@example.org|hello", "bob@example.org|/slash", "bob@example.org|/me waves", "carol@example.org|hi there",
      ])
    #expect(rig.output.failures.isEmpty)
    #expect(rig.fixture.events(MessageStateChanged.self).count { $0.state == .server } == 4)
    // It was left politely.
    #expect(rig.fixture.connector.records.allSatisfy { $0.isClosed })
  }

  @Test("is read no further while nobody reads what it prints")
  func waitsForRoom() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\none\ntwo"))
    rig.output.holdsBack = true
    let run = try await rig.start()
    #expect(rig.lines.count == 3)
    #expect(rig.sentMessages == [])
    rig.output.holdsBack = false
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
    #expect(rig.sentMessages == ["bob@example.org|one", "bob@example.org|two"])
  }

  @Test("that waits for somebody to read what it prints ends at an interrupt")
  func waitsForRoomInVain() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\none"))
    rig.output.holdsBack = true
    let run = try await rig.start()
    rig.application.interrupted(by: SIGTERM)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
    #expect(rig.sentMessages == [])
  }

  @Test("that is empty needs no account and no connection")
  func thatIsEmpty() async throws {
    let rig = try ApplicationRig(TypedLines("# nothing\n\n"), environment: ["JACKDAW_JID": ""])
    #expect(try await rig.run() == .success)
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("whose last line has no newline runs it: stdin EOF in mid-command")
  func halfALine() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\nhalf a line"))
    #expect(try await rig.run() == .success)
    #expect(rig.sentMessages == ["bob@example.org|half a line"])
  }

  @Test("stops at the first failure, names its line, and what was sent before has arrived")
  func stopsAtTheFirstFailure() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\none\n/nonsense\ntwo"))
    #expect(try await rig.run() == .usage)
    #expect(rig.sentMessages == ["bob@example.org|one"])
    #expect(
      rig.output.failures.map(\.text) == ["line 3: There is no command '/nonsense'; '/help all' lists the commands."])
    #expect(rig.fixture.events(MessageStateChanged.self).contains { $0.state == .server })
  }

  @Test("goes on with --keep-going, and ends with the last failure's code")
  func keepsGoing() async throws {
    let script = TypedLines("/nonsense\n/to bob@example.org\n/ping @@\nhello")
    let rig = try ApplicationRig(scripts: ["file": script])
    #expect(try await rig.run("run", "--keep-going", "file") == .badInput)
    #expect(rig.sentMessages == ["bob@example.org|hello"])
    #expect(rig.output.failures.map(\.code) == [.usage, .badInput])
    #expect(rig.output.failures.allSatisfy { $0.text.hasPrefix("line ") })
    #expect(rig.output.failures.last?.text.hasPrefix("line 3: ") == true)
  }

  @Test(
    "with --keep-going sends a plain line to nobody after a line that may have picked somebody else and failed",
    arguments: [
      "/to nobody", "/to", "/to \"bo", "/to bob extra", "/to --bogus bob", "/to @@", "/to --timeout x bob", "/to ''",
      "/close now", "/tp carol", "/TO carol@example.org", "/chat carol@example.org", "/tell carol hi", "/query nobody",
      "/que carol@example.org", "/'to carol", "/",
    ])
  func wrongPerson(_ line: String) async throws {
    let script = TypedLines(
      "/to bob@example.org\nfor bob\n\(line)\nSECRET\n//SECRET\n/to carol@example.org\nfor carol")
    let rig = try ApplicationRig(scripts: ["file": script])
    #expect(try await rig.run("run", "--keep-going", "file") != .success)
    #expect(rig.sentMessages == ["bob@example.org|for bob", "carol@example.org|for carol"])
    #expect(rig.output.failures.map(\.condition).suffix(2) == ["no-conversation", "no-conversation"])
    #expect(rig.output.failures.dropFirst().allSatisfy { $0.text.contains("Not sent") })
  }

  @Test("that cannot be read is bad input")
  func thatCannotBeRead() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("run", "none") == .badInput)
    #expect(rig.output.failures.map(\.command) == ["run"])
  }

  @Test("has a line that cannot be read as a failure like others", arguments: [false, true])
  func unreadableLine(_ keepsGoing: Bool) async throws {
    let lines = TypedLines(isOpen: true)
    lines.type("/to bob@example.org")
    lines.fail(CommandFailure(.badInput, "not-utf-8", "line 2 is not UTF-8"))
    lines.type("hello")
    lines.type("/to bob@example.org")
    lines.type("for bob")
    let rig = try ApplicationRig(scripts: ["f": lines])
    let words = keepsGoing ? ["run", "--keep-going", "f"] : ["run", "f"]
    let application = rig.application
    let request = try CommandTable.standard.parse(shell: words)
    let run = StartedTask { await application.run(request) }
    await rig.fixture.clock.settle()
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == (keepsGoing ? .usage : .badInput))
    #expect(rig.output.failures.first?.text == "line 2 is not UTF-8")
    // It may have been a `/to`.
    #expect(rig.sentMessages == (keepsGoing ? ["bob@example.org|for bob"] : []))
  }

  @Test("says with --keep-going how many of its lines failed, and nothing where none did")
  func countsFailures() async throws {
    let rig = try ApplicationRig(scripts: ["f": TypedLines("# one\n/nonsense\n\n/ping @@\n/ping\n/ping")])
    #expect(try await rig.run("run", "--keep-going", "f") == .badInput)
    #expect(rig.output.notices.last == "2 of 4 lines failed.")
    let well = try ApplicationRig(scripts: ["f": TypedLines("/ping")])
    #expect(try await well.run("run", "--keep-going", "f") == .success)
    #expect(well.output.notices == [])
  }

  @Test("refuses a line with a NUL byte, which may have been meant to pick somebody else")
  func nul() async throws {
    let script = TypedLines("/to bob@example.org\n/to carol\0\nlost\n/to bob@example.org\nwith\0in\nlost")
    let rig = try ApplicationRig(scripts: ["f": script])
    #expect(try await rig.run("run", "--keep-going", "f") == .usage)
    #expect(rig.sentMessages == [])
    #expect(rig.output.failures.map(\.condition) == ["nul", "no-conversation", "nul", "no-conversation"])
  }

  @Test("ends at /quit")
  func quit() async throws {
    let rig = try ApplicationRig(TypedLines("/to bob@example.org\none\n/quit\ntwo"))
    #expect(try await rig.run() == .success)
    #expect(rig.sentMessages == ["bob@example.org|one"])
  }

  @Test("needs somebody to talk to")
  func nobody() async throws {
    let rig = try ApplicationRig(TypedLines("hello"))
    #expect(try await rig.run() == .usage)
    #expect(
      rig.output.failures.first?.text == "line 1: Pick somebody first: /to bob")
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("may be for one conversation")
  func chat() async throws {
    let rig = try ApplicationRig(TypedLines("hello"))
    #expect(try await rig.run("chat", "bob@example.org") == .success)
    #expect(rig.sentMessages == ["bob@example.org|hello"])
  }

  @Test("runs each line when its newline comes, while stdin stays open")
  func staysOpen() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    let run = try await rig.start()
    lines.type("/to bob@example.org")
    lines.type("one")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages == ["bob@example.org|one"])
    lines.type("two")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages.count == 2 && !run.hasEnded)
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("is ended by an interrupt while it waits for a line")
  func interrupted() async throws {
    let rig = try ApplicationRig(TypedLines(isOpen: true))
    let run = try await rig.start()
    rig.application.interrupted(by: 2)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
  }

  @Test("prints what arrives meanwhile, with -q not", arguments: [false, true])
  func printsWhatArrives(_ isQuiet: Bool) async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines, words: isQuiet ? ["-q"] : [])
    let run = try await rig.start()
    lines.type("/ping")
    await rig.fixture.clock.settle()
    await rig.fixture.receive("<message from='bob@example.org/x' type='chat'><body>hi</body></message>")
    #expect(rig.output.messages == (isQuiet ? [] : ["hi"]))
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("shows us as online, unlike a single command")
  func showsUs() async throws {
    let rig = try ApplicationRig(TypedLines("/ping"))
    #expect(try await rig.run() == .success)
    #expect(rig.fixture.server.received.contains { $0.name == "presence" })
    let once = try ApplicationRig()
    #expect(try await once.run("ping") == .success)
    #expect(!once.fixture.server.received.contains { $0.name == "presence" })
  }

  @Test(
    "sends in the order of its lines, whether or not something has to be found out first, and asks about a stranger once"
  )
  func order() async throws {
    let rig = try ApplicationRig(
      TypedLines(
        (1...4).map { number in
          "/send --wait sent bob@example.org \(number)a\n/send --wait sent eve@elsewhere.example \(number)b\n"
            + "/to eve@elsewhere.example\n\(number)c\n/send bob@example.org \(number)d"
        }.joined(separator: "\n")))
    var questions = 0
    rig.fixture.answer = { element in
      if element.name == "iq", element.attribute("to") == "elsewhere.example" { questions += 1 }
      return SessionFixture.manners(element)
    }
    #expect(try await rig.run() == .success)
    let wanted = (1...4).flatMap { number in
      [
        "bob@example.org|\(number)a", "eve@elsewhere.example|\(number)b", "eve@elsewhere.example|\(number)c",
        "bob@example.org|\(number)d",
      ]
    }
    #expect(rig.sentMessages == wanted)
    #expect(questions == 1)
  }

  @Test("waits for events and for time")
  func waits() async throws {
    let lines = TypedLines(
      "/wait message --from bob@example.org --match '^h.llo$' --for 60\n/sleep 90\n/wait typing --for 2")
    let rig = try ApplicationRig(lines)
    let run = try await rig.start()
    // Longer than --timeout: the wait is what was asked for.
    await rig.fixture.clock.elapse(.seconds(45))
    for (from, body) in [
      ("carol@example.org", "hello"), ("bob@example.org/x", "hallo!"), ("bob@example.org/x", "hello"),
    ] {
      #expect(rig.output.messages.last != "hello" || from.hasPrefix("bob"))
      await rig.fixture.receive("<message from='\(from)' type='chat'><body>\(body)</body></message>")
    }
    await rig.fixture.clock.elapse(.milliseconds(89_900))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(100))
    await rig.fixture.clock.elapse(.milliseconds(1_900))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(200))
    #expect(run.value == .tryAgain)
    #expect(rig.output.failures.map(\.text) == ["line 3: No typing came within 2 s."])
  }

  @Test("waits for somebody to type")
  func waitsForTyping() async throws {
    let rig = try ApplicationRig(TypedLines("/wait typing --from bob@example.org --for 60"))
    rig.setRoster([("bob@example.org", "Bob", []), ("carol@example.org", "Carol", [])])
    let run = try await rig.start()
    func types(_ jid: String) async {
      await rig.fixture.receive(
        "<message from='\(jid)' type='chat'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>")
    }
    await types("carol@example.org/x")
    #expect(!run.hasEnded)
    await types("bob@example.org/x")
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("has a command that listens without showing everything twice")
  func listens() async throws {
    let rig = try ApplicationRig(TypedLines("/listen --count 1"))
    let run = try await rig.start()
    await rig.fixture.receive("<message from='bob@example.org/x' type='chat'><body>hi</body></message>")
    #expect(run.value == .success)
    #expect(rig.output.messages == ["hi"])
  }

  @Test("shows help as lines are typed")
  func help() async throws {
    let rig = try ApplicationRig(TypedLines("/help\n/help all\n/help friends add\n/friends rename --help"))
    #expect(try await rig.run() == .success)
    #expect(rig.output.lines.first == "/friends add JID|Ask somebody to be your friend, as in bob@example.org.")
    #expect(rig.output.lines.contains("/to JID|Talk to somebody: plain lines go there from now on."))
    #expect(rig.output.lines.contains("USAGE: /friends add [OPTION …] JID …"))
    #expect(rig.output.lines.contains("USAGE: /friends rename [OPTION …] JID NAME …"))
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("take aliases, and no beginnings: what is the beginning of one name today may be that of two tomorrow")
  func aliases() async throws {
    let rig = try ApplicationRig(
      TypedLines("/query bob@example.org\none\n/msg carol@example.org two\n/que bob@example.org\nthree"))
    #expect(try await rig.run() == .usage)
    #expect(rig.sentMessages == ["bob@example.org|one", "carol@example.org|two"])
    #expect(rig.output.failures.map(\.text) == ["line 4: There is no command '/que'; did you mean '/query'?"])
  }
}
