// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A message can neither be sent now, as there is no connection, nor stored to be sent later.
package struct MessageNotStored: Error, Sendable, CustomStringConvertible {
  /// Why the store does not take it.
  package var reason: String
  package var description: String { "You are offline, and it cannot be saved: \(reason)" }
}
