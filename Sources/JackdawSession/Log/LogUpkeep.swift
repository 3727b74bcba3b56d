// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// What a program that stays does for the log: what came is made findable while nothing else is to be done, and what was answered on
/// another device counts as read.
@Client package final class LogUpkeep {
  private let log: any MessageLog
  private let clock: any LoopClock
  private var timer: LoopTimer?
  private var arrivals: Subscription?

  /// Begins some seconds from now, and again whenever messages came and none has come for so long.
  package init(_ log: any MessageLog, events: EventBus, clock: any LoopClock) {
    self.log = log
    self.clock = clock
    arrivals = events.on(MessageArrived.self) { [weak self] message in
      if message.carbon == .sent, let place = message.place {
        // What is wrong with the store has been told by it.
        try? log.markRead(message.to.bare, through: place.seq)
      }
      self?.rest()
    }
    rest()
  }

  private func rest() {
    timer = clock.schedule(after: SessionLimits.logRest) { [weak self] in self?.work() }
  }

  private func work() {
    // What is wrong with the store has been told by it; another program that has it locked may be doing the same.
    guard let left = try? log.extendIndex(isWaitedFor: false), left > 0 else { return }
    timer = clock.schedule(after: SessionLimits.logIndexPause) { [weak self] in self?.work() }
  }
}
