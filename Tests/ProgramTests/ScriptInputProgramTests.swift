// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Scripts as they come from files, pipes, FIFOs and shells, right and wrong.
@Suite("A script that is given to the program")
struct ScriptInputProgramTests {
  /// What alice runs before her script is seen by bob.
  private func running(
    _ alice: Person, _ script: [UInt8], _ words: String...
  ) async throws -> TestProcess.Outcome {
    try await TestProcess.run(alice.invocation(words, input: .bytes(script)))
  }

  @Test("is named by its line where that cannot be read")
  func wrongLines() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let start = "/to \(bob.jid)\n"
      func script(_ line: [UInt8]) -> [UInt8] { Array(start.utf8) + line + Array("\nlost\n".utf8) }
      let long = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
      let wrong: [(line: [UInt8], names: String)] = [
        ([0xFF, 0xFE], "Line 2 is not UTF-8."), (long, "Line 2 is longer than 1 MB."),
        (Array("he\0llo".utf8), "line 2: The line holds a NUL byte"),
        (Array("/send \(bob.jid) \"open".utf8), "line 2: The line has an opening \""),
        (Array("/send \(bob.jid) it's".utf8), "line 2: The line has an opening '"),
        (Array("${open".utf8), "line 2: The line has an opening '${'"),
        (Array("${NOT_SET}".utf8), "line 2: There is no variable 'NOT_SET'"),
      ]
      for (line, names) in wrong {
        expectOneSentence(try await running(alice, script(line)), code: 65, naming: names)
      }
      // With --keep-going all of them are counted, and only those.
      let all = wrong.map(\.line).reduce(into: Array(start.utf8)) { $0 += $1 + [0x0A] }
      let outcome = try await running(alice, all + Array("/ping\n".utf8), "--keep-going")
      #expect(outcome.ending == .exited(65))
      #expect(outcome.errors.hasSuffix("\n\(wrong.count) of \(wrong.count + 2) lines failed.\n"), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == wrong.count + 1, "\(outcome.errors)")
    }
  }

  @Test("may have been written by an editor of another system, or stand in a shell's own script or a FIFO")
  func sources() async throws {
    try await withPair(on: .prosody) { alice, bob in
      let marked = "\u{FEFF}/to \(bob.jid)\r\nby an editor\r\n\r\n# a comment\r\n/expect 0\r\n"
      let edited = try await running(alice, Array(marked.utf8))
      #expect(edited.ending == .exited(0) && edited.errors.isEmpty, "\(edited.errors)")
      let shell = """
        set -e
        "$1" <<END
        /to $2
        by a shell
        END
        mkfifo fifo
        printf '/to %s\\nby a fifo\\n' "$2" >fifo &
        "$1" <fifo
        printf '/to %s\\nby a named fifo\\n' "$2" >fifo &
        "$1" run fifo
        """
      var invocation = alice.invocation([])
      (invocation.program, invocation.arguments) = ("sh", ["-c", shell, "sh", SourceTree.program, bob.jid])
      let outcome = try await TestProcess.run(invocation)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      try await bob.listening("--count", "4") { listening in
        for text in ["by an editor", "by a shell", "by a fifo", "by a named fifo"] { try await listening.expect(text) }
        #expect(try await listening.wait() == .exited(0))
      }
    }
  }

  @Test("is not read where a folder is named, which is a failure of that line alone")
  func folder() async throws {
    try await TestDirectory.with { home in
      let named = try await TestProcess.run(.jackdaw(["run", "."], in: home))
      expectOneSentence(named, code: 65, naming: "jackdaw: . cannot be read: Is a directory.")
      let script = "/include .\n/expect 65 include .\n"
      let going = try await TestProcess.run(.jackdaw(["--keep-going"], in: home, input: .text(script)))
      #expect(going.ending == .exited(65))
      let told = "jackdaw: line 1: . cannot be read: Is a directory.\n1 of 2 lines failed.\n"
      #expect(going.errors == told, "\(going.errors)")
    }
  }

  @Test("can be interrupted while it waits for who writes into its FIFO")
  func interrupted() async throws {
    try await TestDirectory.with { home in
      #expect(try await TestProcess.run(.init("mkfifo", [home.file("fifo")])).ending == .exited(0))
      let run = TestProcess.Invocation.jackdaw(["run", "fifo"], in: home)
      try await TestProcess.withProcess(run) { waiting in
        // Open, it waits for a line.
        let look = TestProcess.Invocation("sh", ["-c", "ls -l /proc/\(waiting.id)/fd | grep -q /fifo"])
        try await eventually { try await TestProcess.run(look).ending == .exited(0) }
        waiting.signal(2)
        #expect(try await waiting.wait() == .exited(130))
      }
    }
  }

  @Test("includes others, asks who is online, and takes the failures that it expects")
  func commands() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let folder = alice.home.file("more")
      #expect(try await TestProcess.run(.init("mkdir", [folder])).ending == .exited(0))
      try alice.home.write("/send ${whom} by a file\n/set later 'set by it'\n", to: "more/inner")
      let script = """
        /set whom \(bob.jid)
        /expect 67 /friends remove nobody@\(alice.server.domain)
        /if-online ${whom} /send ${whom} lost
        /include more/inner
        /to ${whom}
        ${later}, $$${?}
        /post x-ready
        /wait message x-never --any --for 170
        /if-online ${whom} /send ${whom} there
        /include more/bad
        """
      try alice.home.write(script + "\n", to: "script")
      try alice.home.write("# fails\n/send ${whom} 'open\n", to: "more/bad")
      try await TestProcess.withProcess(alice.invocation(["--json", "run", "script"])) { running in
        try await running.expect(#""event":"x-ready""#)
        // Not by a single command: that is shown to nobody.
        let answer = "/send \(alice.jid) here\n/wait message --match there\n"
        try await TestProcess.withProcess(bob.invocation(["--json"], input: .text(answer))) { answering in
          let ending = try await answering.wait()
          #expect(ending == .exited(0))
          for body in ["by a file", "set by it, $0", "there"] {
            #expect(answering.standardOutput.contains("\"body\":\"\(body)\""), "\(answering.standardOutput)")
          }
          #expect(!answering.standardOutput.contains("lost"))
        }
        let ending = try await running.wait()
        #expect(ending == .exited(65))
        #expect(running.standardError.hasPrefix("jackdaw: more/bad: line 2: The line has an opening '"))
      }
    }
  }
}
