// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What waits to be sent: seen, and taken back.
extension Delivery {
  /// Takes a message back, if it is not on its way.
  /// - Returns: nil when no message of this id waits, here or in the store.
  /// - Throws: when the store does.
  package func withdraw(_ id: String) throws -> Withdrawal? {
    flush()
    guard let entry = outbox[id], entry.state.isOpen else { return try store?.withdraw(id) }
    guard !entry.isWritten else { return .isOnItsWay(to: entry.to) }
    _ = try store?.withdraw(id)
    // Once it is withdrawn there is no doubt about it any more.
    let mayHaveArrived = entry.isUncertain
    if let entry = outbox.withdraw(id: id) { tell(entry, isOwnWithdrawal: true) }
    return .withdrawn(to: entry.to, mayHaveArrived: mayHaveArrived)
  }

  /// All that waits, here and in other programs, oldest first.
  /// - Throws: when the store does.
  package func waitingMessages() throws -> [OutboxItem] {
    flush()
    return try store?.outbox() ?? []
  }
}
