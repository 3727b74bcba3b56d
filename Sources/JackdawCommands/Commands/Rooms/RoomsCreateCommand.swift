// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms create`: makes a room.
package struct RoomsCreateCommand: RoomOpening {
  package static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a room, which stays when all have left it.",
    discussion: """
      A word alone, as in 'rooms create tea', makes it at your own server. A private room is in no list and lets in only those whom it \
      was told of: 'rooms invite' does so. 'rooms config' changes all else.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.nothing)], options: ["--name": .nothing, "--nick": .nothing],
    meanings: ["make"],
    examples: [
      .init("rooms create tea --name 'All about tea'", "Make a room at your own server."),
      .init("rooms create plans@rooms.example.org --private", "One that nobody else knows of."),
    ])

  @Argument(help: ArgumentHelp("The room's address, or its first part.", valueName: "room"))
  package var room: String

  @Flag(name: .customLong("private"), help: "For members only, and in no list.")
  package var isPrivate = false

  @Option(help: ArgumentHelp("What the room is called.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("What to be called there.", valueName: "nick"))
  package var nick: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let name = try name.map { try OutgoingText.checked($0) }
    let session = try await context.session()
    let jid = try await address(session, in: context)
    let nick = try nick ?? CommandContext.nick(in: room)
    if let nick { try RoomsNickCommand.check(nick, in: jid) }
    let groupchat = session.features[Groupchat.self]
    let wasWanted = groupchat.room(jid) != nil
    let opening = try begin(jid, in: context)
    let exists = CommandFailure(.unavailable, "conflict", "There is a room \(jid) already. 'rooms join' enters it.")
    let made = try await make(jid, as: nick, in: groupchat, context, orThrow: exists)
    guard made.isNew, !wasWanted else {
      if !wasWanted { try await groupchat.leave(jid) }
      throw exists
    }
    do {
      try await configure(jid, name, context.administration(session))
    } catch {
      // Nobody else may enter it as it is: it had better not be there.
      try? await context.administration(session).destroy(jid)
      throw error
    }
    var record = made.record
    (record.autojoin, record.name) = (true, name)
    if nick != nil { record.nick = made.nick }
    try await context.bookmark(record, session)
    let sentence = "You made \(jid), and are in it as \(made.nick)."
    context.show(RoomStepRow(jid, "created", who: made.nick, sentence).unlessTold(context))
    opening.finish()
  }

  /// A word alone is a room at the first service of the user's own server.
  @Client private func address(_ session: Session, in context: CommandContext) async throws -> JID {
    if room.contains("@") || XMPPURI.isLikely(room) {
      guard let jid = try context.explainedJID(room), jid.localpart != nil else {
        throw CommandFailure(.badInput, "jid-malformed", "'\(room)' is not the address of a room.")
      }
      return jid.bare
    }
    guard let service = try await session.features[RoomSearch.self].services().first else {
      throw CommandFailure(
        .unavailable, "feature-not-implemented",
        "\(session.identity.account.domain) has no rooms. Give a whole address, like tea@rooms.example.org.")
    }
    return try JID(localpart: room, domain: service.domain).folded
  }

  /// - Parameter exists: thrown where the room is refused as one is that somebody else is making, which is locked (XEP-0045 7.2).
  @Client private func make(
    _ jid: JID, as nick: String?, in groupchat: Groupchat, _ context: CommandContext, orThrow exists: CommandFailure
  ) async throws -> Room {
    do throws(RequestError) {
      return try await groupchat.join(jid, nick: nick, configures: true)
    } catch  where error.stanzaError?.condition == "item-not-found" {
      throw exists
    } catch {
      throw context.refusal(error, of: jid, groupchat)
    }
  }

  @Client private func configure(_ jid: JID, _ name: String?, _ administration: RoomAdministration) async throws {
    let configuration = try await administration.configuration(of: jid)
    let wanted = [
      ("muc#roomconfig_persistentroom", "yes", false), ("muc#roomconfig_roomname", name, name != nil),
      ("muc#roomconfig_membersonly", isPrivate ? "yes" : nil, true),
      ("muc#roomconfig_publicroom", isPrivate ? "no" : nil, true),
    ]
    var changes: [(name: String, value: String)] = []
    for (setting, value, isNeeded) in wanted {
      guard let value else { continue }
      if configuration.setting(setting) != nil {
        changes.append((setting, value))
      } else if isNeeded {
        throw FeatureError(.notOffered, "\(jid.domain) cannot make such rooms: they have no '\(setting)'.")
      }
    }
    try await administration.configure(jid, configuration.filled(with: changes))
  }
}

/// `rooms destroy`: ends a room.
package struct RoomsDestroyCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "destroy", abstract: "End a room for everybody; only its owners can.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room)], options: ["--reason": .nothing, "--to": .room],
    isTypedWhole: true,
    examples: [
      .init("rooms destroy tea@rooms.example.org", "End a room."),
      .init("rooms destroy tea --to coffee@rooms.example.org", "Say where to go instead."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Option(help: ArgumentHelp("What everybody is told.", valueName: "text"))
  package var reason: String?

  @Option(help: ArgumentHelp("The room to go to instead.", valueName: "room"), completion: .declared)
  package var to: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let alternative = if let to { try await context.room(to) } else { JID?.none }
    let reason = try reason.map { try OutgoingText.checked($0) }
    let session = try await context.session()
    try await context.administration(session).destroy(jid, reason: reason, alternative: alternative)
    try await session.features[RoomBookmarks.self].remove(jid)
    try session.features[Groupchat.self].forget(jid)
    try context.wasLeft(jid, session)
    context.show(RoomStepRow(jid, "destroyed", "You ended \(jid)."))
  }
}
