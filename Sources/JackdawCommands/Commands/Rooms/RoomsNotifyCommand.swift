// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms notify`: when the user is called for what is said in a room.
package struct RoomsNotifyCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Say when you are called for what is said in a room, on this device.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.words(When.allCases.map(\.rawValue)))],
    meanings: ["notifications"],
    examples: [
      .init("rooms notify tea@rooms.example.org always", "For everything that is said."),
      .init("rooms notify tea default", "For your name alone, as everywhere."),
    ])

  /// When, in the words of the screen.
  package enum When: String, ExpressibleByArgument, CaseIterable, Sendable {
    case always, mention, never
    /// As everywhere.
    case `default`
  }

  @Argument(help: ArgumentHelp("The room.", valueName: "room"))
  package var room: String

  @Argument(help: ArgumentHelp("always, mention (when somebody says your name), never or default.", valueName: "when"))
  package var when: When

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let session = try await context.session()
    let groupchat = session.features[Groupchat.self]
    try await context.learnBookmark(of: jid, session)
    guard var record = groupchat.record(of: jid) else {
      throw CommandFailure(.noUser, "item-not-found", "You are not in \(jid), and it is not bookmarked.")
    }
    record.notify = RoomNotify(rawValue: when.rawValue)
    try groupchat.keep(record)
    let words =
      switch record.notify ?? .mention {
      case .always: "for everything that is said in"
      case .mention: "when somebody says your name in"
      case .never: "for nothing that is said in"
      }
    context.show(RoomStepRow(jid, "notify", "You are called \(words) \(jid)."))
  }
}

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

  @Argument(help: ArgumentHelp("The room.", valueName: "room"))
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
