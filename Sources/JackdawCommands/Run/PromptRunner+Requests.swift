// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

extension PromptRunner {
  /// Says who has asked to be a friend in an earlier run and still waits: whoever saw that may have forgotten it since, and whoever asks
  /// now is told of by itself.
  func recallRequests(of account: Account) async {
    // Where the server does not say who still waits nobody is told of.
    guard let friends = account.session?.features[FriendManager.self],
      let left = try? await friends.requestsLeftOpen(), let first = left.first
    else { return }
    let place = hasSeveralAccounts ? "\(account.shownName): " : ""
    let who = left.count == 1 ? "\(first.jid) is" : "\(left.count) people are"
    let after = account === self.account ? "" : ", after /account \(account.shownName)"
    output.notice("\(place)\(who) waiting for your answer: see /friends requests\(after)")
  }
}
