// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// All that a feature may touch.
@Client package struct FeatureContext {
  /// Sends stanzas that need no answer.
  package let stanzas: any StanzaSending
  /// Sends requests and waits for their answers.
  package let requests: IQTracker
  package let events: EventBus
  package let clock: any LoopClock
  /// An id that nobody can guess: 128 random bits.
  package let freshID: @Client () -> String
  /// The date and time of day.
  package let calendar: @Client () -> Timestamp
  /// Who we are.
  package let identity: SessionIdentity
  package let stores: SessionStores
  /// Everything that this session can do, in the order of the feature list.
  package let features: [FeatureDescription]
  /// What features offer each other.
  package let links: FeatureLinks
  /// Waits until the server has every stanza so far, at most so long.
  package let confirm: @Client (Duration) async throws(RequestError) -> Void
  /// Where the last stanza that was sent stands on a stream that may be resumed; nil on any other.
  package let place: @Client () -> StreamPlace?
  /// How many of our stanzas the stream has, modulo 2³²; nil where nobody counts.
  package let sentCount: @Client () -> UInt32?
  /// What came is safe now, which the server was not told when it asked.
  package let acknowledge: @Client () -> Void
  /// Has the stream managed from here on (XEP-0198), if the server can and it is not yet, and sees to it that a later run can
  /// go on with it.
  package let manage: @Client () -> Void
  /// How long a request of a feature waits for its answer, `--timeout`.
  package let timeout: Duration
  /// What becomes of our entry when somebody removes us.
  package let whenRemoved: WhenRemoved
  /// Remarks for `-v`: what was ignored, and why.
  package let remark: @Client (String) -> Void

  /// Put together by the session, once, for all of its features.
  package init(
    stanzas: any StanzaSending, requests: IQTracker, events: EventBus, clock: any LoopClock,
    freshID: @escaping @Client () -> String, calendar: @escaping @Client () -> Timestamp, identity: SessionIdentity,
    stores: SessionStores, features: [FeatureDescription],
    confirm: @escaping @Client (Duration) async throws(RequestError) -> Void,
    place: @escaping @Client () -> StreamPlace?, sentCount: @escaping @Client () -> UInt32?,
    acknowledge: @escaping @Client () -> Void, manage: @escaping @Client () -> Void, timeout: Duration,
    whenRemoved: WhenRemoved = .keep,
    remark: @escaping @Client (String) -> Void
  ) {
    self.stanzas = stanzas
    self.requests = requests
    self.events = events
    self.clock = clock
    self.freshID = freshID
    self.calendar = calendar
    self.identity = identity
    self.stores = stores
    self.features = features
    links = FeatureLinks(
      account: identity.account, features: features,
      capabilities: CapabilityCache(store: stores.capabilities, remark: remark),
      ownAccount: DiscoveryQuestion { () throws(RequestError) in
        do throws(RequestError) {
          return try await requests.information(of: identity.account, node: nil, timeout: timeout)
        } catch  where error.meansNotOffered {
          return DiscoveryInformation()
        }
      })
    self.confirm = confirm
    self.place = place
    self.sentCount = sentCount
    self.acknowledge = acknowledge
    self.manage = manage
    self.timeout = timeout
    self.whenRemoved = whenRemoved
    self.remark = remark
  }
}

/// Whose session it is.
@Client package final class SessionIdentity {
  /// The account's bare JID.
  package let account: JID
  /// The full JID that the server bound; nil before the first log-in.
  package internal(set) var bound: JID?
  /// `<stream:features/>` of the present stream.
  package internal(set) var streamFeatures: Element?

  /// - Parameter account: whose session it is; a resource does not count.
  package init(account: JID) { self.account = account.bare }

  /// The server counts stanzas, if asked to (XEP-0198).
  package var offersStreamManagement: Bool { streamFeatures?.child("sm", StreamManagement.namespace) != nil }

  /// The server can send the roster's changes only (RFC 6121 2.6).
  package var rosterVersioning: Bool { streamFeatures?.child("ver", "urn:xmpp:features:rosterver") != nil }

  /// The server can approve subscription requests beforehand (RFC 6121 3.4).
  package var offersPreapproval: Bool { streamFeatures?.child("sub", "urn:xmpp:features:pre-approval") != nil }

  /// The rule of RFC 6121 2.1.6 and of everything that only our own account may tell us: no sender at all, or exactly
  /// our bare JID.
  package func isOwnAccount(_ sender: JID?) -> Bool { sender == nil || sender == account }

  /// What our own server says in its own name or in our account's.
  package func isOwnServer(_ sender: JID) -> Bool { sender == account || sender == account.server }
}

/// What the session keeps between runs, each part declared by the room that needs it. Nil: not kept.
@Client package struct SessionStores {
  package var roster: (any RosterStore)?
  package var logins: (any LoginMemoryStore)?
  package var capabilities: (any CapabilityStore)?
  package var friendRequests: (any FriendRequestStore)?
  package var messages: (any MessageStore)?
  package var streams: (any StreamStore)?

  package init(
    roster: (any RosterStore)? = nil, logins: (any LoginMemoryStore)? = nil, capabilities: (any CapabilityStore)? = nil,
    friendRequests: (any FriendRequestStore)? = nil, messages: (any MessageStore)? = nil,
    streams: (any StreamStore)? = nil
  ) {
    self.roster = roster
    self.logins = logins
    self.capabilities = capabilities
    self.friendRequests = friendRequests
    self.messages = messages
    self.streams = streams
  }
}
