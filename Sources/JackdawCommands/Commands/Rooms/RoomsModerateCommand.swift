// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms moderate`: takes back what somebody said.
package struct RoomsModerateCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "moderate", abstract: "Take back, for everybody, what somebody said in a room.",
    discussion: """
      The id is that of the message, as 'listen --json' shows it. At the prompt it may be the number that '/ids' shows, of the room \
      that is open. Not every room can do this.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.nothing)], options: ["--reason": .nothing],
    isTypedWhole: true,
    examples: [
      .init("rooms moderate tea@rooms.example.org aBc123 --reason Spam", "Take back a message.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("The message's id.", valueName: "id"))
  package var id: String

  @Option(help: ArgumentHelp("What everybody is told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let reason = try reason.map { try OutgoingText.checked($0) }
    // Before anything is waited for: what comes meanwhile changes what a number is of.
    let counted = try counted(in: jid, context)
    let id = counted?.event.id ?? id
    let (session, _) = try await context.place(in: jid)
    let log = try context.account().log
    if let counted, try log.message(ofID: id, in: jid, isOutgoing: nil)?.number != counted.number {
      throw CommandFailure(
        .badInput, "ambiguous",
        "A later message there has the same id: the room would take that one back.")
    }
    // What the room calls it: its sender's id is known to be another, where the message is here.
    let archived = try log.archiveID(ofMessage: id, in: jid)
    try await context.administration(session).takeBack(archived ?? id, in: jid, reason: reason)
    context.show(RoomStepRow(jid, "moderated", who: id, "The message is taken back."))
  }

  /// The message that has this number in the conversation that is open at the prompt, if that is the room.
  @Client private func counted(in room: JID, _ context: CommandContext) throws -> LoggedMessage? {
    guard context.origin == .prompt, let number = Int(id), 1...CommandLimits.countedBack ~= number,
      try context.openConversation() == room
    else { return nil }
    return try OpenConversation(context).message(number)
  }
}
