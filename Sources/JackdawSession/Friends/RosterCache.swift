// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// The roster as it is kept between log-ins, as far as it can be: the session goes on without, after one remark.
///
/// After a write that failed nothing more is written but a whole roster: the cache stays at a version that it really
/// has, and the next log-in brings all that happened since.
@Client struct RosterCache {
  private let store: (any RosterStore)?
  private let remark: @Client (String) -> Void
  private var isBehind = false
  /// Whether the store has a whole roster, which differs from the present one by nothing that it was not told.
  private var isWhole = false
  /// Of what was last written or read here; another program of the account may have written since.
  private var version: String?
  private var hasFailed = false

  init(_ store: (any RosterStore)?, remark: @escaping @Client (String) -> Void) {
    self.store = store
    self.remark = remark
  }

  /// What is cached; nil when there is nothing, or nothing that can be read.
  mutating func load() -> RosterSnapshot? {
    guard let store else { return nil }
    do {
      let kept = try store.loadRoster()
      isWhole = kept != nil
      version = kept?.version
      return kept
    } catch {
      fail("The cached contact list cannot be read: \(error)")
      return nil
    }
  }

  /// The whole roster has come. Only what differs is written where the store had the one before.
  mutating func bring(to roster: Roster, changed: [RosterItem], gone: [JID]) {
    guard isWhole, !isBehind else { return replace(with: roster) }
    var isOurs = true
    let earlier = version
    write { isOurs = try $0.changeRoster(from: earlier, keep: changed, forget: gone, version: roster.version) }
    version = roster.version
    if !isOurs { replace(with: roster) }
  }

  private mutating func replace(with roster: Roster) {
    write { try $0.replaceRoster(roster.snapshot) }
    isWhole = !isBehind
    version = roster.version
  }

  /// Brings a cache that is behind to what the roster is now.
  mutating func catchUp(with roster: Roster) {
    if isBehind { replace(with: roster) }
  }

  mutating func keep(_ push: RosterPush) {
    guard !isBehind else { return }
    switch push.change {
    case .set(let item): write { try $0.keep(item, version: push.version) }
    case .remove(let jid): write { try $0.forget(jid, version: push.version) }
    }
    // Lists without a version cannot be told apart: another program's may stand there when the whole one comes.
    if push.version == nil, version != nil { isWhole = false }
    version = push.version
  }

  /// What is cached is what the server has, as far as it is cached.
  mutating func confirm(at time: Timestamp) {
    if !isBehind { write { try $0.confirmRoster(at: time) } }
  }

  /// When what is cached was last what the server had; nil: nobody knows.
  mutating func time() -> Timestamp? {
    do {
      return try store?.timeOfRoster()
    } catch {
      fail("The age of the cached contact list cannot be read: \(error)")
      return nil
    }
  }

  private mutating func write(_ body: (any RosterStore) throws -> Void) {
    guard let store else { return }
    do {
      try body(store)
      isBehind = false
    } catch {
      isBehind = true
      fail("The contact list cannot be cached: \(error)")
    }
  }

  private mutating func fail(_ text: String) {
    guard !hasFailed else { return }
    hasFailed = true
    remark(text)
  }
}
