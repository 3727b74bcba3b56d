// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What the prompt keeps for each of its accounts.
@Client final class PromptDesk {
  let account: Account
  let tracker: ConversationTracker
  let marks: ReadMarks
  let completer: Completer
  private(set) var notifier: Notifier?
  private(set) var autoAway: AutoAway?
  /// Addresses for which 'not a contact' was already shown, or what they are instead: a server, an occupant, blocked, oneself, an invitation.
  /// Bounded by what the user opens.
  var toldOf: Set<JID> = []
  /// The first log-in is under way, and whoever waits for it tells why it is refused.
  var awaitsFirstLogin = false

  /// - Parameter onChange: called when something of it is to be shown otherwise.
  init(
    _ account: Account, lines: LineState, application: Application, onChange: @escaping @Client () -> Void
  ) {
    self.account = account
    tracker = ConversationTracker(account: account, lines: lines, clock: application.clock)
    marks = application.readMarks(of: account)
    completer = Completer(table: application.table, account: account) { [account] in
      lines.recent(of: account)
    } otherAccounts: { [account] in
      lines.accounts.filter { $0 !== account }
    } foldedNumbers: { [output = application.output] in
      output.foldedNumbers
    } openConversation: {
      lines.conversation.shown
    }
    tracker.onChange = onChange
    marks.onNoted = { [tracker] in tracker.changed($0) }
  }

  /// The prompt is there.
  func begin(_ application: Application, _ control: any PromptControl) {
    notifier = Notifier(application: application, account: account, control: control)
    autoAway = application.settings.idleAfter.map { AutoAway(after: $0, account: account, clock: application.clock) }
  }

  /// The prompt is left.
  func end() {
    tracker.end()
    notifier?.end()
    account.onGuestSaid = nil
  }

  /// The user pressed a key.
  func touched() {
    account.userActed()
    notifier?.touched()
    autoAway?.touched()
  }
}
