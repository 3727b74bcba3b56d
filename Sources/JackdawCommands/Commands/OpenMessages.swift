// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// The messages that a command has sent and whose fate is open. When the command fails it says what becomes of them: who sends them again,
/// though they are saved, sends them twice.
@Client final class OpenMessages {
  /// By their ids. Bounded by the messages that may be open.
  private var ids: Set<String> = []
  private var session: Session?

  /// A message was sent.
  func add(_ id: String, in session: Session) {
    ids.insert(id)
    self.session = session
  }

  /// The fate of a message is known.
  func remove(_ id: String) { ids.remove(id) }

  /// The command's failure, with what becomes of its messages.
  /// - Parameter outlasts: the session goes on when the command has ended.
  func explained(_ failure: CommandFailure, outlasts: Bool) -> CommandFailure {
    var failure = failure
    for sentence in fate(after: failure, outlasts) { failure.text += " " + sentence }
    return failure
  }

  private func fate(after failure: CommandFailure, _ outlasts: Bool) -> [String] {
    guard let session else {
      // Of a wrong word it is clear that nothing came of it.
      let isClear = ![.noHost, .tryAgain, .interrupted].contains(failure.code)
      return isClear ? [] : ["Nothing was sent, and nothing is saved."]
    }
    let (saved, unsaved) = session.delivery.openCount(of: ids)
    var sentences: [String] = []
    switch (saved, outlasts) {
    case (0, _): break
    case (1, true): sentences.append("1 message is saved and will still be sent: 'jackdaw outbox' lists it.")
    case (_, true): sentences.append("\(saved) messages are saved and will still be sent: 'jackdaw outbox' lists them.")
    case (1, false):
      sentences.append(
        "1 message is saved: the next command sends it unless it has arrived, and 'jackdaw outbox' lists it.")
    case (_, false):
      sentences.append(
        "\(saved) messages are saved: the next command sends those that have not arrived, and 'jackdaw outbox' lists them."
      )
    }
    if unsaved == 1 { sentences.append("1 message is not saved, and no other command sends it.") }
    if unsaved > 1 { sentences.append("\(unsaved) messages are not saved, and no other command sends them.") }
    return sentences
  }
}
