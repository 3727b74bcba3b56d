// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// What is kept of a request beside its handler, when the caller keeps nothing of its own.
///
/// A caller that wants to know more when the answer comes (a ping its start time, a command its line) gives any value
/// of its own as `info` instead.
package struct TrackingInfo: Sendable {
  package var id: String
  /// The request as it was sent; nil when it is tracked by its id alone.
  package var element: Element?
  package var timeout: Timeout
}

/// Replies that belonged to no request.
package struct DroppedReplies: Sendable, Equatable {
  /// Nobody waits (any more) for an answer with this id.
  package var late = 0
  /// The id is right, but the sender is not whom the request was sent to (RFC 6120 8.1.2.1).
  package var foreign = 0
}
