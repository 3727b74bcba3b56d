// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands

/// Lines that were entered, could not be used, and go back to the input line: one at a time and oldest first, so that no two
/// that were meant for different people become one. A value, so that it is tested without a terminal.
struct ReturnedLines: Equatable {
  private struct Line: Equatable {
    var text: String
    /// Whom it was for; nil: nobody.
    var conversation: ConversationKey?
  }

  /// Bounded by what the user types.
  private var waiting: [Line] = []
  /// The line that stands on the input line now, as far as the user has not changed it.
  private var offered: Line?
  /// What is being entered stood on the input line before those that wait.
  private var isEnteringOffered = false

  var isEmpty: Bool { waiting.isEmpty }

  /// A line comes back.
  /// - Parameter conversation: whom it was for, nil: nobody.
  mutating func add(_ text: String, to conversation: ConversationKey? = nil) {
    let line = Line(text: text, conversation: conversation)
    if isEnteringOffered { waiting.insert(line, at: 0) } else { waiting.append(line) }
  }

  /// Whether something waits for the input line to be empty.
  /// - Parameter conversation: the one that is open: what was for another one waits until that is.
  func isDue(in conversation: ConversationKey? = nil) -> Bool { next(in: conversation) != nil }

  private func next(in conversation: ConversationKey?) -> Int? {
    waiting.firstIndex { $0.conversation == nil || $0.conversation == conversation }
  }

  /// The input line is empty: what is to stand there now; nil: nothing.
  /// - Parameter conversation: the one that is open, as in ``isDue(in:)``.
  mutating func offer(in conversation: ConversationKey? = nil) -> String? {
    guard let next = self.next(in: conversation) else { return nil }
    let line = waiting.remove(at: next)
    offered = line
    return line.text
  }

  /// A command is begun where a line stands that came back: it is about something else, and the line comes back behind it.
  /// - Parameter text: what stands on the input line.
  /// - Returns: whether that is the line, unchanged.
  mutating func setAside(_ text: String) -> Bool {
    guard let line = offered, line.text == text else { return false }
    offered = nil
    waiting.insert(line, at: 0)
    return true
  }

  /// Another conversation is open: what stood on the input line is a draft of the one before now.
  mutating func conversationChanged() { offered = nil }

  /// Whoever types has cleared the input line: what stood there is not wanted any more.
  mutating func dropOffered() { offered = nil }

  /// The input line is entered. What comes back until ``endEntering()`` is it.
  mutating func beginEntering() {
    isEnteringOffered = offered != nil
    offered = nil
  }

  mutating func endEntering() { isEnteringOffered = false }

  /// The prompt is left: all that was not used, oldest first.
  /// - Parameter typed: what stands on the input line: where one that came back stood there, what has become of that; nil: nothing.
  mutating func takeAll(typed: String? = nil) -> [String] {
    defer { self = ReturnedLines() }
    let waiting = waiting.map(\.text)
    guard let offered else { return waiting + (typed.map { [$0] } ?? []) }
    return [typed ?? offered.text] + waiting
  }
}
