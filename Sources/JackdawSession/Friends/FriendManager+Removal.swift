// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What follows when somebody else ends a friendship (RFC 6121 3.2.3 and 3.3.3).
extension FriendManager {
  /// They ended what was between us, or refused it: told once, from the roster's own words, so that an unsolicited or
  /// forged `unsubscribed` says nothing.
  func tellLoss(before: RosterItem?, after: RosterItem?) {
    guard let before, let after, !leaving.contains(after.jid), Self.isLoss(before: before, after: after) else { return }
    let old = SubscriptionState(before, theyAsked: false).ours
    let policy = old == .pending ? .keep : context.whenRemoved
    context.events.post(FriendshipEnded(jid: after.jid, wasRefusal: old == .pending, policy: policy))
    if policy == .remove { takeOffSoon(after.jid) }
  }

  /// Whether something between these two ended what we saw of them, or hoped to.
  static func isLoss(before: RosterItem, after: RosterItem) -> Bool {
    SubscriptionState(before, theyAsked: false).ours != .none
      && SubscriptionState(after, theyAsked: false).ours == .none
  }

  /// Sent at once, so that it is on its way even when the program is just about to leave; nobody waits for it.
  private func takeOffSoon(_ jid: JID) {
    requests.remove(jid)
    let request = IQ(kind: .set, id: context.freshID(), payload: RosterCodec.removal(of: jid)).element
    do {
      let remark = context.remark
      try context.requests.track(request, timeout: .after(context.timeout)) { outcome, _ in
        // Another client of ours may have been quicker.
        do throws(RequestError) {
          _ = try outcome.get()
        } catch {
          guard error.stanzaError?.condition != "item-not-found" else { return }
          remark("\(jid), who removed us, could not be removed: \(error)")
        }
      }
      try context.stanzas.send(request)
    } catch {
      context.requests.remove(id: request.attribute("id") ?? "")
      context.remark("\(jid), who removed us, could not be removed: \(error)")
    }
  }
}
