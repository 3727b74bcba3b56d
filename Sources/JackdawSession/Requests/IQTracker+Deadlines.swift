// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

extension IQTracker {
  /// Sees to it that the one timer fires no later than the earliest deadline. A timer that is set too early is left
  /// alone: firing once for nothing costs less than setting it anew for every answer.
  func arm() {
    guard let earliest = deadlines.nextDeadline else {
      timer = nil
      return
    }
    if let timer, timer.deadline <= earliest { return }
    timer = (clock.schedule(at: earliest) { [weak self] in self?.deadlinePassed() }, earliest)
  }

  /// Ends what is due. What the handlers track meanwhile is due later, however short its timeout: no timeout is none at
  /// all.
  private func deadlinePassed() {
    let now = clock.now
    while let id = deadlines.popFirst(dueAt: now) {
      take(id)?.end(.timedOut)
    }
    timer = nil
    arm()
  }
}
