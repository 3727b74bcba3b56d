// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite struct PromptEndingTests {
  // MARK: Ends

  @Test("Ctrl-D on an empty line ends and leaves a clean terminal")
  func ctrlDOnAnEmptyLineEndsAndLeavesAClean() async throws {
    try await PromptProbe.with { process in
      process.send("ab" + Key.controlA + Key.controlD)
      try await process.expectScreen("a letter less") { $0.cursorLine == "Bob> b" }
      process.send(Key.controlD + Key.controlD)
      #expect(try await process.wait() == .exited(0))
      #expect(process.screen.text == "ended")
      #expect(!process.screen.modes.contains(2004))
    }
  }

  @Test("Ctrl-D ends though it was typed before the prompt was there")
  func ctrlDEndsThoughItWasTypedBeforeThePromptWas() async throws {
    try await TestDirectory.with { directory in
      let started = directory.file("started")
      let command = "echo busy; until [ -e \(started) ]; do sleep 0.05; done; exec \(PromptProbe.program)"
      try await TestProcess.withProcess(.init("sh", ["-c", command], terminal: .init())) { process in
        try await process.expectScreen(showing: "busy")
        process.send("typed ahead" + Key.enter + Key.controlD)
        // What the terminal has echoed it has taken, and what followed in the same piece.
        try await process.expectScreen(showing: "typed ahead")
        try directory.write("", to: "started")
        #expect(try await process.wait() == .exited(0))
        #expect(process.screen.text.contains("entered typed ahead|"))
      }
    }
  }

  @Test("A signal that ends the program restores the terminal", arguments: [15, 1, 3])
  func aSignalThatEndsTheProgramRestoresTheTerminal(signal: CInt) async throws {
    try await PromptProbe.with { process in
      process.send("half a line")
      try await process.expectScreen(showing: "half a line")
      process.signal(signal)
      #expect(try await process.wait() == .exited(0))
      // What was typed is not lost.
      #expect(process.screen.text == "-- Not sent: half a line\nended")
      #expect(!process.screen.modes.contains(2004))
    }
  }

  @Test("A hundred SIGWINCH leave the line as it is") func aHundredSIGWINCHChangeNothing() async throws {
    try await PromptProbe.with { process in
      for _ in 0..<100 { process.signal(28) }
      try await process.type("text", giving: "Bob> text")
    }
  }

  @Test("The program may end when a line is entered") func theProgramMayEndWhenALineIsEntered() async throws {
    try await PromptProbe.with { process in
      process.send("/quit" + Key.enter)
      let ending = try await process.wait()
      #expect(ending == .exited(0))
      #expect(!process.screen.modes.contains(2004))
    }
  }

  @Test("A terminal that is gone ends the prompt") func aTerminalThatIsGoneEndsThePrompt() async throws {
    try await TestDirectory.with { directory in
      let code = directory.file("code")
      // script(1) makes a terminal, and takes it along when it is killed.
      let command = "trap '' HUP; \(PromptProbe.program); echo $? > \(code)"
      try await TestProcess.withProcess(.init("script", ["-qfc", command, "/dev/null"], input: .open)) { process in
        try await process.expect("> ")
        process.signal(9)
        let waiting = "until [ -s \(code) ]; do sleep 0.05; done; cat \(code)"
        let outcome = try await TestProcess.run(.init("sh", ["-c", waiting]))
        #expect(outcome.lines == ["0"])
      }
    }
  }

  // MARK: Jobs

  @Test("Ctrl-Z stops, fg brings the line back") func ctrlZStops() async throws {
    let shell = TestProcess.Invocation(
      "bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "shell$ "], terminal: .init())
    try await TestProcess.withProcess(shell) { process in
      try await process.expectScreen(showing: "shell$")
      process.send(PromptProbe.program + Key.enter)
      try await process.expectScreen("the prompt") { $0.cursorLine == "Bob>" }
      try await process.type("half a", giving: "Bob> half a")
      process.send(Key.controlZ)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" && $0.text.contains("Stopped") }
      #expect(!process.screen.modes.contains(2004) || process.screen.cursorLine == "shell$")
      process.send("echo between; fg" + Key.enter)
      try await process.expectScreen("the line again") {
        $0.cursorLine == "Bob> half a" && $0.text.contains("suspends\n") && $0.text.contains("resumed\n")
      }
      process.send(" line" + Key.enter)
      try await process.expectScreen(showing: "entered half a line|")
      process.send(Key.controlD)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" && $0.text.contains("ended") }
      process.send("exit" + Key.enter)
      try await process.wait()
    }
  }

  @Test("Started or continued in the background, the prompt waits for fg and shows what is typed")
  func startedOrContinuedInTheBackground() async throws {
    let shell = TestProcess.Invocation(
      "bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "shell$ "], terminal: .init())
    try await TestProcess.withProcess(shell) { process in
      try await process.expectScreen(showing: "shell$")
      process.send(PromptProbe.program + " &" + Key.enter)
      let screen = try await process.expectScreen("the number of the job") { screen in
        screen.cursorLine == "shell$" && screen.text.contains(#/\[1\] \d+/#)
      }
      let id = try #require(screen.text.firstMatch(of: #/\[1\] (\d+)/#)?.output.1)
      // Meanwhile the shell edits its line, in which the terminal shows nothing by itself.
      try await awaitStop(of: id)
      process.send("fg" + Key.enter)
      try await process.expectScreen("the prompt") { $0.cursorLine == "Bob>" }
      try await process.type("half a", giving: "Bob> half a")
      process.send(Key.controlZ)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" }
      process.send("echo between; bg" + Key.enter)
      try await process.expectScreen("the shell again") { $0.cursorLine == "shell$" && $0.lines.contains("between") }
      try await awaitStop(of: id)
      process.send("fg" + Key.enter)
      try await process.expectScreen("the line again") { $0.cursorLine == "Bob> half a" }
      try await process.type(" line", giving: "Bob> half a line")
      process.send(Key.enter + Key.controlD)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" && $0.text.contains("ended") }
      process.send("exit" + Key.enter)
      try await process.wait()
    }
  }

  private func awaitStop(of process: Substring) async throws {
    let waiting =
      "until grep -q '^State:.T' /proc/\(process)/status; do sleep 0.05; done"
    #expect(try await TestProcess.run(.init("sh", ["-c", waiting])).ending == .exited(0))
  }

  @Test("After a stop and SIGCONT from outside, the line is drawn again")
  func afterAStopAndSIGCONTFromOutside() async throws {
    try await PromptProbe.with { process in
      try await process.type("half a", giving: "Bob> half a")
      process.signal(19)
      process.signal(18)
      try await process.expectScreen("one more drawing") { $0.cursorLine == "Bob> half a" }
      try await process.type(" line", giving: "Bob> half a line")
    }
  }

  // MARK: Passwords

  @Test("A password is asked without echo, and the line comes back") func aPasswordIsAskedWithoutEcho() async throws {
    try await PromptProbe.with { process in
      process.send("/secret" + Key.enter)
      try await process.expectScreen("the question") { $0.cursorLine == "Password:" }
      process.send("geheim\n")
      let screen = try await process.expectScreen(showing: "the secret has 6 characters")
      #expect(!screen.text.contains("geheim"))
      try await process.type("text", giving: "Bob> text")
    }
  }

  @Test("Ctrl-C at a password is an interruption") func ctrlCAtAPasswordIsAnInterruption() async throws {
    try await PromptProbe.with { process in
      process.send("/secret" + Key.enter)
      try await process.expectScreen("the question") { $0.cursorLine == "Password:" }
      process.send("gehe" + Key.controlC)
      try await process.expectScreen(showing: "failure 130")
      try await process.type("text", giving: "Bob> text")
    }
  }

  @Test("What was typed of a password that is no longer asked for is not left to the prompt")
  func whatWasTypedOfAPasswordThatIsNoLongerAsked() async throws {
    try await PromptProbe.with { process in
      process.send("/secret" + Key.enter)
      try await process.expectScreen("the question") { $0.cursorLine == "Password:" }
      process.send("gehe")
      await process.inputIsWritten()
      process.signal(10)
      try await process.expectScreen(showing: "failure 130")
      try await process.type("text", giving: "Bob> text")
    }
  }

  @Test("Ctrl-Z at a password gives the shell a terminal that shows what is typed")
  func ctrlZAtAPasswordGivesTheShellATerminal() async throws {
    let shell = TestProcess.Invocation(
      "bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "shell$ "], terminal: .init())
    try await TestProcess.withProcess(shell) { process in
      try await process.expectScreen(showing: "shell$")
      process.send(PromptProbe.program + Key.enter)
      try await process.expectScreen("the prompt") { $0.cursorLine == "Bob>" }
      process.send("/secret" + Key.enter)
      try await process.expectScreen("the question") { $0.cursorLine == "Password:" }
      process.send("gehe" + Key.controlZ)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" && $0.text.contains("Stopped") }
      process.send("stty -a | grep -o ' echo ' && fg" + Key.enter)
      try await process.expectScreen("the question again") {
        $0.cursorLine == "Password:" && $0.lines.contains(" echo")
      }
      process.send("geheim\n")
      try await process.expectScreen(showing: "the secret has 6 characters")
      process.send(Key.controlD)
      try await process.expectScreen("the shell") { $0.cursorLine == "shell$" && $0.text.contains("ended") }
    }
  }
}
