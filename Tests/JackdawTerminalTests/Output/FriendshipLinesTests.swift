// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

/// What others do to friendships, as people read it.
@Client @Suite("News of a friendship", .onLoop)
struct FriendshipLinesTests {
  private static func ann(
    _ subscription: RosterItem.Subscription, ask: Bool = false, name: String? = nil, in groups: [String] = []
  ) throws -> RosterItem {
    RosterItem(jid: try JID("ann@example.org"), name: name, subscription: subscription, ask: ask, groups: groups)
  }

  /// What is shown after `changes` that come close behind each other, each with the entry before and after it.
  private func shown(
    _ changes: [(before: RosterItem?, after: RosterItem?)], ending: FriendshipEnded? = nil, isOurs: Bool = false,
    verbosity: Verbosity = .normal
  ) throws -> String {
    let fixture = Fixture(verbosity: verbosity)
    for (before, after) in changes {
      let item = try #require(after ?? before)
      fixture.output.show(
        FriendChanged(
          item: item, change: before == nil ? .added : after == nil ? .removed : .updated, before: before,
          isOurs: isOurs))
    }
    if let ending { fixture.output.show(ending) }
    fixture.clock.advance(by: .seconds(1))
    return fixture.out.take()
  }

  @Test("who accepts and asks back in two steps is one line")
  func accepted() throws {
    let steps = [(try Self.ann(.none, ask: true), try Self.ann(.to)), (try Self.ann(.to), try Self.ann(.both))]
    #expect(try shown(steps) == "12:01 -- ann@example.org accepted: you are friends.\n")
  }

  @Test("who accepts and shows no interest in us is no friend")
  func acceptedOneWay() throws {
    #expect(
      try shown([(try Self.ann(.none, ask: true), try Self.ann(.to))])
        == "12:01 -- ann@example.org lets you see when they are online.\n")
  }

  @Test("who may see us while our own request waits is not called a friend")
  func waiting() throws {
    let line = try shown([(try Self.ann(.none, ask: true), try Self.ann(.from, ask: true))])
    #expect(line.contains("sees when you are online. They have yet to"), "\(line)")
    #expect(!line.contains("friends"))
  }

  @Test("what a command of ours did is said by that command alone")
  func ours() throws {
    let steps = [(nil, try Self.ann(.none)), (try Self.ann(.none), try Self.ann(.none, ask: true))]
    #expect(try shown(steps, isOurs: true) == "")
  }

  @Test("what they did is told as it was before a command of ours goes on at once")
  func oursAfterTheirs() throws {
    let fixture = Fixture()
    let both = try Self.ann(.both)
    fixture.output.show(FriendChanged(item: both, change: .updated, before: try Self.ann(.none, ask: true)))
    fixture.output.show(FriendChanged(item: both, change: .removed, before: both, isOurs: true))
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take() == "12:01 -- ann@example.org accepted: you are friends.\n")
  }

  @Test(
    "a request that is granted before it is told is not told, but for the words that came with it",
    arguments: [nil, "Hi"]
  )
  func grantedRequest(message: String?) throws {
    let fixture = Fixture()
    fixture.output.show(FriendRequested(jid: try JID("ann@example.org"), message: message))
    let change = FriendChanged(item: try Self.ann(.from), change: .updated, before: try Self.ann(.none), isOurs: true)
    fixture.output.show(change)
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take().contains("asks to be your friend") == (message != nil))
  }

  @Test("a request that nothing answers is told beside what became of others")
  func openRequest() throws {
    let fixture = Fixture()
    fixture.output.show(FriendRequested(jid: try JID("bob@example.org")))
    fixture.output.show(FriendRequested(jid: try JID("ann@example.org")))
    fixture.output.show(FriendChanged(item: try Self.ann(.none, ask: true), change: .added, isOurs: true))
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take().split(separator: "\n").count { $0.contains("asks to be your friend") } == 2)
  }

  @Test("the protocol's steps are shown with -v")
  func verbose() throws {
    let steps: [(RosterItem?, RosterItem?)] = [(nil, try Self.ann(.none, ask: true))]
    #expect(
      try shown(steps, isOurs: true, verbosity: .verbose)
        == "12:01 -- ann@example.org: added, subscription none, ask subscribe\n")
  }

  @Test("who removes us ends both directions in one line, with the command where it is for us to say")
  func removed() throws {
    let jid = try JID("ann@example.org")
    let steps = [(try Self.ann(.both), try Self.ann(.to)), (try Self.ann(.to), try Self.ann(.none))]
    #expect(
      try shown(steps, ending: FriendshipEnded(jid: jid, .removed))
        == "12:01 -- ann@example.org removed you from their friends.\n")
    let asked = try shown(steps, ending: FriendshipEnded(jid: jid, .removed, policy: .ask))
    #expect(asked.contains("/friends remove") && asked.contains("ann@example.org removed you"), "\(asked)")
    let gone = steps + [(try Self.ann(.none), nil)]
    let both = try shown(gone, ending: FriendshipEnded(jid: jid, .removed, policy: .remove))
    #expect(both.contains("removed you from their friends, so") && both.split(separator: "12:01").count == 1, "\(both)")
  }

  @Test("who still sees us has not removed us")
  func revoked() throws {
    let ending = FriendshipEnded(jid: try JID("ann@example.org"), .removed)
    #expect(
      try shown([(try Self.ann(.both), try Self.ann(.from))], ending: ending)
        == "12:01 -- ann@example.org no longer lets you see when they are online.\n")
    #expect(
      try shown([(try Self.ann(.both), try Self.ann(.to))])
        == "12:01 -- ann@example.org no longer sees when you are online.\n")
  }

  @Test("of which nothing is to be seen any more is not told as going offline", arguments: [true, false])
  func gone(leavesFirst: Bool) throws {
    let fixture = Fixture()
    let there = PresenceChanged(from: try JID("ann@example.org/x"), show: "available", status: nil, priority: 0)
    fixture.output.show(there)
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.out.take().contains("is online"))
    let left = PresenceChanged(from: try JID("ann@example.org/x"), show: "unavailable", status: nil, priority: 0)
    if leavesFirst { fixture.output.show(left) }
    let before = try Self.ann(.both)
    fixture.output.show(FriendChanged(item: try Self.ann(.from), change: .updated, before: before))
    if !leavesFirst { fixture.output.show(left) }
    fixture.clock.advance(by: .seconds(1))
    #expect(!fixture.out.take().contains("is offline"))
  }

  @Test("a declined request is one line")
  func declined() throws {
    let ending = FriendshipEnded(jid: try JID("ann@example.org"), .refused)
    #expect(
      try shown([(try Self.ann(.none, ask: true), try Self.ann(.none))], ending: ending)
        == "12:01 -- ann@example.org declined your request.\n")
  }

  @Test("a name and groups that another client gave are told")
  func renamed() throws {
    #expect(
      try shown([(try Self.ann(.both), try Self.ann(.both, name: "Ann B"))])
        == "12:01 -- ann@example.org is now called Ann B.\n")
    #expect(
      try shown([(try Self.ann(.both), try Self.ann(.both, in: ["Work", "Tea"]))])
        == "12:01 -- ann@example.org is now in Work, Tea.\n")
  }
}
