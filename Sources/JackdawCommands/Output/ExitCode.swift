// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How a process ends: sysexits.h, as the manual lists them.
package struct ExitCode: Sendable, Hashable {
  /// What the process gives to `exit`: 0 to 255.
  package let value: Int32

  /// A code that another process ended with.
  package init(value: Int32) { self.value = value }

  /// All of it was done and confirmed.
  package static let success = ExitCode(value: 0)
  /// Wrong usage.
  package static let usage = ExitCode(value: 64)
  /// Bad input: a malformed JID, XML, script line.
  package static let badInput = ExitCode(value: 65)
  /// No such user or contact.
  package static let noUser = ExitCode(value: 67)
  /// The server's name does not resolve, or none of its addresses answers.
  package static let noHost = ExitCode(value: 68)
  /// The server or the other side refused, or cannot.
  package static let unavailable = ExitCode(value: 69)
  /// A bug of ours.
  package static let bug = ExitCode(value: 70)
  /// Disk or terminal failed.
  package static let inputOutput = ExitCode(value: 74)
  /// Timed out, or the connection was lost and not regained in time; what is on its way may still go.
  package static let tryAgain = ExitCode(value: 75)
  /// The peer broke the protocol, or TLS could not be made safe.
  package static let unsafe = ExitCode(value: 76)
  /// Authentication failed.
  package static let authentication = ExitCode(value: 77)
  /// The configuration is wrong or has no account.
  package static let configuration = ExitCode(value: 78)
  /// Interrupted.
  package static let interrupted = ExitCode(value: 130)
}
