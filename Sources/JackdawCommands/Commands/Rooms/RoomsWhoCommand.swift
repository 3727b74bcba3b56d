// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms who`: who is in a room.
package struct RoomsWhoCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "who", abstract: "Show who is in a room.",
    discussion: """
      Of a room that you are in, all that it tells of each. Of another, and from the shell, only names, and only where the room tells them \
      to those who are outside: this enters no room.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room)],
    aliases: [.ofOpenRoom("names")], meanings: ["occupants", "participants", "nicks", "nicklist"],
    examples: [
      .init("rooms who tea@rooms.example.org", "Who is in a room.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let session = try await context.session()
    if let room = session.features[Groupchat.self].room(jid), room.isInside {
      for occupant in room.occupants {
        try await context.showNext(RoomOccupantRow(room: jid, nick: occupant.nick, occupant: occupant))
      }
      return
    }
    let items = try await session.features[ServiceDiscovery.self].items(of: jid, timeout: context.timeout)
    let nicks = items.filter { $0.jid.bare == jid }.compactMap(\.jid.resource)
    if nicks.isEmpty { context.showNothing("\(jid) tells nobody outside who is in it, or is empty.") }
    for nick in nicks { try await context.showNext(RoomOccupantRow(room: jid, nick: nick)) }
  }
}
