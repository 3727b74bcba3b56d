// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

@Client @Suite("Whom to tell what", .onLoop) struct DisclosuresTests {
  /// Counts how often it is asked.
  private final class CountingStore: PrivacyStore {
    var questions = 0
    var changes = 0
    var hasWritten = false

    func disclosures(to jid: JID) -> [Disclosure: Bool] {
      questions += 1
      return [:]
    }
    func hasWritten(to jid: JID) -> Bool {
      questions += 1
      return hasWritten
    }
    func disclose(_ what: Disclosure, to jid: JID, _ isAllowed: Bool?) { changes += 1 }
    func unsentMarkers(limit: Int) -> [UnsentMarker] { [] }
    func wasSent(_ marker: UnsentMarker, isRead: Bool) {}
  }

  private let clock = ManualClock()
  private let store = CountingStore()
  private let eve: JID
  private let disclosures: Disclosures

  init() throws {
    let account = try JID("alice@example.org")
    eve = try JID("eve@example.net/x")
    let links = FeatureLinks(
      account: account, features: [], capabilities: CapabilityCache(store: nil) { _ in },
      ownAccount: DiscoveryQuestion { () throws(RequestError) in DiscoveryInformation() })
    disclosures = Disclosures([.receipts, .markers], store: store, links: links, account: account, clock: clock)
  }

  @Test("thousands of messages of a stranger are no thousands of questions to the database")
  func stranger() async {
    for _ in 1...1_000 { #expect(!disclosures.allows(.receipts, to: eve)) }
    #expect(store.questions == 2)
    store.hasWritten = true
    await clock.elapse(.seconds(2))
    #expect(disclosures.allows(.receipts, to: eve), "another program has written")
  }

  @Test("whom one writes to is told at once, and later too")
  func writing() async {
    #expect(!disclosures.allows(.receipts, to: eve))
    #expect(!disclosures.isWanted(.typing, writingTo: eve))
    #expect(disclosures.allows(.receipts, to: eve))
    #expect(!disclosures.allows(.typing, to: eve))
    await clock.elapse(.seconds(2))
    #expect(disclosures.allows(.receipts, to: eve))
  }
}
