// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What lines share: whom plain ones go to, and whether to leave.
@Client package final class LineState {
  /// Whom plain lines go to.
  package var conversation = Conversation.none {
    didSet {
      guard conversation != oldValue else { return }
      if case .failed = conversation {
        shownBeforeFailure = oldValue.shown ?? shownBeforeFailure
      } else {
        shownBeforeFailure = nil
      }
      if conversation.shown != oldValue.shown { shownFrom = nil }
      onChange?()
    }
  }
  /// Whom the conversation was with that a line ended as it failed, until another is picked; nil: none did. Nothing is sent there.
  private(set) var shownBeforeFailure: JID?
  /// How each account's last command ended that entered a room at the prompt: what was typed before that is about what came of it.
  /// Bounded by the accounts.
  private var entered: [JID?: (entering: Conversation, outcome: Conversation)] = [:]
  /// The first message of the conversation that has been shown again; nil where none has. `/back` goes on from there.
  package var shownFrom: Int64?
  /// Of each conversation in which a `/back` goes on, the last of them. Bounded by what is typed meanwhile.
  var goingBack: [BackPlace: BackStep] = [:]
  /// The conversations that can be switched to; kept current at the prompt alone.
  package var recent = RecentConversations()
  /// Who wrote the last message that is on the screen, a bare address; nil: nobody, or it is no prompt.
  package var lastWriter: JID?
  /// The accounts that lines can be about, where there are several; the first is the one to begin with.
  package private(set) var accounts: [Account] = []
  /// The one that they are about; nil: the one that was chosen.
  package private(set) var account: Account?
  /// The one that a script has named (`/account`): nobody is looked for among the people of the others from then on.
  private(set) var settledAccount: Account?
  /// Why a script's lines may be about another account; nil: they are about ``account``.
  private(set) var doubt: AccountDoubt?
  /// What belongs to the accounts that are not in use. Bounded by ``accounts``.
  private var left: [ObjectIdentifier: Left] = [:]

  private struct Left {
    var conversation = Conversation.none
    var shownBeforeFailure: JID?
    var shownFrom: Int64?
    var recent = RecentConversations()
    var lastWriter: JID?
  }

  /// What the server is to have at the end of a script.
  let unconfirmed = UnconfirmedMessages()
  /// What happens, for the lines that wait for it.
  let events = LineEvents()
  /// What only a script's commands use; nil at the prompt.
  package var script: ScriptState?
  /// True from ``leave()`` on: for good.
  package private(set) var isLeaving = false
  /// Called when the conversation changed or leaving was asked for.
  package var onChange: (@Client () -> Void)?

  package init() {}

  /// Lines can be about any of these accounts: about the first, until another is taken.
  func work(with accounts: [Account]) {
    self.accounts = accounts.count > 1 ? accounts : []
    account = accounts.first
  }

  /// Lines are about another account from now on, and go on in the conversation that was open there.
  func use(_ other: Account) {
    guard other !== account else { return }
    if let account {
      if case .entering = conversation { conversation = .none }
      left[ObjectIdentifier(account)] = Left(
        conversation: conversation, shownBeforeFailure: shownBeforeFailure, shownFrom: shownFrom, recent: recent,
        lastWriter: lastWriter)
    }
    let kept = left.removeValue(forKey: ObjectIdentifier(other)) ?? Left()
    account = other
    recent = kept.recent
    conversation = kept.conversation
    shownBeforeFailure = kept.shownBeforeFailure
    (shownFrom, lastWriter) = (kept.shownFrom, kept.lastWriter)
    onChange?()
  }

  /// Lines are about an account because a script says so.
  func settle(on account: Account) {
    use(account)
    settledAccount = account
    doubt = nil
  }

  /// The account that lines are about has been chosen.
  func endDoubt() { doubt = nil }

  /// A line could not be read: it may have been a `/to`, or an `/account`.
  func lineWasUnreadable() {
    conversation.lineWasUnreadable()
    doubtAccount(.unclear)
  }

  /// A command was not understood, or failed at once: as ``Conversation/commandFailed(_:of:isAtPrompt:)``.
  func commandFailed(_ words: [String], of table: CommandTable, isAtPrompt: Bool) {
    conversation.commandFailed(words, of: table, isAtPrompt: isAtPrompt)
    doubtAccount(failed: words, of: table)
  }

  /// A command failed that may have chosen an account.
  func doubtAccount(failed words: [String], of table: CommandTable) {
    guard let reason = AccountDoubt(failed: words, of: table) else { return }
    if reason.endsWithConversation {
      // A '/to' that names an account, or stands behind an '/account', looks for nobody among the others' people. One that names an
      // account which there is not may have meant any.
      if let named = table.firstArgument(ofLine: words).flatMap({ AccountAddress.split(words[$0]) }) {
        if account(called: named.name) != nil { return }
      } else if settledAccount != nil {
        return
      }
    }
    doubtAccount(reason)
  }

  /// At the prompt whoever types sees which account it names.
  private func doubtAccount(_ reason: AccountDoubt) {
    guard !accounts.isEmpty, script != nil else { return }
    // What only an '/account' ends is not to end with a '/to'.
    if doubt == nil || doubt?.endsWithConversation == true { doubt = reason }
  }

  /// Where plain lines go: the account that they are about, and the conversation of each account.
  struct Direction {
    fileprivate var account: Account?
    fileprivate var settledAccount: Account?
    fileprivate var doubt: AccountDoubt?
    fileprivate var conversation: Conversation
    /// Of the accounts that are not in use. Bounded by ``accounts``.
    fileprivate var left: [ObjectIdentifier: Conversation]
  }

  /// Where they go now.
  var direction: Direction {
    Direction(
      account: account, settledAccount: settledAccount, doubt: doubt, conversation: conversation,
      left: left.mapValues(\.conversation))
  }

  /// Plain lines go again where they went then.
  func restore(_ direction: Direction) {
    if let account = direction.account { use(account) }
    settledAccount = direction.settledAccount
    doubt = direction.doubt
    conversation = direction.conversation
    for other in left.keys { left[other]?.conversation = direction.left[other] ?? .none }
  }

  /// The account of a name or an address among several.
  func account(called name: String) -> Account? {
    accounts.first { $0.name == name || $0.jid.bare.description == name }
  }

  /// The conversation of an account, which goes on where lines are about that.
  func conversation(of account: Account) -> Conversation {
    isInUse(account) ? conversation : left[ObjectIdentifier(account)]?.conversation ?? .none
  }

  /// As ``shownFrom``, of an account's conversation.
  func shownFrom(of account: Account) -> Int64? {
    isInUse(account) ? shownFrom : left[ObjectIdentifier(account)]?.shownFrom
  }

  /// The conversations of an account that lines can be about.
  func recent(of account: Account) -> RecentConversations {
    isInUse(account) ? recent : left[ObjectIdentifier(account)]?.recent ?? RecentConversations()
  }

  /// They have changed.
  func update(_ account: Account, _ change: (inout RecentConversations) -> Void) {
    if isInUse(account) { change(&recent) } else { change(&left[ObjectIdentifier(account), default: Left()].recent) }
  }

  /// A command enters a room at the prompt, which is open when it has let the user in.
  /// - Parameter account: whose command it is.
  func enters(by command: String, _ room: String, of account: JID?) {
    conversation = .entering(command: command, room: room, account: account)
    if entered[account]?.entering == conversation { entered[account] = nil }
  }

  /// A command that entered a room at the prompt has ended.
  /// - Parameters:
  ///   - account: whose command it was.
  ///   - outcome: what is open then, unless something else was opened meanwhile.
  func entered(by command: String, _ room: String, of account: JID?, _ outcome: Conversation) {
    entered[account] = (.entering(command: command, room: room, account: account), outcome)
  }

  /// What has become of a conversation that was open when a line was taken: of a room that was being entered, what came of that.
  func outcome(of conversation: Conversation) -> Conversation {
    guard case .entering(_, _, let account) = conversation, let known = entered[account], known.entering == conversation
    else { return conversation }
    return known.outcome
  }

  /// Plain lines go no more to a room, nor to anybody in it, that an account has left.
  func close(_ room: JID, of account: Account) {
    if isInUse(account) {
      if conversation.shown?.bare == room { conversation = .none }
    } else if left[ObjectIdentifier(account)]?.conversation.shown?.bare == room {
      left[ObjectIdentifier(account)]?.conversation = .none
    }
  }

  /// Somebody wrote the last message on the screen.
  func wrote(_ writer: JID, to account: Account) {
    lastWritten = accounts.isEmpty ? nil : account
    if isInUse(account) {
      lastWriter = writer
    } else {
      left[ObjectIdentifier(account), default: Left()].lastWriter = writer
    }
  }

  /// Of several accounts, the one that somebody wrote to last; nil: there is one, or nobody has written.
  private(set) var lastWritten: Account?

  private func isInUse(_ other: Account) -> Bool { account.map { $0 === other } ?? true }

  /// A failure of a script's line, which names the account that it is about where there are several.
  /// - Parameter account: nil: it is about none.
  func named(_ failure: CommandFailure, of account: Account?) -> CommandFailure {
    guard !accounts.isEmpty, script != nil, let account, !failure.namesAccount, !failure.namesFile else {
      return failure
    }
    var named = failure.located(account.shownName)
    named.account = account.jid
    named.namesAccount = true
    return named
  }

  /// No further line is to be run.
  package func leave() {
    isLeaving = true
    onChange?()
  }
}
