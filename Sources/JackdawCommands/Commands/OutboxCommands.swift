// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// `outbox`: what the server has not acknowledged yet.
package struct OutboxCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [OutboxListCommand.self, OutboxCancelCommand.self]
  package static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Messages that the server does not have yet.",
    discussion: """
      A message stays in the outbox until the server acknowledges it, whatever happens to the connection or the program. The next \
      session that remains online sends it by itself: the prompt, a script, 'listen'. A single command that goes online \
      sends it, too, but for messages to rooms, and for those that a killed prompt or script may have sent already.
      """, subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .command(OutboxListCommand.self),
    meanings: ["queue", "unsent"])
  package init() {}
}

/// `outbox list`: all of them, oldest first. Works offline.
package struct OutboxListCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the messages that the server does not have yet.")
  package static let declaration = CommandDeclaration(
    isLocal: true, accounts: .each, meanings: ["show"],
    examples: [
      .init("outbox", "The messages that wait.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let items = try context.outbox
    if items.isEmpty { context.showNothing("No unsent messages.") }
    let log = try context.log
    for item in items {
      let message = item.message
      let logged = try log.message(ofID: message.id, in: message.conversation, isOutgoing: true)
      try await context.showNext(OutboxRow(item: item, fate: logged?.fate ?? MessageFate()))
    }
  }
}

/// `outbox cancel`: withdraws one of them. Works offline.
package struct OutboxCancelCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Withdraw a message that waits.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.waitingMessage)],
    isTypedWhole: true, isLocal: true, meanings: ["unsend", "delete", "remove", "retract"],
    examples: [
      .init("outbox cancel 3f2a", "Withdraw the one whose id begins or ends so.")
    ])

  @Argument(
    help: ArgumentHelp("The message's id, or as much of its beginning or end as no other has.", valueName: "id"))
  package var id: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let matching = try context.outbox.map(\.message).filter { $0.id.hasPrefix(id) || $0.id.hasSuffix(id) }
    guard let message = matching.first else {
      throw CommandFailure(.noUser, "item-not-found", "There is no unsent message '\(id)'.")
    }
    guard matching.count == 1 || matching.contains(where: { $0.id == id }) else {
      throw CommandFailure(.badInput, "ambiguous", "The ids of \(matching.count) messages begin or end with '\(id)'.")
    }
    let wanted = matching.contains { $0.id == id } ? id : message.id
    switch try context.account().withdraw(wanted) {
    case .withdrawn(let to, let mayHaveArrived):
      context.show(WithdrawnRow(id: wanted, to: to, mayHaveArrived: mayHaveArrived))
    case .isOnItsWay(let to):
      throw CommandFailure(.unavailable, "on-its-way", "Too late: the message to \(to) is on its way.")
    case nil: throw CommandFailure(.noUser, "item-not-found", "There is no unsent message '\(id)'.")
    }
  }
}

extension CommandContext {
  /// What waits to be sent. Where what is stored cannot be read nobody knows, and that is not nothing.
  fileprivate var outbox: [OutboxItem] {
    get throws {
      _ = try log
      return try account().outbox()
    }
  }
}

/// A message that waits.
package struct OutboxRow: CommandRow {
  /// The message, and how far it came.
  package var item: OutboxItem
  /// What the user said of it since.
  package var fate = MessageFate()

  package var cells: [Cell] {
    let message = item.message
    let words = message.relations.deed ?? (message.body.isEmpty ? message.subject ?? "" : message.body)
    let line = words.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? ""
    return [
      Cell(message.id, .faint), Cell(item.state.name), Cell(message.to.description, .jid),
      Cell(line.cut(toCodePoints: CommandLimits.listedText)),
    ]
  }

  private enum CodingKeys: String, CodingKey { case id, to, state, written, body, subject }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(item.message.id, forKey: .id)
    try container.encode(item.message.to.description, forKey: .to)
    try container.encode(item.state, forKey: .state)
    try container.encode(item.message.time.description, forKey: .written)
    try container.encode(item.message.body, forKey: .body)
    try container.encode(item.message.subject, forKey: .subject)
    try RelationKeys(item.message.relations).encode(to: encoder)
    try FateKeys(fate).encode(to: encoder)
  }
}

/// A message will not be sent.
package struct WithdrawnRow: CommandRow {
  package var id: String
  /// Whom it was for.
  package var to: JID
  /// It had been sent, and nobody knows what became of it.
  package var mayHaveArrived: Bool
  package var cells: [Cell] {
    let doubt = mayHaveArrived ? " It had been sent, and may have arrived." : ""
    return [Cell("Withdrew the message to \(to).\(doubt)", .sentence)]
  }

  private enum CodingKeys: String, CodingKey {
    case id, to
    case mayHaveArrived = "may_have_arrived"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(to.description, forKey: .to)
    try container.encode(mayHaveArrived, forKey: .mayHaveArrived)
  }
}
