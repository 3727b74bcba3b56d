// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms list`: the user's rooms; of one of them those with an affiliation.
package struct RoomsListCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show your rooms; or the owners, admins, members or banned of one.",
    discussion: """
      Your rooms are those that you are in and those that are bookmarked. At the prompt, without a connection, they are \
      shown as they were when there last was one.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.words(Kind.allCases.map(\.rawValue)))],
    accounts: .each, meanings: ["mine", "bookmarks", "ls", "members", "owners", "admins", "banlist"],
    examples: [
      .init("rooms", "Your rooms."),
      .init("rooms list tea@rooms.example.org members", "Who is a member of one."),
    ])

  /// Who is to be listed.
  package enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case owners, admins, members, banned

    /// What they are to the room.
    var affiliation: RoomAffiliation {
      switch self {
      case .owners: .owner
      case .admins: .admin
      case .members: .member
      case .banned: .outcast
      }
    }
  }

  @Argument(help: ArgumentHelp("The room whose people are to be listed.", valueName: "room"), completion: .declared)
  package var room: String?

  @Argument(help: ArgumentHelp("owners, admins, members or banned.", valueName: "whom"))
  package var kind: Kind?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if room != nil, kind == nil {
      throw ValidationError("say whom to list of the room: owners, admins, members or banned")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    if let room, let kind { return try await list(kind, of: room, context) }
    let source = try await context.source {
      try await context.session()
    } or: { _ in
      ((try? context.account().knownRooms()) ?? []).isEmpty ? nil : .some(nil)
    }
    // What the server keeps may have changed; at the prompt it tells of it.
    if source.isOnline, context.origin == .shell {
      try await source.session.features[RoomBookmarks.self].readIfOffered()
    }
    let rooms = try context.account().knownRooms()
    if rooms.isEmpty { context.showNothing("You are in no room. '/rooms find' looks for some.") }
    let groupchat = source.session.features[Groupchat.self]
    let log = try context.account().log
    for record in rooms {
      // The log has reported its error.
      let unread = ((try? log.activity(of: record.jid)) ?? nil)?.unread ?? 0
      let mentions = unread > 0 ? (try? log.unreadMentions(in: record.jid)) ?? 0 : 0
      try await context.showNext(RoomRow(record, groupchat.room(record.jid), unread: unread, mentions: mentions))
    }
  }

  @Client private func list(_ kind: Kind, of room: String, _ context: CommandContext) async throws {
    let jid = try await context.room(room)
    let session = try await context.session()
    let members = try await context.administration(session).members(kind.affiliation, of: jid)
    if members.isEmpty { context.showNothing("There are none.") }
    for member in members { try await context.showNext(RoomMemberRow(room: jid, member: member)) }
  }
}
