// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What follows when somebody else ends a friendship (RFC 6121 3.2.3 and 3.3.3).
extension FriendManager {
  /// A push shows that something between us ended, which is told once. A forged or unsolicited `unsubscribed` has no push.
  ///
  /// Where they did it, their `unsubscribed` comes beside the push, before it (Prosody) or after it (ejabberd); where another
  /// device of ours did, there is none.
  func noticeLoss(before: RosterItem?, after: RosterItem?) {
    guard let before, let after, !leaving.contains(after.jid), Self.isLoss(before: before, after: after) else { return }
    let heard = theirEndings.removeValue(forKey: after.jid)
    // ejabberd tells those only that are available, and a server may catch us up by pushes alone.
    let isToldOfStanzas = context.links.isAvailable && !isRecent(timeOfKeptRoster)
    if isRecent(heard) { return tellLoss(of: before) }
    guard isToldOfStanzas else { return tellUnheardLoss(of: before, after: after) }
    let timer = context.clock.schedule(after: SessionLimits.endingPatience) { [weak self] in
      guard let self, self.unexplainedLosses.removeValue(forKey: before.jid) != nil else { return }
      self.context.remark("Another client of ours has ended what \(before.jid) and we had, or were to have.")
    }
    unexplainedLosses[before.jid] = (before, timer)
  }

  /// Their `unsubscribed` came: what a push showed a moment ago was their doing, or what one will show in a moment.
  func theyEnded(_ jid: JID) {
    let isOver = state(of: jid).ours == .none
    if let loss = unexplainedLosses.removeValue(forKey: jid), isOver { return tellLoss(of: loss.before) }
    if !isOver { theirEndings[jid] = context.clock.now }
  }

  /// Their `unsubscribe` came: that they see us no more is their own doing, and they may come back. It comes beside the push, before it
  /// or after it. Where another client of ours has ended it there is none.
  func theyLeave(_ jid: JID) {
    let state = self.state(of: jid)
    if state.theirs == .subscribed {
      theirLeavings[jid] = context.clock.now
    } else if isRecent(unexplainedLeavings.removeValue(forKey: jid)), state.ours != .none {
      invitations.invite(jid)
    }
  }

  /// A push says what became of an entry, and of whether its owner may see us without a question.
  func noteInvitation(_ jid: JID, before: RosterItem?, after: RosterItem?) {
    var invited = Invitations.Changes()
    invited.note(jid, before: before, after: after)
    invitations.keep(invited)
    let old = SubscriptionState(before, theyAsked: false)
    let new = SubscriptionState(after, theyAsked: false)
    guard old.theirs == .subscribed, new.theirs == .none, new.ours != .none else { return }
    if isRecent(theirLeavings.removeValue(forKey: jid)) {
      invitations.invite(jid)
    } else if !isInHand(jid) {
      unexplainedLeavings[jid] = context.clock.now
    }
  }

  private func isRecent(_ time: MonotonicTime?) -> Bool {
    time.map { context.clock.now - $0 < SessionLimits.endingPatience } ?? false
  }

  /// They ended what was between us, or refused it.
  /// - Parameter before: the entry as it was.
  func tellLoss(of before: RosterItem) {
    let wasRefusal = SubscriptionState(before, theyAsked: false).ours == .pending
    let policy = wasRefusal ? .keep : context.whenRemoved
    context.events.post(FriendshipEnded(jid: before.jid, wasRefusal ? .refused : .removed, policy: policy))
    if policy == .remove { takeOffSoon(before.jid) }
  }

  /// The list shows that something between us ended, when nobody told us by whom. A friendship of which both halves are gone and
  /// the entry is left is what being removed comes to (RFC 6121 2.5.2). Anything else another client of ours may have ended, and
  /// the entry is not touched.
  func tellUnheardLoss(of before: RosterItem, after: RosterItem) {
    if before.subscription == .both, after.subscription == .none { return tellLoss(of: before) }
    let wasRequest = SubscriptionState(before, theyAsked: false).ours == .pending
    context.events.post(FriendshipEnded(jid: before.jid, .unknown, wasRequest: wasRequest))
  }

  /// Whether something between these two ended what we saw of them, or hoped to.
  static func isLoss(before: RosterItem, after: RosterItem) -> Bool {
    SubscriptionState(before, theyAsked: false).ours != .none
      && SubscriptionState(after, theyAsked: false).ours == .none
  }

  /// Sent at once, so that it is on its way even when the program is just about to leave; nobody waits for it.
  private func takeOffSoon(_ jid: JID) {
    requests.remove(jid)
    take(jid)
    let request = IQ(kind: .set, id: context.freshID(), payload: RosterCodec.removal(of: jid))
    let failed = { @Client [weak self, remark = context.remark] (error: RequestError) in
      self?.release(jid)
      // Another client of ours may have been quicker.
      guard error.stanzaError?.condition != "item-not-found" else { return }
      remark("\(jid), who removed us, could not be removed: \(error)")
    }
    do throws(RequestError) {
      try context.requests.send(request, timeout: .after(context.timeout)) { [weak self] outcome in
        do throws(RequestError) {
          _ = try outcome.get()
          self?.release(jid)
        } catch {
          failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }
}
