// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How long a command waits for the answers to what it asks, where that is not what its session was started with: it may run in the
/// session of another program, or stand in a script with a `--timeout` of its own.
package enum PatienceOfCommand {
  /// That of the command which this task works for; nil in tasks that work for none.
  @TaskLocal package static var current: Duration?
}
