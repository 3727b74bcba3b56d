// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawSession

@Suite("How well the roster is known")
struct RosterStandingTests {
  @Test(
    "On a stream that has begun, pushes may miss earlier changes until the server has answered, whatever it answers")
  func begun() {
    for isUnchanged in [true, false] {
      var standing = RosterStanding()
      standing.streamBegan()
      #expect(standing.mayMissChanges && !standing.isKnown && !standing.isAsked)
      standing.asked()
      #expect(standing.mayMissChanges && standing.isAsked && !standing.isCurrent)
      standing.answered(isUnchanged: isUnchanged)
      #expect(standing.isCurrent && standing.isKnown && !standing.mayMissChanges && !standing.isAsked)
      #expect(standing.changesMayFollow == isUnchanged)
      standing.changesCame()
      #expect(standing.isCurrent && !standing.changesMayFollow)
    }
  }

  @Test("On a resumed stream of an earlier run, pushes miss nothing")
  func resumed() {
    var standing = RosterStanding()
    #expect(!standing.mayMissChanges)
    standing.asked()
    #expect(standing.isAsked && !standing.mayMissChanges)
    standing.failed()
    #expect(!standing.isAsked && !standing.mayMissChanges)
  }

  @Test("A question that fails leaves what was known, and pushes that may miss something")
  func failed() {
    var standing = RosterStanding()
    standing.recalled()
    standing.streamBegan()
    standing.asked()
    standing.failed()
    #expect(standing.stage == .begun && standing.isKnown && standing.mayMissChanges)
  }

  @Test("With the stream it is current no longer, and known still")
  func lost() {
    var standing = RosterStanding()
    standing.streamBegan()
    standing.asked()
    standing.answered(isUnchanged: true)
    standing.streamLost()
    #expect(standing.stage == .none && standing.isKnown && !standing.changesMayFollow)
    standing.changesCame()
    #expect(standing.stage == .none)
  }
}
