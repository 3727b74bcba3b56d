// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// What several messages hear from one answer of the server.
@Suite struct OutboxAnswersTests {
  @Test("several are acknowledged at once, in the order of writing and out of it, and each is news once")
  func severalAtOnce() throws {
    let bob = try JID("bob@example.org")
    var outbox = Outbox(limit: 10)
    for number in 0..<6 {
      outbox.add(OutgoingMessage(id: "m\(number)", to: bob, body: "hi", time: Timestamp(milliseconds: 0)))
      if number < 5 { outbox.wrote("m\(number)", after: nil) }
    }
    let isBack = outbox.putBack(id: "m1")
    #expect(isBack)
    outbox.wrote("m1", after: nil)
    var confirmed = outbox.confirm(ids: ["m0", "x", "m3", "m2", "m5"]).map(\.id)
    #expect(confirmed == ["m0", "m2", "m3"])
    // The first word for a message that was put back is for the copy that came to nothing.
    confirmed = outbox.confirm(ids: ["m4", "m1", "m4", "m1"]).map(\.id)
    #expect(confirmed == ["m4", "m1"])
    confirmed = outbox.confirm(ids: ["m1", "m0"]).map(\.id)
    #expect(confirmed.isEmpty)
    #expect(outbox.waiting(limit: .max).map(\.id) == ["m5"])
  }
}
