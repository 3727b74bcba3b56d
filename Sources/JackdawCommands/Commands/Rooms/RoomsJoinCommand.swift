// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML

/// `rooms join`: enters a room, and bookmarks it.
package struct RoomsJoinCommand: RoomOpening {
  package static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Enter a room, and bookmark it: then all your devices are in it.",
    discussion: """
      It ends when the room has let you in. At the prompt the room is open then: plain lines go there. From the shell you leave the room \
      when the command ends; with the bookmark the prompt and your other devices enter it.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room)],
    options: ["--nick": .nothing, "--room-password-file": .file, "--instead-of": .room],
    aliases: ["join"], meanings: ["enter"],
    examples: [
      .init("rooms join tea@rooms.example.org", "Enter a room."),
      .init(
        "rooms join tea@rooms.example.org --nick Al", "Under another name; tea@rooms.example.org/Al means the same."),
      .init("rooms join tea@rooms.example.net --instead-of tea", "Follow a room that has moved."),
    ])

  @Argument(
    help: ArgumentHelp("The room: its address, or its name if you know it.", valueName: "room"), completion: .declared)
  package var room: String

  @Option(help: ArgumentHelp("What to be called there.", valueName: "nick"))
  package var nick: String?

  @Option(
    help: ArgumentHelp("The file whose first line is the room's password; else it is asked for.", valueName: "file"),
    completion: .file())
  package var roomPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "The room whose place it takes, which is left: its bookmark and your name there become this one's.",
      valueName: "room"),
    completion: .declared)
  package var insteadOf: String?

  @Flag(help: "Do not bookmark it.")
  package var noBookmark = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let nick = try nick ?? CommandContext.nick(in: room)
    if let nick { try RoomsNickCommand.check(nick, in: jid) }
    let password =
      if let path = roomPasswordFile {
        try await PasswordReader.password(in: PrivateFile(path: context.application.path(path)))
      } else {
        String?.none
      }
    let session = try await context.session()
    guard let insteadOf else {
      return try await enter(jid, context, session, nick: nick, password: password, bookmarks: !noBookmark)
    }
    let old = try await context.room(insteadOf)
    guard old != jid else { throw CommandFailure(.badInput, "same-room", "\(jid) cannot take its own place.") }
    try await context.learnBookmark(of: old, session)
    let groupchat = session.features[Groupchat.self]
    guard let record = groupchat.record(of: old) else {
      throw CommandFailure(.noUser, "item-not-found", "You are not in \(old), and it is not bookmarked.")
    }
    try await enter(
      jid, context, session, nick: nick ?? record.nick, name: record.name, password: password, bookmarks: !noBookmark)
    try await context.leave(old, session)
  }
}

extension RoomOpening {
  /// Enters a room and opens it, and says so. A password that the room asks for is asked for.
  /// - Parameters:
  ///   - name: what to call it, if nothing is kept of it.
  ///   - password: the one that the user names: where it is wrong, the command fails.
  ///   - invited: the one that came with an invitation: where it is wrong, the user is asked for one.
  @Client func enter(
    _ jid: JID, _ context: CommandContext, _ session: Session, nick: String? = nil, name: String? = nil,
    password: String? = nil, invited: String? = nil, bookmarks: Bool
  ) async throws {
    let opening = try begin(jid, in: context)
    try await context.enter(
      jid, session, nick: nick, name: name, password: password, invited: invited, bookmarks: bookmarks)
    opening.finish()
  }
}

extension CommandContext {
  /// Enters a room, and says so. A password that the room asks for is asked for.
  /// - Parameters: as those of ``RoomOpening``'s.
  fileprivate func enter(
    _ jid: JID, _ session: Session, nick: String? = nil, name: String? = nil, password: String? = nil,
    invited: String? = nil, bookmarks: Bool
  ) async throws {
    let groupchat = session.features[Groupchat.self]
    try await learnBookmark(of: jid, session)
    let wasInside = groupchat.room(jid)?.isInside == true
    let room = try await enter(jid, groupchat, nick, password, invited)
    let wasMade = room.isNew && !wasInside
    application.stays(in: jid, of: try account())
    // An invitation is answered by that. The log has reported its error.
    if let invitation = try? invitation(into: jid), !invitation.isAnswered {
      try? log.answerInvitation(invitation.number)
    }
    if bookmarks {
      var record = room.record
      record.autojoin = true
      record.name = record.name ?? name
      // What the room calls itself, until the user calls it something else.
      if record.name == nil, let information = room.information {
        var found = FoundRoom(jid: jid)
        found.take(information)
        record.name = found.name
      }
      if nick != nil { record.nick = room.nick }
      try await bookmark(record, session)
    }
    let others = room.occupantCount - 1
    let company = others == 1 ? "1 other" : others < 1 ? "nobody else" : "\(others) others"
    let sentence =
      wasMade
      ? "There was no room \(jid): you made it, and are in it as \(room.nick)."
      : "You are in \(jid) as \(room.nick), with \(company)."
    show(RoomStepRow(jid, "joined", who: room.nick, sentence).unlessTold(self))
  }
}

extension CommandContext {
  private func enter(
    _ jid: JID, _ groupchat: Groupchat, _ nick: String?, _ password: String?, _ invited: String?
  ) async throws -> Room {
    do {
      return try await groupchat.join(jid, nick: nick, password: password ?? invited)
    } catch {
      let isAsked = error.stanzaError?.condition == "not-authorized" && password == nil && origin != .script
      guard isAsked, let terminal = application.secrets else { throw refusal(error, of: jid, groupchat) }
      beginQuestion()
      let typed = try await terminal.askSecret("Password for \(jid): ")
      guard !typed.isEmpty, StanzaWriter.canCarry(typed) else { throw refusal(error, of: jid, groupchat) }
      do {
        return try await groupchat.join(jid, nick: nick, password: typed)
      } catch {
        throw refusal(error, of: jid, groupchat)
      }
    }
  }

  /// A room did not let the user in. At the prompt that is shown as it happens, with the room's words: they are not said again. That it
  /// does not give somebody who is in it another nick is not, nor what is tried again.
  func refusal(_ error: RequestError, of jid: JID, _ groupchat: Groupchat) -> CommandFailure {
    var failure = CommandFailure(error)
    if let moved = error.stanzaError.flatMap({ Groupchat.place($0, otherThan: jid) }) {
      failure.text +=
        " To follow it, type: \(origin == .shell ? "jackdaw " : "/")rooms join \(moved) --instead-of \(jid)"
    }
    failure.isShown = origin == .prompt && error.stanzaError != nil && groupchat.room(jid) == nil
    return failure
  }
}

/// `rooms leave`: leaves a room, everywhere.
package struct RoomsLeaveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a room and remove its bookmark: then all your devices leave it.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room)], options: ["--reason": .nothing],
    isTypedWhole: true, aliases: [.ofOpenRoom("part")], meanings: ["leave"],
    examples: [
      .init("rooms leave tea@rooms.example.org", "Leave a room."),
      .init("rooms leave tea --reason 'Good night'", "Say why."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Option(help: ArgumentHelp("What those who stay are told.", valueName: "text"))
  package var reason: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    let reason = try reason.map { try OutgoingText.checked($0) }
    let session = try await context.session()
    let groupchat = session.features[Groupchat.self]
    try await context.learnBookmark(of: jid, session)
    guard groupchat.room(jid) != nil || groupchat.record(of: jid) != nil else {
      throw CommandFailure(.noUser, "item-not-found", "You are not in \(jid), and it is not bookmarked.")
    }
    try await context.leave(jid, session, saying: reason)
  }
}

extension CommandContext {
  /// Leaves a room for good, and says so.
  fileprivate func leave(_ jid: JID, _ session: Session, saying reason: String? = nil) async throws {
    let groupchat = session.features[Groupchat.self]
    try await groupchat.leave(jid, saying: reason)
    try await session.features[RoomBookmarks.self].remove(jid)
    try groupchat.forget(jid)
    try wasLeft(jid, session)
    show(RoomStepRow(jid, "left", "You left \(jid).").unlessTold(self))
  }
}
