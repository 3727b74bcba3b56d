// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Messages that were read from the archive and logged, and are not posted yet. Those that another program of the account had logged
/// before have been presented from the log, or are posted here without being counted.
@Client final class CaughtUpMessages {
  private let core: CoreContext
  private let intake: Intake
  /// Bounded by ``SessionLimits/toldTogether``, and a page.
  private var waiting: [(event: MessageArrived, place: LogPlace, isNew: Bool)] = []
  /// When they are posted, even if a page is still to come.
  private var telling: LoopTimer?

  init(_ core: CoreContext, _ intake: Intake) {
    self.core = core
    self.intake = intake
  }

  func add(_ event: MessageArrived, at place: LogPlace, isNew: Bool) { waiting.append((event, place, isNew)) }

  /// More may follow, with the next page.
  func pageHasEnded() {
    guard waiting.count < SessionLimits.toldTogether else { return tell() }
    if !waiting.isEmpty, telling == nil {
      telling = core.clock.schedule(after: SessionLimits.toldWithin) { [weak self] in self?.tell() }
    }
  }

  /// Posts them, and before them how many new ones are from others.
  func tell() {
    telling = nil
    guard !waiting.isEmpty else { return }
    let read = waiting
    waiting = []
    // A correction is the words of a message that is there, or is counted itself.
    let arrived = read.count {
      $0.isNew && $0.event.carbon != .sent && !$0.event.isAnnotation && !$0.event.corrects
    }
    if arrived > 0 { core.events.post(CaughtUp(messages: arrived)) }
    for (event, place, _) in read { intake.tell(event, place) }
  }
}
