// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawSession

/// The screen that a first start ends with: who one is, which friends are there, and how to go on. It fits 40 columns.
package struct WelcomeRow: CommandRow {
  /// The account, bare.
  package var jid: JID
  /// How many friends there are.
  package var friends: Int
  /// Those of them who are online, with what they are called, in the order of that.
  package var online: [(jid: JID, name: String)]
  /// What the only friend is called, where there is just one.
  package var only: String?

  /// - Parameter friends: the contact list; whoever does not show us their presence is no friend yet.
  @Client init(_ jid: JID, friends: [RosterItem], presence: PresenceBoard) {
    let friends = friends.filter { [.to, .both].contains($0.subscription) }
    self.jid = jid.bare
    self.friends = friends.count
    only = friends.count == 1 ? friends.first.map { $0.name ?? $0.jid.description } : nil
    online = friends.filter { !["unavailable", nil].contains(presence.summary(of: $0.jid)) }
      .map { ($0.jid, $0.name ?? $0.jid.description) }.sorted { $0.name < $1.name }
  }

  /// Put together by hand.
  package init(_ jid: JID, friends: Int, online: [(jid: JID, name: String)], only: String? = nil) {
    self.only = only
    self.jid = jid.bare
    self.friends = friends
    self.online = online
  }

  package var cells: [Cell] { [] }

  package var lines: [[Cell]] {
    let hints = [
      ("/friends add JID", "add a friend"), ("/to NAME", "talk to somebody"), ("/help", "what else there is"),
      ("Ctrl-D or /quit", "leave"),
    ]
    // In one cell each, so that no other line widens their column.
    let width = hints.map(\.0.count).max() ?? 0
    let rows = hints.map { words, deed in words + String(repeating: " ", count: width - words.count + 2) + deed }
    return (["You are \(jid).", state] + rows).map { [Cell($0)] }
  }

  private var state: String {
    if friends == 0 { return "You have no friends here yet." }
    guard !online.isEmpty else {
      guard let only else { return "None of your \(friends) friends is online." }
      return "Your friend \(only.prefix(CommandLimits.welcomeName)) is offline."
    }
    let named = online.prefix(CommandLimits.welcomeNames).map { $0.name.prefix(CommandLimits.welcomeName) }
    let rest = online.count - named.count
    return "Online: \(named.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")."
  }

  private enum CodingKeys: String, CodingKey { case jid, friends, online }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(friends, forKey: .friends)
    try container.encode(online.map(\.jid.description), forKey: .online)
  }
}
