// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// What is told of messages of ours, as a value.
@Suite("What was told of ours") struct HeardReportsTests {
  private let bob: JID

  init() throws { bob = try JID("bob@example.org") }

  /// - Returns: the states that are told, of those that are heard.
  private func told(_ heard: [(id: String, number: Int64?, state: DeliveryState)], limit: Int = 100) -> [String] {
    var reports = HeardReports(limit: limit)
    return heard.filter { heard in
      reports.isNews(
        MessageReport(id: heard.id, peer: bob, state: heard.state, origin: .stream), of: heard.number)
    }
    .map { "\($0.id) \($0.state.name)" }
  }

  @Test("a later state is followed by no earlier one, and each is told once", arguments: [Int64?.none, 7])
  func neverBack(number: Int64?) {
    #expect(told([("a", number, .delivered), ("a", number, .displayed)]) == ["a delivered", "a displayed"])
    #expect(told([("a", number, .displayed), ("a", number, .delivered)]) == ["a displayed"])
    #expect(told([("a", number, .delivered), ("a", number, .delivered)]) == ["a delivered"])
    #expect(told([("a", number, .failed(reason: "gone")), ("a", number, .displayed)]) == ["a failed"])
  }

  @Test("what stands before a message that they have read is not told to be displayed, and told to be delivered")
  func readThrough() {
    #expect(
      told([("b", 2, .displayed), ("a", 1, .delivered), ("a", 1, .displayed), ("c", 3, .delivered)])
        == ["b displayed", "a delivered", "c delivered"])
  }

  @Test(
    "a state that the server alone tells is none that somebody was heard to tell",
    arguments: ["waiting", "sent", "server"])
  func serversStates(name: String) throws {
    #expect(told([("a", 1, try #require(DeliveryState(name: name)))]) == [])
  }

  @Test("many messages take no more room than some do, and the last ones are remembered")
  func limit() {
    let many = (1...1_000).map { (id: "m\($0)", number: Int64?.none, state: DeliveryState.delivered) }
    #expect(told(many + many.suffix(8), limit: 8).count == 1_000)
    #expect(told(many + many.prefix(1), limit: 8).count == 1_001)
  }
}
