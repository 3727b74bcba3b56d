// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// What kind of run a session is for. It never changes.
package enum SessionRole: Sendable, Equatable {
  /// One command: one try, no presence, gone with the connection. It presents no messages, and its stream is not resumed.
  case oneShot
  /// As ``oneShot``, to see whether a log-in works: it takes over nothing that earlier commands left.
  case probe
  /// A script or `listen`: fails when the first try does, comes back when the connection is lost.
  case script(Presence?)
  /// A person: tries until told otherwise.
  case interactive(Presence?)

  /// For one command: ``oneShot`` or ``probe``.
  package var isOneShot: Bool {
    switch self {
    case .oneShot, .probe: true
    case .script, .interactive: false
    }
  }

  /// A person may be typing.
  package var isInteractive: Bool { if case .interactive = self { true } else { false } }

  /// How it is shown to contacts at first; nil: not at all.
  package var presence: Presence? {
    switch self {
    case .oneShot, .probe: nil
    case .script(let presence), .interactive(let presence): presence
    }
  }
}
