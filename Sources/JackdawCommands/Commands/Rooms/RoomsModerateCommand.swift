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
    discussion: "The id is that of the message: '/ids' and 'listen --json' show it. Not every room can do this.")
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
    let (session, _) = try await context.place(in: jid)
    // What the room calls it: its sender's id is known to be another, where the message is here.
    let archived = try context.account().log.archiveID(ofMessage: id, in: jid)
    try await context.administration(session).takeBack(archived ?? id, in: jid, reason: reason)
    context.show(RoomStepRow(jid, "moderated", who: id, "The message is taken back."))
  }
}
