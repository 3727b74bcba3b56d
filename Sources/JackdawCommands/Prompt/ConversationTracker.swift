// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Keeps ``RecentConversations`` current: looks into the log for what changed, once for all that changes within a moment.
@Client final class ConversationTracker {
  private enum Due {
    case nothing
    case some(Set<JID>)
    case all
  }

  private let account: Account
  private let lines: LineState
  private let clock: any LoopClock
  private var due = Due.nothing
  private var timer: LoopTimer?
  /// Called when it has been looked up anew.
  var onChange: (@Client () -> Void)?

  init(account: Account, lines: LineState, clock: any LoopClock) {
    self.account = account
    self.lines = lines
    self.clock = clock
  }

  /// Nothing more is looked up.
  func end() { (due, timer) = (.nothing, nil) }

  /// The user opened it.
  func opened(_ conversation: JID) {
    lines.update(account) { [account] recent in
      recent.opened(account.conversation(of: conversation)) { account.isFriend($0) }
    }
    changed(conversation)
  }

  /// Something was said in a conversation, or read.
  func changed(_ conversation: JID) {
    switch due {
    case .nothing: due = .some([account.conversation(of: conversation)])
    case .some(var some):
      some.insert(account.conversation(of: conversation))
      due = some.count > CommandLimits.activityLookUps ? .all : .some(some)
    case .all: break
    }
    lookSoon()
  }

  /// Any of them may have changed.
  func changed() {
    due = .all
    lookSoon()
  }

  private func lookSoon() {
    guard timer == nil else { return }
    timer = clock.schedule(after: CommandLimits.activityPause) { [weak self] in self?.look() }
  }

  /// Looks up what changed, now.
  func look() {
    timer = nil
    let isFriend: @Client (JID) -> Bool = { [account] in account.isFriend($0) }
    do {
      switch due {
      case .nothing: return
      case .some(let some):
        let activities = try some.compactMap { try account.log.activity(of: $0) }
        lines.update(account) { $0.update(activities) { isFriend($0) } }
      case .all:
        let activities = try account.log.activity(limit: CommandLimits.conversationsKnown)
        lines.update(account) { $0.load(activities) { isFriend($0) } }
      }
    } catch {
      // The store has reported its error; what is locked is looked up with what changes next.
    }
    due = .nothing
    onChange?()
  }
}
