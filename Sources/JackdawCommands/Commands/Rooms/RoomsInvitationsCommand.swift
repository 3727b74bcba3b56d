// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `rooms invitations`: those that have come of late.
package struct RoomsInvitationsCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "invitations", abstract: "Show into which rooms others have invited you.",
    discussion: """
      The newest stand first, one for each room. Those of people who are no friends of yours are shown here alone. No server is asked: \
      what waits there comes with the prompt, 'listen' or an agent; archives need not have it.
      """)
  package static let declaration = CommandDeclaration(
    examples: [.init("rooms invitations", "Who has invited you, and where to.")])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let account = try context.account()
    var seen: Set<JID> = []
    let open = try account.invitations().filter { seen.insert($0.room).inserted }
    let known = Set(account.knownRooms().map(\.jid))
    let news = open.filter { !known.contains($0.room) && !$0.isAnswered }
    if news.isEmpty { context.showNothing("There are no open invitations here.") }
    for invitation in news {
      try await context.showNext(RoomInvitationRow(invitation, by: context.called(invitation.inviter)))
    }
  }
}

/// An invitation that has come.
package struct OpenInvitation: Sendable, Equatable {
  /// The room's bare address.
  package var room: JID
  /// Who sent it: their address, or, where the room hides it, their place in the room.
  package var inviter: JID
  /// Why. From the network.
  package var reason: String?
  /// When it was sent.
  package var sent: Timestamp?
  /// What lets the user into the room.
  package var password: String?
  /// The user has accepted or declined it.
  package var isAnswered = false
  /// A person's own (XEP-0249), and not one that the room handed on.
  package var isDirect = false
  /// Its place in the log.
  package var number: Int64
}

/// An invitation into a room.
package struct RoomInvitationRow: CommandRow {
  /// The newest into its room.
  package var invitation: OpenInvitation

  private var inviter: CalledPerson

  init(_ invitation: OpenInvitation, by inviter: CalledPerson) {
    self.invitation = invitation
    self.inviter = inviter
  }

  package var cells: [Cell] {
    var cells = [
      Cell(invitation.room.description, .jid), Cell("from \(inviter.nameAndAddress)", .plain),
    ]
    if let reason = invitation.reason { cells.append(Cell(reason, .faint)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey { case room, inviter, reason, sent }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(invitation.room.description, forKey: .room)
    try container.encode(invitation.inviter.description, forKey: .inviter)
    try container.encode(invitation.reason, forKey: .reason)
    try container.encode(invitation.sent?.description, forKey: .sent)
  }
}

extension CommandContext {
  /// The last invitation into a room that stands in the log; nil: none among the last messages.
  func invitation(into room: JID) throws -> OpenInvitation? {
    try account().invitations().first { $0.room == room.bare }
  }
}

extension CommandContext {
  /// The room of an invitation that `word` means: the part of its address before the `@` will do where one such room is all that
  /// invitations name, else as ``room(_:)``.
  /// - Throws: as ``room(_:)``; ``CommandFailure`` with code 65 where invitations, or they and the user's rooms, name several such.
  func invitedRoom(_ word: String) async throws -> JID {
    guard Self.isName(word) else { return try await room(word) }
    let named = try account().invitations().filter { $0.room.localpart == word.lowercased() }
    // One that was answered is not meant where another is open.
    let open = named.filter { !$0.isAnswered }
    // A stranger may invite into a room that is called as one of the user's.
    let own = try account().knownRooms().filter { $0.isCalled(word) }.map(\.jid)
    let rooms = Set((open.isEmpty ? named : open).map(\.room) + own)
    guard rooms.count <= 1 else {
      let candidates = rooms.map(\.description).sorted().joined(separator: ", ")
      throw CommandFailure(.badInput, "ambiguous", "Which '\(word)' do you mean: \(candidates)?")
    }
    if let only = rooms.first { return only }
    return try await room(word)
  }
}

extension Account {
  /// Invitations among the last messages, the newest first.
  func invitations() throws -> [OpenInvitation] {
    // What has come a moment ago may be on its way into the log.
    session?.intake.logArrivals()
    let page = try log.page(LogQuery(limit: CommandLimits.invitationsSought), before: nil)
    return page.messages.compactMap { message -> OpenInvitation? in
      guard !message.isOutgoing, let content = message.event.payload?.content, content.kind == .invitation,
        let room = content.address.flatMap({ try? JID($0) })
      else { return nil }
      return OpenInvitation(
        room: room.bare, inviter: content.person.flatMap { try? JID(received: $0) } ?? message.event.from.bare,
        reason: content.text, sent: message.event.delayed, password: message.event.payload?.roomPassword,
        isAnswered: message.event.payload?.isAnswered == true,
        isDirect: content.person == nil && message.event.from.bare != room.bare, number: message.number)
    }
  }

  /// Whether invitations are all that there is of a room: the user has neither been in it nor written to it.
  func isOnlyInvited(to room: JID) -> Bool {
    guard !knownRooms().contains(where: { $0.jid == room }) else { return false }
    // The store has reported its error.
    let said =
      (try? log.page(LogQuery(conversation: room, limit: CommandLimits.lookedAtForRoom), before: nil))?.messages ?? []
    // A person's invitation is into another room.
    let isInvited = said.contains { message in
      guard let content = message.event.payload?.content, content.kind == .invitation else { return false }
      return content.address == room.description
    }
    return isInvited && !said.contains { $0.isOutgoing || $0.event.kind == .groupchat }
  }
}
