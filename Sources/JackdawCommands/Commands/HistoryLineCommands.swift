// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/back`: what was said before.
package struct BackCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "back", abstract: "Show what was said before, in the conversation.",
    discussion:
      "Each time some more: 20 messages, or as many as you say. Where this machine has no more of it, your server is asked."
  )
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing)], turn: .atOnce,
    meanings: ["scroll", "more", "earlier", "pgup"],
    examples: [
      .init("back", "20 messages more."),
      .init("back 100", "100 more."),
    ])

  @Argument(help: ArgumentHelp("How many messages.", valueName: "n"))
  package var count: Int?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if let count, count < 1 { throw ValidationError("'/back' takes a number from 1 on") }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    guard let conversation = try context.openConversation() else { throw context.nobodyPicked }
    let log = try context.log
    // Each goes on where the one before it ends.
    let place = BackPlace(account: try context.account().jid, conversation: conversation)
    let (before, step) = (context.lines.goingBack[place], BackStep(clock: context.application.clock))
    context.lines.goingBack[place] = step
    defer {
      step.isDone.open()
      if context.lines.goingBack[place] === step { context.lines.goingBack[place] = nil }
    }
    try await before?.isDone.wait()
    let shownFrom =
      try context.isStillOpen(conversation) ? context.lines.shownFrom : before?.shownFrom ?? context.shownFrom
    step.shownFrom = shownFrom
    let start = try shownFrom ?? log.firstUnpresented(in: conversation)
    let history = HistoryReader(log: log, context: context)
    let query = LogQuery(conversation: conversation)
    let count = count ?? CommandLimits.backLines
    let isAll = await fetch(count, of: query, before: start, context)
    guard let first = try await history.show(query, before: start, last: count) else {
      return context.output.notice(
        isAll ? "Nothing was said before." : "Nothing was said before, or nothing is kept of it here.")
    }
    step.shownFrom = first
    if try context.isStillOpen(conversation) { context.lines.shownFrom = first }
  }
}

/// Where a `/back` goes back.
struct BackPlace: Hashable {
  var account: JID
  var conversation: JID
}

/// One `/back` that goes on.
@Client final class BackStep {
  /// Opens when it has ended.
  let isDone: Latch
  /// The first message that has been shown again, by it or before it; nil: none has. The next one goes on from there, also where another
  /// conversation was opened meanwhile.
  var shownFrom: Int64?

  init(clock: any LoopClock) { isDone = Latch(clock: clock) }
}

extension BackCommand {
  /// Where the log begins, the archive goes on: as much of it is read as is to be shown.
  /// - Returns: whether there is no more of it.
  @Client fileprivate func fetch(
    _ count: Int, of query: LogQuery, before place: Int64?, _ context: CommandContext
  ) async -> Bool {
    guard let account = try? context.account(), let conversation = query.conversation, let session = account.session,
      session.isOnline
    else { return false }
    do {
      var missing = try await missing(of: count, query, before: place, account.log, context)
      while missing > 0 {
        let read = try await session.archive.readEarlier(of: conversation)
        if read.complete { return true }
        missing -= read.messages
        // Not all that was read is a line of its own.
        if missing <= 0 { missing = try await self.missing(of: count, query, before: place, account.log, context) }
      }
    } catch {
      // Whoever stopped it is told so.
      if Task.isCancelled { return false }
      context.output.detail("The archive cannot be read further back now: \(error)")
    }
    return false
  }

  /// How many of so many messages the log does not have. They are counted piece by piece: whatever their number, the keyboard and the
  /// network have their turn between two pieces.
  @Client private func missing(
    of count: Int, _ query: LogQuery, before place: Int64?, _ log: any MessageLog, _ context: CommandContext
  ) async throws -> Int {
    var query = query
    query.limit = min(query.limit, count)
    var (missing, place) = (count, place)
    repeat {
      let page = try log.page(query, before: place)
      missing -= page.messages.count
      place = page.next
      try await context.application.pause()
    } while missing > 0 && place != nil
    return missing
  }
}

/// `/search`: finds words in everything that was said.
package struct SearchCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find words in what was said, the newest first.",
    discussion: """
      As 'history --search': all the words, '"a phrase"', 'begin*', '*part*', none with '-word'. '/goto' with the number in front of a \
      message opens the conversation there.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.text(.nothing)], options: ["--limit": .nothing], turn: .atOnce, takesOptionsLast: true,
    meanings: ["find", "grep"],
    examples: [
      .init("search cafe nine", "Messages that have both words."),
      .init("search --here \"cafe nine\"", "The words, in this conversation."),
    ])

  @Flag(help: "Only in the conversation that is open.")
  package var here = false

  @Option(help: ArgumentHelp("No more than so many.", valueName: "n"))
  package var limit: Int?

  @Argument(help: "What to look for.")
  package var words: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if SearchWords(words.joined(separator: " ")) == nil { throw ValidationError("'/search' needs a word to look for") }
    if let limit, limit < 1 { throw ValidationError("'--limit' takes a number from 1 on") }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    var query = LogQuery(words: SearchWords(words.joined(separator: " ")))
    if here {
      guard let conversation = try context.openConversation() else { throw context.nobodyPicked }
      query.conversation = conversation
    }
    let history = HistoryReader(log: try context.log, context: context)
    let found = try await history.search(
      query, nil, before: nil, limit: limit ?? CommandLimits.searchLines, around: (0, 0))
    if found == 0 { context.output.notice("Nothing found.") }
  }
}

/// `/goto`: opens a conversation at a message.
package struct GotoCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "goto", abstract: "Open the conversation of a message, by the number in front of it.")
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.loggedMessage)], picksConversation: true,
    meanings: ["jump", "go"],
    examples: [
      .init("goto 1432", "Open the conversation of message 1432.")
    ])

  @Argument(help: ArgumentHelp("The number that '/search' and 'history --search' show.", valueName: "number"))
  package var number: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    guard let number = LogNumber(number)?.value else {
      throw CommandFailure(.usage, "usage", "'\(number)' is not the number of a message.")
    }
    guard let message = try context.log.message(number) else {
      throw CommandFailure(.noUser, "item-not-found", "There is no message \(number), or it is gone.")
    }
    context.lines.conversation = .with(message.conversation)
    try context.showConversation(around: message)
  }
}
