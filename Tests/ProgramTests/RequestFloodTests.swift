// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession
import Support
import Testing

/// A flood of friend requests from strangers, at a real server and the prompt.
@Suite("A flood of requests")
struct RequestFloodTests {
  struct Flood: Sendable, CustomTestStringConvertible {
    var server: TestServer.Kind
    var people: Int

    var testDescription: String { "\(people) at \(server.rawValue)" }
  }

  /// Prosody 0.12 writes its whole list of open requests for each one that comes and each that is answered, which takes time with
  /// the square of their number.
  static let floods = [Flood(server: .ejabberd, people: 10_000), Flood(server: .prosody, people: 200)]

  /// In KB, what a flood may add to the most memory that the program had before. 10,000 requests with 512 bytes of message each
  /// are 5 MB; each is held as a request, and for a moment as what is yet to be told and to be kept.
  static let memory = 32 << 10

  @Test(
    "leaves the prompt alive, the list usable and the memory bounded; all can be refused at once", arguments: floods)
  func flood(_ flood: Flood) async throws {
    let server = try await TestServer.shared(flood.server, Strangers.server)
    let account = try await server.account("alice")
    try await TestDirectory.with { home in
      let alice = Person(server: server, account: account, home: home)
      try await Strangers.with(on: server) { strangers in
        try await comesIn(flood, alice, strangers)
        let everybody = (0..<flood.people).map { Strangers.jid($0) }.sorted()
        let listed = try await alice.does("friends", "requests")
        #expect(listed.map { String($0.prefix { $0 != "\t" }) }.sorted() == everybody)
        // At the next log-in the server tells all of them again, in one go.
        try await isToldAgain(flood, alice)
        #expect(try await strangers.questions() == 0, "nobody is asked for a card unasked")

        let answered = try await TestProcess.run(
          alice.invocation(["friends", "reject", "--all"]), within: .seconds(300))
        #expect(answered.ending == .exited(0), "\(answered.errors)")
        #expect(answered.lines.sorted() == everybody.map { "Declined \($0)'s request." }.sorted())
        // They hear of it in their own time.
        try await eventually { try await strangers.told("unsubscribed").people == flood.people }
        #expect(try await strangers.told("unsubscribed").stanzas == flood.people)
        #expect(try await alice.does("friends", "requests").isEmpty)
        #expect(try await alice.does("friends").isEmpty)
      }
    }
  }

  /// While they ask, each three times or more.
  private func comesIn(_ flood: Flood, _ alice: Person, _ strangers: Strangers) async throws {
    try await alice.atThePrompt { prompt in
      try await prompt.expectScreen(showing: "online")
      let before = try prompt.peakMemory
      strangers.ask(alice.jid, count: flood.people, times: 3)
      try await prompt.expectScreen(showing: " people ask to be your friends: ")
      prompt.send("hal")
      try await prompt.expectScreen(showing: "jackdaw> hal")
      prompt.send("lo" + Key.controlU + "/help friends reject" + Key.enter)
      try await prompt.expectScreen(showing: "OVERVIEW: Refuse a request.")
      // The prompt answered while they went on.
      try await strangers.untilAsked()

      try await listIsShown(flood, prompt)
      prompt.send("/ping" + Key.enter)
      try await prompt.expectScreen(showing: " ms")
      let notices = prompt.standardOutput.split(separator: "\n").count { $0.contains(" ask to be your friends") }
      #expect(notices <= 12, "\(notices) notices")
      let after = try prompt.peakMemory
      #expect(after - before < Self.memory, "\(before) KB before, \(after) KB after")
      prompt.send("/quit" + Key.enter)
      #expect(try await prompt.wait() == .exited(0))
    }
  }

  /// ejabberd may end a stream over a flood, and with it what is asked then.
  private func listIsShown(_ flood: Flood, _ prompt: TestProcess) async throws {
    try await eventually {
      prompt.send("/friends requests" + Key.enter)
      let last = Strangers.jid(flood.people - 1)
      return (try? await prompt.expectScreen(showing: last, within: .seconds(20))) != nil
    }
  }

  private func isToldAgain(_ flood: Flood, _ alice: Person) async throws {
    try await alice.atThePrompt { prompt in
      try await prompt.expectScreen(showing: "online")
      let before = try prompt.peakMemory
      try await listIsShown(flood, prompt)
      prompt.send("/ping" + Key.enter)
      try await prompt.expectScreen(showing: " ms")
      // Nobody of them is news.
      #expect(!prompt.standardOutput.contains("ask to be your friend"))
      #expect(!prompt.standardOutput.contains("asks to be your friend"))
      let after = try prompt.peakMemory
      #expect(after - before < Self.memory, "\(before) KB before, \(after) KB after")
      prompt.send("/quit" + Key.enter)
      #expect(try await prompt.wait() == .exited(0))
    }
  }
}
