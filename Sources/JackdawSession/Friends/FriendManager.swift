// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// The friends: the roster, kept current by pushes, and every step of a subscription's life (RFC 6121 2 and 3).
///
/// `FriendManager+Roster.swift` has the roster's coming and changing, `FriendManager+Requests.swift` what others ask,
/// `FriendManager+Changes.swift` the steps that we take, `FriendManager+Removal.swift` what follows when others end it.
@Client package final class FriendManager: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 2–3", "Roster and subscriptions",
    scope: "versioned roster with pushes; add, remove, accept, reject, cancel, unsubscribe, revoke, approve")

  let context: FeatureContext
  var roster = Roster() { didSet { alike = nil } }
  /// The contacts by what their names are like; nil: nobody has asked since the list changed. Bounded by the list.
  private var alike: [String: JID]?
  var cache: RosterCache
  var requests = FriendRequests(limit: SessionLimits.pendingFriendRequests) { didSet { keepRequestsSoon() } }
  var requestCache: RequestCache
  var invitations: Invitations
  var hasLoadedRequests = false
  /// Whether changed requests will be kept on the next turn.
  var willKeepRequests = false
  /// Who asked before the roster was here: whether they are told of depends on it.
  var heldNotices: [JID] = []
  private(set) lazy var cards = RequesterCards(context) { [weak self] in self?.requests.take($1, of: $0) }
  var hasToldOfLimit = false
  /// When those who withdrew a request did so: should they ask again soon, that is no news.
  var withdrawals: [JID: MonotonicTime] = [:]
  /// Those who will ask the server, on the next turn, whether it has told all requests.
  var settling: WaitingList<Void>?
  /// Whom we are asking just now, with the error that came back.
  var asking: [JID: StanzaError?] = [:]
  /// Of whom it was told that they could not be asked, since they were asked last. Bounded by the list.
  var undeliverable: Set<JID> = []
  /// Whether a domain is one of rooms, as it said itself.
  var roomDomains: [String: Bool] = [:]
  /// Roster pushes that did not come from our own server.
  package internal(set) var refusedPushes = 0
  /// Friendships that steps of ours are changing just now, with how many such steps there are.
  /// Bounded by the commands that run.
  var inHand: [JID: Int] = [:]
  /// Those who wait until the name and groups of an entry are set, which somebody does just now. Bounded by the commands that run.
  var entryChanges: [JID: WaitingList<Void>] = [:]
  /// Contacts whose subscription we are ending ourselves just now.
  var leaving: Set<JID> = []
  /// When others said that they end what is between us, until the push shows it.
  var theirEndings: [JID: MonotonicTime] = [:]
  /// When others said that they stop seeing us, until the push shows it.
  var theirLeavings: [JID: MonotonicTime] = [:]
  /// When pushes showed that others see us no more, by whose doing is not known yet.
  var unexplainedLeavings: [JID: MonotonicTime] = [:]
  /// What pushes showed to have ended, by whose doing is not known yet: the entries as they were.
  var unexplainedLosses: [JID: (before: RosterItem, timer: LoopTimer)] = [:]
  /// When the server said that the roster is as we know it, but for what it pushes next.
  var timeOfKeptRoster: MonotonicTime?
  /// What steps that are being taken wait for, by whom they are about.
  var awaitedPushes: [JID: [AwaitedPush]] = [:]

  /// When the list was last known to be the server's, in this run.
  var confirmed: Timestamp?

  /// How well the roster is known.
  var standing = RosterStanding()
  /// What has come of the roster that was asked for, where it comes in parts.
  var reading = RosterReading()
  /// The id of the request for the roster; nil before the first.
  var rosterRequest: String?
  let loading = WaitingList<Void>()

  /// Nothing is asked or sent before the first log-in.
  package init(_ context: FeatureContext) {
    self.context = context
    cache = RosterCache(context.stores.roster, remark: context.remark)
    requestCache = RequestCache(context.stores.friendRequests, remark: context.remark)
    invitations = Invitations(context.stores.friendRequests, remark: context.remark)
    context.links.friends = self
  }

  package func install(in routes: RouteTable) {
    routes.onRequest(.set, "query", Namespace.roster) { [unowned self] in pushed($0) }
    routes.onPresence { [unowned self] in subscriptionChanged($0) }
  }

  package nonisolated static var askedAtLogin: String { "your contacts" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.load() }
  }

  package func streamBegan() {
    standing.streamBegan()
    requests.beginStream()
    heldNotices = []
    hasToldOfLimit = false
    timeOfKeptRoster = nil
  }

  package func streamResumed() {
    // The server sends the answer that was cut off again, whole.
    if standing.isAsked, let rosterRequest { takeParts(of: rosterRequest) }
  }

  package func streamLost() {
    // Until now the server told of each change.
    if standing.isCurrent { confirmList() }
    standing.streamLost()
    cards.stop()
    theirEndings = [:]
    theirLeavings = [:]
    unexplainedLeavings = [:]
    unexplainedLosses = [:]
    keepRequests()
    for push in awaitedPushes.values.joined() {
      push.fail(ConnectionError(.lost, "The connection was lost before the server confirmed the change."))
    }
  }

  /// The entry of a contact, nil when there is none.
  package func item(for jid: JID) -> RosterItem? { roster[jid.bare] }

  /// Whether there is an entry of a contact, and what it says that they are called: a whole entry is dear to copy, and each line asks.
  package func naming(of jid: JID) -> (isFriend: Bool, name: String?) { roster.naming(of: jid.bare) }

  /// The entry of exactly this address, else of its account. Some servers take entries of single devices (ejabberd does), by which nobody
  /// is seen.
  package func entry(of jid: JID) -> RosterItem? { roster[jid] ?? roster[jid.bare] }

  /// Everyone, by the name that people see.
  package var friends: [RosterItem] { Array(roster.sorted()) }

  /// Those of whom `isWanted` holds, by the name that people see; made one by one as they are looked at.
  package func friends(where isWanted: (RosterItem) -> Bool) -> some RandomAccessCollection<RosterItem> {
    roster.sorted(where: isWanted)
  }

  /// The contact who is shown by a name that looks like this one; the first of several; nil: nobody.
  package func contact(calledLike name: String) -> RosterItem? {
    let key = NameLikeness.key(name)
    guard !key.isEmpty else { return nil }
    let index = alike ?? namesAlike()
    alike = index
    return index[key].flatMap { roster[$0] }
  }

  private func namesAlike() -> [String: JID] {
    var index: [String: JID] = [:]
    for item in roster.all {
      let key = NameLikeness.key(item.name ?? item.jid.localpart ?? "")
      if !key.isEmpty, index[key] == nil { index[key] = item.jid }
    }
    // Nobody is called by somebody else's address by chance. What others are called comes first.
    for item in roster.all {
      let key = NameLikeness.key(item.jid.description)
      if index[key] == nil { index[key] = item.jid }
    }
    return index
  }

  /// Everyone, in no order.
  package var unsorted: [RosterItem] { Array(roster.all) }

  /// Who waits for our answer, in the order of asking.
  package var pendingRequests: [FriendRequested] {
    loadRequests()
    return requests.all.map { FriendRequested($0) }
  }

  /// Whether they wait for our answer.
  package func hasAsked(_ jid: JID) -> Bool {
    loadRequests()
    return requests.contains(jid)
  }

  /// Where the friendship with `jid` stands.
  package func state(of jid: JID) -> SubscriptionState {
    SubscriptionState(roster[jid.bare], theyAsked: hasAsked(jid))
  }
}

extension FriendManager {
  /// A step of ours begins to change the friendship with `jid`: what the server pushes until ``release(_:)`` is no news.
  func take(_ jid: JID) { inHand[jid.bare, default: 0] += 1 }

  func release(_ jid: JID) {
    guard let count = inHand[jid.bare] else { return }
    inHand[jid.bare] = count > 1 ? count - 1 : nil
  }

  func isInHand(_ jid: JID) -> Bool { inHand[jid.bare] != nil }
}

extension FriendManager: FriendDirectory {
  package func subscription(of jid: JID) -> RosterItem.Subscription? { item(for: jid)?.subscription }

  package func contacts(at domain: String) -> [JID] { roster.all.lazy.map(\.jid).filter { $0.domain == domain } }
}
