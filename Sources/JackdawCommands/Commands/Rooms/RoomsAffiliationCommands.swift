// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `rooms ban`: keeps people out for good.
package struct RoomsBanCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ban", abstract: "Keep people out of a room for good.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant)], options: ["--reason": .nothing],
    isTypedWhole: true, aliases: [.ofOpenRoom("ban")],
    examples: [
      .init("rooms ban tea@rooms.example.org mallory@example.org", "By address."),
      .init("rooms ban tea@rooms.example.org Mallory --reason Spam", "By name, where the room shows you addresses."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom: addresses, or what they are called there.", valueName: "jid-or-nick"))
  package var people: [String]

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.affiliate(.outcast, people, in: room, reason, outcome: "banned") { "\($0) is banned from \($1)." }
  }
}

/// `rooms unban`: takes a ban away.
package struct RoomsUnbanCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unban", abstract: "Let people into a room again.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.friend)],
    examples: [
      .init("rooms unban tea@rooms.example.org mallory@example.org", "Take a ban away.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var people: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await context.affiliate(.none, people, in: room, nil, isOnlyFor: .outcast, outcome: "unbanned") {
      "\($0) is no longer banned from \($1)."
    }
  }
}

/// `rooms affiliation`: what somebody is to a room.
package struct RoomsAffiliationCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "affiliation", abstract: "Say what somebody is to a room for good.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.occupant), .word(.words(RoomAffiliation.allCases.map(\.rawValue)))],
    options: ["--reason": .nothing],
    meanings: ["member", "admin", "owner", "op", "grant"],
    examples: [
      .init("rooms affiliation tea@rooms.example.org bob@example.org member", "Make Bob a member."),
      .init("rooms affiliation tea Bob admin", "Make him an admin."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Who: an address, or what they are called there.", valueName: "jid-or-nick"))
  package var person: String

  @Argument(help: ArgumentHelp("outcast (banned), none, member, admin or owner.", valueName: "affiliation"))
  package var affiliation: RoomAffiliation

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let words = affiliation == .none ? "nobody in particular" : affiliation.rawValue
    try await context.affiliate(affiliation, [person], in: room, reason, outcome: "affiliation") {
      "\($0) is \(words) of \($1) now."
    }
  }
}

extension RoomAffiliation: ExpressibleByArgument {}

extension CommandContext {
  /// Changes the affiliation of each of several people, side by side. The user need not be in the room, but for nicks.
  /// - Parameters:
  ///   - wanted: whoever has another affiliation stays as they are, and that is an error; nil: whatever they are.
  ///   - says: what is said of each, and the room, once the room has confirmed it.
  fileprivate func affiliate(
    _ affiliation: RoomAffiliation, _ people: [String], in room: String, _ reason: String?,
    isOnlyFor wanted: RoomAffiliation? = nil, outcome: String, says: @escaping @Client (JID, JID) -> String
  ) async throws {
    let jid = try await self.room(room)
    let reason = try reason.map { try OutgoingText.checked($0) }
    let jids = try await lookUp(people) { try await self.person($0, in: jid) }
    let administration = administration(try await session())
    var present: Set<JID>?
    if let wanted { present = Set(try await administration.members(wanted, of: jid).map(\.jid)) }
    let affected = present
    try await each(jids) { [self] person in
      guard affected?.contains(person) ?? true else {
        throw CommandFailure(.noUser, "item-not-found", "\(person) is not banned from \(jid).")
      }
      try await administration.setAffiliation(affiliation, of: person, in: jid, reason: reason)
      show(RoomStepRow(jid, outcome, who: person.description, says(person, jid)))
    }
  }

  /// Who is meant: an address, whoever is called so in the room, a friend.
  private func person(_ word: String, in jid: JID) async throws -> JID {
    let groupchat = try await session().features[Groupchat.self]
    var room = groupchat.room(jid)
    // Whoever is there and called `J.R.` is meant, and no server of that name. What has an `@` is an address, whoever calls themselves so.
    let isThere = !word.contains("@") && room?.occupant(word) != nil
    if !isThere, let address = try explainedJID(word) { return address.bare }
    // From the shell nobody knows who is in the room before the user is.
    if room == nil, origin == .shell { room = try await place(in: jid).room }
    guard let occupant = room?.occupant(word) else { return try await address(word).bare }
    guard let address = occupant.jid else {
      throw CommandFailure(
        .unavailable, "item-not-found", "\(jid) does not tell you the address of '\(word)': give the address.")
    }
    return address.bare
  }
}
