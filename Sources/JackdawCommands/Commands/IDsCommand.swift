// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// `/ids`: the last messages of the conversation with their numbers.
package struct IDsCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ids", abstract: "List the last messages with the numbers that '/reply', '/react' and '/retract' take."
  )
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.word(.nothing)], meanings: ["numbers", "messages"],
    examples: [
      .init("ids", "The last messages of this conversation."),
      .init("ids 40", "More of them."),
    ])

  @Argument(help: ArgumentHelp("How many messages.", valueName: "n"))
  package var count: Int?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if let count, count < 1 || count > CommandLimits.countedBack {
      throw ValidationError("'/ids' takes a number from 1 to \(CommandLimits.countedBack)")
    }
  }

  @Client package func runAtOnce(in context: CommandContext) throws {
    let messages = try OpenConversation(context).last(count ?? CommandLimits.idsListed)
    if messages.isEmpty { return context.output.notice("Nothing has been said here yet.") }
    let friends = try context.account().knownFriends()
    let name = friends?.first { $0.jid == messages[0].conversation }?.name
    for (place, message) in messages.enumerated().reversed() {
      context.show(IDRow(number: place + 1, message: message, name: name, now: context.application.now()))
    }
  }
}

/// A message, and its number counted back from the last one.
package struct IDRow: CommandRow {
  package var number: Int
  package var message: LoggedMessage
  /// What the user calls whom the conversation is with.
  package var name: String?
  /// The time, for people.
  package var now: Timestamp

  package var cells: [Cell] {
    let time = message.event.delayed.map { LocalTime.system.short($0, now: now) } ?? ""
    let other = message.speaker ?? name ?? message.conversation.localpart ?? message.conversation.description
    return [
      Cell("\(number)", .number), Cell(time, .time), Cell(message.isOutgoing ? "me" : other, .name),
      Cell(message.firstLine.firstCodePoints(CommandLimits.idsText)),
    ]
  }

  private enum CodingKeys: String, CodingKey { case back, number, id, outgoing, body }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .back)
    try container.encode(message.number, forKey: .number)
    try container.encode(message.event.id, forKey: .id)
    try container.encode(message.isOutgoing, forKey: .outgoing)
    try container.encode(message.event.body, forKey: .body)
  }
}
