// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// How long a command waits for the answers to what it asks, where that is not what its session was started with: it may run in the
/// session of another program, or stand in a script with a `--timeout` of its own.
package enum PatienceOfCommand: Sendable {
  /// Of one that has its end by itself: what others wait for, too, is not cut short by it.
  case atLeast(Duration)
  /// Of one of many steps, each of which has so long.
  case exactly(Duration)

  /// What a command has begun for others, too, has this: no less than it would have without that command.
  package var ofOthers: PatienceOfCommand? {
    switch self {
    case .atLeast: self
    case .exactly: nil
    }
  }

  /// That of the command which this task works for; nil in tasks that work for none.
  @TaskLocal package static var current: PatienceOfCommand?
}

extension WaitingList {
  /// Waits for the answer to what others have asked, too, which may take longer than a step of the command that waits.
  /// - Throws: as ``wait()``; ``RequestError`` with `timedOut`.
  func waitForAnswer(on clock: any LoopClock) async throws -> Value {
    guard case .exactly(let time)? = PatienceOfCommand.current else { return try await wait() }
    return try await wait(for: time, on: clock) { RequestError.late }
  }
}
