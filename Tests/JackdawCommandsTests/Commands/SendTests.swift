// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawXML
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

@Client @Suite("send", .onLoop)
struct SendTests {
  @Test("sends the text and waits until the server has it")
  func sends() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("send", "bob@example.org", "hello", "\u{1F426}", "<&>\"'") == .success)
    #expect(rig.sentMessages == ["bob@example.org|hello \u{1F426} <&>\"'"])
    let rows = rig.output.rows(SentRow.self)
    #expect(rows.map(\.state) == [.server] && rows.first?.cells.isEmpty == true)
    #expect(rig.fixture.server.received.last { $0.name == "iq" } != nil)
  }

  @Test("with --wait sent does not wait")
  func waitSent() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    #expect(try await rig.run("send", "bob@example.org", "hello", "--wait", "sent") == .success)
    #expect(rig.output.rows(SentRow.self).map(\.state) == [.sent])
  }

  @Test("that the server does not confirm is not sent, for all that is known")
  func unconfirmed() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("send", "bob@example.org", "hello")
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain && rig.output.rows.isEmpty && rig.output.failures.count == 1)
    let fate = "1 message is saved: the next command sends it unless it has arrived, and 'jackdaw outbox' lists it."
    #expect(rig.output.failures.first?.text.hasSuffix(" in time. " + fate) == true)
    #expect(try rig.store.messages.outbox().count == 1)
  }

  @Test("that is interrupted says how many messages the next command sends")
  func interrupted() async throws {
    let rig = try ApplicationRig(TypedLines("one\ntwo"))
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("send", "--lines", "bob@example.org")
    rig.application.interrupted(by: SIGINT)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
    #expect(
      rig.output.failures.map(\.text) == [
        "Interrupted. 2 messages are saved: the next command sends those that have not arrived, and 'jackdaw outbox' lists them."
      ])
    #expect(try rig.store.messages.outbox().count == 2)
  }

  @Test("that never had a connection says that nothing is sent or saved")
  func neverSent() async throws {
    let rig = try ApplicationRig()
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start("send", "bob@example.org", "hello")
    await rig.fixture.clock.elapse(.seconds(31))
    #expect(run.value == .tryAgain && rig.output.failures.count == 1)
    #expect(rig.output.failures.first?.text.hasSuffix(" Nothing was sent, and nothing is saved.") == true)
    #expect(try rig.store.messages.outbox().isEmpty)
  }

  @Test(
    "that waits for the other end is content with what they have read after it", arguments: ["delivered", "displayed"])
  func laterOneRead(_ wait: String) async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("send", "--wait", wait, "bob@example.org", "one")
    let bob = try JID("bob@example.org")
    let delivery = rig.fixture.session.delivery
    let later = try delivery.send("two", to: bob)
    await rig.fixture.clock.settle()
    #expect(run.value == nil && rig.sentMessages.count == 2)
    delivery.heard(of: later, from: bob, .displayed)
    await rig.fixture.clock.settle()
    #expect(run.value == .success, "\(rig.output.failures)")
  }

  @Test("that loses its connection is not sent, for all that is known")
  func lost() async throws {
    let rig = try ApplicationRig()
    rig.fixture.answer = { _ in [] }
    let run = try await rig.start("send", "bob@example.org", "hello")
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    #expect(run.value == .tryAgain && rig.output.failures.count == 1)
  }

  @Test(
    "a link gives the address, and the message where none is typed",
    arguments: [
      ("xmpp:bob@example.org?message;body=Hi%20there%0A%C3%BC", [], "Hi there\nü"),
      ("xmpp:bob@example.org?message;subject=S;body=Hi", ["typed"], "typed"),
      ("xmpp:bob@example.org?message;subject=S", [], "from stdin"),
      ("xmpp:bob@example.org?message;body=", [], "from stdin"),
      ("xmpp:bob@example.org", [], "from stdin"), ("xmpp:bob@example.org?roster;body=Hi", [], "from stdin"),
      ("xmpp://alice@example.org/bob@example.org?message;body=Hi", [], "Hi"),
    ] as [(String, [String], String)])
  func link(_ link: String, _ words: [String], _ sent: String) async throws {
    let rig = try ApplicationRig(TypedLines("from stdin\n"))
    let request = try CommandTable.standard.parse(shell: ["send", link] + words)
    #expect(await rig.application.run(request) == .success)
    #expect(rig.sentMessages == ["bob@example.org|\(sent)"])
  }

  @Test(
    "a link that cannot be followed is refused before anything is sent",
    arguments: [
      "xmpp:bob@example.org?message;body=%01", "xmpp:bob@example.org?message;body=%FF", "xmpp:?message;body=Hi",
      "xmpp://eve@example.org/bob@example.org?message;body=Hi",
    ])
  func badLink(_ link: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("send", link) == .badInput)
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("without a text, or with a dash for it, sends all of stdin as one message", arguments: [[], ["-"]])
  func stdin(_ text: [String]) async throws {
    let rig = try ApplicationRig(TypedLines("one\n\n  two\n\n"))
    #expect(try await rig.run(["send", "bob@example.org"] + text) == .success)
    #expect(rig.sentMessages == ["bob@example.org|one\n\n  two"])
    #expect(rig.output.notices.isEmpty)
  }

  @Test("without anything to send connects to nobody")
  func nothing() async throws {
    for text in ["", "\n\n", " \t\n\u{3000}", "\u{1B}[0m\u{1B}[K\n"] {
      let rig = try ApplicationRig(TypedLines(text))
      #expect(try await rig.run("send", "bob@example.org") == .badInput)
      #expect(rig.output.failures.map(\.text) == ["There is nothing to send: the message is empty."])
      #expect(rig.fixture.connector.plans.isEmpty)
    }
    for words in [[""], [" ", "\t"], ["\u{1B}[0m"]] {
      let rig = try ApplicationRig()
      let request = try CommandTable.standard.parse(shell: ["send", "bob@example.org"] + words)
      #expect(await rig.application.run(request) == .usage)
      #expect(rig.output.failures.map(\.text) == ["There is nothing to send: the message is empty."])
      #expect(rig.fixture.connector.plans.isEmpty)
    }
  }

  @Test("tells a person at a terminal how to end the message")
  func terminal() async throws {
    let rig = try ApplicationRig(TypedLines("hello"), isTerminal: true)
    #expect(try await rig.run("send", "bob@example.org") == .success)
    #expect(rig.output.notices.count == 1)
  }

  @Test("leaves out what colours text on a terminal, and says so once")
  func colours() async throws {
    let coloured = "\u{1B}[0m\u{1B}[01;34mSources\u{1B}[0m\nREADME.md\n"
    let rig = try ApplicationRig(TypedLines(coloured))
    #expect(try await rig.run("send", "bob@example.org") == .success)
    #expect(rig.sentMessages == ["bob@example.org|Sources\nREADME.md"])
    #expect(rig.output.notices == ["Colours and control characters were left out of the text."])
    let typed = try ApplicationRig()
    #expect(try await typed.run("send", "bob@example.org", "a\u{1}", "\u{1B}[1mb") == .success)
    #expect(typed.sentMessages == ["bob@example.org|a b"] && typed.output.notices.count == 1)
    let lines = try ApplicationRig(TypedLines(coloured))
    #expect(try await lines.run("send", "--lines", "bob@example.org") == .success)
    #expect(lines.sentMessages == ["bob@example.org|Sources", "bob@example.org|README.md"])
    #expect(lines.output.notices.count == 1)
  }

  @Test("refuses what XML cannot carry, before it connects: outgoing", arguments: ["\u{FFFE}", "a\u{FFFF}"])
  func controls(_ text: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("send", "bob@example.org", text) == .badInput)
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("refuses a malformed address before it reads or connects")
  func malformed() async throws {
    let rig = try ApplicationRig(TypedLines(isOpen: true))
    #expect(try await rig.run("send", "bob@@example.org") == .badInput)
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test("with --lines sends each line as it comes, and shows it when it has arrived")
  func lines() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines)
    let run = try await rig.start("send", "--lines", "bob@example.org")
    lines.type("one")
    lines.type("")
    await rig.fixture.clock.settle()
    #expect(rig.sentMessages == ["bob@example.org|one"])
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(rig.output.rows(SentRow.self).count == 1)
    // However long stdin takes.
    await rig.fixture.clock.elapse(.seconds(300))
    lines.type("two")
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
    #expect(rig.sentMessages == ["bob@example.org|one", "bob@example.org|two"])
    #expect(rig.output.rows(SentRow.self).map(\.state) == [.server, .server])
  }

  @Test("with --lines and --wait sent ends once all lines are written, and shows each then")
  func linesSent() async throws {
    let count = SessionLimits.sentUncounted + 100
    let rig = try ApplicationRig(TypedLines((1...count).map { "\($0)" }.joined(separator: "\n")))
    rig.fixture.managedStreams = ScriptedServer.ManagedStreams()
    rig.fixture.edit = { _, reply in .says(reply.contains("<enabled") ? "" : reply) }
    let run = try await rig.start("send", "--lines", "--wait", "sent", "bob@example.org")
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == nil && rig.output.rows(SentRow.self).count == SessionLimits.sentUncounted)
    await rig.fixture.receive("<enabled xmlns='urn:xmpp:sm:3'/>")
    await rig.fixture.clock.elapse(.seconds(1))
    #expect(run.value == .success, "\(rig.output.failures)")
    let rows = rig.output.rows(SentRow.self)
    #expect(rows.count == count && rows.allSatisfy { $0.state == .sent } && rig.sentMessages.count == count)
  }

  @Test("with --lines names the lines that it cannot send, sends the others, and ends with the last failure's code")
  func linesThatFail() async throws {
    let rig = try ApplicationRig(TypedLines("one\n\u{FFFF}\n \ntwo\n\u{1B}[m\nthree"))
    #expect(try await rig.run("send", "--lines", "bob@example.org") == .badInput)
    #expect(rig.sentMessages == ["bob@example.org|one", "bob@example.org|two", "bob@example.org|three"])
    #expect(rig.output.rows(SentRow.self).count == 3)
    #expect(
      rig.output.failures.map(\.text) == [
        "line 2: Your message holds a control character that cannot be sent.",
        "line 5: There is nothing to send: the message is empty.",
      ])
  }

  @Test("with --lines names the line of a message that is refused")
  func refusedLines() async throws {
    let rig = try ApplicationRig(TypedLines("one\ntwo\nthree"))
    let usual = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.name == "message", element.child("body", "jabber:client")?.text == "two" else {
        return usual(element)
      }
      let id = element.attribute("id") ?? ""
      return [
        Message(
          kind: .error, id: id, from: try? JID("bob@example.org"), to: nil, body: nil,
          error: StanzaError(kind: .cancel, condition: "item-not-found")
        ).element
      ]
    }
    #expect(try await rig.run("send", "--lines", "bob@example.org") == .noUser)
    #expect(rig.output.rows(SentRow.self).count == 2)
    #expect(rig.output.failures.count == 1 && rig.output.failures[0].text.hasPrefix("line 2: "))
  }

  @Test("to several people confirms each, with a row each")
  func several() async throws {
    let rig = try ApplicationRig()
    let words = ["send", "bob@example.org", "carol@example.org", "bob@example.org", "--", "see", "you"]
    #expect(try await rig.run(words) == .success)
    #expect(rig.sentMessages == ["bob@example.org|see you", "carol@example.org|see you"])
    #expect(rig.output.rows(SentRow.self).map(\.to.description) == ["bob@example.org", "carol@example.org"])
    let script = try ApplicationRig(TypedLines("/send bob@example.org carol@example.org -- -v\n"))
    #expect(try await script.run() == .success)
    #expect(script.sentMessages == ["bob@example.org|-v", "carol@example.org|-v"])
  }

  @Test("to several people of whom one refuses it sends it to the others, and ends with that failure")
  func severalOneRefuses() async throws {
    let rig = try ApplicationRig()
    let usual = rig.fixture.answer
    rig.fixture.answer = { element in
      guard element.name == "message", element.attribute("to") == "bob@example.org" else { return usual(element) }
      return [
        Message(
          kind: .error, id: element.attribute("id"), from: try? JID("bob@example.org"), to: nil, body: nil,
          error: StanzaError(kind: .cancel, condition: "item-not-found")
        ).element
      ]
    }
    #expect(try await rig.run("send", "bob@example.org", "carol@example.org", "--", "hello") == .noUser)
    #expect(rig.output.rows(SentRow.self).map(\.to.description) == ["carol@example.org"])
    #expect(rig.output.failures.count == 1 && rig.output.failures[0].text.contains("bob@example.org"))
  }

  @Test("to several people of whom one is nobody sends nothing")
  func severalOneUnknown() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("send", "bob@example.org", "I", "think", "--", "no") == .noUser)
    #expect(rig.sentMessages.isEmpty)
    #expect(
      rig.output.failures.first?.text.hasSuffix("Each word before '--' is somebody who gets the message.") == true)
    let malformed = try ApplicationRig(TypedLines(isOpen: true))
    #expect(try await malformed.run("send", "bob@example.org", "a@@b", "--") == .badInput)
    #expect(malformed.fixture.connector.plans.isEmpty)
  }

  @Test("in a line needs its text there")
  func inALine() async throws {
    for line in ["/send bob@example.org", "/send --lines bob@example.org"] {
      let rig = try ApplicationRig(TypedLines(line))
      #expect(try await rig.run() == .usage)
    }
  }
}
