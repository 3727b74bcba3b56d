// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// `status`: shows or sets our own presence.
package struct StatusCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show or set your own presence.",
    discussion: """
      A status lasts as long as the session that sets it: at the prompt, while a script runs, or as long as the agent does. From the \
      shell the status is that of the Jackdaw that runs for the account, whether prompt, 'listen' or agent; where none runs, it cannot be set.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [
      .word(.words(Shown.allCases.map(\.rawValue))), .text(.friend),
    ],
    accounts: .each, aliases: [.init("away", adding: ["away"])],
    meanings: [
      "presence", "status_message", .init("back", adding: ["online"]), .init("online", adding: ["online"]),
      .init("available", adding: ["online"]), .init("busy", adding: ["busy"]), .init("dnd", adding: ["busy"]),
      .init("xa", adding: ["xa"]), .init("afk", adding: ["away"]), .init("offline", adding: ["offline"]),
      .init("invisible", adding: ["offline"]),
    ],
    examples: [
      .init("status", "Show your own."),
      .init("status away At lunch", "Show yourself as away, and say why.", in: .lines),
      .init("status online", "Be back.", in: .lines),
    ])

  /// What can be announced, in the words of the screen: RFC 6121 4.7.2.1's values of show, `online` for none of them, `offline` for
  /// unavailable.
  package enum Shown: String, ExpressibleByArgument, CaseIterable, Sendable {
    case online, chat, away, xa, busy, offline

    /// Takes the RFC's words too, and `back` for who was away.
    package init?(argument: String) {
      switch argument {
      case "available", "back": self = .online
      case "dnd": self = .busy
      default: self.init(rawValue: argument)
      }
    }

    /// As a stanza says it.
    func presence(_ words: String?) -> Presence {
      switch self {
      case .online: Presence(status: words)
      case .chat: Presence(show: .chat, status: words)
      case .away: Presence(show: .away, status: words)
      case .xa: Presence(show: .xa, status: words)
      case .busy: Presence(show: .dnd, status: words)
      case .offline: Presence(kind: .unavailable, status: words)
      }
    }
  }

  @Argument(
    help: "online (or back), chat, away, xa, busy (or dnd) or offline; without it the present one is shown.")
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
    guard context.origin != .shell || context.application.isGuest else { return try runFromShell(context) }
    let session = try await context.session()
    let board = session.features[PresenceBoard.self]
    if let status {
      try board.announce(status.presence(text.isEmpty ? nil : OutgoingText.checked(text.joined(separator: " "))))
      // The next command, or the end of the process, must not overtake it.
      try await session.features[FriendManager.self].settle()
      let account = try context.account()
      switch status {
      case .away, .xa: account.userLeft()
      case .online, .chat, .busy: account.userActed()
      case .offline: break
      }
    }
    context.show(StatusRow(account: session.identity.account, .session(board.own)))
  }

  /// A session of this command's own would end with it, and nobody can speak for that of another program.
  @Client private func runFromShell(_ context: CommandContext) throws {
    let account = try context.account().jid.bare
    let isRunning = context.application.storedData.isAtWork(account)
    guard let status else {
      return context.show(StatusRow(account: account, isRunning ? .elsewhere : .nowhere))
    }
    let line = (["/status", status.rawValue] + text).joined(separator: " ")
    let advice =
      isRunning
      ? "Jackdaw is running for \(account): type '\(line)' at its prompt, or put it into its script; an agent takes it once it is online again."
      : "Jackdaw is not running: start 'jackdaw' and type '\(line)' at its prompt."
    throw CommandFailure(
      .unavailable, "no-session", "A status lasts as long as the session that sets it. \(advice)")
  }
}

/// Our own presence.
package struct StatusRow: CommandRow {
  /// What is known of it.
  package enum Known: Sendable, Equatable {
    /// As this session last announced it; nil when it announced none, so that we are offline to our contacts.
    case session(Presence?)
    /// Another program on this machine has a session, and alone knows.
    case elsewhere
    /// No program on this machine has a session.
    case nowhere
  }

  /// Whose presence it is: our bare JID.
  package var account: JID
  package var known: Known

  package init(account: JID, _ known: Known) {
    self.account = account
    self.known = known
  }

  private var presence: Presence? {
    if case .session(let presence) = known { presence } else { nil }
  }

  /// In the words of RFC 6121; nil: nobody here knows.
  private var show: String? {
    if known == .elsewhere { nil } else { presence.map { $0.show?.rawValue ?? "available" } ?? "offline" }
  }

  /// In those of the screen.
  private var shown: String? {
    switch show {
    case "available": "online"
    case "dnd": "busy"
    default: show
    }
  }

  package var cells: [Cell] {
    var cells = [Cell(account.description, .jid)]
    if let shown {
      cells.append(
        Cell(shown, presence.map { FriendRow.presenceCell($0.show?.rawValue ?? "available").role } ?? .offline))
    }
    switch known {
    case .session: if let status = presence?.status { cells.append(Cell(status, .faint)) }
    case .elsewhere:
      // Which of the two it is cannot be told: an agent that has no connection lets no command in either.
      let advice = "'/status' at its prompt or in its script shows your status, an agent tells it once it is online."
      cells.append(Cell("Jackdaw is running: \(advice)", .plain))
    case .nowhere: cells.append(Cell("Jackdaw is not running here; other devices are not known.", .faint))
    }
    return cells
  }

  private enum CodingKeys: String, CodingKey { case show, status, priority, running }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(show, forKey: .show)
    try container.encode(presence?.status, forKey: .status)
    try container.encode(presence?.priority, forKey: .priority)
    try container.encode(known != .nowhere, forKey: .running)
  }
}
