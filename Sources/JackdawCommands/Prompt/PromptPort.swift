// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// A conversation of one of the accounts that a prompt has.
package struct ConversationKey: Hashable, Sendable {
  /// Whom it is with: a bare address, but for an occupant of a room.
  package var conversation: JID
  /// Whose it is, a bare address; nil: there is one account.
  package var account: JID?

  package init(_ conversation: JID, of account: JID? = nil) {
    self.conversation = conversation
    self.account = account
  }
}

/// What the prompt line shows beside the cursor, and the terminal in its title.
package struct PromptState: Sendable, Equatable {
  /// What the one who is talked to is to the user, where that is no contact of theirs, or one who is blocked.
  package enum Company: Sendable {
    /// The user's own account: other devices of theirs get it.
    case oneself
    /// Somebody who is blocked, on the contact list or not.
    case blocked
    /// Somebody who is not on the contact list.
    case stranger
    /// An address without a localpart.
    case server
    case room
    /// Somebody in a room, and nobody else there.
    case occupant
  }

  /// A conversation that is not open and has unread messages.
  package struct Unread: Sendable, Equatable {
    /// The friend's name or JID.
    package var name: String
    package var count: Int

    package init(_ name: String, _ count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// How the one who is talked to is, as `available`, `chat`, `away`, `xa`, `dnd`, `unavailable`, or `typing`; nil when not known.
  package var presence: String?
  /// The friend's name or JID that plain lines go to, nil when to nobody.
  package var conversation: String?
  /// Whose draft is on the input line: the address of ``conversation``, and the account.
  package var address: ConversationKey?
  /// What the account is called that lines go out by; nil: there is one.
  package var account: String?
  /// Nil: a contact, or it is not known.
  package var company: Company?
  /// In a room, what those are called who are typing there.
  package var typists: [String] = []
  /// How the user is shown, as ``presence``, where that is not plainly online; `unavailable` where they asked not to be seen.
  package var ownPresence: String?
  /// Unread messages of the conversation that is open.
  package var unread = 0
  /// The first of the others with unread messages, the one with the newest message first.
  package var others: [Unread] = []
  /// How many more there are.
  package var moreOthers = 0
  /// Unread messages of all conversations.
  package var allUnread = 0
  package var connection: ConnectionChanged.State
  /// The seconds until the next try to connect, rounded up, where one is planned.
  package var retryIn: Int?

  package init(
    presence: String? = nil, conversation: String? = nil, connection: ConnectionChanged.State = .offline,
    retryIn: Int? = nil
  ) {
    self.presence = presence
    self.conversation = conversation
    self.connection = connection
    self.retryIn = retryIn
  }
}

/// A key that opens another conversation.
package enum SwitchKey: Sendable, Hashable {
  /// That of a digit.
  case number(Int)
  /// The next one with unread messages.
  case nextUnread
  /// The one with whoever wrote last.
  case reply
  /// None: what the user wrote last here comes to the input line, to be corrected.
  case correctLast
}

/// One way to go on with what is being typed.
package struct Completion: Sendable, Equatable {
  /// What replaces the word, unquoted; the prompt quotes it as a shell would.
  package var text: String
  /// What is offered where ``text`` is not safe to be typed; nil: nothing.
  package var instead: String?
  /// False where more is likely to follow directly (an option's `=`).
  package var endsWord: Bool

  package init(_ text: String, instead: String? = nil, endsWord: Bool = true) {
    self.text = text
    self.instead = instead
    self.endsWord = endsWord
  }
}

/// What the prompt asks of the rest: the terminal calls, the commands answer.
@Client package protocol PromptDelegate: AnyObject {
  /// A key was pressed.
  func promptTouched()
  /// A key was pressed, and what stands on the input line would be sent as a message; or it is empty or a command.
  func promptTyped(isMessage: Bool)
  /// A line was entered (a paste with newlines is one line). Return what must not be kept in the history as false.
  func promptEntered(_ line: String) -> Bool
  /// A key for another conversation was pressed. The conversation has changed, and ``PromptControl/update(_:)`` was called, when this
  /// returns: the next key is typed to whom the prompt names then.
  func promptSwitches(_ key: SwitchKey)
  /// Tab: `words` are the unquoted words before the one at the cursor, `partial` that word up to the cursor.
  func promptCompletions(words: [String], partial: String) -> [Completion]
  /// Ctrl-C on an empty line: what a command waits for is not wanted any more.
  func promptInterrupted()
  /// Ctrl-D on an empty line, SIGTERM or SIGHUP.
  func promptEnded()
  /// Ctrl-Z: the process is about to stop.
  func promptSuspends()
  /// The process runs again after ``promptSuspends()``.
  func promptResumed()
}

extension PromptDelegate {
  package func promptTouched() {}
  package func promptTyped(isMessage: Bool) {}
  package func promptInterrupted() {}
  package func promptSwitches(_ key: SwitchKey) {}
}
