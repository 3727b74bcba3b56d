// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// The fate of our messages on a stream on which nobody counts stanzas (XEP-0198). Servers take what one client sends in its order
/// (RFC 6120 10.1): so an answer to a request, whoever gives it, says that the server has every message before that.
extension Delivery {
  /// A request that was sent behind messages.
  struct Question {
    let id: String
    /// The number of the last message before it.
    let number: Int
  }

  func requestWasSent(_ id: String) {
    guard let number = outbox.lastWritten else { return }
    if questions.count >= SessionLimits.questionsBehindMessages { questions.removeFirst() }
    questions.append(Question(id: id, number: number))
  }

  func requestWasAnswered(_ id: String) {
    guard let index = questions.firstIndex(where: { $0.id == id }) else { return }
    let number = questions[index].number
    questions.removeAll { $0.number <= number }
    confirmed(outbox.confirm(through: number))
  }

  /// On leaving: a last request, whose answer settles the open messages.
  func settleLast() async {
    guard !core.role.isOneShot, isWriting, !core.wire.isCounting, outbox.lastWritten != nil else { return }
    // Without an answer they are left to the next run.
    try? await core.requests.roundTrip(timeout: SessionLimits.lastAnswerPatience)
  }
}
