// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Whom `listen --reply` answers, so that it never talks with itself, with a machine that cannot stop, or of what is long past.
struct ReplyBrake {
  /// What became of an answer.
  enum Verdict: Equatable {
    case sends
    /// So many answers went there that no person sent what they answer: from now on there are none. To be said once.
    case stops
    case isStopped
  }

  private struct Answered {
    /// When the last answers went out, at most as many as a window may have.
    var times: [MonotonicTime] = []
    var isStopped = false
    /// When they last wrote something that was to be answered.
    var last: MonotonicTime
  }

  private var answered: [JID: Answered] = [:]

  /// Whether anybody waits for an answer: a person, to what was just said. The others' messages are handed over all the same.
  /// - Parameter own: the account's address.
  static func mayBeAnswered(_ message: MessageArrived, own: JID, now: Timestamp) -> Bool {
    // What another device of ours got it may answer as well: nobody is to be answered twice (XEP-0280 10.4).
    guard message.carbon == nil, message.from.bare != own.bare, message.from.localpart != nil else { return false }
    guard message.kind != .headline, message.kind != .error else { return false }
    // In a room others are talked to, unless they are named.
    if message.kind == .groupchat, message.payload?.isMention != true { return false }
    guard let written = message.delayed else { return true }
    return now.milliseconds - written.milliseconds <= CommandLimits.answeredMilliseconds
  }

  /// An answer is to go to `jid`, whose resource does not count.
  mutating func answer(to jid: JID, at now: MonotonicTime) -> Verdict {
    forgetOthers(now)
    var known = answered[jid.bare] ?? Answered(last: now)
    if known.isStopped, now - known.last >= CommandLimits.brakeRest { known = Answered(last: now) }
    defer { answered[jid.bare] = known }
    known.last = now
    if known.isStopped { return .isStopped }
    known.times.removeAll { now - $0 >= CommandLimits.brakeWindow }
    guard known.times.count < CommandLimits.brakeAnswers else {
      known.isStopped = true
      known.times = []
      return .stops
    }
    known.times.append(now)
    return .sends
  }

  /// Those who have been silent for long are not remembered.
  private mutating func forgetOthers(_ now: MonotonicTime) {
    guard answered.count >= CommandLimits.brakeSenders else { return }
    answered = answered.filter { now - $0.value.last < CommandLimits.brakeRest }
    // A flood of addresses: no one of them is in a loop with us.
    if answered.count >= CommandLimits.brakeSenders { answered = answered.filter { $0.value.isStopped } }
    if answered.count >= CommandLimits.brakeSenders { answered = [:] }
  }
}
