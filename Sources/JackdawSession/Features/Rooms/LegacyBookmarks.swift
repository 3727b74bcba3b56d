// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// The bookmarks of clients that do not know XEP-0402: all in one element, in a node of our account (XEP-0048) or in the server's
/// private storage (XEP-0049).
@Client struct LegacyBookmarks {
  /// The node, and the namespace of the element (XEP-0048 2).
  nonisolated static let namespace = "storage:bookmarks"
  /// XEP-0049 section 3.
  nonisolated static let privateStorage = "jabber:iq:private"
  /// The server keeps private storage, and the old node, in step with those of XEP-0402 (XEP-0402 5.3).
  private static let unifiesPrivate = "urn:xmpp:bookmarks:1#compat"
  private static let unifiesNode = "urn:xmpp:bookmarks:1#compat-pep"
  /// The server keeps private storage and the old node in step with each other (XEP-0411).
  private static let converts = "urn:xmpp:bookmarks-conversion:0"

  let context: FeatureContext

  /// What was kept in the old places; nothing where the server has all in one. What cannot be read counts as none.
  func rooms() async -> [RoomRecord] {
    guard let account = try? await context.links.ownAccount.value(), !account.supports(Self.unifiesPrivate) else {
      return []
    }
    var rooms: [RoomRecord] = []
    if !account.supports(Self.unifiesNode) { rooms = await read(node) }
    if rooms.isEmpty || !account.supports(Self.converts) {
      let known = Set(rooms.map(\.jid))
      rooms += await read(storage).filter { !known.contains($0.jid) }
    }
    return rooms
  }

  /// The rooms of a `<storage/>`, each once; none where it is something else. Web pages, which it may have too, are no rooms.
  nonisolated static func rooms(in storage: Element?) -> [RoomRecord] {
    guard let storage, storage.matches("storage", namespace) else { return [] }
    var seen: Set<JID> = []
    let rooms = storage.children.compactMap { conference -> RoomRecord? in
      guard let jid = (try? conference.jid("jid")) ?? nil,
        conference.description.utf8.count <= FeatureLimits.bookmarkBytes,
        let room = RoomRecord(conference: conference, namespace, of: jid.bare), seen.insert(room.jid).inserted
      else { return nil }
      return room
    }
    return Array(rooms.prefix(FeatureLimits.bookmarks))
  }

  private func node() async throws(RequestError) -> [RoomRecord] {
    let items = try await context.links.nodeAccess?.items(of: Self.namespace, at: nil, ids: [], newest: 1)
    return Self.rooms(in: items?.last?.payload)
  }

  private func storage() async throws(RequestError) -> [RoomRecord] {
    let query = Element("query", Self.privateStorage, [Element("storage", Self.namespace)])
    let answer = try await context.requests.request(
      IQ(kind: .get, payload: query), timeout: .after(context.timeout))
    return Self.rooms(in: answer.payload?.child("storage", Self.namespace))
  }

  private func read(_ source: @Client () async throws(RequestError) -> [RoomRecord]) async -> [RoomRecord] {
    do throws(RequestError) {
      return try await source()
    } catch {
      if !error.meansNotOffered, error.stanzaError?.condition != "item-not-found" {
        context.remark("Bookmarks in the format of old clients cannot be read: \(error)")
      }
      return []
    }
  }
}
