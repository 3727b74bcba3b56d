// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A story of two people: what they do, one after the other, and what both their lists show after each step.
struct FriendFlow: Sendable, CustomTestStringConvertible {
  /// Where the other side is while somebody does something.
  enum Situation: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case bothOnline = "both online"
    /// They start when it is done, and are to find it.
    case otherOffline = "the other offline"
    /// After each step both programs are ended and started anew.
    case restarted = "both restarted"

    var testDescription: String { rawValue }
  }

  /// One thing that somebody does.
  struct Step: Sendable {
    /// Who, in this order; two do it at the same moment.
    var who: [Character]
    /// A command after `/friends`, or what `stranger.py` takes; `THEM` is the address of the other one.
    var line: String
    /// The outcome that is told as JSON, or the exit code of a failure: one of these. A stranger is told of none.
    var outcomes: [String]
    /// What the lists of alice and of bob show then: the columns of `friends list` for each other, `-` for no entry, and `?`
    /// while the other waits for an answer. Where servers differ: one of what stands between bars. `~` at the end: a request that was
    /// there may still be shown to who stays online, as not every server tells that it is withdrawn.
    var alice: String
    var bob: String
  }

  var name: String
  /// Whether they begin as friends.
  var areFriends = false
  /// `when_removed` in bob's configuration.
  var whenRemoved = "keep"
  /// The servers that it goes like this on.
  var servers = TestServer.Kind.allCases
  /// Where it goes like this.
  var situations = Situation.allCases
  /// How often alice and bob are told that something was refused or ended, in the whole story.
  var alicesEndings = 0
  var bobsEndings = 0
  var steps: [Step]

  var testDescription: String { name }
}

extension FriendFlow.Step {
  static func alice(_ line: String, _ outcomes: String..., shows alice: String, bob: String) -> Self {
    Self(who: ["a"], line: line, outcomes: outcomes, alice: alice, bob: bob)
  }

  static func bob(_ line: String, _ outcomes: String..., shows alice: String, bob: String) -> Self {
    Self(who: ["b"], line: line, outcomes: outcomes, alice: alice, bob: bob)
  }

  /// Both do it, the first of `who` a moment before the other.
  static func both(_ who: String, _ line: String, _ outcomes: String..., shows alice: String, bob: String) -> Self {
    Self(who: Array(who), line: line, outcomes: outcomes, alice: alice, bob: bob)
  }
}

extension FriendFlow {
  /// Lives it through on a server, both with Jackdaw.
  func run(on kind: TestServer.Kind, _ situation: Situation) async throws {
    try await withPair(on: kind, friends: areFriends) { alice, bob in
      var bob = bob
      bob.environment["JACKDAW_CONFIG"] = try bob.home.write("when_removed = \"\(whenRemoved)\"\n", to: "config.toml")
      try await run(LiveJackdaw(alice), LiveJackdaw(bob), situation)
    }
  }

  /// Lives it through on a server; bob's client is not ours.
  func runWithStranger(on kind: TestServer.Kind, _ situation: Situation) async throws {
    try await withPair(on: kind, friends: areFriends) { alice, bob in
      try await run(LiveJackdaw(alice), LiveStranger(bob.account, on: bob.server), situation)
    }
  }

  private func run(
    _ alice: some FriendFlowSide, _ bob: some FriendFlowSide, _ situation: Situation
  ) async throws {
    try await withBothOnline(alice, bob) { alice, bob in
      for step in steps {
        try await take(step, alice, bob, situation)
        try await expect(step, alice, bob, situation)
      }
      try await expect(alicesEndings, toldTo: alice, "alice")
      try await expect(bobsEndings, toldTo: bob, "bob")
    }
  }

  /// Waits until somebody has been told of so many endings: ejabberd sends the stanza that tells one some time after the push
  /// that changes the list.
  private func expect(_ endings: Int, toldTo person: any FriendFlowSide, _ who: Comment) async throws {
    let clock = ContinuousClock()
    let end = clock.now + TestProcess.patience
    while let told = await person.endings, told < endings, clock.now < end { try await person.waits() }
    if let told = await person.endings { #expect(told == endings, who) }
  }

  private func take(
    _ step: Step, _ alice: any FriendFlowSide, _ bob: any FriendFlowSide, _ situation: Situation
  ) async throws {
    let (first, other) = step.who.first == "a" ? (alice, bob) : (bob, alice)
    if situation == .otherOffline { try await other.end() }
    if step.who.count == 1 || situation == .otherOffline { try await told(first, step, other) }
    if situation == .otherOffline { try await other.start() }
    if step.who.count == 2 {
      if situation != .otherOffline { await first.begins(Self.line(step, other)) }
      try await told(other, step, first)
    }
    if situation == .restarted {
      for person in [alice, bob] { try await person.end() }
      for person in [alice, bob] { try await person.start() }
    }
  }

  private static func line(_ step: Step, _ other: any FriendFlowSide) -> String {
    step.line.replacing("THEM", with: other.jid)
  }

  /// Has somebody do it, and compares what they are told.
  private func told(_ person: any FriendFlowSide, _ step: Step, _ other: any FriendFlowSide) async throws {
    guard let outcomes = try await person.takes(Self.line(step, other)) else { return }
    #expect(outcomes.count == 1 && step.outcomes.contains(outcomes.first ?? ""), "\(step.line): \(outcomes)")
  }

  /// Waits until both lists show what they are to show.
  private func expect(
    _ step: Step, _ alice: any FriendFlowSide, _ bob: any FriendFlowSide, _ situation: Situation
  ) async throws {
    var shown = ("", "")
    let clock = ContinuousClock()
    let end = clock.now + TestProcess.patience
    repeat {
      shown = (try await alice.entry(of: bob.jid), try await bob.entry(of: alice.jid))
      if Self.isOne(shown.0, of: step.alice, situation), Self.isOne(shown.1, of: step.bob, situation) { return }
      // The next question is asked when there has been time for news.
      try await alice.waits()
    } while clock.now < end
    Issue.record(
      "after '\(step.line)' alice's list shows \(shown.0), bob's \(shown.1); expected \(step.alice), \(step.bob)")
  }

  private static func isOne(_ shown: String, of expected: String, _ situation: Situation) -> Bool {
    expected.split(separator: "|").contains { choice in
      guard choice.hasSuffix("~") else { return choice == shown }
      return shown == choice.dropLast() || (situation == .bothOnline && shown == choice.dropLast() + " ?")
    }
  }
}
