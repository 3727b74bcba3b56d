// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much, how long, how often: every bound of this module, with its reason.
package enum SessionLimits {
  /// After `</stream:stream>` a server that works answers at once; a person who quits does not wait longer than this.
  package static let closingPatience: Duration = .seconds(2)
  /// Requests that run side by side at log-in, or for a command with several addresses: more would be queued by the
  /// server anyway.
  package static let requestsAtLogin = 16
  /// Bytes that wait for a server that does not read. More than a script sends in one go; beyond it sending fails, and
  /// requests of others stay unanswered.
  package static let pendingOutput = 33_554_432

  /// Stanzas that a server may have taken without acknowledging them. Far more than any server lets pass before it answers;
  /// beyond it sending fails, so that the memory stays bounded.
  package static let unacknowledged = 50_000
  /// So long a cut stream counts as resumable where the server does not say: what most servers are set to.
  package static let resumptionTime: Duration = .seconds(600)

  /// Friends' requests that are held at once: a flood from made-up addresses must not fill the memory.
  package static let pendingFriendRequests = 10_000
  /// Characters that are kept of what somebody writes with a request, and of the name they give themselves: more than
  /// anybody reads in a list.
  package static let requestText = 1_024

  /// Resources of one contact whose presence is kept. Servers allow some ten sessions an account; more is a flood.
  package static let resourcesPerContact = 64
  /// Resources of all contacts whose presence is kept: the largest roster that Jackdaw is built for, each with two.
  /// Anybody may send directed presence.
  package static let resources = 100_000
  /// Contacts of whom it is remembered when they went: one time each, for the largest roster that Jackdaw is built for.
  package static let departures = 50_000
  /// Characters that are kept of a resource's status: more than a list shows.
  package static let statusText = 1_024

  /// Messages of ours that the server has, and whose bounce is still recognised. An error comes back within minutes, if
  /// at all.
  package static let rememberedMessages = 10_000
  /// So long after a message the server is asked whether it has it, when nobody asked before.
  package static let confirmationDelay: Duration = .seconds(1)
}
