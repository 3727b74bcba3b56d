// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `friends list`: everyone, with subscription and presence.
package struct FriendsListCommand: ClientCommand {
  package static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the contact list.")
  package static let declaration = CommandDeclaration(
    options: ["--group": .group],
    accounts: .each, aliases: [.init("who", adding: ["--online"]), .init("w", adding: ["--online"])],
    meanings: ["list", "ls", "names", .init("online", adding: ["--online"])],
    examples: [
      .init("friends", "Everybody on the contact list."),
      .init("friends --online", "Who is online."),
      .init("friends list --group Work", "Those of a group."),
    ])

  @Option(help: ArgumentHelp("Only those in this group.", valueName: "group"))
  package var group: String?

  @Flag(help: "Only those who are online; from the shell, contacts see you online meanwhile.")
  package var online = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    // Presences come only to those who are online themselves.
    let source =
      online ? .online(try await context.reachableSession()) : try await context.source { try await context.session() }
    // Asked beside the list: one behind the other they take longer by a round trip or two.
    let asked = EventLoop.main.start { try await source.blocked() }
    defer { asked.cancel() }
    let friends = source.session.features[FriendManager.self]
    let presence = source.session.features[PresenceBoard.self]
    if source.isOnline { try await friends.loadWithChanges() }
    if source.isOnline, !online, presence.own != nil {
      do {
        try await presence.settle()
      } catch {
        // What the server has not told is shown as unknown.
        try Task.checkCancellation()
      }
    }
    let knowsPresence = source.isOnline && presence.own != nil
    let blockList = try await asked.value
    var isEmpty = true
    for item in friends.friends(where: { item in group.map { item.groups.contains($0) } ?? true }) {
      let isBlocked = blockList.map { $0.entry(blocking: item.jid) != nil }
      let shown = knowsPresence && isBlocked != true ? presence.summary(of: item.jid) : nil
      // Some servers leave it at the presence that they told of somebody before.
      if online, knowsPresence, shown == nil || shown == "unavailable" { continue }
      isEmpty = false
      try await context.showNext(
        FriendRow(
          item: item, presence: shown, status: source.isOnline ? presence.resources(of: item.jid).first?.status : nil,
          awayFor: knowsPresence ? presence.timeAway(of: item.jid) : nil,
          isBlocked: isBlocked))
    }
    guard isEmpty else { return }
    let whom = group == nil ? "your friends" : "that group"
    context.showNothing(
      online
        ? "None of \(whom) is online." : group == nil ? "You have no friends here yet." : "Nobody is in that group.")
  }
}

/// One line of the contact list. JSON: a `friend` event without change, then the presence.
package struct FriendRow: CommandRow {
  package static let event = FriendChanged.name
  /// The entry of the roster that is shown.
  package var item: RosterItem
  /// The best resource's show; nil when it is not known.
  package var presence: String?
  package var status: String?
  /// Seconds since their last client went, where this session was told (RFC 6121 4.5, XEP-0203); nil while one is there.
  package var awayFor: Int64?
  /// Nothing of theirs gets here, by their address or their server's; nil where that is not known.
  package var isBlocked: Bool?

  package var cells: [Cell] {
    var cells = [
      Cell(item.name ?? item.jid.localpart ?? item.jid.description, .name), Cell(item.jid.description, .jid),
      Cell(Self.words(item), item.subscription == .both ? .good : .faint),
    ]
    cells.append(standing)
    if let awayFor { cells.append(Cell("last seen \(ElapsedTime(seconds: awayFor)) ago", .faint)) }
    let groups = item.groups.joined(separator: ", ")
    if !groups.isEmpty { cells.append(Cell("[\(groups)]", .faint)) }
    if let status, !status.isEmpty { cells.append(Cell(status, .faint)) }
    return cells
  }

  /// How they are. Of whoever is blocked, or has not answered, that cannot be known, and why says more.
  private var standing: Cell {
    if isBlocked == true { return Cell("blocked", .bad) }
    if presence == nil, item.ask { return Cell("no answer yet", .faint) }
    return Self.presenceCell(presence)
  }

  /// Somebody's presence for people; nil is not known.
  static func presenceCell(_ presence: String?) -> Cell {
    switch presence {
    case nil: Cell("unknown", .faint)
    case "unavailable"?: Cell("offline", .offline)
    case "available"?: Cell("online", .online)
    case "chat"?: Cell("free for a chat", .online)
    case "xa"?: Cell("away for long", .away)
    case "dnd"?: Cell("busy", .busy)
    case let presence?: Cell(presence, .away)
    }
  }

  /// How things stand with somebody, for people: who sees whom.
  static func words(_ item: RosterItem) -> String {
    switch (item.subscription, item.ask) {
    case (.both, _): "friend"
    case (.to, _): "you see them"
    case (.from, false): "they see you"
    case (.from, true): "they see you, asked"
    case (.none, true): "asked"
    case (.none, false): "not friends"
    }
  }

  private enum CodingKeys: String, CodingKey { case presence, status, awayFor = "away_for", blocked }

  package func encode(to encoder: any Encoder) throws {
    try FriendChanged(item: item, change: nil).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(presence, forKey: .presence)
    try container.encode(status, forKey: .status)
    try container.encode(awayFor, forKey: .awayFor)
    try container.encode(isBlocked, forKey: .blocked)
  }
}
