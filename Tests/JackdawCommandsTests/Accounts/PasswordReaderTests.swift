// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawCommands

/// Somebody who types what a test says.
@Client final class TypedSecrets: SecretAsking {
  var answers: [Result<String, CommandFailure>]
  private(set) var questions: [String] = []
  /// Those whose answers nobody sees.
  private(set) var secretQuestions: [String] = []
  var isAsking = false

  init(_ answers: Result<String, CommandFailure>...) { self.answers = answers }

  func askSecret(_ prompt: String) async throws(CommandFailure) -> String {
    secretQuestions.append(prompt)
    return try await askLine(prompt)
  }

  func askLine(_ prompt: String) async throws(CommandFailure) -> String {
    questions.append(prompt)
    guard !answers.isEmpty else { throw CommandFailure.interrupted }
    return try answers.removeFirst().get()
  }
}

@Client @Suite("The password", .onLoop)
struct PasswordReaderTests {
  let clock = ManualClock()

  func reader(
    _ source: PasswordSource?, _ terminal: (any SecretAsking)? = nil, timeout: Duration = .seconds(30)
  ) throws -> PasswordReader {
    PasswordReader(
      source: source, account: try JID("me@example.org/here"), terminal: terminal, sharesInput: false, timeout: timeout,
      clock: clock, children: ChildGroup())
  }

  func failure(_ source: PasswordSource?, _ terminal: (any SecretAsking)? = nil) async throws -> CommandFailure? {
    do {
      _ = try await reader(source, terminal).password()
      return nil
    } catch {
      return error as? CommandFailure
    }
  }

  @Test("comes from the configuration or the environment as it is")
  func comesAsItIs() async throws {
    #expect(try await reader(.inline(" x ")).password() == " x ")
    #expect(try await reader(.environment("y\n")).password() == "y\n")
    #expect(try await failure(.inline(""))?.code == .configuration)
  }

  @Test(
    "is the first line of a file that only its owner can read",
    arguments: [("secret", "secret"), ("secret\n", "secret"), ("secret\r\nmore\n", "secret"), (" s p \n", " s p ")])
  func isTheFirstLine(_ content: String, _ password: String) async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write(content, to: "password")
      #expect(try await reader(.file(path)).password() == password)
    }
  }

  @Test("is not taken from a file that others can read", arguments: [0o644, 0o640, 0o660, 0o602] as [mode_t])
  func isNotTakenFromAnOpenFile(_ mode: mode_t) async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write("secret", to: "password")
      #expect(chmod(path, mode) == 0)
      let failure = try await failure(.file(path))
      #expect(failure?.code == .configuration && failure?.condition == "permissions")
      #expect(failure?.text.contains("secret") == false)
    }
  }

  @Test("may come through a pipe, without stopping anything else")
  func mayComeThroughAPipe() async throws {
    try await TestDirectory.onLoop { directory in
      let path = directory.file("fifo")
      #expect(mkfifo(path, 0o666) == 0)
      let reader = try reader(.file(path))
      let reading = StartedTask { try await reader.password() }
      let writing = try await ChildProcess.run(["sh", "-c", "echo secret > \(path)"])
      #expect(writing.status == 0)
      // The pipe is at its end: the helper thread is about to say so.
      for _ in 0..<500 where !reading.hasEnded { _ = try await ChildProcess.run(["true"]) }
      #expect(reading.value == "secret")
    }
  }

  @Test("is missed in a file that is missing, empty or not UTF-8")
  func isMissed() async throws {
    try await TestDirectory.onLoop { directory in
      #expect(try await failure(.file(directory.file("none")))?.text.contains("does not exist") == true)
      let path = try directory.write("\nsecret", to: "password")
      #expect(try await failure(.file(path))?.code == .configuration)
      _ = try await ChildProcess.run(["sh", "-c", "printf '\\377' > \(path)"])
      #expect(try await failure(.file(path))?.text.contains("not UTF-8") == true)
    }
  }

  @Test("is the first line that a program prints, run without a shell")
  func isTheFirstLineOfAProgram() async throws {
    #expect(try await reader(.command(["printf", "a b\nmore\n"])).password() == "a b")
    #expect(try await reader(.command(["echo", "$HOME;x"])).password() == "$HOME;x")
  }

  @Test("is not there when the program fails, is missing or says nothing")
  func isNotThere() async throws {
    #expect(try await failure(.command(["false"]))?.text.contains("'false' ended with code 1") == true)
    #expect(try await failure(.command(["/nonexistent/x"]))?.text.contains("No such file") == true)
    #expect(
      try await failure(.command(["true"]))?.text
        == "The output of the password_command 'true' begins with an empty line instead of the password.")
    for words in [["false"], ["/nonexistent/x"], ["true"]] {
      #expect(try await failure(.command(words))?.code == .configuration)
    }
  }

  @Test(
    "is waited for as long as a person needs, or `--timeout` says, and then the program is ended",
    arguments: [(Duration.seconds(30), CommandLimits.passwordCommand, "60 s"), (.seconds(90), .seconds(90), "90 s")])
  func hangs(_ timeout: Duration, _ limit: Duration, _ text: String) async throws {
    let reader = try reader(.command(["sleep", "1000"]), timeout: timeout)
    let reading = StartedTask { try await reader.password() }
    await clock.elapse(limit - .milliseconds(1))
    #expect(!reading.hasEnded)
    await clock.elapse(.milliseconds(1))
    while !reading.hasEnded { _ = try await ChildProcess.run(["true"]) }
    let failure = reading.error as? CommandFailure
    #expect(failure?.code == .configuration && failure?.condition == "timeout")
    #expect(failure?.text == "The password_command 'sleep' gave no password within \(text), and was stopped.")
  }

  @Test("does not eat the script that stdin is")
  func doesNotEatTheScript() async throws {
    // It reads its stdin to the end: ours stays open, so this would never end if it were shared.
    #expect(try await reader(.command(["sh", "-c", "cat; echo done"])).password() == "done")
  }

  @Test("is asked for once, by the bare address")
  func isAskedForOnce() async throws {
    let typed = TypedSecrets(.success("typed"))
    let reader = try reader(nil, typed)
    #expect(try await reader.password() == "typed")
    #expect(try await reader.password() == "typed")
    #expect(typed.questions == ["Password for me@example.org: "])
  }

  @Test("that is not given is a failed authentication, and Ctrl-C an interrupt")
  func thatIsNotGiven() async throws {
    #expect(try await failure(nil)?.code == .authentication)
    #expect(try await failure(nil, TypedSecrets(.success("")))?.code == .authentication)
    #expect(try await failure(nil, TypedSecrets(.failure(.interrupted)))?.code == .interrupted)
  }
}
