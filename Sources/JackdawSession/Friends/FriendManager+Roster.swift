// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// The roster: fetched once a stream, kept current by pushes (RFC 6121 2).
extension FriendManager {
  /// Makes sure that the roster of this stream is here. Asks the server once, however many wait.
  /// - Throws: ``RequestError``; `CancellationError`.
  package func load() async throws {
    switch standing.stage {
    case .current: return
    case .asked: break
    // Others wait for it, too.
    case .none, .begun: try PatienceOfCommand.$current.withValue(PatienceOfCommand.current?.ofOthers) { try ask() }
    }
    try await loading.waitForAnswer(on: context.clock)
  }

  /// ``load()``, and what follows it where the server says that the list is as we know it: it pushes what has changed
  /// since, at any time (RFC 6121 2.6.3). The answer to a ping that is sent behind comes after that. Once a stream.
  /// - Throws: ``RequestError``; `CancellationError`.
  package func loadWithChanges() async throws {
    try await load()
    guard standing.changesMayFollow else { return }
    try await context.requests.roundTrip(timeout: context.timeout)
    standing.changesCame()
  }

  /// Whether the contact list is known, from the server or as the store had it: who is not on it is a stranger.
  package var isListKnown: Bool { standing.isKnown }

  /// Makes the contact list known from the store where no server has sent it yet, so that names mean somebody before there is a
  /// connection. Never waits for the network.
  /// - Returns: whether it is known now.
  package func recall() -> Bool {
    if !standing.isKnown, !standing.isAsked { takeCached() }
    return standing.isKnown
  }

  /// When the contact list was last what the server had, in this run or an earlier one; nil: nobody knows.
  package var timeOfList: Timestamp? { confirmed ?? cache.time() }

  /// The list is what the server has, now.
  func confirmList() {
    let now = context.calendar()
    confirmed = now
    cache.confirm(at: now)
  }

  private func takeCached() {
    guard let cached = cache.load() else { return }
    roster = Roster(cached)
    standing.recalled()
  }

  private func ask() throws(RequestError) {
    // At the first request also where it was recalled: another program may have kept a later one since.
    if rosterRequest == nil || roster.version == nil && roster.count == 0 { takeCached() }
    // An empty version says that we can version and have nothing yet (RFC 6121 2.6.2).
    // That of a push alone is none of a list.
    let version = context.identity.rosterVersioning ? (standing.isKnown ? roster.version : nil) ?? "" : nil
    let request = IQ(kind: .get, id: context.freshID(), payload: RosterCodec.request(version: version))
    standing.asked()
    rosterRequest = request.id
    takeParts(of: request.id)
    do throws(RequestError) {
      // A push in the bytes of the answer is newer than it.
      try context.requests.send(request, timeout: .after(context.timeout)) { [weak self] in self?.answered($0) }
    } catch {
      standing.failed()
      throw error
    }
  }

  /// A contact list may be larger than any other stanza; so its answer, and none else, may come in parts. They change
  /// nothing before the last of them is here.
  func takeParts(of id: String) {
    reading = RosterReading()
    context.stanzas.takeParts(
      StanzaParts(id: id) { [weak self] part in
        guard let self, standing.isAsked, context.requests.isResult(part),
          let query = part.firstChild, query.matches("query", Namespace.roster)
        else { return false }
        reading.take(query, beside: roster)
        return true
      })
  }

  private func answered(_ outcome: RequestOutcome) {
    guard standing.isAsked else { return }
    context.stanzas.takeParts(nil)
    var reading = self.reading
    self.reading = RosterReading()
    do throws(RequestError) {
      let answer = try outcome.get()
      // An empty result: what we had holds, and pushes bring what has changed since.
      if let query = answer.payload {
        try take(query, &reading)
      } else {
        timeOfKeptRoster = context.clock.now
      }
      cache.catchUp(with: roster)
      standing.answered(isUnchanged: answer.payload == nil)
      confirmList()
      answerRequestsByRoster()
      loading.end(.success(()))
    } catch {
      standing.failed()
      tellHeldNotices()
      loading.end(.failure(error))
    }
  }

  /// - Parameter reading: what came in parts before.
  private func take(_ query: Element, _ reading: inout RosterReading) throws(RequestError) {
    guard query.matches("query", Namespace.roster) else {
      throw RequestError(.malformedReply, "The server's answer is not a contact list.")
    }
    reading.take(query, beside: roster)
    if reading.unreadable > 0 {
      context.remark("Left out \(reading.unreadable) entries of the contact list that cannot be read.")
    }
    var losses: [(before: RosterItem, after: RosterItem)] = []
    var invited = Invitations.Changes()
    for item in reading.changed {
      let before = roster[item.jid]
      invited.note(item.jid, before: before, after: item)
      if let before, Self.isLoss(before: before, after: item) { losses.append((before, item)) }
    }
    let gone = roster.update(keeping: reading.stays, changed: reading.changed, version: reading.version)
    cache.bring(to: roster, changed: reading.changed, gone: gone)
    for jid in gone { invited.note(jid, before: nil, after: nil) }
    invitations.keep(invited)
    reading = RosterReading()
    var told: Set<JID> = []
    for (before, after) in losses where told.insert(before.jid).inserted {
      if !leaving.contains(before.jid) { tellUnheardLoss(of: before, after: after) }
    }
  }

  /// A roster push (RFC 6121 2.1.6): only from our own account; anything else is refused and changes nothing
  /// (CVE-2015-8688 and its kind).
  func pushed(_ request: IQ) -> IQ {
    guard context.identity.isOwnAccount(request.from) else {
      refusedPushes += 1
      context.remark("Refused a roster push from \(request.from?.description ?? "nobody").")
      return request.failure(.serviceUnavailable)
    }
    guard let query = request.payload, let push = RosterCodec.push(query) else {
      context.remark("Refused a roster push that cannot be read.")
      return request.failure(.badRequest)
    }
    apply(push)
    return request.result()
  }

  private func apply(_ push: RosterPush) {
    // It may come before the list is asked for, with a stream of an earlier run, and is about what that one knew.
    _ = recall()
    var push = push
    // Under its version the server would never send what changed before it.
    if standing.mayMissChanges { push.version = nil }
    let jid = push.jid
    let before = roster[jid]
    let change = roster.apply(push)
    cache.keep(push)
    let after = roster[jid]
    if let awaited = awaitedPushes[jid] { for push in awaited { push.noted(after) } }
    guard let change else { return }
    noteInvitation(jid, before: before, after: after)
    // Their question is answered, here or on another device, once they see us.
    if after?.subscription == .from || after?.subscription == .both { requests.remove(jid) }
    // Both asked at the same moment: their request came before our server showed ours.
    grantIfWeAsked(jid)
    context.events.post(
      FriendChanged(
        item: after ?? before ?? RosterItem(jid: jid), change: change, before: before, isOurs: isInHand(jid)))
    noticeLoss(before: before, after: after)
  }
}
