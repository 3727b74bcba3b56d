// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// The friends: the roster, kept current by pushes, and every step of a subscription's life (RFC 6121 2 and 3).
///
/// `FriendManager+Roster.swift` has the roster's coming and changing, `FriendManager+Requests.swift` what others ask,
/// `FriendManager+Changes.swift` the steps that we take.
@Client package final class FriendManager: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 2–3", "Roster and subscriptions",
    scope: "versioned roster with pushes; add, remove, accept, reject, cancel, unsubscribe, revoke, approve")

  let context: FeatureContext
  var roster = Roster()
  var cache: RosterCache
  var requests = FriendRequests(limit: SessionLimits.pendingFriendRequests)
  var hasToldOfLimit = false
  /// Contacts whose subscription we are ending ourselves just now.
  var leaving: Set<JID> = []
  /// What steps that are being taken wait for, by whom they are about.
  var awaitedPushes: [JID: [AwaitedPush]] = [:]

  /// How far this stream has the roster: from the answer on the server pushes changes to us (an "interested resource").
  enum Currency { case unknown, asked, current }
  var currency = Currency.unknown
  let loading = WaitingList<Void>()

  /// Nothing is asked or sent before the first log-in.
  package init(_ context: FeatureContext) {
    self.context = context
    cache = RosterCache(context.stores.roster, remark: context.remark)
    context.links.friends = self
  }

  package func install(in routes: RouteTable) {
    routes.onRequest(.set, "query", Namespace.roster) { [unowned self] in pushed($0) }
    routes.onPresence { [unowned self] in subscriptionChanged($0) }
  }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.load() }
  }

  package func phaseChanged(to phase: SessionPhase) {
    switch phase {
    case .fresh:
      currency = .unknown
      requests.beginStream()
      hasToldOfLimit = false
    case .suspended, .ended:
      currency = .unknown
      for push in awaitedPushes.values.joined() {
        push.fail(ConnectionError(.lost, "the connection was lost before the server confirmed the change"))
      }
    case .interrupted, .resumed:
      break
    }
  }

  /// The entry of a contact, nil when there is none.
  package func item(for jid: JID) -> RosterItem? { roster[jid.bare] }

  /// Everyone, by the name that people see.
  package var friends: [RosterItem] { roster.sorted() }

  /// Everyone, in no order.
  package var unsorted: [RosterItem] { Array(roster.all) }

  /// Who waits for our answer, in the order of asking.
  package var pendingRequests: [FriendRequested] { requests.all }

  /// Whether they wait for our answer.
  package func hasAsked(_ jid: JID) -> Bool { requests.contains(jid) }

  /// Where the friendship with `jid` stands.
  package func state(of jid: JID) -> SubscriptionState {
    SubscriptionState(roster[jid.bare], theyAsked: requests.contains(jid))
  }
}
