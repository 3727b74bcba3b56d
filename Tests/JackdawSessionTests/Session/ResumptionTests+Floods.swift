// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import JackdawTransport
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// A stream that ended over all that came on it.
extension ResumptionTests {
  /// ejabberd has no way to hear an acknowledgement while it tells all who have asked to be friends, and ends the stream over a
  /// queue that is too long: on a stream that is counted it would do so again each time.
  @Test("After a stream that ended over a flood the next one has no stream management")
  func aStreamThatEndsOverAFloodIsFollowedByOneThatIsNotCounted() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.flood(6_000)
    await rig.comeBack()
    #expect(rig.live.state == .online)
    #expect(!rig.fixture.sent().contains { $0.name == "enable" || $0.name == "resume" })
    #expect(rig.fixture.session.isOnline)
    // The one after it is counted again.
    await rig.cut()
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(rig.live.state == .online)
    #expect(rig.fixture.sent().contains { $0.name == "enable" })
  }

  @Test("After a stream error without a flood the stream is resumed")
  func aStreamThatEndsOverARuleWithoutAFloodIsTakenUpAgain() async throws {
    let rig = try ResumptionRig()
    try await rig.start()
    await rig.flood(20)
    await rig.comeBack()
    #expect(rig.live.state == .resumed)
  }
}
