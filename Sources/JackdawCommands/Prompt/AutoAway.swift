// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `idle_after`: shows the user as away when no key was pressed for so long, and as before at the next one.
@Client final class AutoAway {
  private enum State {
    /// With the last key.
    case here(MonotonicTime)
    /// With what is shown again at the next key.
    case away(Presence)
    /// A key was pressed, and there was no connection to say so.
    case returning(Presence)
  }

  private let limit: Duration
  private let account: Account
  private let clock: any LoopClock
  private var state: State
  private var timer: LoopTimer?
  /// What is announced is no word of the user's.
  private var isAnnouncing = false

  /// - Parameter limit: how long nobody presses a key before they are away.
  init(after limit: Duration, account: Account, clock: any LoopClock) {
    self.limit = limit
    self.account = account
    self.clock = clock
    state = .here(clock.now)
    wait(limit)
  }

  /// The user pressed a key.
  func touched() {
    switch state {
    case .here: state = .here(clock.now)
    case .away(let presence): comeBack(presence)
    case .returning: break
    }
  }

  /// Our presence was announced. A status set through this program by another process's command is not overwritten at the next key.
  func wasAnnounced() {
    guard !isAnnouncing else { return }
    if case .here = state { return }
    state = .here(clock.now)
    wait(limit)
  }

  /// There is a connection again: what was shown before it was lost is shown again.
  func connected() {
    if case .returning(let presence) = state { comeBack(presence) }
  }

  private func comeBack(_ presence: Presence) {
    guard announce(presence) else { return state = .returning(presence) }
    state = .here(clock.now)
    wait(limit)
  }

  private func wait(_ time: Duration) {
    timer = clock.schedule(after: time) { [weak self] in self?.look() }
  }

  private func look() {
    guard case .here(let lastKey) = state else { return }
    let idle = clock.now - lastKey
    guard idle >= limit else { return wait(limit - idle) }
    // Who is busy or away by their own word stays so; who is offline has nobody to tell.
    guard let own = account.session?.features[PresenceBoard.self].own, own.show == nil || own.show == .chat else {
      return wait(limit)
    }
    var away = own
    away.show = .away
    guard announce(away) else { return wait(limit) }
    state = .away(own)
  }

  private func announce(_ presence: Presence) -> Bool {
    guard let session = account.session, session.isOnline else { return false }
    isAnnouncing = true
    defer { isAnnouncing = false }
    do {
      try session.features[PresenceBoard.self].announce(presence)
      return true
    } catch {
      return false
    }
  }
}
