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
      return context.remark("Ignored a \(presence.kind.rawValue) from our own account.")
    }
    if step == .unsubscribed { theyEnded(from) }
    // What takes an open request back says nothing of why they see us no more.
    if step == .unsubscribe, !hasAsked(from) { theyLeave(from) }
    var state = self.state(of: from)
    guard state.receive(step) else {
      // Told again, as on each new stream, it is no news, but it still holds.
      if step == .subscribe, hasAsked(from) {
        _ = requests.add(request(presence, from))
        grantIfWeAsked(from)
      }
      return
    }
    switch step {
    case .subscribe:
      // Whom we have asked ourselves may see us: that makes both friends, without a question left over.
      if standing.isCurrent, isInvited(from), grant(from) { return }
      keep(request(presence, from))
    case .unsubscribe:
      // A request that was withdrawn; the end of a subscription is told by the roster push that belongs to it.
      if requests.contains(from) {
        if withdrawals.count >= SessionLimits.withdrawnRequests { withdrawals = [:] }
        withdrawals[from] = context.clock.now
      }
      requests.withdraw(from)
    case .subscribed, .unsubscribed:
      // The roster push that belongs to it says it, and cannot be forged by the other side.
      break
    }
  }

  private func request(_ presence: Presence, _ from: JID) -> FriendRequest {
    let nickname = presence.payloads.lazy.compactMap { Nickname($0) }.first?.text
    return FriendRequest(
      jid: from, nickname: nickname, message: presence.status, photo: Self.photoHash(presence.payloads))
  }

  /// The hash of a picture that XEP-0153 announces; nil for what cannot be one.
  private static func photoHash(_ payloads: [Element]) -> String? {
    let update = payloads.first { $0.matches("x", "vcard-temp:x:update") }
    guard let hash = update?.text(of: "photo", "vcard-temp:x:update")?.lowercased(), hash.utf8.count == 40,
      hash.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return hash
  }

  private func keep(_ request: FriendRequest) {
    if requests.add(request, isContact: roster[request.jid] != nil) {
      // Without the roster it is not known whether we have asked them ourselves.
      if standing.isCurrent { tell(of: request.jid) } else { heldNotices.append(request.jid) }
    } else if requests.isFull, requests[request.jid] == nil, !hasToldOfLimit {
      hasToldOfLimit = true
      context.remark(
        "There are more requests of friendship than are kept: the rest is ignored until some are answered.")
    }
  }

  private func tell(of jid: JID) {
    guard let request = requests[jid] else { return }
    if let time = withdrawals[jid], context.clock.now - time < SessionLimits.repeatedRequestSilence { return }
    context.events.post(FriendRequested(request))
  }

  private func isInvited(_ jid: JID) -> Bool { state(of: jid).ours != .none && invitations.holds(jid) }

  /// Whom we have asked ourselves may see us: their open request is granted without a question.
  func grantIfWeAsked(_ jid: JID) {
    guard standing.isCurrent, requests.isTold(jid), isInvited(jid), grant(jid) else { return }
    requests.remove(jid)
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

  /// The roster is here, and says of those who asked who was answered on another device. Of the others some are whom we had
  /// asked ourselves; the rest are told of.
  func answerRequestsByRoster() {
    loadRequests()
    for request in requests.all {
      if state(of: request.jid).theirs == .subscribed { requests.remove(request.jid) }
      grantIfWeAsked(request.jid)
    }
    tellHeldNotices()
  }

  func tellHeldNotices() {
    let held = heldNotices
    heldNotices = []
    for jid in held { tell(of: jid) }
  }

  /// What we sent somebody cannot be delivered: their server does not exist, say. To find that out may take a server minutes.
  private func tellError(_ presence: Presence, _ from: JID) {
    let error = presence.error ?? .undefined
    guard asking[from] == nil else {
      asking[from] = error
      undeliverable.insert(from)
      return
    }
    let state = state(of: from)
    guard state.ours == .pending else { return }
    // Who sees us is sent our presence, too. Servers send a request again at each log-in.
    if state.theirs != .subscribed, undeliverable.insert(from).inserted {
      let command = context.role.isInteractive ? "/friends cancel" : "friends cancel"
      context.notice(FriendError.undelivered(from, error, withdrawnBy: command))
    } else {
      context.remark("\(from) could not be asked: \(error)")
    }
  }

  // MARK: All that there are

  /// Brings in every request that the server holds for us and tells on this stream: it tells them after the initial presence
  /// (RFC 6121 3.1.3), in order, so that the answer to a ping that follows proves that all are here. Many who want it in one
  /// turn share one ping.
  package func settle() async throws {
    if let settling { return try await settling.waitForAnswer(on: context.clock) }
    let waiting = WaitingList<Void>()
    settling = waiting
    // The next turn is no command's.
    let patience = PatienceOfCommand.current?.ofOthers
    context.clock.nextTurn { [weak self] in
      self?.settling = nil
      PatienceOfCommand.$current.withValue(patience) {
        EventLoop.main.start { await self?.settle(waiting) ?? waiting.end(.failure(CancellationError())) }
      }
    }
    try await waiting.waitForAnswer(on: context.clock)
  }

  /// The requests that an earlier run knew and that are still open. The server is asked only where there may be some.
  /// - Throws: ``RequestError``, ``ConnectionError``; `CancellationError`.
  package func requestsLeftOpen() async throws -> [FriendRequest] {
    try await load()
    guard !requests.fromBefore.isEmpty else { return [] }
    try await settle()
    return requests.fromBefore
  }

  /// Whether our presence on this stream is one after which the server tells all requests. Some servers (ejabberd and its kin) tell
  /// them only to a priority of 0 or more. A server that approves beforehand knows RFC 6121, by which every available client is
  /// told. Where it is not known, a request that is kept and not told again may be open all the same.
  private var areAllTold: Bool {
    guard let priority = context.links.highestPriority else { return false }
    return priority >= 0 || context.identity.offersPreapproval
  }

  private func settle(_ waiting: WaitingList<Void>) async {
    // Presence that is sent while we wait is answered after the ping.
    let areAllTold = areAllTold
    do {
      try await context.requests.roundTrip(timeout: context.timeout)
      if areAllTold { requests.forgetUnrepeated() }
      waiting.end(.success(()))
    } catch {
      waiting.end(.failure(error))
    }
  }

  /// Asks for the vCards of those who wait for an answer and whose card is not known, and waits until they are here, for `--timeout` at
  /// most. Never done unasked: the question tells a stranger that we are online, and at which address.
  package func fetchCards() async throws {
    for request in requests.all where !request.hasCard { cards.ask(request.jid) }
    try await cards.wait(for: context.timeout)
  }

  // MARK: Keeping

  func loadRequests() {
    guard !hasLoadedRequests else { return }
    hasLoadedRequests = true
    requests.restore(requestCache.load())
  }

  /// All that changes in one turn is written together.
  func keepRequestsSoon() {
    guard requests.hasChanges, !willKeepRequests else { return }
    willKeepRequests = true
    context.clock.nextTurn { [weak self] in self?.keepRequests() }
  }

  func keepRequests() {
    willKeepRequests = false
    guard requests.hasChanges else { return }
    requestCache.keep(requests.takeChanges())
  }
}
