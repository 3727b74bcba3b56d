// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The built program in pipes and scripts, as a shell's user has it.
@Suite("From the shell")
struct ShellProgramTests {
  @Test(
    "coloured output arrives clean, a text may begin with '-', and an empty one is refused",
    arguments: TestServer.Kind.allCases)
  func text(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await bob.listening("--count", "3", "--json") { listening in
        try await alice.sees(bob)
        let coloured = try await alice.run(
          "send", bob.jid, input: .text("\u{1B}[0m\u{1B}[01;34mSources\u{1B}[0m\nREADME.md\n"))
        #expect(coloured.ending == .exited(0))
        #expect(coloured.errors == "Colours and control characters were left out of the text.\n")
        try await alice.does("send", bob.jid, "--", "-5 degrees")
        try await alice.does("send", bob.jid, "it", "is", "-5")
        let ending = try await listening.wait()
        #expect(ending == .exited(0))
        for body in [#""body":"Sources\nREADME.md""#, #""body":"-5 degrees""#, #""body":"it is -5""#] {
          #expect(listening.standardOutput.contains(body))
        }
      }
      for text in [" ", ""] {
        expectOneSentence(try await alice.run("send", bob.jid, text), code: 64, naming: "There is nothing to send")
      }
      expectOneSentence(try await alice.run("send", bob.jid), code: 65, naming: "There is nothing to send")
    }
  }

  @Test("each of several people gets the message, and who does not is named", arguments: TestServer.Kind.allCases)
  func several(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      let nobody = "nobody@\(alice.server.domain)"
      let rows = try await alice.does("send", bob.jid, alice.jid, "--json", "--", "hello", "--json")
      #expect(rows.count == 2 && rows.allSatisfy { $0.contains(#""state":"server""#) }, "\(rows)")
      let refused = try await alice.run("send", nobody, bob.jid, "--", "hello")
      #expect(refused.ending == .exited(69) || refused.ending == .exited(67))
      #expect(refused.errors.contains(nobody) && !refused.errors.contains(bob.jid), "\(refused.errors)")
      expectOneSentence(
        try await alice.run("send", bob.jid, "zed", "--", "hello"), code: 67, naming: "Each word before '--'")
      let lines = try await alice.run(
        "send", "--lines", bob.jid, input: .bytes(Array("one\n".utf8) + [0xFF, 0x0A] + Array("two\n".utf8)))
      expectOneSentence(lines, code: 65, naming: "Line 2")
      try await bob.listening("--count", "4", "--json") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0))
        for body in ["hello --json", "hello", "one", "two"] {
          #expect(listening.standardOutput.contains("\"body\":\"\(body)\""), "\(listening.standardOutput)")
        }
      }
    }
  }

  @Test("a script goes on after a failure, wherever it is given")
  func keepGoing() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let script = "/send zed hello\n/send \(bob.jid) arrived\n"
      let file = try alice.home.write(script, to: "script")
      let input = TestProcess.Invocation.Input.text(script)
      let runs: [([String], TestProcess.Invocation.Input)] = [
        (["run", file, "--keep-going", "--json"], .none), (["--keep-going", "--json"], input),
        (["chat", bob.jid, "--keep-going", "--json"], input),
      ]
      for (words, input) in runs {
        let outcome = try await TestProcess.run(alice.invocation(words, input: input))
        #expect(outcome.ending == .exited(67), "\(words): \(outcome.errors)")
        #expect(outcome.output.contains(#""command":"send","id""#), "\(words): \(outcome.output)")
      }
      let stopped = try await TestProcess.run(alice.invocation(["--json"], input: input))
      #expect(stopped.ending == .exited(67) && !stopped.output.contains(#""command":"send","id""#))
    }
  }

  @Test("a status is not set by a command that ends at once, and that is said", arguments: TestServer.Kind.allCases)
  func status(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, _ in
      expectOneSentence(
        try await alice.run("status", "away", "out"), code: 69, naming: "start 'jackdaw' and type '/status away out'")
      #expect(
        try await alice.does("status") == [
          "\(alice.jid)\toffline\tJackdaw is not running here; other devices are not known."
        ])
      let script = alice.invocation(["--json"], input: .open)
      try await TestProcess.withProcess(script) { running in
        running.send("/status busy in a meeting\n/status\n/status back\n")
        try await running.expect(#""show":"available""#)
        #expect(running.standardOutput.contains(#""show":"dnd","status":"in a meeting","priority":0,"running":true"#))
        expectOneSentence(
          try await alice.run("status", "away"), code: 69,
          naming: "Jackdaw is running for \(alice.jid): type '/status away'")
        let advice = "'/status' at its prompt or in its script shows your status, an agent tells it once it is online."
        #expect(try await alice.does("status") == ["\(alice.jid)\tJackdaw is running: \(advice)"])
      }
    }
  }

  @Test("stanzas on stdin are sent in their order, and each answer is printed", arguments: TestServer.Kind.allCases)
  func xml(kind: TestServer.Kind) async throws {
    try await withPair(on: kind) { alice, bob in
      let stanzas = """
        <iq type='get' id='first'><query xmlns='jabber:iq:roster'/></iq>
        <message to='\(bob.jid)'
          type='chat'><body>by hand</body></message>
        <iq type='get' id='second'><ping xmlns='urn:xmpp:ping'/></iq>
        """
      let answers = try await alice.does("xml", input: .text(stanzas))
      #expect(
        answers.count == 2 && answers[0].contains("id='first'") && answers[1].contains("id='second'"), "\(answers)")
      try await bob.listening("--count", "1") { listening in
        let ending = try await listening.wait()
        #expect(ending == .exited(0))
        #expect(listening.standardOutput.contains("by hand"))
      }
      expectOneSentence(
        try await alice.run("xml", input: .text("<presence/>\n<presence>\n</x>\n")), code: 65, naming: "line 3")
      expectOneSentence(try await alice.run("xml"), code: 65, naming: "no stanza")
    }
  }

  @Test("a message that the server cannot stand fails, and keeps no later one from going out")
  func tooLong() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let line = String(repeating: "a long text ", count: 80_000) + "\n"
      let refused = try await alice.run("send", bob.jid, input: .text(line + line))
      expectOneSentence(refused, code: 69, naming: "The message to \(bob.jid)")
      #expect(try await alice.does("outbox").isEmpty)
      try await alice.does("send", bob.jid, "short")
    }
  }
}
