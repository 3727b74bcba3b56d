// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawSession
import JackdawXML

/// Runs single lines: what scripts and the prompt have in common.
@Client package final class LineRunner {
  package let state = LineState()
  /// Where the line stands that runs; nil at the prompt.
  var scriptLine: ScriptLine?
  let application: Application
  /// Where the lines' commands show what they find.
  let output: any Output
  let origin: CommandContext.Origin
  private var message = RepeatedMessage()
  /// The account that the lines work with; nil: none was chosen.
  var account: JID? { state.account?.jid ?? application.settings.chosenAccount }
  /// What a script's variables are first.
  var environment: EnvironmentVariables { application.settings.environment }
  var clock: any LoopClock { application.clock }
  /// The run was asked to end, which the line that ran then has taken care of for itself.
  var isEnding: Bool { application.isEnding }

  package init(origin: CommandContext.Origin, application: Application, output: any Output) {
    self.origin = origin
    self.application = application
    self.output = output
  }

  /// Writes what the lines have shown, as far as it is taken at once: where it cannot be, no further one is to be run. What a command of
  /// another process shows is written there, and whether it was is heard later.
  /// - Throws: ``CommandFailure`` with code 74.
  func writeOut() throws(CommandFailure) {
    if !application.isGuest { output.sendOn() }
    if let failure = application.outputFailure { throw failure }
  }

  /// What is left to do of a line that was taken.
  package enum Step {
    case nothing
    /// A message, and whom it is for: settled when the line was taken, whatever is picked before it is sent.
    case message(String, to: JID, by: Account)
    case command(any ClientCommand, CommandContext)
  }

  /// Reads a line, does what needs no waiting, and settles whom a message is for. Lines are taken in their order.
  /// - Throws: ``CommandFailure``; nobody gets the plain lines that follow if this one may have picked somebody else.
  package func take(_ text: String) throws(CommandFailure) -> Step {
    if origin == .script, text.holds(0) {
      state.lineWasUnreadable()
      throw CommandFailure(.badInput, "nul", "The line holds a NUL byte, which no text has.")
    }
    if origin == .prompt, let name = Line.commandBehindSpace(text, of: application.table) {
      state.lineWasUnreadable()
      throw CommandFailure(
        .usage, "usage",
        "Not sent: there is a space before '/\(name)'. Remove it to run the command, or type '//\(name)' to send that as text."
      )
    }
    let line: Line
    do throws(CommandFailure) {
      let table = application.table
      line = try Line(text, inScript: origin == .script, variables: state.script?.variables) { name in
        table.naming(name, in: .lines).only?.command.declaration.takesLine ?? false
      } withoutOptions: { words, values throws(CommandFailure) in
        try table.words(words, withoutOptionsAt: values)
      }
    } catch {
      // What is wrong with a message does not put in doubt whom it was for.
      if Line.isCommand(text) { commandFailed(Line.commandWords(of: text)) }
      throw error
    }
    return try take(line)
  }

  /// Picks whom plain lines go to, by an address or a name.
  /// - Throws: ``CommandFailure``, as the line that does it; nobody gets the plain lines that follow then.
  package func talk(to word: String) throws(CommandFailure) {
    _ = try take(.command(ToCommand.words(for: word)))
  }

  /// As ``talk(to:)``, for the lines of a script: there a name may have to wait for the contact list.
  func talkWhenKnown(to word: String) async throws(CommandFailure) {
    try await finish(take(.command(ToCommand.words(for: word))))
  }

  /// Opens a conversation, as `/to` does; whom it is with is known already.
  /// - Throws: ``CommandFailure`` where what was said there cannot be shown.
  package func open(_ jid: JID) throws(CommandFailure) {
    do {
      try context(of: ToCommand.word).open(jid)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Whom `/r` would open; nil: nobody.
  var lastWriter: JID? {
    // The store has reported its error.
    (try? context(of: LastWriterCommand.word).lastWriter()) ?? nil
  }

  /// A command's, that no line has.
  func context(of command: String) -> CommandContext {
    CommandContext(
      origin: origin, application: application, output: output, lines: state, command: command, account: state.account,
      location: scriptLine?.description)
  }

  /// As the other, for a line that has been read.
  package func take(_ line: Line) throws(CommandFailure) -> Step {
    switch line {
    case .blank: return .nothing
    case .message(let text):
      // Whoever has no account is not to look for somebody to talk to first.
      let account = try currentAccount()
      let to = try state.conversation.recipient(example: context(of: ToCommand.word).examplePerson)
      return .message(text, to: to, by: account)
    case .command(let words):
      do throws(CommandFailure) {
        return try take(words)
      } catch {
        commandFailed(words)
        throw error
      }
    }
  }

  private func commandFailed(_ words: [String]) {
    state.commandFailed(words, of: application.table, isAtPrompt: origin == .prompt)
  }

  private func take(_ words: [String]) throws(CommandFailure) -> Step {
    guard let first = words.first else {
      throw CommandFailure(.usage, "usage", "A command is missing after '/'. '/help all' lists them.")
    }
    let (words, addressed) = try addressed(words)
    switch try application.table.parse(line: words, abbreviated: origin == .prompt, after: &message) {
    case .text(let text):
      for row in HelpRow.lines(of: text) {
        output.show(row, of: first, account: account)
      }
      return .nothing
    case .command(let command, let name):
      let endsDoubt = state.doubt?.ends(with: type(of: command).declaration) == true
      let context = CommandContext(
        origin: origin, application: application, output: output, lines: state, command: name,
        account: addressed ?? state.account, isAccountNamed: addressed != nil,
        doubt: addressed == nil && !endsDoubt ? state.doubt : nil,
        timeout: try SettingsReader.timeout(ofLine: command.shared), location: scriptLine?.description)
      let isToWait = (command as? ToCommand).map { context.awaitsName($0.address) } ?? false
      guard let command = command as? any ImmediateCommand, !isToWait else {
        if origin == .prompt, let command = command as? any RoomOpening {
          state.enters(by: name, command.room, of: context.accountJID)
        }
        return .command(command, context)
      }
      do throws(CommandFailure) {
        try context.runAtOnce(command)
        if endsDoubt { state.endDoubt() }
      } catch {
        throw named(error, by: command, context)
      }
      return .nothing
    }
  }

  /// Does what is left of a line; returns when that is done.
  /// - Parameter earlier: opens when the messages of the lines before it have been taken; nil: they have been.
  package func finish(_ step: Step, after earlier: Latch? = nil) async throws(CommandFailure) {
    switch step {
    case .nothing: break
    case .message(let text, let to, let account):
      do throws(CommandFailure) {
        try await say(text, to: to, by: account)
      } catch {
        throw state.named(error, of: account)
      }
    case .command(let command, let context):
      do throws(CommandFailure) {
        try await letMessagesGo(before: command, context, after: earlier)
        try await context.run(command)
        if command is ToCommand, state.doubt?.ends(with: ToCommand.declaration) == true { state.endDoubt() }
      } catch {
        // It had to wait, and nobody has heard yet that it failed.
        if let to = command as? ToCommand { commandFailed(to.words(in: context)) }
        if let command = command as? any RoomOpening {
          let account = context.accountJID
          state.conversation.enteringFailed(context.command, command.room, of: account)
          state.entered(by: context.command, command.room, of: account, .failed(command: context.command))
        }
        // What it was to run may not have been reached: a `/to` that was not is as one that failed.
        if origin == .script, let command = command as? any NestingCommand,
          application.table.picking(nested: command.command) != .no
        {
          state.conversation.lineWasUnreadable()
          state.doubtAccount(failed: CommandTable.withoutSlash(command.command), of: application.table)
        }
        throw named(error, by: command, context)
      }
    }
  }

  private func named(
    _ failure: CommandFailure, by command: any ClientCommand, _ context: CommandContext
  ) -> CommandFailure {
    // What is of scripts alone is about no account.
    type(of: command).declaration.isOfScripts ? failure : state.named(failure, of: try? context.account())
  }

  /// What was said before a command is on its way before anything that the command sends: it may block whom that was said to, or
  /// leave the room. Messages keep their order by themselves. In a script there may be thousands, for which a slow server takes longer than
  /// `--timeout`: the command's time does not begin before it has dealt with most.
  private func letMessagesGo(
    before command: any ClientCommand, _ context: CommandContext, after earlier: Latch?
  ) async throws(CommandFailure) {
    guard type(of: command).declaration.turn != .inMessages else { return }
    do {
      try await earlier?.wait()
      // Where no account was chosen the command says so.
      guard let delivery = (try? context.account())?.session?.delivery else { return }
      try await delivery.letGo()
      if origin == .script, command.asksAtOnce { try await delivery.waitForServer(within: context.timeout) }
    } catch {
      throw CommandFailure(error)
    }
  }

  // MARK: Several accounts

  private func currentAccount() throws(CommandFailure) -> Account {
    if let account = state.account { return account }
    return try application.account()
  }

  /// Of several accounts a command's first word may name one (`/send work:bob Hello`), or `--from`; people and rooms behind it may say
  /// the same.
  /// - Throws: ``CommandFailure`` with code 64 where two are named.
  private func addressed(_ words: [String]) throws(CommandFailure) -> ([String], Account?) {
    guard !state.accounts.isEmpty else { return (words, nil) }
    let table = application.table
    var places = table.senders(of: words, in: .lines).map { ($0.place, $0.prefix, isFurther: false) }
    if let first = table.firstArgument(ofLine: words) { places.insert((first, "", false), at: 0) }
    places += table.furtherAddresses(of: words, in: .lines).map { ($0.place, $0.prefix, true) }
    var (words, named) = (words, Account?.none)
    for (place, prefix, isFurther) in places {
      guard let (name, rest) = AccountAddress.split(String(words[place].dropFirst(prefix.count))),
        let account = state.account(called: name)
      else { continue }
      // A further address has one before it, which may be of the account in use.
      if let other = named ?? (isFurther ? state.account : nil), other !== account {
        let both = "\(other.shownName) and \(account.shownName)"
        throw CommandFailure(.usage, "usage", "A line is about one account, and this one is about \(both).")
      }
      words[place] = prefix + rest
      named = account
    }
    // Whom plain lines go to is a matter of their account.
    if let named, table.picksConversation(words, isAtPrompt: origin == .prompt) { state.use(named) }
    return (words, named)
  }
}
