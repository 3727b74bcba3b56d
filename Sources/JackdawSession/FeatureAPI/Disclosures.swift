// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Whom the user lets know what. It tells of their being there and of their habits: contacts alone are told, and those to whom the
/// user has written, as far as the user lets them.
@Client package final class Disclosures {
  /// What all are told, but for whom the user said otherwise.
  package let settings: Set<Disclosure>
  private let store: (any PrivacyStore)?
  private let links: FeatureLinks
  private let account: JID
  private let clock: any LoopClock
  /// What is known of people, until it is looked at again: another program may change it, and messages come in thousands.
  /// Bounded by ``SessionLimits/correspondents``.
  private var known: [JID: Known] = [:]
  /// The one of them that was asked for last: most messages are to whom the one before was.
  private var last: Known?
  /// As ``PrivacyStore/changes`` was when they were looked up.
  private var changes = 0

  private final class Known {
    let jid: JID
    /// What the user said of them.
    let own: [Disclosure: Bool]
    /// What they are told if they may be told anything: an array, as a few are found sooner by comparing than by hashing.
    private let wanted: [Disclosure]
    /// The user has written to them; nil: nobody has looked.
    var isWrittenTo: Bool?
    let until: MonotonicTime

    init(
      of jid: JID, own: [Disclosure: Bool], _ settings: Set<Disclosure>, isWrittenTo: Bool?, until: MonotonicTime
    ) {
      self.jid = jid
      self.own = own
      wanted = Disclosure.allCases.filter { own[$0] ?? settings.contains($0) }
      self.isWrittenTo = isWrittenTo
      self.until = until
    }

    func wants(_ what: Disclosure) -> Bool { wanted.contains(what) }
  }

  init(
    _ settings: Set<Disclosure>, store: (any PrivacyStore)?, links: FeatureLinks, account: JID, clock: any LoopClock
  ) {
    self.clock = clock
    self.settings = settings
    self.store = store
    self.links = links
    self.account = account
  }

  /// Whether somebody may be told something.
  package func allows(_ what: Disclosure, to jid: JID) -> Bool {
    guard !jid.sharesBare(with: account) else { return false }
    if let rooms = links.rooms, rooms.isRoom(jid) { return allows(what, in: jid, rooms) }
    guard let store else { return settings.contains(what) && links.maySeePresence(jid) }
    // The store has reported its error: nothing is told then of what might have been forbidden.
    guard let known = known(jid, store), known.wants(what) else { return false }
    return known.isWrittenTo == true || links.maySeePresence(jid) || hasWritten(to: jid.bare, known, store)
  }

  /// Whoever is in a room is nobody whom the user knows by that; but they may say that it is told there. That a message has come the room
  /// tells by reflecting it.
  private func allows(_ what: Disclosure, in jid: JID, _ rooms: any RoomDirectory) -> Bool {
    guard what != .receipts else { return false }
    if let store {
      // The store has reported its error.
      guard let known = known(jid, store) else { return false }
      if let said = known.own[what] { return said }
    }
    return settings.contains(what) && rooms.isPrivate(jid)
  }

  /// Whether the user wants it with somebody to whom they are writing, whoever that is to them. Who is written to may answer at once.
  func isWanted(_ what: Disclosure, writingTo jid: JID) -> Bool {
    guard let store else { return settings.contains(what) }
    // The store has reported its error: nothing is told then of what might have been forbidden.
    guard let known = known(jid, store) else { return false }
    known.isWrittenTo = true
    return known.wants(what)
  }

  private func known(_ jid: JID, _ store: any PrivacyStore) -> Known? {
    let now = clock.now
    if store.changes != changes { (known, last, changes) = ([:], nil, store.changes) }
    if let last, last.jid.sharesBare(with: jid), now < last.until { return last }
    let jid = jid.bare
    if let known = known[jid], now < known.until {
      last = known
      return known
    }
    guard let own = try? store.disclosures(to: jid) else { return nil }
    if known.count >= SessionLimits.correspondents { known.removeAll() }
    let wasWrittenTo = known[jid]?.isWrittenTo == true
    let new = Known(
      of: jid, own: own, settings, isWrittenTo: wasWrittenTo ? true : nil, until: now + SessionLimits.disclosuresKnown)
    known[jid] = new
    last = new
    return new
  }

  private func hasWritten(to jid: JID, _ known: Known, _ store: any PrivacyStore) -> Bool {
    if let isWrittenTo = known.isWrittenTo { return isWrittenTo }
    guard let isWrittenTo = try? store.hasWritten(to: jid) else { return false }
    known.isWrittenTo = isWrittenTo
    return isWrittenTo
  }
}
