// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// Whom plain lines go to: whom the line above them, or the prompt, names, and nobody else. A value that hears what became of the
/// lines and says who gets the next one.
package enum Conversation: Sendable, Equatable {
  /// Nobody was picked, or the conversation was closed.
  case none
  case with(JID)
  /// A line could not be understood, and may have been meant to pick somebody else; whoever wrote it has not seen that yet.
  case unclear(JID)
  /// At the prompt a command enters a room, which is opened when it has let the user in: nobody gets anything until then.
  /// - Parameters:
  ///   - command: its name.
  ///   - room: as it was typed.
  ///   - account: whose command it is: several accounts may enter the same room.
  case entering(command: String, room: String, account: JID?)
  /// A line that picks somebody else (`/to`) or nobody (`/close`) failed: nobody gets anything until a `/to` succeeds.
  /// - Parameter command: its name, or the alias that was typed.
  case failed(command: String)

  /// Whom the prompt names.
  package var shown: JID? {
    switch self {
    case .with(let jid), .unclear(let jid): jid
    case .none, .entering, .failed: nil
    }
  }

  /// Who gets a plain line now.
  /// - Parameters:
  ///   - example: whom to name in an example of how to pick somebody.
  ///   - isOfCommand: a command asks, whose conversation it is about, and not what is to be said.
  /// - Throws: ``CommandFailure`` when nobody does.
  package func recipient(
    example: @autoclosure () -> String, isOfCommand: Bool = false
  ) throws(CommandFailure) -> JID {
    let undone = isOfCommand ? "Not done" : "Not sent"
    let text: String
    switch self {
    case .with(let jid): return jid
    case .none: text = Self.pick(example())
    case .unclear: text = "\(undone): the line before it was not understood, and may have meant somebody else."
    case .entering(let command, _, _):
      text = "\(undone), as the '/\(command)' before it has yet to end."
    case .failed(let command):
      text = "\(undone), as the '/\(command)' before it failed. \(Self.pick(example()))"
    }
    throw CommandFailure(.usage, Self.nobodyPicked, text)
  }

  /// The condition of what fails as nobody is talked to.
  static let nobodyPicked = "no-conversation"

  /// What helps on then.
  static func pick(_ example: String) -> String { "Pick somebody first: /to \(example)" }

  /// A command was not understood, or failed at once.
  /// - Parameters:
  ///   - words: its words, as far as they could be told apart.
  ///   - table: the commands that it may have been.
  ///   - isAtPrompt: where some commands open the room that they enter.
  package mutating func commandFailed(_ words: [String], of table: CommandTable, isAtPrompt: Bool) {
    let name = words.first { !$0.hasPrefix("-") } ?? ""
    // Its beginning may have meant that, too; and one of several.
    guard let named = table.naming(name, in: .lines).only else { return lineWasUnreadable() }
    let declaration = named.command.declaration
    if declaration.picksConversation { return self = .failed(command: named.word) }
    if isAtPrompt, let (leaf, _) = table.leaf(of: words, in: .lines), leaf.command is any RoomOpening.Type {
      return self = .failed(command: named.word)
    }
    // The command that it was to run may have been such a one.
    if declaration.runsCommand { lineWasUnreadable() }
  }

  /// A line could not be read: it may have been a `/to`.
  package mutating func lineWasUnreadable() {
    if case .with(let jid) = self { self = .unclear(jid) }
  }

  /// The command that ``entering(command:room:account:)`` is about did not come to its end.
  mutating func enteringFailed(_ command: String, _ room: String, of account: JID?) {
    if self == .entering(command: command, room: room, account: account) { self = .failed(command: command) }
  }

  /// Whoever writes has seen what failed, and sees whom the prompt names.
  package mutating func failureWasShown() {
    if case .unclear(let jid) = self { self = .with(jid) }
  }
}
