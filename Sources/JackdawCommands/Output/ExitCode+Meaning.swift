// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What each code says, for help and the manual.
extension ExitCode {
  /// All of them, in their order.
  package static let all: [ExitCode] = [
    .success, .usage, .badInput, .noUser, .noHost, .unavailable, .bug, .inputOutput, .tryAgain, .unsafe,
    .authentication, .configuration, .interrupted,
  ]

  /// When a process ends with it, in a sentence; empty for a code that is none of ``all``.
  package var meaning: String {
    switch self {
    case .success: "All of it was done and confirmed."
    case .usage: "Wrong usage."
    case .badInput: "Bad input: a malformed JID, XML, or line of a script."
    case .noUser: "No such user or contact."
    case .noHost: "The server's name does not resolve, or none of its addresses answers."
    case .unavailable: "The server or the other side refused or cannot."
    case .bug: "A bug of Jackdaw."
    case .inputOutput: "Disk or terminal failed."
    case .tryAgain:
      """
      Timed out, or the connection was lost and not regained in time, also to another log-in, while a message was on its way; the text \
      says what was not confirmed. Or the system had no room for a program just then.
      """
    case .unsafe: "The peer broke the protocol, or TLS could not be made safe."
    case .authentication: "Authentication failed."
    case .configuration: "The configuration is wrong or has no account."
    case .interrupted: "Interrupted."
    default: ""
    }
  }
}
