// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("listen", .onLoop)
struct ListenTests {
  static func message(_ body: String, from: String = "bob@example.org/x") -> String {
    "<message from='\(from)' type='chat' id='\(body)'><body>\(body)</body></message>"
  }

  @Test("prints what arrives until it has seen enough")
  func count() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "2")
    await rig.fixture.receive(
      Self.message("one") + "<presence from='alice@example.org/other'/>" + Self.message("two") + Self.message("three"))
    #expect(run.value == .success)
    #expect(rig.output.messages == ["one", "two"])
    #expect(
      rig.output.order == ["event connection", "event connection", "event message", "event presence", "event message"])
  }

  @Test("that goes on elsewhere counts what has gone out, and not what was merely taken")
  func countGoingOn() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "4")
    await rig.fixture.receive(Self.message("one"))
    rig.output.isOnItsWay = true
    await rig.fixture.receive(Self.message("two") + Self.message("three"))
    #expect(rig.output.messages == ["one", "two", "three"])
    #expect(rig.application.handover?() == Handover(count: 3))
    rig.output.isOnItsWay = false
    #expect(rig.application.handover?() == Handover(count: 1))
    await rig.fixture.receive(Self.message("four"))
    #expect(run.value == .success)
  }

  @Test("ends after its time, however little came")
  func duration() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--for", "90")
    await rig.fixture.clock.elapse(.milliseconds(89_999))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(1))
    #expect(run.value == .success)
  }

  /// A script may listen thousands of times.
  @Test("keeps nothing of itself when it has ended, once what it has shown is out")
  func leavesNothing() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--mark-displayed")
    #expect(rig.application.presenters.count == 1)
    await rig.fixture.receive(Self.message("one"))
    #expect(run.value == .success)
    await rig.fixture.clock.settle()
    #expect(rig.application.presenters.isEmpty && rig.application.readMarks.isEmpty)
  }

  @Test(
    "takes only what comes from those who are asked for",
    arguments: [
      (["bob@example.org"], ["1", "2"]), (["bob@example.org/x"], ["1"]), (["Carol", "bob@example.org/y"], ["2", "3"]),
    ])
  func from(_ senders: [String], _ bodies: [String]) async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("carol@example.org", "Carol", [])])
    let application = rig.application
    let words = ["listen", "--for", "5"] + senders.flatMap { ["--from", $0] }
    let request = try CommandTable.standard.parse(shell: words)
    let run = StartedTask { await application.run(request) }
    await rig.fixture.clock.settle()
    await rig.fixture.receive(
      Self.message("1") + Self.message("2", from: "bob@example.org/y") + Self.message("3", from: "carol@example.org/z")
        + Self.message("4", from: "eve@example.org/x"))
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(run.value == .success && rig.output.messages == bodies)
  }

  @Test("shows of one device what that one does, and not what another one does")
  func fromOneDevice() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--for", "5", "--from", "bob@example.org/x")
    let before = rig.output.order
    for device in ["y", "x"] {
      rig.fixture.session.events.post(TypingChanged(from: try JID("bob@example.org/\(device)"), state: .composing))
      await rig.fixture.clock.settle()
      #expect(rig.output.order == before + (device == "x" ? ["event typing"] : []))
    }
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(run.value == .success)
  }

  @Test("loses nothing that comes while it begins")
  func early() async throws {
    let rig = try ApplicationRig()
    rig.setRoster([("carol@example.org", "Carol", [])])
    // The server has messages for us as soon as it has bound our resource.
    rig.fixture.edit = { _, reply in
      .says(reply.contains("</bind></iq>") ? reply + Self.message("early", from: "carol@example.org/x") : reply)
    }
    let run = try await rig.start("listen", "--from", "Carol", "--count", "1")
    #expect(run.value == .success && rig.output.messages == ["early"])
  }

  @Test("shows us as online only when it can take messages")
  func presence() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen")
    let presences = rig.fixture.server.received.filter { $0.name == "presence" }
    #expect(presences.count == 1 && presences.first?.child("priority", "jabber:client") == nil)
    rig.application.interrupted(by: SIGTERM)
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("ends well by SIGINT and SIGTERM", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen")
    await rig.fixture.receive(Self.message("one"))
    rig.application.interrupted(by: signal)
    await rig.fixture.clock.settle()
    #expect(run.value == .success && rig.output.messages == ["one"] && rig.output.failures.isEmpty)
  }

  @Test("that was interrupted in a script leaves it waiting for nobody's lines", arguments: [SIGINT, SIGTERM])
  func interruptedScript(_ signal: Int32) async throws {
    for isOpen in [true, false] {
      let lines = TypedLines("/listen\n/send bob@example.org bye", isOpen: isOpen)
      let rig = try ApplicationRig(lines)
      let run = try await rig.start()
      #expect(!run.hasEnded && rig.sentMessages == [])
      rig.application.interrupted(by: signal)
      await rig.fixture.clock.elapse(CommandLimits.lastLine)
      #expect(run.value == (isOpen ? .interrupted : .success) && rig.sentMessages == ["bob@example.org|bye"])
    }
  }

  @Test("comes back when the connection is lost, and ends when it stays lost")
  func lost() async throws {
    let rig = try ApplicationRig(words: ["--timeout", "10"])
    let run = try await rig.start("--timeout", "10", "listen")
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(!run.hasEnded)
    #expect(try rig.application.account().connectionState == .online)
    await rig.fixture.receive(Self.message("after"))
    #expect(rig.output.messages == ["after"])
    rig.fixture.connector.outcome = { _ in .hangs }
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    // Who was stopped meanwhile begins anew.
    for _ in 1...2 {
      await rig.fixture.clock.elapse(.seconds(9))
      #expect(!run.hasEnded)
      rig.fixture.clock.wake()
    }
    await rig.fixture.clock.elapse(.seconds(11))
    #expect(run.value == .tryAgain)
    let text = rig.output.failures.first?.text ?? ""
    #expect(text.hasPrefix("The connection was lost: It did not come back within 10 s: "), "\(text)")
  }

  @Test("ends when the server throws us out for another session of the same name: conflict ping-pong")
  func conflict() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen")
    // The first conflict within a minute of a log-in is retried.
    await rig.fixture.clock.elapse(.seconds(61))
    await rig.fixture.receive(
      "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    #expect(run.value == .unavailable && rig.fixture.connector.plans.count == 1)
    #expect(rig.output.failures.map(\.condition) == ["conflict"], "a service manager must not start it again")
  }

  // MARK: Programs

  /// Lets a child process end.
  static func wait(_ rig: ApplicationRig, until condition: @Client () -> Bool) async throws {
    for _ in 0..<500 where !condition() {
      _ = try await ChildProcess.run(["true"])
      await rig.fixture.clock.settle()
    }
    #expect(condition())
  }

  @Test("hands each message to a program, in order, and sends back what it prints")
  func program() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start(
      "listen", "--count", "3", "--reply", "--exec", #"sed -n -e 's/.*"body":"\([a-z]*\)".*/you said \1/p'"#)
    await rig.fixture.receive(Self.message("one") + Self.message("two") + Self.message("three"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success)
    #expect(
      rig.sentMessages == [
        "bob@example.org/x|you said one", "bob@example.org/x|you said two", "bob@example.org/x|you said three",
      ])
  }

  @Test("keeps the lines of an answer and drops those that are empty at its end")
  func answer() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start(
      "listen", "--count", "2", "--reply", "--exec", #"sh -c 'grep -q two && exit; printf "a\n\nb\n\n"'"#)
    await rig.fixture.receive(Self.message("one") + Self.message("two"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.sentMessages == ["bob@example.org/x|a\n\nb"])
  }

  @Test("sends nothing back for a program that fails, and goes on")
  func failingProgram() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "2", "--reply", "--exec", #"sh -c 'cat; exit 3'"#)
    await rig.fixture.receive(Self.message("one") + Self.message("two"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.sentMessages.isEmpty)
    #expect(rig.output.notices == ["'sh' ended with code 3.", "'sh' ended with code 3."])
  }

  @Test("sends no piece of an answer that is longer than any server takes, and says so")
  func longAnswer() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start(
      "listen", "--count", "1", "--reply", "--exec", "head -c \(CommandLimits.answerBytes + 2) /dev/zero")
    await rig.fixture.receive(Self.message("one"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.sentMessages.isEmpty)
    #expect(
      rig.output.notices == ["'head' printed more than 1 MB for a message from bob@example.org/x, which is not sent."])
  }

  @Test(
    "sends what a program prints without what steers a terminal",
    arguments: [
      (#"\033[1;31mred\033[0m\r\n"#, ["red"]), (#"a\0b\n"#, ["ab"]), (#"\033[0m \n"#, []), (#"\357\277\276"#, []),
      (#"gr\374n"#, []),
    ])
  func colouredAnswer(_ printed: String, _ sent: [String]) async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--reply", "--exec", "printf '\(printed)'")
    await rig.fixture.receive(Self.message("one"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.failures.isEmpty)
    #expect(rig.sentMessages == sent.map { "bob@example.org/x|\($0)" })
    #expect(rig.output.notices.contains { $0.contains("not UTF-8") } == printed.contains("374"))
  }

  @Test("never gives what a stranger wrote to a shell: editor hooks")
  func noShell() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--reply", "--exec", "echo $(id) ;")
    await rig.fixture.receive(Self.message("$(id); `id` | id"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(rig.sentMessages == ["bob@example.org/x|$(id) ;"])
  }

  @Test("gives what a stranger wrote to the program's standard input, as it is")
  func standardInput() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--reply", "--exec", "cat")
    await rig.fixture.receive(Self.message("$(id); `id` | id"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(rig.sentMessages.count == 1)
    #expect(rig.sentMessages.first?.contains(#""body":"$(id); `id` | id""#) == true)
  }

  @Test(
    "ends at once when there is no such program, or it may not be run", arguments: ["/nonexistent/program", "/etc"])
  func noProgram(_ program: String) async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("listen", "--exec", program) == .configuration)
    #expect(rig.output.failures.map(\.condition) == ["program"])
    #expect(rig.fixture.connector.plans.isEmpty, "there is no log-in")
  }

  @Test("does not answer what we said ourselves on another device")
  func carbons() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "1", "--exec", "true")
    rig.fixture.session.events.post(
      MessageArrived(
        id: "1", from: try JID("alice@example.org/other"), to: try JID("bob@example.org"), kind: .chat, body: "mine",
        carbon: .sent))
    await rig.fixture.clock.settle()
    #expect(!run.hasEnded && rig.output.messages == ["mine"])
    await rig.fixture.receive(Self.message("theirs"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success)
  }

  @Test("hands over what another device of ours got, and leaves the answer to that one")
  func carbonsReceived() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "2", "--reply", "--exec", "echo answer")
    await rig.fixture.receive(
      """
      <message from='alice@example.org' to='alice@example.org/here' type='chat'><received xmlns='urn:xmpp:carbons:2'>\
      <forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='bob@example.org/x' \
      to='alice@example.org/other' type='chat' id='c'><body>there</body></message></forwarded></received></message>
      """ + Self.message("here"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.messages == ["there", "here"])
    #expect(rig.sentMessages == ["bob@example.org/x|answer"])
  }

  @Test(
    "hands over what nobody waits for an answer to, and does not answer it: a bot that talks with itself",
    arguments: [
      "<message from='alice@example.org/there' type='chat'><body>own</body></message>",
      "<message from='example.org'><body>server</body></message>",
      "<message from='bot.example.org/x' type='chat'><body>domain</body></message>",
      "<message from='bob@example.org/x' type='headline'><body>news</body></message>",
    ])
  func unanswered(_ stanza: String) async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--count", "2", "--reply", "--exec", "echo answer")
    await rig.fixture.receive(stanza + Self.message("here"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.messages.count == 2)
    #expect(rig.sentMessages == ["bob@example.org/x|answer"])
  }

  @Test("hands over what the server kept for long, and does not answer it")
  func old() async throws {
    let rig = try ApplicationRig()
    let manners = rig.fixture.answer
    let stamp = try #require(Timestamp("2020-01-01T00:00:00Z"))
    let message = Element(
      "message", Namespace.client, ["from": "bob@example.org/x", "type": "chat"],
      [
        Element("body", Namespace.client, text: "old"),
        Delay(stamp: stamp, from: try JID("example.org")).element,
      ])
    // It comes to who is available, before anything is answered that was asked behind that.
    rig.fixture.answer = { $0.name == "presence" ? [message] : manners($0) }
    let run = try await rig.start("listen", "--count", "2", "--reply", "--exec", "echo answer")
    await rig.fixture.receive(Self.message("here"))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.messages == ["old", "here"])
    #expect(rig.sentMessages == ["bob@example.org/x|answer"])
  }

  @Test("stops answering another program, says so once, and goes on handing over: ping-pong")
  func brake() async throws {
    let rig = try ApplicationRig()
    let count = CommandLimits.brakeAnswers + 5
    let run = try await rig.start("listen", "--count", "\(count)", "--reply", "--exec", "echo answer")
    await rig.fixture.receive((0..<count).map { Self.message("\($0)") }.joined())
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.output.messages.count == count)
    #expect(rig.sentMessages.count == CommandLimits.brakeAnswers)
    #expect(rig.output.notices.count { $0.contains("gets no more answers") } == 1)
  }

  @Test("told to end gives its program a few seconds, no more")
  func slowProgram() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen", "--exec", "sleep 600")
    await rig.fixture.receive(Self.message("one"))
    rig.application.interrupted(by: SIGTERM)
    await rig.fixture.clock.elapse(CommandLimits.lastPrograms - .milliseconds(1))
    #expect(!run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(1))
    // The program itself is a real one, and takes its time to go.
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .interrupted)
    #expect(rig.output.failures.map(\.text) == ["'sleep' was ended before it had every message."])
  }

  @Test(
    "ends a program that hangs, says over whose message, and hands over the next one",
    arguments: [("30", CommandLimits.programRun), ("90", .seconds(90))])
  func hangingProgram(_ timeout: String, _ limit: Duration) async throws {
    let rig = try ApplicationRig(words: ["--timeout", timeout])
    let run = try await rig.start(
      "--timeout", timeout, "listen", "--count", "2", "--reply", "--exec",
      #"sh -c 'grep -q "\"one\"" && exec sleep 1000; echo answer'"#)
    await rig.fixture.receive(Self.message("one", from: "eve@example.org/x") + Self.message("two"))
    await rig.fixture.clock.elapse(limit - .milliseconds(1))
    #expect(rig.output.notices.isEmpty && !run.hasEnded)
    await rig.fixture.clock.elapse(.milliseconds(1))
    try await Self.wait(rig) { run.hasEnded }
    #expect(run.value == .success && rig.sentMessages == ["bob@example.org/x|answer"])
    let seconds = limit == .seconds(90) ? 90 : 60
    #expect(
      rig.output.notices == [
        "'sh' took longer than \(seconds) s over a message from eve@example.org/x, and was stopped."
      ])
  }
}
