// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Takes over what earlier runs of the account left in the log: their open messages, to be sent, and deferred ones.
@Client final class Adoption {
  private enum Progress {
    case notBegun
    /// The log could not be read, and is asked again when the timer fires. As long as another program has it locked, the log-in waits
    /// for it, until `loginWaitsUntil`.
    case retrying(LoopTimer, loginWaitsUntil: MonotonicTime?)
    case done
  }

  private let core: CoreContext
  private let store: (any MessageStore)?
  private let cursor: ArchiveCursor
  private let delivery: Delivery
  private let intake: Intake
  private var progress = Progress.notBegun
  private let waiting = WaitingList<Void>()
  /// It took until after a log-in: the server's word on the earlier stream has been missed.
  var onLate: (() -> Void)?

  init(
    _ core: CoreContext, store: (any MessageStore)?, cursor: ArchiveCursor, delivery: Delivery, intake: Intake
  ) {
    self.core = core
    self.store = store
    self.cursor = cursor
    self.delivery = delivery
    self.intake = intake
  }

  /// Called before the first connection, by a session that remains online. A second call does nothing.
  func begin() {
    guard store != nil, case .notBegun = progress else { return }
    intake.stageAtLogin = .holding
    takeOver()
  }

  /// A log that cannot be read now, as another program has it locked, says nothing of what it holds: it is asked until it does.
  private func takeOver() {
    guard let store else { return }
    do {
      try cursor.read()
      let left = try store.adopt()
      let isLate = if case .retrying = progress { true } else { false }
      progress = .done
      waiting.end(.success(()))
      delivery.adopt(left.ours)
      intake.hasPostponed = intake.hasPostponed || left.hasPostponed
      guard isLate, delivery.hasStream else { return }
      // It is too late to go by a `<resumed h='…'/>`: the archive is searched for these messages.
      delivery.inherited = []
      onLate?()
    } catch {
      // The store has reported its error.
      let timer = core.clock.schedule(after: SessionLimits.logPause) { [weak self] in self?.takeOver() }
      let isLocked = (error as? any StoreFailure)?.isBusy == true
      let patienceEnd = loginWaitsUntil ?? core.clock.now + core.logPatience
      progress = .retrying(timer, loginWaitsUntil: isLocked ? patienceEnd : nil)
    }
  }

  private var loginWaitsUntil: MonotonicTime? {
    if case .retrying(_, let end) = progress { end } else { nil }
  }

  /// Waits while another program has the log locked at the start, but not for ever. What is said, or comes, before it is known what
  /// an earlier run left would go before that, and its stream would not be resumed.
  func logIsRead() async {
    guard let end = loginWaitsUntil, core.clock.now < end else { return }
    try? await waiting.wait(for: end - core.clock.now, on: core.clock) { CancellationError() }
  }
}
