// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Somebody whose commands go through an agent of theirs.
struct AgentHost {
  /// How the agent was started.
  let person: Person
  /// Of the agent.
  let process: TestProcess

  /// Their commands, which could not log in by themselves: whatever succeeds went through the agent.
  var guest: Person {
    var person = person
    person.environment["JACKDAW_PASSWORD"] = "not the password"
    return person
  }

  /// Has an agent in the foreground until `body` is done.
  static func with<Result>(
    of person: Person, _ body: (AgentHost) async throws -> Result
  ) async throws -> Result {
    var person = person
    person.environment[TestProcess.Invocation.noAgent] = ""
    return try await TestProcess.withProcess(person.invocation(["agent", "run"])) { process in
      let host = AgentHost(person: person, process: process)
      try await eventually { access(host.socket, F_OK) == 0 }
      return try await body(host)
    }
  }

  /// Where commands come in.
  var socket: String { Self.socket(of: person) }

  /// Where commands of somebody would come in.
  static func socket(of person: Person) -> String { person.home.path + "/.local/share/jackdaw/run/\(person.jid)" }

  /// How many commands of others it runs.
  func commandCount() async throws -> Int {
    let line = try await guest.does("--json", "agent", "status").first ?? ""
    return line.firstMatch(of: /"commands":(\d+)/).flatMap { Int($0.output.1) } ?? -1
  }
}
