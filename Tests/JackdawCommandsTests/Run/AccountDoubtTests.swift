// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A script of several accounts whose choice of one failed", .onLoop)
struct AccountDoubtTests {
  /// What `/history Nobody` comes to in an account that it may be about.
  private static let done = "You have no friend 'Nobody'"
  private static let choose = "Choose one first, by '/account NAME': home, work."

  /// Runs lines of home and work to their end.
  /// - Returns: what was told of those that failed.
  private func failures(of lines: String, including file: String = "") async throws -> [String] {
    let rig = try ApplicationRig()
    for name in ["home", "work"] { rig.storeRoster([], of: "\(name)@example.org") }
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    runner.state.work(
      with: try ["home", "work"].map { name in
        rig.application.candidate(Configuration.Account(name: name, jid: try JID("\(name)@example.org")))
      })
    let script = ScriptRunner(
      lines: TypedLines(lines), runner: runner, output: rig.output, keepsGoing: true,
      open: { _ in TypedLines(file) })
    await #expect(throws: CommandFailure.self) { try await script.run() }
    return rig.output.failures.map(\.text)
  }

  private func expect(_ told: [String], toBegin beginnings: [String]) {
    #expect(told.count == beginnings.count, "\(told)")
    for (text, beginning) in zip(told, beginnings) { #expect(text.hasPrefix(beginning), "\(text)") }
  }

  @Test("does nothing of what names no account, until an '/account' succeeds")
  func failed() async throws {
    let told = try await failures(
      of: """
        /account typo
        /history Nobody
        /history work:Nobody
        /set name value
        /to bob@example.net
        hello
        /history Nobody
        /account work
        /history Nobody
        """)
    let refused = "Not done, as the '/account' before it failed. \(Self.choose)"
    expect(
      told,
      toBegin: [
        "line 1: There is no account 'typo' here: there is home, work.", "line 2: \(refused)",
        "line 3: work: \(Self.done)", "line 5: \(refused)", "line 6: Not sent, as the '/to' before it failed.",
        "line 7: \(refused)", "line 9: work: \(Self.done)",
      ])
  }

  @Test(
    "is in doubt behind a line that may have been an '/account', also one that another command was to run",
    arguments: [
      "/acount work", "/account 'work", "/account ${UNSET}", "/expect 67 account typo", "/expect 1 account work",
    ])
  func unclear(_ line: String) async throws {
    let told = try await failures(of: "\(line)\n/history Nobody\n/account home\n/history Nobody")
    try #require(told.count >= 2, "\(told)")
    let refused = told[told.count - 2]
    #expect(refused.hasPrefix("line 2: Not done") && refused.hasSuffix(Self.choose), "\(refused)")
    #expect(told.last?.hasPrefix("line 4: home: \(Self.done)") == true, "\(told)")
  }

  @Test(
    "goes on behind another command that failed",
    arguments: ["/ping --bogus", "/account list --bogus", "/expect 0 to Nobody"])
  func goesOn(_ line: String) async throws {
    let told = try await failures(of: "/account home\n\(line)\n/history Nobody")
    #expect(told.last?.hasPrefix("line 3: home: \(Self.done)") == true, "\(told)")
  }

  @Test("is in doubt behind a '/to' of an account that there is not, though one was chosen")
  func misspelled() async throws {
    let told = try await failures(of: "/account home\n/to wrok:bob@example.net\n/history Nobody")
    #expect(told.last?.hasPrefix("line 3: Not done, as the '/to' before it failed") == true, "\(told)")
  }

  @Test("is in doubt behind a '/to' that looked for somebody among the people of all, until one finds somebody")
  func foundNobody() async throws {
    let told = try await failures(
      of: """
        /to Nobody
        /history Nobody
        /to bob@example.net
        /history Nobody
        /to work:Nobody
        /history Nobody
        /account home
        /to Nobody
        /history Nobody
        """)
    let refused = "Not done, as the '/to' before it failed, and may have meant somebody of another account."
    expect(
      told,
      toBegin: [
        "line 1: home: \(Self.done)", "line 2: \(refused) \(Self.choose)", "line 4: home: \(Self.done)",
        "line 5: work: \(Self.done)", "line 6: work: \(Self.done)", "line 8: home: \(Self.done)",
        "line 9: home: \(Self.done)",
      ])
  }

  @Test("is about the account again behind '/include' that it was about before it")
  func included() async throws {
    let told = try await failures(of: "/include file\n/history Nobody", including: "/account typo\n/history Nobody")
    expect(
      told,
      toBegin: [
        "file: line 1: There is no account", "file: line 2: Not done", "line 2: home: \(Self.done)",
      ])
  }
}
