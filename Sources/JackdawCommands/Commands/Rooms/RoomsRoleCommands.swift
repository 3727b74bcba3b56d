// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `rooms kick`: removes occupants for now.
package struct RoomsKickCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "kick", abstract: "Remove people from a room; they may come again.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant)], options: ["--reason": .nothing],
    isTypedWhole: true, aliases: [.ofOpenRoom("kick")],
    examples: [
      .init("rooms kick tea@rooms.example.org Mallory --reason 'Too loud'", "Remove Mallory.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom, as they are called there.", valueName: "nick"))
  package var nicks: [String]

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.change(.none, of: nicks, in: room, reason, outcome: "kicked") { "You removed \($0) from \($1)." }
  }
}

/// `rooms mute`: takes occupants' voice.
package struct RoomsMuteCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Take people's voice in a moderated room: they may listen.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant)], options: ["--reason": .nothing],
    meanings: ["devoice"],
    examples: [
      .init("rooms mute tea@rooms.example.org Mallory", "Let Mallory listen only.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom, as they are called there.", valueName: "nick"))
  package var nicks: [String]

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.change(.visitor, of: nicks, in: room, reason, outcome: "muted") {
      "\($0) has no voice in \($1) now."
    }
  }
}

/// `rooms voice`: gives occupants voice.
package struct RoomsVoiceCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "voice", abstract: "Give people voice in a moderated room.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant)], options: ["--reason": .nothing],
    examples: [
      .init("rooms voice tea@rooms.example.org Bob", "Let Bob speak.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom, as they are called there.", valueName: "nick"))
  package var nicks: [String]

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.change(.participant, of: nicks, in: room, reason, outcome: "voiced") {
      "\($0) has voice in \($1) now."
    }
  }
}

/// `rooms role`: what an occupant may do.
package struct RoomsRoleCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "role", abstract: "Say what somebody may do in a room while they are in it.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant), .word(.words(RoomRole.allCases.map(\.rawValue)))],
    options: ["--reason": .nothing],
    meanings: ["moderator"],
    examples: [
      .init("rooms role tea@rooms.example.org Bob moderator", "Make Bob a moderator.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Who, as they are called there.", valueName: "nick"))
  package var nick: String

  @Argument(help: ArgumentHelp("none (removed), visitor, participant or moderator.", valueName: "role"))
  package var role: RoomRole

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.change(role, of: [nick], in: room, reason, outcome: "role") {
      "\($0) is \(role.rawValue) in \($1) now."
    }
  }
}

extension RoomRole: ExpressibleByArgument {}

extension CommandContext {
  /// Changes the role of each of several occupants, side by side.
  /// - Parameter says: what is said of each, and the room, once the room has confirmed it.
  fileprivate func change(
    _ role: RoomRole, of nicks: [String], in room: String, _ reason: String?, outcome: String,
    says: @escaping @Client (String, JID) -> String
  ) async throws {
    let jid = try await self.room(room)
    let reason = try reason.map { try OutgoingText.checked($0) }
    let places = try await lookUp(nicks) { nick in
      // Others may be called what the user cannot be.
      guard let place = try? jid.with(resource: nick, isReceived: true) else {
        throw CommandFailure(.badInput, "jid-malformed", "'\(nick)' cannot be a nick.")
      }
      return place
    }
    // Only who is in a room can be a moderator of it.
    let (session, present) = try await place(in: jid)
    func nobody(_ nick: String) -> CommandFailure {
      CommandFailure(.noUser, "item-not-found", "Nobody is called '\(nick)' in \(jid).")
    }
    // In a room that does not show everybody it decides.
    if places.count > 1, nicks.contains(where: { present.occupant($0) != nil }) {
      _ = try await lookUp(nicks) { nick in if present.occupant(nick) == nil { throw nobody(nick) } }
    }
    let administration = administration(session)
    try await each(places) { [self] place in
      let nick = place.resource ?? ""
      do throws(RequestError) {
        try await administration.setRole(role, of: nick, in: jid, reason: reason)
      } catch {
        // What rooms say of a nick that nobody has differs.
        guard error.stanzaError != nil, present.occupant(nick) == nil else { throw error }
        throw nobody(nick)
      }
      show(RoomStepRow(jid, outcome, who: nick, says(nick, jid)))
    }
  }
}
