// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms find`: the rooms of a service.
package struct RoomsFindCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Find rooms, by words or all of them.",
    discussion: """
      A first word like rooms.example.org names the service whose rooms are meant; else they are those of your own server. What \
      each room says of itself is asked for. Rooms that are not public are found by nobody.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.text(.nothing)], options: ["--limit": .nothing],
    meanings: ["browse", "discover", "list"],
    examples: [
      .init("rooms find", "All rooms of your server."),
      .init("rooms find rooms.example.org tea", "Rooms of a service that have to do with tea."),
    ])

  @Option(help: ArgumentHelp("Show no more than so many.", valueName: "number"))
  package var limit = 50

  @Argument(help: ArgumentHelp("The service, and words that are looked for.", valueName: "words"))
  package var words: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if !(1...CommandLimits.roomsFound).contains(limit) {
      throw ValidationError("'--limit' is a number from 1 to \(CommandLimits.roomsFound)")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let session = try await context.session()
    let search = session.features[RoomSearch.self]
    var words = words.filter { !$0.isEmpty }
    var services: [JID] = []
    if let first = words.first, let service = Self.service(first) {
      words.removeFirst()
      services = [service]
    } else {
      services = try await search.services()
      guard !services.isEmpty else {
        throw CommandFailure(
          .unavailable, "feature-not-implemented",
          "\(session.identity.account.domain) has no rooms. Name a service that has, like 'rooms.example.org'.")
      }
    }
    var left = limit
    for service in services where left > 0 {
      for room in try await search.rooms(of: service, matching: words, limit: left) {
        left -= 1
        try await context.showNext(FoundRoomRow(room: room))
      }
    }
    if left == limit { context.showNothing("There are no such rooms.") }
  }

  /// The address of a service, if the word can be nothing else.
  private static func service(_ word: String) -> JID? {
    guard word.contains("."), !word.contains("@"), let jid = try? JID(word), jid.isBare else { return nil }
    return jid
  }
}
