// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("Programs that tests run")
struct TestProcessTests {
  @Test("standard streams and exit status are told apart")
  func streams() async throws {
    let outcome = try await TestProcess.run(
      .init("sh", ["-c", "cat; echo wrong >&2; exit 65"], input: .text("right\n")))
    #expect(outcome.lines == ["right"])
    #expect(outcome.errors == "wrong\n")
    #expect(outcome.ending == .exited(65))
  }

  @Test("a death by signal is no exit status")
  func signalled() async throws {
    let outcome = try await TestProcess.run(.init("sh", ["-c", "kill -9 $$"]))
    #expect(outcome.ending == .signalled(9))
  }

  @Test("the environment is what the test names")
  func environment() async throws {
    let outcome = try await TestProcess.run(.init("env", environment: ["JACKDAW_JID": "alice@jackdaw.test"]))
    #expect(
      outcome.lines.sorted() == [
        "HOME=/nonexistent", "JACKDAW_JID=alice@jackdaw.test", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm-256color", "TZ=UTC",
      ])
  }

  @Test("more than a pipe holds passes both ways")
  func large() async throws {
    let bytes = [UInt8](repeating: 0x61, count: 3_000_000)
    let outcome = try await TestProcess.run(.init("cat", input: .bytes(bytes)))
    #expect(outcome.standardOutput == bytes)
  }

  @Test("a program that hangs fails the wait for its end with what it wrote")
  func hangs() async throws {
    try await TestProcess.withProcess(.init("sh", ["-c", "echo begun; exec sleep 1000"])) { process in
      try await process.expect("begun")
      let failure = await #expect(throws: TestProcessFailure.self) {
        try await process.wait(within: .milliseconds(1))
      }
      #expect(failure?.description.contains("begun") == true)
    }
  }

  @Test("a program that is run to its end and hangs is given up")
  func runHangs() async throws {
    await #expect(throws: TestProcessFailure.self) {
      try await TestProcess.run(.init("sleep", ["1000"]), within: .milliseconds(1))
    }
  }

  @Test("what is expected but does not come fails with what came")
  func unexpected() async throws {
    try await TestProcess.withProcess(.init("echo", ["something"])) { process in
      let failure = await #expect(throws: TestProcessFailure.self) { try await process.expect("else") }
      #expect(failure?.description.contains("something") == true)
    }
  }

  @Test("a conversation through pipes")
  func conversation() async throws {
    try await TestProcess.withProcess(
      .init("sh", ["-c", "while read -r line; do echo \"got $line\"; done; echo over"], input: .open)
    ) { process in
      process.send("one\n")
      try await process.expect("got one\n")
      process.send("two\n")
      try await process.expect("got two\n")
      process.closeInput()
      try await process.expect("over\n")
      #expect(try await process.wait() == .exited(0))
    }
  }

  @Test(
    "an output that nobody reads", arguments: [(TestProcess.Invocation.Output.broken, 141), (.descriptorClosed, 1)])
  func brokenOutput(_ output: TestProcess.Invocation.Output, _ code: Int) async throws {
    let outcome = try await TestProcess.run(
      .init("bash", ["-c", "(while :; do /bin/echo x || exit; done); exit $?"], output: output))
    #expect(outcome.ending == .exited(code))
  }

  @Test("a full disk under standard output")
  func fullOutput() async throws {
    let outcome = try await TestProcess.run(.init("/bin/echo", ["x"], output: .file("/dev/full")))
    #expect(outcome.ending == .exited(1))
  }

  @Test("no standard input at all")
  func noInput() async throws {
    let outcome = try await TestProcess.run(.init("sh", ["-c", "readlink /proc/self/fd/0"], input: .descriptorClosed))
    #expect(outcome.output == "")
  }

  @Test("a terminal: its size, what is typed, and what is shown")
  func terminal() async throws {
    try await TestProcess.withProcess(.init("bash", ["--norc", "-i"], terminal: .init(columns: 60, rows: 10))) {
      process in
      process.send("PS1='> '; stty size\(Key.enter)")
      // What is typed before the prompt is there is edited by the kernel, not by the program.
      try await process.expectScreen("a prompt") { $0.lines.contains("10 60") && $0.cursorLine == ">" }
      process.send("echo wrogn")
      process.send("\(Key.backspace)\(Key.backspace)ng\(Key.controlA)\(Key.right)")
      try await process.expectScreen("an edited line") { $0.cursorLine == "> echo wrong" && $0.cursorColumn == 3 }
      process.send(Key.enter)
      try await process.expectScreen("its result") { $0.lines.contains("wrong") }
    }
  }

  @Test("resizing, suspending and coming back")
  func jobs() async throws {
    try await TestProcess.withProcess(.init("bash", ["--norc", "-i"], terminal: .init())) { process in
      process.resize(columns: 100, rows: 30)
      process.send("stty size\(Key.enter)")
      try await process.expectScreen(showing: "30 100")
      let child = "trap 'echo back' CONT; echo begun; while :; do read -r line && echo got $line; done"
      process.send("bash -c \"\(child.replacing("$", with: "\\$"))\"\(Key.enter)")
      try await process.expectScreen("the child's start") { $0.lines.contains("begun") }
      process.send("one\(Key.enter)")
      try await process.expectScreen("its answer") { $0.lines.contains("got one") }
      process.send(Key.controlZ)
      try await process.expectScreen(showing: "Stopped")
      process.send("fg\(Key.enter)")
      // What is typed before the terminal's mode is the child's again may not come as a line.
      try await process.expectScreen("its return") { $0.lines.contains("back") }
      process.send("two\(Key.enter)")
      try await process.expectScreen("its second answer") { $0.lines.contains("got two") }
    }
  }

  @Test("the program is gone when the test is over")
  func gone() async throws {
    let process = try await TestProcess.withProcess(.init("sh", ["-c", "sleep 1000 & echo $!; wait"])) { process in
      try await process.expect("\n")
      return process
    }
    let child = process.standardOutput.dropLast()
    // A signal is not delivered in the moment in which it is sent.
    let gone = "while grep -sq '^State:.[RSD]' /proc/\(child)/status; do sleep 0.05; done"
    #expect(try await TestProcess.run(.init("sh", ["-c", gone])).ending == .exited(0))
  }
}
