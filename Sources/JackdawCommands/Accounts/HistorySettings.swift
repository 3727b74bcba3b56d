// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawSession

/// What is kept of what was said, and how much of it is fetched and shown.
package struct HistorySettings: Sendable, Equatable {
  /// `archive`: how much of what the server's archive has of earlier times is fetched.
  package var archive: ArchiveExtent
  /// `history_lines`: how many lines are shown when a conversation is opened.
  package var lines: Int
  /// `history_keep`: for how many days messages are kept; nil: for good.
  package var days: Int?
  /// `history_size`: how many bytes the texts of messages may have together; nil: any number.
  package var bytes: Int?
  /// `retracted`: the text of what its sender retracts is removed, and not only marked.
  package var removesRetracted: Bool

  package init(
    archive: ArchiveExtent = .everything, lines: Int = CommandLimits.conversationLines, days: Int? = nil,
    bytes: Int? = nil, removesRetracted: Bool = false
  ) {
    self.archive = archive
    self.lines = lines
    self.days = days
    self.bytes = bytes
    self.removesRetracted = removesRetracted
  }

  /// How much of the server's archive is fetched: nothing that would not be kept.
  var fetched: ArchiveExtent {
    guard let days else { return archive }
    return switch archive {
    case .everything: .days(days)
    case .days(let wanted): .days(min(wanted, days))
    case .nothing: .nothing
    }
  }

  /// What was written before is not kept any longer; nil: nothing is too old. All of a day goes together: to remove one message costs as
  /// much as to remove many, since the index of the search is written anew for it.
  func start(at now: Timestamp) -> Timestamp? {
    guard let days else { return nil }
    let today = now.milliseconds / Self.day
    return Timestamp(milliseconds: max(0, today - Int64(days)) * Self.day)
  }

  private static let day: Int64 = 86_400_000

  /// Reads a number of days: `90d`, `12w`, `2y`.
  /// - Returns: nil where it is none.
  static func days(_ text: String) -> Int? {
    let units: [Character: Int] = ["d": 1, "w": 7, "y": 365]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), 1...longest ~= number,
      text.first != "+", number * unit <= longest
    else { return nil }
    return number * unit
  }

  /// A hundred years, in days.
  private static let longest = 36_500
  /// A hundred terabytes.
  private static let largest = 100_000_000_000_000

  /// Reads a number of bytes: `500MB`, `2GB`.
  /// - Returns: nil where it is none.
  static func bytes(_ text: String) -> Int? {
    let units = ["MB": 1_000_000, "GB": 1_000_000_000]
    guard let unit = units[String(text.suffix(2))], let number = Int(text.dropLast(2)), 1...largest / unit ~= number,
      text.first != "+"
    else { return nil }
    return number * unit
  }
}
