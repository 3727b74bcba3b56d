// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms notify`: when the user is called for what is said in a room.
package struct RoomsNotifyCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Say when you are called for what is said in a room, on this device.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.words(When.allCases.map(\.rawValue)))],
    meanings: ["notifications"],
    examples: [
      .init("rooms notify tea@rooms.example.org always", "For everything that is said."),
      .init("rooms notify tea default", "For your name alone, as everywhere."),
    ])

  /// When, in the words of the screen.
  package enum When: String, ExpressibleByArgument, CaseIterable, Sendable {
    case always, mention, never
    /// As everywhere.
    case `default`
  }

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("always, mention (when somebody says your name), never or default.", valueName: "when"))
  package var when: When

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let record = try await context.change(room) { $0.notify = RoomNotify(rawValue: when.rawValue) }
    let words =
      switch record.notify ?? .mention {
      case .always: "for everything that is said in"
      case .mention: "when somebody says your name in"
      case .never: "for nothing that is said in"
      }
    context.show(RoomStepRow(record.jid, "notify", "You are called \(words) \(record.jid)."))
  }
}

/// `rooms presence`: whether the user is told who comes and goes.
package struct RoomsPresenceCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "presence", abstract: "Say whether you are told who comes into a room and goes, on this device.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.words(Setting.allCases.map(\.rawValue)))],
    meanings: ["joins", "comings"],
    examples: [
      .init("rooms presence tea@rooms.example.org off", "Nobody's coming and going is told."),
      .init("rooms presence tea default", "As everywhere: in small rooms it is told."),
    ])

  /// Whether it is told, in the words of the screen.
  package enum Setting: String, ExpressibleByArgument, CaseIterable, Sendable {
    case on, off
    /// As everywhere.
    case `default`
  }

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("on, off or default (in small rooms).", valueName: "setting"))
  package var setting: Setting

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let record = try await context.change(room) { $0.tellsOccupants = setting == .default ? nil : setting == .on }
    let words =
      switch record.tellsOccupants {
      case true?: "You are told who comes into \(record.jid) and goes."
      case false?: "You are not told who comes into \(record.jid) and goes."
      case nil: "You are told who comes into \(record.jid) and goes as long as few are there."
      }
    context.show(RoomStepRow(record.jid, "presence", words))
  }
}

extension CommandContext {
  /// Changes what is kept of a room of the user's on this device.
  /// - Returns: what is kept now.
  fileprivate func change(_ word: String, _ change: @Client (inout RoomRecord) -> Void) async throws -> RoomRecord {
    let jid = try await room(word)
    let session = try await session()
    let groupchat = session.features[Groupchat.self]
    try await learnBookmark(of: jid, session)
    guard var record = groupchat.record(of: jid) else {
      throw CommandFailure(.noUser, "item-not-found", "You are not in \(jid), and it is not bookmarked.")
    }
    change(&record)
    try groupchat.keep(record)
    return record
  }
}
