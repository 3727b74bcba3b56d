// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTerminal

/// What lines say of an address and of an earlier message: looked up in the friends and logs of the sessions, once there are any, and in
/// what is stored where there is no session.
@Client final class SessionNames: NameSource {
  /// An object, as a weak reference is dear to copy, and this is asked several times for each message.
  @Client private final class Known {
    private(set) weak var session: Session?
    let account: JID
    /// The session's, and gone with it.
    private unowned let friends: FriendManager
    private unowned let rooms: Groupchat

    init(_ session: Session) {
      self.session = session
      account = session.identity.account
      friends = session.features[FriendManager.self]
      rooms = session.features[Groupchat.self]
    }

    /// The contact list, while there is a session; nil where what its account knows does not count for another.
    func friends(for account: JID?) -> FriendManager? { counts(for: account) ? friends : nil }

    /// The rooms, in the same way.
    func rooms(for account: JID?) -> Groupchat? { counts(for: account) ? rooms : nil }

    /// Both, of one address, so that it is asked once whether there is a session.
    func naming(_ jid: JID, for account: JID?) -> Naming {
      guard counts(for: account) else { return Naming() }
      let entry = friends.naming(of: jid)
      return Naming(isFriend: entry.isFriend, name: entry.name ?? rooms.record(of: jid)?.name)
    }

    private func counts(for other: JID?) -> Bool { SessionNames.counts(account, for: other) && session != nil }
  }

  private struct Stored {
    let account: JID
    let roster: any RosterStore
    let log: any MessageLog
    /// Read at the first question.
    var items: [JID: RosterItem]?
  }

  /// In the order of their making.
  private var known: [Known] = []
  private var stored: [Stored] = []
  /// The first of ``known``, as long as nothing else is there: most programs have one session, and each line asks.
  private var only: Known?
  /// How many there are of both.
  private var count = 0
  private let configured: [JID: String]
  private let areSeveral: Bool

  /// - Parameters:
  ///   - configured: what the accounts of the configuration are called.
  ///   - areSeveral: several of them were chosen.
  init(_ configured: [JID: String] = [:], areSeveral: Bool = false) {
    self.configured = configured
    self.areSeveral = areSeveral
  }

  func add(_ session: Session) {
    let added = Known(session)
    known.append(added)
    only = count == 0 ? added : nil
    count += 1
  }

  /// An account that has no session.
  func add(_ account: JID, _ roster: any RosterStore, _ log: any MessageLog) {
    stored.append(Stored(account: account.bare, roster: roster, log: log))
    only = nil
    count += 1
  }

  /// Whether what an account knows counts for another, which is itself or not known: then the first counts that knows something.
  private static func counts(_ account: JID, for other: JID?) -> Bool {
    guard let other else { return true }
    return account.sharesBare(with: other)
  }

  func friend(_ jid: JID, of account: JID?) -> RosterItem? {
    for known in known {
      if let item = known.friends(for: account)?.item(for: jid) { return item }
    }
    for index in stored.indices where Self.counts(stored[index].account, for: account) {
      if let item = items(index)[jid.bare] { return item }
    }
    return nil
  }

  func room(_ jid: JID, of account: JID?) -> String? {
    for known in known {
      if let name = known.rooms(for: account)?.record(of: jid)?.name { return name }
    }
    return nil
  }

  func naming(_ jid: JID, of account: JID?) -> Naming {
    if let only { return only.naming(jid, for: account) }
    let friend = friend(jid, of: account)
    return Naming(isFriend: friend != nil, name: friend?.name ?? room(jid, of: account))
  }

  func isRoom(_ jid: JID) -> Bool {
    known.contains { $0.rooms(for: nil)?.isRoom(jid) == true }
  }

  func occupant(_ jid: JID, of account: JID?) -> OccupantIdentity? {
    guard let nick = jid.resource else { return nil }
    for known in known {
      guard let room = known.rooms(for: account)?.room(jid), let friends = known.friends(for: account) else { continue }
      let address = room.occupant(nick)?.jid
      var identity = OccupantIdentity(
        contact: address.flatMap { friends.item(for: $0) }, double: room.double(of: nick),
        isAddressKnown: address != nil)
      if let alike = friends.contact(calledLike: nick), alike.jid != address?.bare { identity.resembled = alike }
      return identity
    }
    return nil
  }

  private func items(_ index: Int) -> [JID: RosterItem] {
    if let items = stored[index].items { return items }
    // The store has reported its error.
    let list = (try? stored[index].roster.loadRoster())?.items ?? []
    let items = Dictionary(list.map { ($0.jid, $0) }) { first, _ in first }
    stored[index].items = items
    return items
  }

  func accountName(_ account: JID) -> String? {
    guard areSeveral || hasSeveral else { return nil }
    return configured[account.bare] ?? account.bare.description
  }

  /// There is more than one account. Asked for each event.
  private var hasSeveral: Bool {
    guard count > 1 else { return false }
    var first: JID?
    func isAnother(_ account: JID) -> Bool {
      defer { first = first ?? account }
      return first.map { $0 != account } ?? false
    }
    return known.contains { $0.session.map { isAnother($0.identity.account) } ?? false }
      || stored.contains { isAnother($0.account) }
  }

  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?, of account: JID) -> LoggedMessage? {
    let session = known.last { $0.session?.identity.account == account.bare }?.session
    let log = session?.log ?? stored.last { $0.account == account.bare }?.log
    // The store has reported its error.
    return try? log?.message(ofID: id, in: conversation, isOutgoing: isOutgoing)
  }

  func isOwn(_ jid: JID) -> Bool {
    known.contains { $0.account.sharesBare(with: jid) && $0.session != nil }
      || stored.contains { $0.account.sharesBare(with: jid) }
  }
}
