// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What others ask, and what becomes of what we asked (RFC 6121 3). Strangers are never granted anything by themselves.
extension FriendManager {
  func subscriptionChanged(_ presence: Presence) {
    guard let from = presence.from?.bare else { return }
    if presence.kind == .error { return tellError(presence, from) }
    guard let step = SubscriptionState.Step(presence.kind) else { return }
    if from == context.identity.account {
      return context.remark("ignored a \(presence.kind.rawValue) from our own account")
    }
    var state = self.state(of: from)
    guard state.receive(step) else {
      // Told again, as on each new stream, it is no news, but it still holds.
      if step == .subscribe, hasAsked(from) { _ = requests.add(request(presence, from)) }
      return
    }
    switch step {
    case .subscribe:
      // Whom we have asked ourselves may see us: that makes both friends, without a question left over.
      if currency == .current, state.ours != .none, grant(from) { return }
      keep(request(presence, from))
    case .unsubscribe:
      // A request that was withdrawn; the end of a subscription is told by the roster push that belongs to it.
      requests.remove(from)
    case .subscribed, .unsubscribed:
      // The roster push that belongs to it says it, and cannot be forged by the other side.
      break
    }
  }

  private func request(_ presence: Presence, _ from: JID) -> FriendRequested {
    let nickname = presence.payloads.lazy.compactMap { Nickname($0) }.first?.text
    return FriendRequested(jid: from, displayName: nickname.map(Self.cut), message: presence.status.map(Self.cut))
  }

  private func keep(_ request: FriendRequested) {
    if requests.add(request) {
      context.events.post(request)
    } else if requests.isFull, !hasToldOfLimit {
      hasToldOfLimit = true
      context.remark("there are more requests of friendship than are kept: the rest is ignored")
    }
  }

  private static func cut(_ text: String) -> String {
    text.utf8.count <= SessionLimits.requestText
      ? text : String(text.unicodeScalars.prefix(SessionLimits.requestText))
  }

  /// - Returns: whether it was sent.
  private func grant(_ jid: JID) -> Bool {
    do {
      try send(.subscribed, to: jid)
      return true
    } catch {
      context.remark("\(jid), whom we had asked, could not be accepted: \(error)")
      return false
    }
  }

  /// The roster is here: of those who asked before it was, some are whom we had asked ourselves.
  func grantThoseWeAsked() {
    for request in requests.all where state(of: request.jid).ours != .none && grant(request.jid) {
      requests.remove(request.jid)
    }
  }

  /// What we sent somebody cannot be delivered: their server does not exist, say.
  private func tellError(_ presence: Presence, _ from: JID) {
    guard state(of: from).ours == .pending else { return }
    context.remark("\(from) could not be asked: \(presence.error ?? .undefined)")
  }

  /// Brings in every request that the server holds for us: it tells them after the initial presence (RFC 6121 3.1.3),
  /// in order, so that the answer to a ping that follows proves that all are here.
  package func settle() async throws {
    try await context.requests.roundTrip(timeout: context.timeout)
    requests.forgetUntold()
  }
}
