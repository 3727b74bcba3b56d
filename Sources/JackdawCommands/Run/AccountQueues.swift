// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Does the work of each account one piece after the other, in the order in which it was added. What one account waits for, as its server
/// does not answer, is nothing to another.
@Client final class AccountQueues {
  /// Bounded by the accounts.
  private var queues: [ObjectIdentifier?: SerialQueue] = [:]

  /// That of an account; nil: of what has none.
  subscript(account: Account?) -> SerialQueue {
    let key = account.map { ObjectIdentifier($0) }
    let queue = queues[key] ?? SerialQueue()
    queues[key] = queue
    return queue
  }

  /// Whether something runs.
  var isBusy: Bool { queues.values.contains(where: \.isBusy) }

  /// Waits until nothing runs and nothing waits.
  func drain() async {
    for queue in queues.values { await queue.drain() }
  }

  /// Cancels what runs and forgets what waits.
  func cancel() {
    for queue in queues.values { queue.cancel() }
  }
}
