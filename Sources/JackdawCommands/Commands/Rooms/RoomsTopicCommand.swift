// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms topic`: what a room is about.
package struct RoomsTopicCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "topic", abstract: "Show or set what a room is about.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .text(.nothing)],
    aliases: [.ofOpenRoom("topic")], meanings: ["subject"],
    examples: [
      .init("rooms topic tea@rooms.example.org", "What a room is about."),
      .init("rooms topic tea@rooms.example.org Green or black?", "Set it."),
      .init("rooms topic tea --clear", "Take it away."),
    ])

  @Flag(help: "Take the topic away.")
  package var clear = false

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: "The topic.")
  package var text: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if clear, !text.isEmpty { throw ValidationError("'--clear' takes no topic") }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    guard clear || !text.isEmpty else { return try await show(jid, context) }
    let topic = try OutgoingText.checked(text.joined(separator: " "))
    let (session, _) = try await context.place(in: jid)
    try await session.features[Groupchat.self].setTopic(topic, in: jid)
    let sentence = topic.isEmpty ? "\(jid) has no topic now." : "The topic of \(jid) is: \(topic)"
    context.show(RoomStepRow(jid, "topic", sentence).unlessTold(context))
  }

  /// Of a room that the user is not in, as it tells everybody; where it tells those inside alone, it is entered from the shell.
  @Client private func show(_ jid: JID, _ context: CommandContext) async throws {
    let session = try await context.session()
    let groupchat = session.features[Groupchat.self]
    if groupchat.room(jid)?.topic == nil {
      let discovery = session.features[ServiceDiscovery.self]
      var found = FoundRoom(jid: jid)
      found.take(try await discovery.information(of: jid, timeout: context.timeout))
      if let topic = found.topic { return context.show(RoomTopicRow(room: jid, text: topic)) }
      _ = try await context.place(in: jid)
      // The topic is the last that a room sends to who enters it: the answer to a question comes behind it.
      _ = try await discovery.information(of: jid, timeout: context.timeout)
    }
    let topic = groupchat.room(jid)?.topic
    context.show(RoomTopicRow(room: jid, text: topic?.text ?? "", nick: topic?.nick))
  }
}

/// `rooms nick`: what the user is called in a room.
package struct RoomsNickCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "nick", abstract: "Be called otherwise in a room, there and on all your devices.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .name(.nothing)],
    aliases: [.ofOpenRoom("nick")], meanings: ["nickname"],
    examples: [
      .init("rooms nick tea@rooms.example.org Al", "Be called Al there.")
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("What to be called.", valueName: "nick"))
  package var nick: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let jid = try await context.room(room)
    try Self.check(nick, in: jid)
    let (session, room) = try await context.place(in: jid)
    let groupchat = session.features[Groupchat.self]
    try await groupchat.rename(in: jid, to: nick)
    var record = room.record
    record.nick = room.nick
    if record.isBookmarked {
      try await context.bookmark(record, session)
    } else {
      try groupchat.keep(record)
    }
    context.show(RoomStepRow(jid, "renamed", who: room.nick, "You are \(room.nick) in \(jid).").unlessTold(context))
  }

  /// - Throws: ``CommandFailure`` with code 65 for what cannot be a nick.
  static func check(_ nick: String, in room: JID) throws(CommandFailure) {
    guard !nick.isEmpty, (try? room.with(resource: nick)) != nil else {
      throw CommandFailure(.badInput, "jid-malformed", "'\(nick)' cannot be a nick.")
    }
  }
}
