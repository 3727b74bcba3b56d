// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// What others on the machine can reach of the built program: its configuration, and its memory.
@Suite("Others on this machine")
struct ForeignHandsProgramTests {
  private static let configuration = """
    [accounts.me]
    jid = "alice@example.org"
    password_command = "touch run"

    """

  @Test(
    "have no program run by a configuration that they can change",
    arguments: [("f", 0o622), ("f", 0o602), ("d", 0o777)])
  func writable(_ what: String, _ mode: Int) async throws {
    try await TestDirectory.with { home in
      try #require(mkdir(home.file("etc"), 0o700) == 0)
      let file = try home.write(Self.configuration, to: "etc/config.toml")
      try #require(chmod(what == "f" ? file : home.file("etc"), mode_t(mode)) == 0)
      let invocation = TestProcess.Invocation.jackdaw(["ping"], in: home, environment: ["JACKDAW_CONFIG": file])
      let outcome = try await TestProcess.run(invocation)
      expectOneSentence(outcome, code: 78, naming: "password_command")
      #expect(
        outcome.errors.contains(what == "f" ? "can change the file" : "can change its folder"), "\(outcome.errors)")
      #expect(access(home.file("run"), F_OK) != 0)
    }
  }

  @Test("a NUL in the configuration cuts no text: it is refused, with its line")
  func zero() async throws {
    try await TestDirectory.with { home in
      let text = "[accounts.me]\njid = \"alice@example.org\"\npassword = \"first\\u0000second\"\n"
      let file = try home.write(text, to: "config.toml")
      let invocation = TestProcess.Invocation.jackdaw(["ping"], in: home, environment: ["JACKDAW_CONFIG": file])
      expectOneSentence(try await TestProcess.run(invocation), code: 78, naming: "line 3: there is a NUL")
    }
  }

  /// What a process holds can be read by others of its user, unless it says that they may not (prctl(2), PR_SET_DUMPABLE).
  @Test("of the same user read nothing of what it holds: its memory belongs to nobody")
  func memory() async throws {
    try await withPair(on: .prosody) { alice, _ in
      // A process without rights may read those of its user that have none either.
      let plain = geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"] : []
      func reads(_ process: TestProcess) async throws -> Bool {
        let words = plain + ["cat", "/proc/\(process.id)/environ"]
        return try await TestProcess.run(.init(words[0], Array(words.dropFirst()))).ending == .exited(0)
      }
      let other = plain + ["sleep", "60"]
      try await TestProcess.withProcess(.init(other[0], Array(other.dropFirst()))) { other in
        try await eventually { try await reads(other) }
      }
      var invocation = alice.invocation(["listen", "--json"])
      (invocation.program, invocation.arguments) =
        plain.isEmpty
        ? (invocation.program, invocation.arguments)
        : (plain[0], plain.dropFirst() + [invocation.program] + invocation.arguments)
      try await TestProcess.withProcess(invocation) { listening in
        try await listening.expect(#""state":"online""#)
        #expect(try await !reads(listening))
      }
    }
  }
}
