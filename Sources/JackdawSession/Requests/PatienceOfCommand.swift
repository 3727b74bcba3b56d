// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How long a command waits for the answers to what it asks, where that is not what its session was started with: it may run in the
/// session of another program, or stand in a script with a `--timeout` of its own.
package enum PatienceOfCommand: Sendable {
  /// Of one that has its end by itself: what others wait for, too, is not cut short by it.
  case atLeast(Duration)
  /// Of one of many steps, each of which has so long.
  case exactly(Duration)

  /// That of the command which this task works for; nil in tasks that work for none.
  @TaskLocal package static var current: PatienceOfCommand?
}
