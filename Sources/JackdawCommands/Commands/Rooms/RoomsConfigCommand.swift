// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `rooms config`: how a room is configured.
package struct RoomsConfigCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or change how a room is configured; only its owners can.",
    discussion: """
      What there is to configure differs from server to server. Settings are yes or no, a text, one of the values in brackets, or several \
      of them with commas between.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.room), .word(.nothing)],
    // A room's password is a setting as others are.
    secretMarks: ["secret", "password"],
    meanings: ["configure", "settings", "set", "options"],
    examples: [
      .init("rooms config tea@rooms.example.org", "All settings of a room."),
      .init("rooms config tea roomname='All about tea' publicroom=yes", "Change two of them."),
    ])

  @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: .declared)
  package var room: String

  @Argument(help: ArgumentHelp("What to change.", valueName: "setting=value"))
  package var changes: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if let wrong = changes.first(where: { $0.first == "=" || !$0.contains("=") }) {
      throw ValidationError("'\(wrong)' is not SETTING=VALUE")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    var wanted: [(name: String, value: String)] = []
    for change in changes {
      let parts = try OutgoingText.checked(change).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      wanted.append((String(parts[0]), String(parts[1])))
    }
    let jid = try await context.room(room)
    let session = try await context.session()
    let administration = context.administration(session)
    let configuration = try await administration.configuration(of: jid)
    guard !wanted.isEmpty else {
      for setting in configuration.settings {
        try await context.showNext(RoomSettingRow(room: jid, name: configuration.name(of: setting), setting: setting))
      }
      return
    }
    try await administration.configure(jid, configuration.filled(with: wanted))
    if let password = configuration.password(in: wanted) { try await context.keep(password, of: jid, session) }
    // Whoever has just given the room away is not shown its configuration any more.
    if let now = try? await administration.configuration(of: jid) {
      let ignored = try configuration.ignored(wanted, now: now)
      let rows = ignored.map { RoomSettingRow(room: jid, name: now.name(of: $0), setting: $0) }
      if !rows.isEmpty { throw Self.failure(jid, rows) }
    }
    context.show(RoomStepRow(jid, "configured", "\(jid) is configured as you wanted."))
  }

  private static func failure(_ room: JID, _ ignored: [RoomSettingRow]) -> CommandFailure {
    let settings = ignored.map { "\($0.name) (\($0.shown.cut(toCodePoints: CommandLimits.listedText)))" }
    return CommandFailure(
      .unavailable, "not-acceptable",
      "\(room) took the changes, but left as it was: \(settings.joined(separator: ", ")).")
  }
}

extension CommandContext {
  /// Keeps the password that the user has given to a room of theirs: without it they would not be let in again, and people would be invited
  /// with the one before.
  fileprivate func keep(_ password: String, of jid: JID, _ session: Session) async throws {
    let groupchat = session.features[Groupchat.self]
    try await learnBookmark(of: jid, session)
    guard var record = groupchat.record(of: jid) else { return }
    record.password = password.isEmpty ? nil : password
    if record.isBookmarked {
      try await bookmark(record, session)
    } else {
      try groupchat.keep(record)
    }
  }
}
