// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Where messages are put in order before they are imported, however many there are and in whatever order they were read. Gone with
/// the program.
@Client package protocol MessageStage: AnyObject {
  /// Adds messages, those of one moment in the order in which they stand.
  func add(_ messages: [StagedMessage]) throws
  /// Takes the newest that are left, oldest first, and with them all that were written shortly before or after one of them, so
  /// that no two which might be the same are taken apart; none: that was all.
  /// - Parameter limit: about how many.
  func takeNewest(_ limit: Int) throws -> [ArrivedMessage]
}

/// A message with the moment by which it has its place among the others.
package struct StagedMessage: Sendable, Equatable {
  package var message: ArrivedMessage
  package var place: Timestamp

  /// - Parameter place: nil: when it was written.
  package init(_ message: ArrivedMessage, place: Timestamp? = nil) {
    self.message = message
    self.place = place ?? message.time
  }
}
