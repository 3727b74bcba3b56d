// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `history`: what was said.
package struct HistoryCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [
    HistoryShowCommand.self, HistorySyncCommand.self, HistoryImportCommand.self, HistoryArchiveCommand.self,
    HistoryOffCommand.self, HistoryOnCommand.self, HistoryDeleteCommand.self,
  ]
  package static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Read again what was said, and search it.",
    discussion: """
      Everything that was said is kept on this machine: 'history' reads it there, and works without a connection. 'history bob' is \
      the conversation with Bob, 'history' alone lists the conversations.
      """,
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .commandWithArguments(HistoryShowCommand.self),
    meanings: [
      "log", "logs", "scrollback", "archive", "lastlog", .init("search", adding: ["--search"]),
      .init("grep", adding: ["--search"]), .init("find", adding: ["--search"]),
      .init("export", adding: ["--export"]),
    ])
  package init() {}
}

/// `history show`: a conversation, or the list of them; or what a search finds.
package struct HistoryShowCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what was said; without a name, the conversations.",
    discussion: """
      The last 50 messages, unless a time, '--limit' or '--all' asks for others. A time is 14:00, yesterday, 2026-11-01, \
      '2026-11-01 14:00', or how long ago: 30m, 2h, 3d, 2w. What was written on the day of '--until' is shown too.

      '--search' finds the messages that have all the words, the newest first: '"a phrase"' as it stands, 'begin*', '*part*' of \
      words, and none with '-word'. Case and accents make no difference. The number in front of each is for '/goto'.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.name(.friend)],
    options: [
      "--search": .nothing, "--regex": .nothing, "--from": .friend, "--since": .nothing, "--until": .nothing,
      "--limit": .nothing, "--before": .nothing, "--after-context": .nothing, "--before-context": .nothing,
      "--context": .nothing, "--export": .words(HistoryFormat.allCases.map(\.rawValue)),
    ], isPaged: true, isLocal: true,
    meanings: ["view"],
    examples: [
      .init("history", "The conversations that there are."),
      .init("history Bob", "What was said with Bob."),
      .init("history --search 'cafe nine'", "Find words."),
    ])

  @Argument(help: ArgumentHelp("With whom: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var address: String?

  @Option(help: ArgumentHelp("Only what has all these words.", valueName: "words"))
  package var search: String?

  @Option(help: ArgumentHelp("Only what matches this regular expression.", valueName: "regex"))
  package var regex: String?

  @Option(help: ArgumentHelp("Only what this person wrote; 'me': you.", valueName: "jid"), completion: .declared)
  package var from: String?

  @Option(help: ArgumentHelp("Not before then.", valueName: "time"))
  package var since: String?

  @Option(help: ArgumentHelp("Not after then.", valueName: "time"))
  package var until: String?

  @Option(help: ArgumentHelp("The last so many.", valueName: "n"))
  package var limit: Int?

  @Flag(help: "All of them.")
  package var all = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only what stands before the message of this number or id.", valueName: "message"))
  package var before: String?

  @Option(
    name: [.customShort("A", allowingJoined: true), .long],
    help: ArgumentHelp("So many messages behind each that is found.", valueName: "n"))
  package var afterContext: Int?

  @Option(
    name: [.customShort("B", allowingJoined: true), .long],
    help: ArgumentHelp("So many before each that is found.", valueName: "n"))
  package var beforeContext: Int?

  @Option(
    name: [.customShort("C", allowingJoined: true), .long], help: ArgumentHelp("So many on both sides.", valueName: "n")
  )
  package var context: Int?

  @Option(
    help: ArgumentHelp(
      "Write all of it, or what is asked for, to stdout as a file: text, json or html.", valueName: "format"))
  package var export: HistoryFormat?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if export != nil, search != nil || regex != nil {
      throw ValidationError("use '--export' or a search, not both")
    }
    if search != nil, regex != nil { throw ValidationError("use '--search' or '--regex', not both") }
    if let search, SearchWords(search) == nil { throw ValidationError("'--search' needs a word to look for") }
    if all, limit != nil { throw ValidationError("use '--all' or '--limit', not both") }
    for (name, number) in [("limit", limit), ("context", context)] {
      if let number, number < 1 { throw ValidationError("'--\(name)' takes a number from 1 on") }
    }
    for number in [afterContext, beforeContext] {
      if let number, number < 0 { throw ValidationError("a context takes a number from 0 on") }
    }
    let hasContext = afterContext != nil || beforeContext != nil || context != nil
    if hasContext, !searches { throw ValidationError("a context is for '--search' and '--regex'") }
  }

  /// Whoever reads it may take any time.
  package var isLimited: Bool { false }

  private var searches: Bool { search != nil || regex != nil }

  @Client package func run(in context: CommandContext) async throws {
    let now = context.application.now()
    let reader = MomentReader(now: now)
    var query = LogQuery(words: search.flatMap { SearchWords($0) })
    query.since = try since.map { try reader.start($0) }
    query.until = try until.map { try reader.end($0) }
    try await context.learnNames([address, from == "me" ? nil : from].compactMap { $0 })
    query.conversation = try address.map { try context.conversation($0) }
    query.sender = try from.map { try sender($0, context) }
    query.isSenderUser = try query.sender == context.account().jid.bare
    let log = try context.log
    let place = try before.map { try number(of: $0, query.conversation, log) }
    let history = HistoryReader(log: log, context: context)
    if searches {
      let pattern = try regex.map { try TextPattern($0) }
      try await history.search(
        query, pattern, before: place, limit: all ? .max : limit ?? CommandLimits.historyLength,
        around: (beforeContext ?? self.context ?? 0, afterContext ?? self.context ?? 0))
      return
    }
    if let export {
      if context.application.settings.isJSON, export != .json {
        throw CommandFailure(.usage, "usage", "'--json' fills stdout with JSON Lines: '--export json'")
      }
      return try await HistoryExport(history: history, format: export).write(query, before: place, last: limit)
    }
    let hasTime = since != nil || until != nil
    guard query.conversation != nil || query.sender != nil || hasTime || before != nil || limit != nil || all else {
      return try await history.conversations()
    }
    let count = limit ?? (all || hasTime ? nil : CommandLimits.historyLength)
    try await history.show(query, before: place, last: count)
  }

  /// - Parameter word: a number as the log has it, or the id that a message was sent with.
  @Client private func number(of word: String, _ conversation: JID?, _ log: any MessageLog) throws -> Int64 {
    if let number = LogNumber(word) { return number.value }
    guard let number = try log.number(ofID: word, in: conversation) else {
      throw CommandFailure(.noUser, "item-not-found", "There is no message '\(word)'.")
    }
    return number
  }

  @Client private func sender(_ word: String, _ context: CommandContext) throws -> JID {
    word == "me" ? try context.account().jid.bare : try context.knownAddress(word)
  }
}

/// `history delete`: removes what was said.
package struct HistoryDeleteCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete what was said, for good.",
    discussion: """
      Deletes it on this machine: from the list, from the search and from the file. Others keep their copies, and so does your \
      server's archive. Messages that are still to be sent stay.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.name(.friend)], options: ["--before": .nothing],
    isTypedWhole: true, isLocal: true, meanings: ["delete", "remove", "erase", "purge", "forget"],
    examples: [
      .init("history delete bob@example.org --before 2026-01-01", "Delete what was said before this year.")
    ])

  @Argument(help: ArgumentHelp("With whom: a JID, or a friend's name.", valueName: "jid"), completion: .declared)
  package var address: String?

  @Option(help: ArgumentHelp("Only what was written before then.", valueName: "time"))
  package var before: String?

  @Flag(help: "All conversations.")
  package var everything = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if address == nil, before == nil, !everything {
      throw ValidationError("what is to be deleted? A name, '--before TIME', or '--everything'")
    }
    if address != nil, everything { throw ValidationError("'--everything' takes no name") }
  }

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    let time = try before.map { try MomentReader(now: context.application.now()).start($0) }
    if let address { try await context.learnNames([address]) }
    let conversation = try address.map { try context.conversation($0) }
    let log = try context.log
    var count = 0
    while case let removed = try log.remove(conversation, before: time), removed > 0 {
      count += removed
      try await context.application.pause()
    }
    while try log.purge() { try await context.application.pause() }
    context.show(DeletedRow(jid: conversation, messages: count))
  }
}

/// Messages are gone.
package struct DeletedRow: CommandRow {
  /// Whom they were exchanged with; nil: with all.
  package var jid: JID?
  package var messages: Int

  package var cells: [Cell] { [Cell(text)] }

  var text: String {
    messages == 0 ? "Nothing to delete." : "Deleted \(messages == 1 ? "1 message" : "\(messages) messages")."
  }

  private enum CodingKeys: String, CodingKey { case jid, messages }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid?.description, forKey: .jid)
    try container.encode(messages, forKey: .messages)
  }
}
