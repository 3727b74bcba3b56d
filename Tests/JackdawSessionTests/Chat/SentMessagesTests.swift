// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// What is remembered of our messages.
@Suite struct SentMessagesTests {
  private let bob: JID

  init() throws { bob = try JID("bob@example.org") }

  private func messages(_ count: Int, limit: Int = 10) -> SentMessages {
    var sent = SentMessages(limit: limit)
    for number in 0..<count { sent.add(id: "m\(number)", to: bob) }
    return sent
  }

  @Test func confirmingGoesAsFarAsWasKnownThen() {
    var sent = messages(3)
    let mark = sent.count
    sent.add(id: "m3", to: bob)
    var confirmed = sent.confirm(upTo: mark).map(\.id)
    #expect(confirmed == ["m0", "m1", "m2"])
    #expect(sent["m3"]?.state == .sent)
    // An answer to an earlier question says nothing more.
    confirmed = sent.confirm(upTo: mark).map(\.id) + sent.confirm(upTo: 0).map(\.id)
    #expect(confirmed.isEmpty)
    #expect(sent.hasUnconfirmed)
    confirmed = sent.confirm(upTo: sent.count).map(\.id)
    #expect(confirmed == ["m3"])
    #expect(!sent.hasUnconfirmed)
  }

  @Test func whatCameBackIsNotConfirmed() {
    var sent = messages(3)
    let known = [
      sent.bounce(id: "m1", .undefined), sent.bounce(id: "m1", .badRequest), sent.bounce(id: "x", .undefined),
    ]
    #expect(known == [true, false, false])
    let confirmed = sent.confirm(upTo: 3).map(\.id)
    #expect(confirmed == ["m0", "m2"])
    #expect(sent["m1"]?.state == .bounced(.undefined))
  }

  @Test func whatIsLostStaysLostUntilItComesBack() {
    var sent = messages(2)
    let lost = sent.lose().map(\.id) + sent.lose().map(\.id)
    #expect(lost == ["m0", "m1"])
    #expect(sent["m0"]?.state == .lost)
    let isNews = sent.bounce(id: "m0", .undefined)
    #expect(isNews)
  }

  @Test func onlyWhatIsSettledIsForgotten() {
    var sent = messages(1_000, limit: 10)
    #expect(sent["m0"] != nil)
    _ = sent.confirm(upTo: 990)
    #expect(sent["m979"] == nil)
    #expect(sent["m980"]?.state == .server)
    #expect(sent["m990"]?.state == .sent)
  }

  @Test func aHundredThousandMessagesCostNoMoreEachThanTen() {
    var sent = SentMessages(limit: 1_000)
    for number in 0..<100_000 {
      sent.add(id: "m\(number)", to: bob)
      if number % 3 == 0 { _ = sent.bounce(id: "m\(number)", .undefined) }
      if number % 100 == 0 { _ = sent.confirm(upTo: sent.count) }
    }
    #expect(sent.count == 100_000)
    #expect(sent["m98999"] != nil)
    #expect(sent["m90000"] == nil)
  }
}
