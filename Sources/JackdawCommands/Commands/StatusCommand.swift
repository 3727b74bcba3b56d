// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `status`: shows or sets our own presence.
package struct StatusCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show or set your own presence.")
  package static let declaration = CommandDeclaration(
    arguments: [
      .word(.words(Shown.allCases.map(\.rawValue))), .text(.friend),
    ],
    aliases: [.init("away", adding: ["away"])],
    meanings: [
      "presence", .init("back", adding: ["available"]), .init("online", adding: ["available"]),
      .init("available", adding: ["available"]), .init("busy", adding: ["dnd"]), .init("dnd", adding: ["dnd"]),
      .init("xa", adding: ["xa"]), .init("afk", adding: ["away"]), .init("offline", adding: ["offline"]),
      .init("invisible", adding: ["offline"]),
    ],
    examples: [
      .init("status", "Show your own."),
      .init("status away At lunch", "Show yourself as away, and say why."),
      .init("status available", "Be back."),
    ])

  /// What can be announced: RFC 6121 4.7.2.1's values of show, `available` for none of them, `offline` for unavailable.
  package enum Shown: String, ExpressibleByArgument, CaseIterable, Sendable {
    case available, chat, away, xa, dnd, offline
  }

  @Argument(help: "available, chat, away, xa, dnd or offline; without it the present one is shown.")
  package var status: Shown?

  @Argument(help: "What to say with it.")
  package var text: [String] = []

  @Flag(help: "Show how many messages nobody has read; needs no connection.")
  package var unread = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if unread, status != nil { throw ValidationError("'--unread' takes no status") }
  }

  @Client package func run(in context: CommandContext) async throws {
    if unread { return context.show(UnreadRow(count: try context.log.unread())) }
    let session = try await context.session()
    let board = session.features[PresenceBoard.self]
    guard let status else { return context.show(StatusRow(account: session.identity.account, presence: board.own)) }
    let words = text.isEmpty ? nil : try OutgoingText.checked(text.joined(separator: " "))
    let presence: Presence =
      switch status {
      case .offline: Presence(kind: .unavailable, status: words)
      case .available: Presence(status: words)
      case .chat, .away, .xa, .dnd: Presence(show: Presence.Show(rawValue: status.rawValue), status: words)
      }
    try board.announce(presence)
    // The next command, or the end of the process, must not overtake it.
    try await session.features[FriendManager.self].settle()
    context.show(StatusRow(account: session.identity.account, presence: board.own))
  }
}

/// Our own presence.
package struct StatusRow: CommandRow {
  /// Whose presence it is: our bare JID.
  package var account: JID
  /// As last announced; nil when none is, so that we are offline to our contacts.
  package var presence: Presence?

  private var show: String { presence.map { $0.show?.rawValue ?? "available" } ?? "offline" }

  package var cells: [Cell] {
    var cells = [Cell(account.description, .jid), Cell(show, presence == nil ? .faint : .good)]
    if let status = presence?.status { cells.append(Cell(status, .faint)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey { case show, status, priority }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(show, forKey: .show)
    try container.encode(presence?.status, forKey: .status)
    try container.encode(presence?.priority, forKey: .priority)
  }
}
