// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// Alice, online, with a roster at her server.
@Client struct FriendRig {
  let fixture: SessionFixture
  let server: RosterServer
  let friends: FriendManager
  let bob: JID

  /// - Parameters:
  ///   - items: what is on the roster at the log-in.
  ///   - asking: who has asked before the log-in.
  init(
    _ items: [RosterItem] = [], asking: [String] = [], store: (any RosterStore)? = nil, version: Int? = nil,
    features: String = "", requests: (any FriendRequestStore)? = nil, whenRemoved: WhenRemoved = .keep,
    role: SessionRole = .script(nil)
  ) async throws {
    fixture = try SessionFixture(
      role: role, stores: SessionStores(roster: store, friendRequests: requests), whenRemoved: whenRemoved)
    fixture.script.moreFeatures = features + (version == nil ? "" : Self.versioning)
    server = RosterServer(fixture)
    friends = fixture.session.features[FriendManager.self]
    bob = try JID("bob@example.org")
    server.version = version
    for item in items { server.items[item.jid.description] = item }
    try await fixture.settleIn()
    for jid in asking {
      server.asking.insert(jid)
      await presence(.subscribe, from: jid)
    }
    _ = fixture.sent()
  }

  static let versioning = "<ver xmlns='urn:xmpp:features:rosterver'/>"
  static let preapproval = "<sub xmlns='urn:xmpp:features:pre-approval'/>"

  static func item(
    _ jid: String = "bob@example.org", _ subscription: RosterItem.Subscription = .none, name: String? = nil,
    ask: Bool = false, approved: Bool = false, groups: [String] = []
  ) throws -> RosterItem {
    RosterItem(
      jid: try JID(jid), name: name, subscription: subscription, ask: ask, approved: approved, groups: groups)
  }

  /// Somebody else's subscription stanza comes.
  func presence(_ kind: Presence.Kind, from: String, _ content: String = "") async {
    await fixture.receive("<presence type='\(kind.rawValue)' from='\(from)'>\(content)</presence>")
  }

  /// The subscription stanzas that went to others since the log-in.
  var passedOn: [String] { server.passedOn }

  /// Logs in anew, at a server that has these blocked.
  /// - Parameter refusal: what it says to changes of that; nil: it takes them.
  func begin(blocked: [String] = [], refusal: StanzaError? = nil) async throws -> Blocking {
    let answer = fixture.answer
    let list = blocked.map { Element("item", Blocking.namespace, ["jid": $0]) }
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == Blocking.namespace else { return answer(element) }
      if iq.kind == .get { return [iq.result(Element("blocklist", Blocking.namespace, list)).element] }
      return [(refusal.map { iq.failure($0) } ?? iq.result()).element]
    }
    fixture.session.drop(ConnectionError(.lost, "gone"))
    try await fixture.settleIn()
    return fixture.session.features[Blocking.self]
  }

  /// How many roster sets the server got.
  var sets: Int { server.requests.count { $0.kind == .set } }
}
