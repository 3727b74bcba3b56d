// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite("The life of a stream")
struct StreamLifeTests {
  private func life(after inputs: StreamLife.Input...) -> StreamLife {
    var life = StreamLife()
    for input in inputs { _ = life.handle(input) }
    return life
  }

  @Test("a stream that is cut and resumed is the same one, until it is lost")
  func resumed() {
    var life = StreamLife()
    #expect(life.phase == .suspended)
    #expect(life.handle(.loggedIn(resumed: false)) == [.announce(.fresh)])
    #expect(life.handle(.cut) == [.announce(.interrupted)])
    #expect(life.handle(.loggedIn(resumed: true)) == [.announce(.resumed)])
    #expect(life.handle(.cut) == [.announce(.interrupted)])
    #expect(life.handle(.lost) == [.announce(.suspended)])
    #expect(life.handle(.lost).isEmpty, "there is none any more")
    #expect(life.handle(.cut).isEmpty)
    #expect(life.phase == .suspended)
  }

  @Test("an earlier run's stream that is resumed settles what that run left, and is a new one for the features")
  func inherited() {
    var life = life(after: .found("s1"))
    #expect(life.phase == .interrupted)
    #expect(life.handle(.loggedIn(resumed: true)) == [.settleInherited("s1"), .announce(.fresh)])
    #expect(life.state == .live(.inheritance))
    #expect(life.handle(.cut) == [.announce(.interrupted)])
    #expect(life.handle(.loggedIn(resumed: true)) == [.announce(.resumed)], "from then on it is this run's own")
  }

  @Test("an earlier run's stream that is gone settles what that run left, once")
  func inheritedInVain() {
    var life = life(after: .found("s1"))
    #expect(life.handle(.lost) == [.settleInherited("s1"), .announce(.suspended)])
    #expect(life.handle(.loggedIn(resumed: false)) == [.announce(.fresh)])
  }

  @Test("what an earlier run left is of no interest once there is a stream")
  func foundTooLate() {
    var life = life(after: .loggedIn(resumed: false))
    #expect(life.handle(.found("s1")).isEmpty)
    #expect(life.state == .live(.login))
  }

  @Test("resumptions are counted until the server acknowledges something, or the stream is a new one")
  func counted() {
    var life = life(
      after: .loggedIn(resumed: false), .cut, .loggedIn(resumed: true), .cut, .loggedIn(resumed: true))
    #expect(life.resumptionsWithoutAck == 2)
    #expect(life.handle(.acknowledged(isMore: false)) == [.tellOfAcknowledgement])
    #expect(life.handle(.acknowledged(isMore: false)).isEmpty, "only the first one is news")
    #expect(life.resumptionsWithoutAck == 0)
    #expect(life.mayReadRemains, "it may have been the last word of a server that is at odds with the stream")
    _ = life.handle(.acknowledged(isMore: true))
    #expect(!life.mayReadRemains)
    _ = life.handle(.cut)
    _ = life.handle(.loggedIn(resumed: true))
    #expect(life.resumptionsWithoutAck == 1)
    #expect(life.mayReadRemains)
    _ = life.handle(.lost)
    _ = life.handle(.loggedIn(resumed: false))
    #expect(life.resumptionsWithoutAck == 0)
    #expect(!life.mayReadRemains)
  }

  @Test(
    "the session's end is told whatever came before",
    arguments: [
      [], [.loggedIn(resumed: false), .lost], [.found("s1"), .lost],
    ] as [[StreamLife.Input]])
  func left(_ before: [StreamLife.Input]) {
    var life = StreamLife()
    for input in before { _ = life.handle(input) }
    #expect(life.handle(.left) == [.announce(.ended)])
    #expect(life.phase == .ended)
  }
}
