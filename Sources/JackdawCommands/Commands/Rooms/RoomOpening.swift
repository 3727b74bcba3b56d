// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// A command that at the prompt opens the room that it enters, once the room has let the user in. What is typed behind it is meant for
/// the room: until then nobody gets it, see ``Conversation/entering(command:room:account:)``. In a script plain lines go where they went before.
protocol RoomOpening: ClientCommand {
  /// As it was typed.
  var room: String { get }
}

extension RoomOpening {
  /// The room is about to be entered. At the prompt what was said there before is shown, above what the room sends then.
  /// - Throws: where what was said there cannot be shown.
  @Client func begin(_ jid: JID, in context: CommandContext) throws -> OpeningRoom {
    let opening = OpeningRoom(jid, room, context)
    try opening.begin()
    return opening
  }
}

/// A room that is being entered, to be opened.
@Client struct OpeningRoom {
  private let jid: JID
  private let room: String
  private let context: CommandContext

  fileprivate init(_ jid: JID, _ room: String, _ context: CommandContext) {
    self.jid = jid
    self.room = room
    self.context = context
  }

  /// Whether nothing else was opened meanwhile.
  private var isMeant: Bool {
    context.origin == .prompt
      && context.lines.conversation == .entering(command: context.command, room: room, account: context.accountJID)
  }

  /// The account's plain lines go there.
  private var isOpen: Bool {
    (try? context.account()).map { context.lines.conversation(of: $0).shown?.bare == jid } ?? false
  }

  fileprivate func begin() throws {
    if isMeant { try context.showConversation(with: jid) }
  }

  /// The room has let the user in.
  func finish() {
    let lines = context.lines
    if context.origin == .prompt { lines.entered(by: context.command, room, of: context.accountJID, .with(jid)) }
    if isMeant {
      let shownFrom = lines.shownFrom
      lines.conversation = .with(jid)
      lines.shownFrom = shownFrom
      // What the room has sent meanwhile stands on the screen. The store has reported its error.
      try? context.markReadWhatIsShown(of: jid)
    } else if context.origin == .prompt, !isOpen {
      // Meanwhile another account may be looked at.
      let account =
        context.application.settings.namesAccounts ? (try? context.account()).map { "\($0.shownName):" } : nil
      context.output.notice("To talk there, type: /to \(account ?? "")\(jid)")
    }
  }
}
