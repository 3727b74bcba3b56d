// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What people read.
///
/// On a terminal rows stand in columns, presence is gathered into few lines and nothing is wider than the window. On a pipe
/// each row is one line, its cells separated by a TAB (`cut -f2`), and each event one line as it comes, but for the steps of one friendship, which are
/// one line; a newline within a cell is `\n`, further lines of a message are marked as everywhere.
@Client package final class TextOutput: Output {
  let out: any TextSink
  let errors: any TextSink
  let names: any NameSource
  let clock: any LoopClock
  private let time: LineClock
  let verbosity: Verbosity
  let isPrompt: Bool
  let isStyling: Bool
  let repeatsRetracted: Bool

  /// Whom plain lines go to. A message of the user's own to them is shown without addressee where the line above is of
  /// the same conversation.
  package var conversation: JID?
  /// The account that lines of the prompt are about, as it is called: what is of it needs no name before it.
  package var currentAccount: String? { didSet { accountLabel = label(of: account) } }
  /// The account of what is shown, where that is not plain.
  var accountLabel: String?
  /// Whose what is shown is, by its bare address; nil: that is not known.
  var account: JID?
  /// What an account is called, given its bare address, and nil where it is not named; nil: as ``names`` has it.
  private let accountName: (@Client (JID) -> String?)?
  /// The conversation of the last line that was a message as it came, whose it was, and how much was on the screen then.
  var lastMessage: (conversation: JID, account: JID, shown: Int)?
  /// Of a message that did not arrive whom it was for, whose it was and why, and what was shown by then.
  var lastFailure: (to: JID, account: JID?, reason: String, shown: Int)?

  var rows: HeldRows?
  var folded = FoldedTexts()
  var history = ShownHistory()
  var notes = NotesToSelf()
  var rowsAreDue = false
  var friendships = FriendDigest()
  var friendshipsTimer: LoopTimer?
  var requests: [FriendRequested] = []
  var requestsTimer: LoopTimer?
  /// How long requests are gathered before they are told.
  var requestsWindow = TerminalLimits.presenceWindow
  /// How many have been told of in a flood that goes on.
  var toldInFlood = 0
  /// When many were last told of at once.
  var lastFlood: MonotonicTime?
  var occupants = OccupantDigest()
  var occupantsTimer: LoopTimer?
  var invitations = InvitationCount()
  var invitationsTimer: LoopTimer?
  var receiptsTimer: LoopTimer?
  /// By the account that it is of. Bounded by the accounts.
  private(set) var accountNews: [JID?: AccountNews] = [:]
  private var hasProgress = false
  /// Of whom it was said that they are strangers. Bounded by ``TerminalLimits/rememberedAddresses``.
  var strangers: Set<JID> = []
  /// The last person of whom that was to be said.
  var lastStranger: JID?
  /// The day under which the last line stands.
  var shownDay: String?
  /// The day of the lines that are being written, where they are not of now.
  var earlierDay: String?

  /// - Parameters:
  ///   - out: for results and events.
  ///   - errors: for notices and failures; the prompt is both.
  ///   - isPrompt: commands are typed here: hints begin with `/`, and notices and failures are lines like the others.
  ///   - isStyling: texts are shown as their authors styled them (XEP-0393).
  ///   - accountName: what an account is called, given its bare address, where what is of it says so; nil: as `names` has it.
  ///   - repeatsRetracted: what is taken back is named by its words: the log keeps them.
  package init(
    out: any TextSink, errors: any TextSink, names: any NameSource, clock: any LoopClock,
    wallClock: @escaping @Client () -> Timestamp, localTime: LocalTime = .system, verbosity: Verbosity = .normal,
    isPrompt: Bool = false, isStyling: Bool = true, repeatsRetracted: Bool = true,
    accountName: (@Client (JID) -> String?)? = nil
  ) {
    self.out = out
    self.errors = errors
    self.names = names
    self.clock = clock
    time = LineClock(wallClock, localTime)
    self.verbosity = verbosity
    self.isPrompt = isPrompt
    self.isStyling = isStyling
    self.repeatsRetracted = repeatsRetracted
    self.accountName = accountName
  }

  // MARK: Output

  package func show(_ row: any CommandRow, of command: String, account: JID?) {
    if let row = row as? HistoryRow { return show(row, of: account) }
    // It names who is there: they get no line of their own.
    if row is WelcomeRow { _ = news(of: account).presence.drain() }
    hold(row, of: label(of: account))
    if let code = row.code { show(code) }
  }

  package func show(document: [UInt8]) {
    endRows()
    guard out.columns != nil else { return out.write(line: document) }
    for line in document.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      let text = line.last == 0x0D ? line.dropLast() : line
      put(Escaper.line(String(decoding: text, as: UTF8.self)) + "\n")
    }
  }

  package func show(_ event: any ClientEvent, of account: JID) {
    endRows()
    begin(account)
    if let message = event.asMessage {
      if !notes.repeats(message) { show(message, of: account) }
      return
    }
    switch event {
    case let state as MessageStateChanged: show(state)
    case let presence as PresenceChanged: show(presence)
    case let friend as FriendChanged: show(friend)
    case let request as FriendRequested: show(request)
    case let connection as ConnectionChanged: show(connection)
    case let ending as FriendshipEnded:
      friendships.take(ending)
      gatherFriendships()
    case let news as CaughtUp: show(news)
    case let news as ArchiveRead: show(news)
    case let block as BlockChanged: put(lines.block(block, person(block.jid)))
    case let room as RoomChanged: show(room)
    case let occupant as OccupantChanged: show(occupant)
    default:
      // The state of typing and what scripts post is for JSON and for scripts; a person sees it when asked for.
      if verbosity == .verbose { put(lines.notice(type(of: event).name)) }
    }
  }

  /// What an account is called, where it is not plain which it is.
  func label(of account: JID?) -> String? {
    guard let account = account?.bare else { return nil }
    let name = if let accountName { accountName(account) } else { names.accountName(account) }
    return name == currentAccount ? nil : name
  }

  /// Whether a conversation of the account whose what is shown is is the one that plain lines go to: another account may have one with the same
  /// person, or in the same room.
  func isOpen(_ conversation: JID) -> Bool { conversation == self.conversation && accountLabel == nil }

  /// What comes is of another account than what was gathered.
  func begin(_ account: JID?) {
    let label = label(of: account)
    var isOther = false
    if let account, let before = self.account { isOther = !before.sharesBare(with: account) }
    guard isOther || label != accountLabel else {
      if self.account == nil { self.account = account?.bare }
      return
    }
    tellFriendships()
    tellOccupants()
    tellInvitations()
    tellRequests()
    tellReceipts()
    (accountLabel, self.account) = (label, account?.bare)
  }

  /// What was told of an account, and is to be told.
  func news(of account: JID?) -> AccountNews {
    if let known = accountNews[account?.bare] { return known }
    let news = AccountNews()
    accountNews[account?.bare] = news
    return news
  }

  /// That of the account whose what is shown is.
  var news: AccountNews { news(of: account) }

  package func notice(_ text: String) {
    guard verbosity > .quiet else { return }
    remark(Self.words(text))
  }

  package func warn(_ text: String) { remark(Self.words(text)) }

  package func progress(_ text: String?) {
    guard verbosity > .quiet, !isPrompt else { return }
    let isBegun = hasProgress
    hasProgress = text != nil
    guard !errors.style.isSpoken else {
      // The first word of it is enough to listen to.
      if let text, !isBegun, errors.columns != nil { errors.write(Escaper.line(text) + "\n") }
      return
    }
    errors.write(progress: text)
  }

  /// What is written next stands on a line of its own; whoever shows how far they are does it again.
  func clearProgress() { if hasProgress { progress(nil) } }

  package func detail(_ text: String) {
    guard verbosity == .verbose else { return }
    remark(Self.words(text))
  }

  package func trace(_ text: String) { remark(text) }

  package func fail(_ failure: CommandFailure, account: JID?) {
    guard failure.condition != CommandFailure.brokenPipe else { return }
    endRows()
    out.settle()
    if isPrompt {
      begin(nil)
      put(lines.failure(Self.lines(of: failure)))
    } else {
      let layout = EntryLayout(style: errors.style, columns: errors.columns)
      let program = EntryLayout.Label(text: "jackdaw", look: .bad, separator: ": ")
      errors.write(layout.entry(time: "", label: program, lines: Self.lines(of: failure)))
    }
  }

  /// The program's own words, which may name an address or repeat a server's.
  static func words(_ text: String) -> String {
    Escaper.spellingAddresses(in: text.clipped(to: TerminalLimits.failureLength))
  }

  /// What a server said may be long; what the user wrote and nobody has is shown whole.
  static func lines(of failure: CommandFailure) -> [String] {
    Escaper.lines(
      failure.condition == CommandFailure.notSent
        ? failure.text : words(failure.text))
  }

  package func whenOut(_ action: @escaping @Client () -> Void) { out.whenOut(action) }

  package var holdsBack: Bool { out.holdsBack }
  package func whenRoom(_ action: @escaping @Client () -> Void) { out.whenRoom(action) }

  package func clearScreen() {
    endRows()
    out.clearScreen()
  }

  package func settle() {
    endRows()
    tellFriendships()
    tellAllPresence()
    tellOccupants()
    tellInvitations()
    tellRequests()
    errors.settle()
    out.settle()
  }

  package func sendOn() { out.settle() }

  package func flush() async throws(CommandFailure) {
    settle()
    try await out.flush(beside: errors)
  }

  /// - Parameter isOfAccount: it is about the account whose what is shown is; else it is about none.
  func remark(_ text: String, isOfAccount: Bool = false) {
    endRows()
    out.settle()
    if isPrompt {
      if !isOfAccount { begin(nil) }
      put(lines.remark(Escaper.lines(text)))
    } else {
      let layout = EntryLayout(style: errors.style, columns: errors.columns)
      var lines = Escaper.lines(text)
      // No time stands here that could have the account behind it.
      if isOfAccount, let accountLabel { lines[0] = "[\(Escaper.line(accountLabel))] \(lines[0])" }
      errors.write(layout.plain(lines))
    }
  }

  // MARK: What lines need

  var layout: EntryLayout { EntryLayout(style: out.style, columns: out.columns) }

  var lines: TextLines {
    let now = time.read()
    return TextLines(
      layout: layout, localTime: time.localTime, now: now.time,
      time: now.text,
      account: accountLabel, isStyling: isStyling, friendsCommand: friendsCommand,
      roomsCommand: command("/rooms", "jackdaw rooms"))
  }

  /// The day that it is.
  var today: String { time.read().day }

  /// The command that hints begin with.
  var friendsCommand: String { command("/friends", "jackdaw friends") }

  /// The one of the shell names the account, where that is not plain; at the prompt it stands behind it (``TextLines/typed(_:)``).
  private func command(_ ofPrompt: String, _ ofShell: String) -> String {
    if isPrompt { return ofPrompt }
    guard let name = accountLabel.flatMap(TextLines.word(ofAccount:)) else { return ofShell }
    return ofShell.replacing("jackdaw ", with: "jackdaw --account \(name) ")
  }

  /// - Parameter account: the one in whose conversations they are: the user's other accounts are others there; nil: that is not known.
  func person(_ jid: JID, name: String? = nil, of account: JID? = nil) -> Person {
    let owner = account ?? self.account
    let naming = names.naming(jid, of: owner)
    let isOwn = account?.sharesBare(with: jid) ?? names.isOwn(jid)
    return Person(jid, name: name ?? naming.name, isFriend: naming.isFriend, isOwn: isOwn)
  }
}
