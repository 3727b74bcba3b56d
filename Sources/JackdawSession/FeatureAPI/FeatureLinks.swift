// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// What features of one session offer each other, so that none needs to know another: each thing here is filled by the one
/// feature that has it, and used by any.
@Client package final class FeatureLinks {
  /// Nodes of other people's and our own account whose events are wanted (XEP-0163).
  package let nodes = NodeRoutes()
  /// What clients are known to be able to do, by the hash that they announce (XEP-0115).
  package let capabilities: CapabilityCache
  /// What our own account is and can do, at our server: nothing from one that does not tell. Asked when it is first wanted,
  /// once a stream.
  package let ownAccount: DiscoveryQuestion
  /// Reads and writes nodes of our own account; nil: nothing can.
  package weak var nodeAccess: (any NodeAccess)?
  /// The roster, as far as other features may see it.
  package weak var friends: (any FriendDirectory)?
  /// Our presence, as far as other features may have it shown to single people; nil: nothing shows it.
  package weak var audience: (any PresenceAudience)?
  /// Who is blocked, as far as other features may see it; nil: nothing here blocks anybody.
  package weak var blocks: (any BlockDirectory)?
  /// The rooms, as far as other features may see them; nil: there are none.
  package weak var rooms: (any RoomDirectory)?
  /// Called when all that was said in a room until now is in the log.
  package var whenRoomIsRead: (@Client (JID) -> Void)?
  /// Reads the vCards of those who want to be friends; nil: nothing can.
  package var requesterCard: (@Client (JID, Duration) async throws(RequestError) -> RequesterCard?)?

  /// Called when the log was told of something that another device of ours has seen to, so that less is unread.
  package var whenSeenElsewhere: (@Client () -> Void)?

  /// Whether a client of somebody's that is online is known to be able to do something; nil: nothing says so.
  package var anySupports: (@Client (String, JID) -> Bool)?

  /// The highest priority with which the server was told on this stream that we are available; nil when it was not.
  package internal(set) var highestPriority: Int8?
  /// The server was told last on this stream that we are available.
  package internal(set) var isAvailable = false
  /// How we are shown to contacts, if otherwise than plainly there.
  package internal(set) var shown: Presence.Show?
  /// When the server was first told so, of late; nil: never.
  package internal(set) var availableSince: MonotonicTime?

  /// What goes with each available presence of ours, made anew each time; nil is left out.
  /// Bounded by the features.
  private var presenceExtensions: [@Client () -> Element?] = []
  private let account: JID
  private let features: [FeatureDescription]

  init(
    account: JID, features: [FeatureDescription], capabilities: CapabilityCache, ownAccount: DiscoveryQuestion
  ) {
    self.account = account
    self.features = features
    self.capabilities = capabilities
    self.ownAccount = ownAccount
  }

  /// What we answer to service discovery: the same for the session's whole life, as the features and their nodes are.
  package private(set) lazy var ownInformation = DiscoveryInformation(
    identities: [.init(category: "client", type: "console", name: Software.own.name)],
    features: Set(features.flatMap(\.discoFeatures) + nodes.notifications).sorted())

  /// What ``ownInformation`` is announced as; nil where this machine forbids the hash.
  package private(set) lazy var ownCapabilities: Capabilities? = {
    guard let hash = CapabilityHash(of: ownInformation) else { return nil }
    capabilities.keepOwn(ownInformation, as: hash)
    return Capabilities(node: Capabilities.ownNode, hash: hash)
  }()

  /// Called with each presence of ours that was sent to all contacts, available or not.
  /// Bounded by the features.
  package private(set) var whenShown: [@Client (Presence) -> Void] = []

  /// Tells of each presence of ours that goes to all contacts.
  package func onShown(_ action: @escaping @Client (Presence) -> Void) { whenShown.append(action) }

  /// Adds something to each available presence of ours.
  package func extendPresence(by addition: @escaping @Client () -> Element?) { presenceExtensions.append(addition) }

  /// `presence` with what the features add; as it is when it is not an available one.
  package func extended(_ presence: Presence) -> Presence {
    guard presence.kind == .available else { return presence }
    var presence = presence
    presence.payloads += presenceExtensions.compactMap { $0() }
    return presence
  }

  /// Whether `jid` may see our presence: ourselves, and those who are subscribed to it. Whatever tells of our being there,
  /// our habits or our place is for them alone (RFC 6120 13.10.2).
  package func maySeePresence(_ jid: JID?) -> Bool {
    guard let jid, !jid.sharesBare(with: account) else { return true }
    switch friends?.subscription(of: jid) {
    case .from, .both: return true
    case .some(.none), .to, nil: return false
    }
  }

  /// Whether `jid` is somebody whose presence we asked for and get, or ourselves: from others, what comes with presence
  /// does not count.
  package func showsPresence(_ jid: JID) -> Bool {
    guard !jid.sharesBare(with: account) else { return true }
    switch friends?.subscription(of: jid) {
    case .to, .both: return true
    case .some(.none), .from, nil: return false
    }
  }
}

/// What other features may know of the roster.
@Client package protocol FriendDirectory: AnyObject {
  /// The subscription in the entry of `jid`'s bare form; nil without an entry.
  func subscription(of jid: JID) -> RosterItem.Subscription?
  /// Whose entries are of a domain, in no order.
  func contacts(at domain: String) -> [JID]
  /// Waits until the server has answered what was sent after everything so far, and so has told all that it tells after our
  /// presence. Many who want that in one turn share one ping.
  func settle() async throws
}

/// What other features may do with our presence for single people, apart from what everybody is told (RFC 6121 4.6).
@Client package protocol PresenceAudience: AnyObject {
  /// Tells those of them who see us that we are gone, until ``show(to:)`` or the next presence that is for everybody; of a domain everybody
  /// there. Nothing while we are not shown as online.
  func hide(from jids: Set<JID>)
  /// Tells them how we are.
  func show(to jids: Set<JID>)
}

/// What other features may know of who is blocked (XEP-0191).
@Client package protocol BlockDirectory: AnyObject {
  /// Who is blocked as the server has it, single devices and servers among them; nobody where it blocks nobody. The server is waited for
  /// some seconds at most.
  /// - Throws: ``RequestError``; `CancellationError`.
  func entries() async throws -> Set<JID>
}
