// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawSession

/// The conversations that can be switched to: how recent each is, what of it is unread, and which key opens it. A value that hears
/// what the log says and which were opened.
///
/// The nine most recent ones with friends, or with whom the user has written to or opened, have the numbers 1 to 9. A number stays
/// with its conversation as long as that is among the nine; then the one that takes its place takes its number.
package struct RecentConversations: Sendable, Equatable {
  /// A conversation of the list.
  package struct Entry: Sendable, Equatable {
    /// Whom it is with.
    package var conversation: JID
    /// Of theirs, how many nobody has read.
    package var unread: Int
    /// The digit of its key; nil: it has none.
    package var number: Int?
  }

  private struct Standing: Equatable {
    var last: Int64
    var unread = 0
    var isAnswered = false
    /// The order in which it was opened; 0: it was not.
    var opened = 0
    /// The newest message of all when it was opened.
    var openedAt = Int64.min

    var recency: (Int64, Int) { (max(last, openedAt), opened) }
  }

  /// Bounded by ``CommandLimits/conversationsKnown``, and by what the user opens.
  private var standings: [JID: Standing] = [:]
  private var numbered: [JID?] = Array(repeating: nil, count: CommandLimits.conversationNumbers)
  private var openings = 0
  /// The prompt asks at every event.
  private var unreadOnes: [Entry] = []
  /// How many messages nobody has read.
  package private(set) var unread = 0

  package init() {}

  // MARK: What happened

  /// The log was read as a whole.
  package mutating func load(_ all: [ConversationActivity], isFriend: (JID) -> Bool) {
    let known = Set(all.map(\.conversation))
    for (jid, standing) in standings where !known.contains(jid) {
      if standing.opened == 0 { standings[jid] = nil } else { standings[jid]?.unread = 0 }
    }
    for activity in all { note(activity) }
    arrange(isFriend)
  }

  /// Some of them were looked up.
  package mutating func update(_ some: [ConversationActivity], isFriend: (JID) -> Bool) {
    for activity in some { note(activity) }
    arrange(isFriend)
  }

  /// The user opened it.
  package mutating func opened(_ conversation: JID, isFriend: (JID) -> Bool) {
    openings += 1
    let newest = standings.values.map(\.recency.0).max() ?? 0
    var standing = standings[conversation] ?? Standing(last: .min)
    standing.opened = openings
    standing.openedAt = newest
    standings[conversation] = standing
    arrange(isFriend)
  }

  private mutating func note(_ activity: ConversationActivity) {
    var standing = standings[activity.conversation] ?? Standing(last: activity.last)
    standing.last = activity.last
    standing.unread = activity.unread
    standing.isAnswered = activity.isAnswered
    standings[activity.conversation] = standing
  }

  private mutating func arrange(_ isFriend: (JID) -> Bool) {
    number(isFriend)
    unread = standings.values.reduce(0) { $0 + $1.unread }
    unreadOnes = standings.filter { $0.value.unread > 0 }
      .sorted { ($0.value.last, $0.key.description) > ($1.value.last, $1.key.description) }
      .map { entry($0.key, $0.value) }
  }

  /// Gives the numbers of those that are no longer among the nine to those that are now.
  private mutating func number(_ isFriend: (JID) -> Bool) {
    var nine: [JID] = []
    for jid in order {
      guard nine.count < numbered.count, let standing = standings[jid] else { break }
      if standing.isAnswered || standing.opened > 0 || isFriend(jid) { nine.append(jid) }
    }
    for index in numbered.indices {
      if let jid = numbered[index], !nine.contains(jid) { numbered[index] = nil }
    }
    for jid in nine where !numbered.contains(jid) {
      if let free = numbered.firstIndex(of: nil) { numbered[free] = jid }
    }
  }

  // MARK: What is asked

  /// All of them, the most recent first.
  package var order: [JID] {
    standings.sorted { first, second in
      let (one, other) = (first.value.recency, second.value.recency)
      return one == other ? first.key.description < second.key.description : one > other
    }
    .map(\.key)
  }

  /// Whom the key of a digit opens; nil: nobody.
  package subscript(number: Int) -> JID? {
    numbered.indices.contains(number - 1) ? numbered[number - 1] : nil
  }

  /// How many messages of a conversation nobody has read.
  package func unread(in conversation: JID) -> Int { standings[conversation]?.unread ?? 0 }

  /// Those with unread messages, the one with the newest message first.
  /// - Parameter conversation: the one that is open, which is left out.
  package func unread(besides conversation: JID?) -> [Entry] {
    unreadOnes.filter { $0.conversation != conversation }
  }

  /// Those with a number in its order, then the others, the most recent first.
  package var list: [Entry] {
    let some = numbered.compactMap { $0 }
    return (some + order.filter { !some.contains($0) }).compactMap { jid in standings[jid].map { entry(jid, $0) } }
  }

  /// Whether the user has opened it or written in it.
  package func isWellKnown(_ conversation: JID) -> Bool {
    standings[conversation].map { $0.opened > 0 || $0.isAnswered } ?? false
  }

  private func entry(_ jid: JID, _ standing: Standing) -> Entry {
    Entry(conversation: jid, unread: standing.unread, number: numbered.firstIndex(of: jid).map { $0 + 1 })
  }
}
