// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The stages that an inbound message passes, in this order.
package enum InboundStage: Int, CaseIterable, Sendable {
  /// Is the sender allowed to say this? (Errors, spoofed carbons, rooms never joined.)
  case verify
  /// Take out what is wrapped: carbons, archive results, encryption.
  case unwrap
  /// Seen before?
  case deduplicate
  /// Into the store, before anything is acknowledged.
  case record
  /// To the features that act on it and to the events.
  case deliver
}

/// Whether a message goes on.
package enum StageVerdict: Sendable {
  case pass
  /// Done with: later stages do not see it.
  case drop
}
