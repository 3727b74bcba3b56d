// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The pauses of a command that writes to the log in one transaction after the other.
///
/// Another program that waits for the log looks only now and then whether it is free, and would never find it so in the instant
/// between two of them: every now and then it is left alone for longer.
@Client final class LogPauses {
  private let application: Application
  /// Since when it has not been left alone.
  private var heldSince: MonotonicTime

  /// - Parameter application: whose run the command belongs to.
  init(_ application: Application) {
    self.application = application
    heldSince = application.clock.now
  }

  /// Between two transactions: lets everything else in this program have its turn, and at times other programs.
  /// - Throws: `CancellationError`.
  func pause() async throws {
    let clock = application.clock
    guard clock.now - heldSince >= CommandLimits.logHeld else { return try await application.pause() }
    try await clock.sleep(for: CommandLimits.logLeft)
    heldSince = clock.now
  }
}
