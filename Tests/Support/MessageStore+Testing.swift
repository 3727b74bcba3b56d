// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawSession

extension MessageStore {
  /// Keeps one message.
  /// - Parameter movesCursor: the archive is known as far as it.
  @discardableResult package func record(_ message: ArrivedMessage, movesCursor: Bool = false) throws -> MessageRecord {
    try record([message], archiveCursor: movesCursor ? message.archiveID : nil)[0]
  }

  /// The texts that a consumer was not presented.
  package func unpresented(to consumer: String = "screen") throws -> [String] {
    try unpresented(to: consumer, after: nil, limit: 1_000).map(\.body)
  }

  /// What waits for its place, in the order of coming.
  package func postponed(limit: Int) throws -> [ArrivedMessage] { try postponed(heldFrom: nil, limit: limit) }

  /// The texts that wait for their place.
  package func postponed() throws -> [String] { try postponed(limit: 1_000).map(\.event.body) }
}

extension LogPlace: ExpressibleByIntegerLiteral {
  /// In a log that never began anew.
  package init(integerLiteral value: Int64) { self.init(seq: value) }
}

extension MessageRecord {
  /// Where the message stands; nil: this program knew it.
  package var place: LogPlace? {
    switch self {
    case .new(let place), .knownElsewhere(let place): place
    case .known: nil
    }
  }
}
