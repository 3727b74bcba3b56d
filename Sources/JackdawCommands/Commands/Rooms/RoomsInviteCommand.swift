// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms invite`: asks others into a room.
package struct RoomsInviteCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Invite people into a room.",
    discussion: """
      A room that is for members only hands the invitation on, and lets them in; it may not tell them who you are. Into any other you \
      invite them yourself.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.friend)], options: ["--reason": .nothing],
    aliases: [.ofOpenRoom("invite")],
    examples: [
      .init("rooms invite tea@rooms.example.org Bob", "Invite Bob."),
      .init("rooms invite tea Bob carol@example.org --reason 'Cake'", "Several, and say why."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var people: [String]

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let people = try await context.addresses(people)
    let reason = try reason.map { try OutgoingText.checked($0) }
    let session = try await context.session()
    let groupchat = session.features[Groupchat.self]
    let information = try await session.features[ServiceDiscovery.self].information(of: jid, timeout: context.timeout)
    let password = groupchat.record(of: jid)?.password
    // It may know a password that is not known here.
    let mayLetIn =
      groupchat.room(jid)?.isInside == true && password == nil && information.supports("muc_passwordprotected")
    let isThroughRoom = mayLetIn || information.supports("muc_membersonly")
    // Some rooms take invitations only of those who are in them.
    if isThroughRoom, context.origin == .shell { _ = try await context.place(in: jid) }
    let invitations = session.features[RoomInvitations.self]
    try await context.each(people) { person in
      if isThroughRoom {
        try await invitations.invite(person, through: jid, reason: reason)
      } else {
        try await invitations.inviteDirectly(person, into: jid, password: password, reason: reason)
      }
      context.show(
        RoomStepRow(jid, "invited", who: person.description, "You invited \(context.called(person).name) into \(jid)."))
    }
  }
}

/// `rooms accept`: enters the room that somebody has invited the user into.
package struct RoomsAcceptCommand: RoomOpening {
  package static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Follow an invitation: enter the room, and bookmark it.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.invitation)], meanings: ["accept"],
    examples: [
      .init("rooms accept tea@rooms.example.org", "Enter the room you were invited into.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"))
  package var room: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.invitedRoom(room)
    guard let invitation = try context.invitation(into: jid) else { throw RoomsDeclineCommand.none(jid) }
    try await enter(jid, context, try await context.session(), invited: invitation.password, bookmarks: true)
  }
}

/// `rooms decline`: answers an invitation with no.
package struct RoomsDeclineCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "decline", abstract: "Decline an invitation, which whoever sent it is told.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.invitation)], options: ["--reason": .nothing],
    meanings: ["decline", "refuse"],
    examples: [
      .init("rooms decline tea@rooms.example.org --reason 'No time'", "Say no to an invitation.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"))
  package var room: String

  @Option(help: ArgumentHelp("What they are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.invitedRoom(room)
    let reason = try reason.map { try OutgoingText.checked($0) }
    guard let invitation = try context.invitation(into: jid) else { throw Self.none(jid) }
    // Whoever sent it would be told once more.
    if invitation.isAnswered {
      throw CommandFailure(.noUser, "item-not-found", "You have answered the invitation into \(jid) already.")
    }
    let session = try await context.session()
    let refusal = try await tell(invitation, session, reason)
    try context.log.answerInvitation(invitation.number)
    // One that the room handed on is all that stands there, and whoever answers it has read it.
    if try context.account().isOnlyInvited(to: jid) { try context.log.markRead(jid, through: invitation.number) }
    let sentence = "You declined the invitation into \(jid)."
    context.show(
      RoomStepRow(
        jid, "declined", who: invitation.inviter.description,
        refusal.map { "\(sentence) \(invitation.inviter) is not told: \($0)" } ?? sentence))
  }

  /// Has the room tell who invited the user. Nothing else tells one who did so directly (XEP-0249); but the room may know nothing of that,
  /// or not be there: the user has answered all the same.
  /// - Returns: why they are not told; nil: they are.
  @Client private func tell(
    _ invitation: OpenInvitation, _ session: Session, _ reason: String?
  ) async throws(RequestError) -> RequestError? {
    do {
      try await session.features[RoomInvitations.self].decline(
        invitation.room, to: invitation.inviter, reason: reason)
      return nil
    } catch {
      guard invitation.isDirect, error.stanzaError != nil else { throw error }
      return error
    }
  }

  static func none(_ jid: JID) -> CommandFailure {
    CommandFailure(
      .noUser, "item-not-found", "There is no invitation into \(jid) here. 'rooms join' enters a room without one.")
  }
}
