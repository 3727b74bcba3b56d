// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// When the archive is read once more on the same stream.
extension CatchUp {
  /// A message that is under way while we become available may reach the archive a moment after it was read, and no stream: ejabberd
  /// keeps it for the presence after this one. The cursor stays until a second read. Only where archive ids are verified, else messages
  /// that came meanwhile would be shown twice.
  func lookAgainSoon() {
    let timer = core.clock.schedule(after: SessionLimits.secondLook) { [weak self] in
      guard let self else { return }
      progress = .lookingAgain
      start(orRemark: "The archive cannot be read a second time")
    }
    progress = .awaitingSecondLook(timer)
  }

  /// Without this, messages that only other devices got would be missing as long as the stream lasts, and that may be for weeks.
  func tryAgainLater(_ reading: Reading) {
    guard self.reading === reading, !core.role.isOneShot, delivery.hasStream, core.wire.isReady else { return }
    let pause = SessionLimits.archiveRetry * (1 << min(failedReadings, SessionLimits.archiveRetryDoublings))
    failedReadings += 1
    let timer = core.clock.schedule(after: pause) { [weak self] in
      guard let self, self.reading == nil else { return }
      progress = .behind
      start(orRemark: "The archive still cannot be read")
    }
    progress = .awaitingAnotherTry(timer)
  }

  /// ``catchUp()``, which nobody waits for.
  /// - Parameter failure: what is said where it fails, before the reason.
  private func start(orRemark failure: String) {
    EventLoop.main.start { [weak self] in
      do {
        try await self?.catchUp()
      } catch {
        self?.core.remark("\(failure): \(error)")
      }
    }
  }

  /// The log could not take what came for a while, and takes something again: the archive has what is missing.
  func logTakesAgain() {
    guard reading == nil, intake.history?.vouchesForIDs ?? false else { return }
    if case .awaitingSecondLook = progress { return }
    progress = .behind
    start(orRemark: "What could not be stored cannot be read from the archive")
  }

  /// Carbons come only from now on, as the log-in went on without the server's answer: the archive has our other devices' messages of
  /// the time between.
  func copiesHaveBegun() {
    guard intake.history?.vouchesForIDs ?? false else { return }
    if reading != nil {
      intake.coverage = .gap
      return
    }
    switch progress {
    // It is read after that.
    case .behind, .awaitingSecondLook: return
    case .lookingAgain, .awaitingAnotherTry, .done: break
    }
    intake.coverage.mayLackSome()
    progress = .behind
    // Where the connection is gone it is read when that is back.
    guard core.wire.isReady else { return }
    start(orRemark: "What other devices sent during the log-in cannot be read from the archive")
  }

  /// The messages of earlier runs could be inherited only after the log-in: the archive says what became of them.
  func adoptionIsLate() {
    reading?.isOutdated = true
    start(orRemark: "What became of earlier messages cannot be read from the archive")
  }
}
