// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Rooms that are entered for a command of another process: its own session would leave them with its end.
extension Application {
  /// Finds out what an address is that something is about to be said to.
  func approach(_ jid: JID, of account: Account) async {
    await account.learnRoom(jid)
    if account.session?.features[Groupchat.self].isRoom(jid) == true { visit(jid, of: account) }
  }

  /// A room is about to be entered for this command, unless the user is in it anyway.
  func visit(_ jid: JID, of account: Account) {
    let jid = jid.bare
    guard isGuest, let groupchat = account.session?.features[Groupchat.self],
      !visited.contains(where: { $0.room == jid && $0.account === account })
    else { return }
    let others = account.visits[jid] ?? 0
    guard others > 0 || groupchat.room(jid)?.isWanted != true else { return }
    account.visits[jid] = others + 1
    visited.append((jid, account))
  }

  /// The user wants to stay in a room.
  func stays(in jid: JID, of account: Account) { account.visits[jid.bare] = nil }

  /// Leaves the rooms that were entered for this command, where no other is in them and the user has not come to stay.
  func endVisits() async {
    for (room, account) in visited {
      guard let count = account.visits[room] else { continue }
      account.visits[room] = count > 1 ? count - 1 : nil
      guard count == 1, let groupchat = account.session?.features[Groupchat.self] else { continue }
      // That it does not answer is of no consequence.
      try? await groupchat.leave(room)
    }
    visited = []
  }
}
