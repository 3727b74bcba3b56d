// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// What was typed in each conversation and not entered: what is typed in one never gets onto the input line of another. A value, so
/// that it is tested without a terminal.
struct Drafts: Equatable {
  /// An input line as it was left.
  struct Draft: Equatable {
    var text: String
    /// Where the cursor was: bytes from the beginning.
    var point: Int
  }

  private enum Place: Hashable {
    case nobody
    case conversation(ConversationKey)
  }

  /// Bounded by the conversations that the user types in.
  private var kept: [Place: Draft] = [:]
  private var current = Place.nobody
  /// That of the conversation that is open is still to be put on the input line: something else was typed ahead.
  private(set) var isDue = false

  /// Another conversation is opened, or none.
  /// - Parameters:
  ///   - conversation: nil: none.
  ///   - line: what stands on the input line.
  /// - Returns: what is to stand there now.
  mutating func open(_ conversation: ConversationKey?, leaving line: Draft) -> Draft {
    let before = current
    current = conversation.map { .conversation($0) } ?? .nobody
    guard before != current else { return line }
    let waiting = isDue ? kept[before] : nil
    isDue = false
    // What was typed while nobody was open is for whoever is opened, unless there is something to be gone on with.
    if before == .nobody, waiting == nil, kept[current] == nil { return line }
    kept[before] = Self.joined(waiting, line)
    return kept.removeValue(forKey: current) ?? Draft(text: "", point: 0)
  }

  /// What waited for an empty line, and what was typed before there was one, for the same person.
  private static func joined(_ waiting: Draft?, _ line: Draft) -> Draft? {
    guard !line.text.isEmpty else { return waiting }
    guard let waiting else { return line }
    return Draft(text: waiting.text + "\n" + line.text, point: waiting.text.utf8.count + 1 + line.point)
  }

  /// Another conversation is opened by a line that was entered, behind which more may have been typed already: what is kept waits for an
  /// empty input line.
  mutating func open(_ conversation: ConversationKey?) {
    current = conversation.map { .conversation($0) } ?? .nobody
    isDue = kept[current] != nil
  }

  /// The prompt is left: what was typed in all of them.
  mutating func takeAll() -> [String] {
    defer { self = Drafts() }
    return kept.values.map(\.text).sorted()
  }

  /// The input line is empty: what is to stand there now; nil: nothing.
  mutating func takeDue() -> Draft? {
    guard isDue else { return nil }
    isDue = false
    return kept.removeValue(forKey: current)
  }
}
