// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The accounts whose commands another process takes: their turn comes here once that process has ended.
@Client final class AgentSuccession {
  private struct Awaited {
    var account: Account
    /// nil: the system does not tell of its end.
    var holder: ProcessWatch?
    /// It was killed, and its socket lies there.
    var isHolderGone = false
  }

  /// Offers the account's socket, and where another process has it after all, waits for another turn.
  var onTurn: (@Client (Account) throws(CommandFailure) -> Void)?

  private let folder: AgentFolder
  private let clock: any LoopClock
  /// Bounded by the accounts of the configuration.
  private var awaited: [Awaited] = []
  /// Until their sockets are made, once that process has ended.
  private var timer: LoopTimer?

  init(in folder: AgentFolder, clock: any LoopClock) {
    self.folder = folder
    self.clock = clock
  }

  /// Its socket is being offered now.
  func forget(_ account: Account) { awaited.removeAll { $0.account === account } }

  /// Another process has the account's socket: its turn comes once that one has ended.
  func waitTurn(of account: Account) {
    let door = AgentDoor(folder: folder, name: AgentFolder.name(of: account.jid))
    let holder = door.watchHolder { [weak self] in self?.holderEnded(of: account) }
    awaited.append(Awaited(account: account, holder: holder, isHolderGone: holder == nil && door.isStale))
    // It may have ended before it was watched.
    takeTurn()
  }

  /// Sockets have gone from the folder.
  func socketsWent() {
    // The minute is counted from the last that went.
    timer = nil
    takeTurn()
  }

  /// Nobody's turn comes any more.
  func end() { (timer, awaited) = (nil, []) }

  private func holderEnded(of account: Account) {
    guard let index = awaited.firstIndex(where: { $0.account === account }) else { return }
    awaited[index].isHolderGone = true
    takeTurn()
  }

  /// Makes the sockets of those whose process has ended, after a while: an agent that is started anew comes first.
  private func takeTurn() {
    guard timer == nil,
      awaited.contains(where: { $0.isHolderGone || !folder.isSocket(AgentFolder.name(of: $0.account.jid)) })
    else { return }
    timer = clock.schedule(after: CommandLimits.agentSuccession) { [weak self] in
      guard let self else { return }
      timer = nil
      for entry in awaited {
        do {
          // Nothing is taken from one that answers.
          try onTurn?(entry.account)
        } catch {
          // Another time: it is found out at the next change of the folder.
          awaited.append(Awaited(account: entry.account))
        }
      }
    }
  }
}
