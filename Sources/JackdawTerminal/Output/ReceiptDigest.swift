// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What is told of the user's messages having come, and having been read: once, of the last one in a conversation, and only while it is
/// the last word there. Of somebody who is looking, and reads each message as it comes, it is told at the first one alone.
struct ReceiptDigest {
  /// The last message of the user's in a conversation.
  private struct Last {
    var id: String
    var since: MonotonicTime
    /// It was told.
    var isTold = false
    /// They have read it, and that is to be told.
    var isRead = false
    /// Of a room, who has read it. Bounded by ``TerminalLimits/rememberedReaders``.
    var readers: [String] = []
    /// It came to them long after it was written, and that is to be told.
    var isDelivered = false
    /// How much was on the screen when it stood there.
    var shown: Int
  }

  /// What is to be told of a conversation.
  struct News: Equatable {
    var conversation: JID
    /// It was read; else it has come to a device.
    var isRead: Bool
    /// Of a room, who has read it: their nicks.
    var readers: [String] = []
    /// How much was on the screen when the message stood there.
    var shown: Int
  }

  /// Bounded by ``TerminalLimits/rememberedAddresses``.
  private var last: [JID: Last] = [:]
  /// When they were last known to be looking. Bounded by ``last``.
  private var looking: [JID: MonotonicTime] = [:]

  /// The user has said something.
  mutating func said(_ id: String?, in conversation: JID, at now: MonotonicTime, shown: Int) {
    guard let id, last.count < TerminalLimits.rememberedAddresses || last[conversation] != nil else { return }
    last[conversation] = Last(id: id, since: now, shown: shown)
  }

  /// They have said something: that they have read what stands before it is plain.
  mutating func answered(in conversation: JID) { last[conversation] = nil }

  /// It has come to a device of theirs.
  /// - Returns: whether that is to be told.
  mutating func delivered(_ id: String, in conversation: JID, at now: MonotonicTime) -> Bool {
    guard let said = last[conversation], said.id == id, !said.isTold else { return false }
    // As it goes with people who are there, it is no news.
    guard now - said.since > TerminalLimits.lateReceipt else { return false }
    last[conversation]?.isDelivered = true
    return true
  }

  /// Somebody in a room has read it. Of a room it is told whoever looks: there it is news who does.
  /// - Returns: whether that is to be told.
  mutating func displayed(_ id: String, inRoom conversation: JID, by nick: String) -> Bool {
    guard let said = last[conversation], said.id == id, !said.isTold,
      said.readers.count < TerminalLimits.rememberedReaders, !said.readers.contains(nick)
    else { return false }
    last[conversation]?.readers.append(nick)
    last[conversation]?.isRead = true
    return true
  }

  /// They have read it.
  /// - Returns: whether that is to be told.
  mutating func displayed(_ id: String, in conversation: JID, at now: MonotonicTime) -> Bool {
    guard let said = last[conversation], said.id == id, !said.isTold else { return false }
    let isAtOnce = now - said.since <= TerminalLimits.lateReceipt
    let wasLooking = looking[conversation].map { now - $0 <= TerminalLimits.stillLooking } ?? false
    looking[conversation] = now
    if isAtOnce, wasLooking {
      last[conversation]?.isTold = true
      return false
    }
    last[conversation]?.isRead = true
    return true
  }

  /// What is to be told now; it is told then.
  mutating func drain() -> [News] {
    var news: [News] = []
    for (conversation, said) in last where !said.isTold && (said.isRead || said.isDelivered) {
      news.append(News(conversation: conversation, isRead: said.isRead, readers: said.readers, shown: said.shown))
      // Who has a message may still read it.
      last[conversation]?.isTold = said.isRead
      last[conversation]?.isDelivered = false
    }
    return news.sorted { $0.conversation.description < $1.conversation.description }
  }
}
