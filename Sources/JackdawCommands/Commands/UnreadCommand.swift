// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `unread`: what nobody has read.
package struct UnreadCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unread", abstract: "Show the messages that nobody has read.",
    discussion: """
      What has come since the conversation was last open at a prompt, or was answered there or on another device, or was read on \
      one. '--mark' marks it as read. No server is asked: what waits there comes with the \
      prompt, 'listen', an agent, or 'history sync'.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)], isPaged: true, isLocal: true, accounts: .each,
    meanings: ["new", "inbox", "mail", .init("read", adding: ["--mark"]), .init("mark", adding: ["--mark"])],
    examples: [
      .init("unread", "All of them."),
      .init("unread Bob", "Bob's."),
    ])

  @Argument(help: ArgumentHelp("Only with these: JIDs, or friends' names.", valueName: "jid"), completion: .declared)
  package var addresses: [String] = []

  @Flag(help: "Mark it as read, and show nothing.")
  package var mark = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.learnNames(addresses)
    let log = try context.log
    let wanted = try addresses.map { try context.conversation($0) }
    let summaries = try wanted.isEmpty ? log.conversations() : wanted.compactMap { try log.summary(of: $0) }
    let history = HistoryReader(log: log, context: context)
    // The one with the newest message comes last, next to the prompt.
    if !mark, summaries.allSatisfy({ $0.unread == 0 }) { context.showNothing("No unread messages.") }
    for summary in summaries.reversed() where summary.unread > 0 {
      if mark {
        try log.markRead(summary.conversation, through: summary.last.number)
      } else {
        // Of several rooms it is to be plain in which one somebody said it.
        try await history.show(
          LogQuery(conversation: summary.conversation, isUnread: true), isOfOne: wanted.count == 1)
      }
    }
  }
}

/// How much nobody has read.
package struct UnreadRow: CommandRow {
  /// As the log has it.
  package var count: UnreadCount

  package var cells: [Cell] {
    guard count.messages > 0 else { return [Cell("No unread messages.")] }
    let messages = count.messages == 1 ? "1 unread message" : "\(count.messages) unread messages"
    return [
      Cell(messages + (count.conversations == 1 ? " in 1 conversation" : " in \(count.conversations) conversations"))
    ]
  }

  private enum CodingKeys: String, CodingKey { case messages, conversations }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count.messages, forKey: .messages)
    try container.encode(count.conversations, forKey: .conversations)
  }
}
