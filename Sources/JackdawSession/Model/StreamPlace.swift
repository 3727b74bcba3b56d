// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A place in what is sent on a stream that may be resumed (XEP-0198): what a later run needs to know whether the server has
/// a message.
package struct StreamPlace: Sendable, Equatable {
  /// The server's name for the stream.
  package var stream: String
  /// How many of our stanzas the stream had when this one had been sent, modulo 2³².
  package var position: UInt32

  package init(stream: String, position: UInt32) {
    self.stream = stream
    self.position = position
  }

  /// Whether a server that has handled so many stanzas of the stream has this one.
  package func isReached(by handled: UInt32) -> Bool { Int32(bitPattern: handled &- position) >= 0 }
}
