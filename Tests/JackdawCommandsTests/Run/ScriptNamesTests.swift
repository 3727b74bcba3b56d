// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

/// Whom the names of a script mean.
@Client @Suite("A script of names", .onLoop)
struct ScriptNamesTests {
  @Test("picks by a name of the stored contact list, without a connection")
  func storedName() async throws {
    let rig = try ApplicationRig(TypedLines("/to Bob\n/to nobody"))
    rig.storeRoster([("bob@example.org", "Bob")])
    #expect(try await rig.run() == .noUser)
    #expect(
      rig.output.failures.map(\.text) == [
        "line 2: You have no friend 'nobody', and it is not an address (like ali@example.org)."
      ])
    #expect(rig.fixture.connector.plans.isEmpty)
  }

  @Test(
    "where no contact list was ever stored waits for that of the log-in before it looks for a name",
    arguments: [
      "/to Bob\nhello", "/expect 0 /to bob\nhello", "/to --timeout 5 Bob\nhello", "/send Bob hello",
      "/history Bob\n/to Bob\nhello", "/unread bob\n/to bob\nhello", "/privacy bob\n/to bob\nhello",
      "/history off bob\n/to bob\nhello",
    ])
  func noList(_ lines: String) async throws {
    let rig = try ApplicationRig(scripts: ["file": TypedLines(lines)])
    rig.setRoster([("bob@example.org", "Bob", [])])
    #expect(try await rig.run("run", "file") == .success, "\(rig.output.failures)")
    #expect(rig.sentMessages == ["bob@example.org|hello"])
  }

  @Test("that is for a name given to 'chat' waits for the contact list, too")
  func noListOfChat() async throws {
    let rig = try ApplicationRig(TypedLines("hello\n"))
    rig.setRoster([("bob@example.org", "Bob", [])])
    #expect(try await rig.run("chat", "bob") == .success, "\(rig.output.failures)")
    #expect(rig.sentMessages == ["bob@example.org|hello"])
  }

  @Test("with a name that is not on the contact list sends nobody what stands below the '/to'")
  func nobodyOnTheList() async throws {
    let rig = try ApplicationRig(scripts: ["file": TypedLines("/to carol@example.org\n/to Bob\nlost\n/friends")])
    rig.setRoster([("dan@example.org", "Dan", [])])
    #expect(try await rig.run("run", "--keep-going", "file") == .usage)
    #expect(rig.sentMessages.isEmpty)
    let told = rig.output.failures.map(\.text)
    #expect(told.first == "line 2: You have no friend 'Bob', and it is not an address (like ali@example.org).")
    #expect(told.count == 2 && told.last?.hasPrefix("line 3: Not sent, as the '/to' before it failed.") == true)
  }

  @Test("whose contact list does not come ends the line of a name at its time-out")
  func listDoesNotCome() async throws {
    let rig = try ApplicationRig(TypedLines("/to --timeout 5 Bob\nlost"))
    rig.fixture.connector.outcome = { _ in .hangs }
    let run = try await rig.start()
    #expect(run.value == nil)
    await rig.fixture.clock.elapse(.seconds(40))
    #expect(run.value != nil && run.value != .success)
    #expect(rig.output.failures.count == 1 && rig.output.failures.first?.text.hasPrefix("line 1: ") == true)
    #expect(rig.sentMessages.isEmpty)
  }
}
