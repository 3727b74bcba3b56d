// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Bookmarks: the account's rooms, which the server keeps for all of its devices.
///
/// They are read at each log-in, kept in the store beside what is the device's own, and followed as other devices change them. Whose
/// bookmark is gone is forgotten. Rooms that the server has no place for are kept here alone.
@Client package final class RoomBookmarks: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0402", "PEP Native Bookmarks", version: "1.2.0", namespaces: [RoomRecord.bookmarks],
    scope: "read at each log-in, followed, added, changed and removed; what other clients keep with one is given back")

  package nonisolated static var needs: [any Feature.Type] { [PubSub.self, PersonalEvents.self] }

  private let context: FeatureContext
  private let node: PrivateNode
  private var reading: Task<Void, Never>?
  /// What is just being published, by room. Bounded by our own callers.
  private var publishing: [JID: PubSubItem] = [:]
  /// What was published last of a room on this stream, unless another device changed it since. Bounded by our own callers.
  private var published: [JID: PubSubItem] = [:]
  /// Rooms whose bookmarks this device changed or removed on this stream. A server may put off what it tells while nobody looks (XEP-0352),
  /// and tell it twice: what is told of these may be older than that. Bounded by our own callers.
  private var changed: Set<JID> = []
  /// Those of them of which something was told that is to be looked up. Bounded by ``changed``.
  private var doubtful: Set<JID> = []
  private var lookup: Task<Void, Never>?
  private var destructions: Subscription?
  private let ended: EndedRooms
  /// Rooms whose bookmark is just being removed. Bounded by our own callers.
  private var removing: Set<JID> = []

  /// What the node holds, compared with what was known of it.
  private struct Difference {
    /// All that is there, with what is kept of them on this device.
    var rooms: [RoomRecord]
    /// Those that were there, and are no more.
    var removed: [JID]
  }

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    ended = EndedRooms(context)
    node = PrivateNode(
      RoomRecord.bookmarks, limit: FeatureLimits.bookmarks, shortfall: "The server may keep one bookmark only", context)
    context.links.nodes.on(RoomRecord.bookmarks, of: .ownAccount) { [weak self] in self?.take($0) }
    destructions = context.events.on(RoomChanged.self) { [weak self] in
      if $0.change == .destroyed { self?.wasEnded($0.room) }
    }
    ended.publish = { [weak self] room throws(RequestError) in try await self?.publishEnd(of: room) ?? true }
  }

  /// They are asked for with all that a log-in asks for, and nobody waits for them.
  package nonisolated static var askedAtLogin: String { "your rooms" }

  package var loginTask: (@Client () async throws -> Void)? { { [weak self] in self?.beginReading() } }

  package func streamLost() {
    reading?.cancel()
    reading = nil
    lookup?.cancel()
    lookup = nil
    (changed, doubtful, published) = ([], [], [:])
    ended.streamLost()
    node.streamLost()
  }

  /// What bookmarks are to say of rooms' ends is said before: the next run would enter these rooms.
  package func leaving() async { await ended.leaving() }

  // MARK: The user's changes

  /// Keeps a room as a bookmark, or changes the one that there is. What other clients keep with it stays.
  /// - Returns: it as it is kept now.
  /// - Throws: ``RequestError``; the room is kept on this device then.
  @discardableResult package func keep(_ room: RoomRecord) async throws(RequestError) -> RoomRecord {
    var room = room
    let known = stored(room.jid)
    room.extensions = room.extensions ?? known?.extensions
    room.isBookmarked = known?.isBookmarked ?? false
    publishing[room.jid] = room.bookmark
    defer { publishing[room.jid] = nil }
    begins(room.jid)
    do {
      try await node.publish(room.bookmark)
      room.isBookmarked = true
      published[room.jid] = room.bookmark
    } catch {
      store(room)
      throw error
    }
    store(room)
    return room
  }

  /// Removes a room's bookmark, and forgets the room. One that there is not is no error.
  /// - Throws: ``RequestError``; the bookmark is where it was then.
  package func remove(_ jid: JID) async throws(RequestError) {
    removing.insert(jid.bare)
    defer { removing.remove(jid.bare) }
    // What is published behind the removal would bring the bookmark back.
    await ended.forget(jid.bare)
    begins(jid.bare)
    do {
      if var room = stored(jid), room.isBookmarked, room.autojoin {
        // ejabberd 23.01 tells nobody of a retraction, but of this: so the other devices leave.
        room.autojoin = false
        try await node.publish(room.bookmark)
      }
      try await node.retract(jid.bare.description)
    } catch  where error.meansNotOffered {
      // A server without bookmarks has none to remove.
    }
    try? context.stores.rooms?.forget(jid)
  }

  /// Reads the bookmarks anew.
  /// - Returns: all of them, with what is kept of each on this device.
  /// - Throws: ``RequestError``, where the server does not have any, too.
  package func refresh() async throws(RequestError) -> [RoomRecord] { try await read().rooms }

  private func wasEnded(_ room: JID) { if !removing.contains(room) { ended.add(room) } }

  /// Publishes that a room is entered no more, where its bookmark is still there and says otherwise, and the user has not entered it anew.
  /// - Returns: false: there was nothing to publish.
  private func publishEnd(of room: JID) async throws(RequestError) -> Bool {
    let items = try await node.items() ?? []
    let there = items.lazy.compactMap { [account = context.identity.account] in RoomRecord($0, of: account) }
    guard let known = stored(room), !known.autojoin, !removing.contains(room),
      var record = there.first(where: { $0.jid == room }), record.autojoin
    else { return false }
    record.takeOwn(of: known)
    record.autojoin = false
    try await keep(record)
    return true
  }

  /// The bookmark of a room is about to be changed here: what was told before is older.
  private func begins(_ room: JID) {
    changed.insert(room)
    published[room] = nil
    doubtful.remove(room)
    ended.settle(room)
  }

  // MARK: The server's word

  private func beginReading() {
    guard reading == nil else { return }
    reading = EventLoop.main.start { [weak self] in
      await self?.tellAll()
      guard !Task.isCancelled else { return }
      self?.reading = nil
    }
  }

  /// Reads what there is, and tells the rooms of it; where it cannot be read, of what was known.
  private func tellAll() async {
    do throws(RequestError) {
      tell(try await read())
    } catch {
      // Without a stream there is another log-in to come.
      guard error.code != .connectionGone, error.code != .cancelled else { return }
      if !error.meansNotOffered { context.remark("The bookmarks cannot be read: \(error)") }
      context.links.rooms?.bookmarksWereRead(allStored(), removed: [])
    }
  }

  private func tell(_ difference: Difference) {
    let listed = Set(difference.rooms.map(\.jid))
    context.links.rooms?.bookmarksWereRead(
      difference.rooms + allStored().filter { !listed.contains($0.jid) }, removed: difference.removed)
  }

  private func read() async throws(RequestError) -> Difference {
    var isWhole = true
    var rooms: [RoomRecord]
    if let items = try await node.items() {
      isWhole = items.count < FeatureLimits.bookmarks
      rooms = items.compactMap { RoomRecord($0, of: context.identity.account) }
      if rooms.count < items.count { context.remark("Left out \(items.count - rooms.count) bookmarks that are none.") }
    } else {
      // A node that is empty is the word of a client that knows it: its user is in no room any more.
      rooms = await converted()
    }
    let known = Dictionary(allStored().map { ($0.jid, $0) }) { first, _ in first }
    for place in rooms.indices {
      let room = rooms[place].jid
      rooms[place].takeOwn(of: known[room])
      guard ended.isUnpublished(room), known[room]?.autojoin == false else { continue }
      rooms[place].autojoin = false
      wasEnded(room)
    }
    for room in rooms where known[room.jid] != room { store(room) }
    let listed = Set(rooms.map(\.jid))
    let removed = isWhole ? known.values.filter { $0.isBookmarked && !listed.contains($0.jid) }.map(\.jid) : []
    for jid in removed { try? context.stores.rooms?.forget(jid) }
    return Difference(rooms: rooms, removed: removed.sorted { $0.description < $1.description })
  }

  /// The bookmarks of old clients, published for new ones.
  private func converted() async -> [RoomRecord] {
    var rooms = await LegacyBookmarks(context: context).rooms()
    for place in rooms.indices {
      do throws(RequestError) {
        try await node.publish(rooms[place].bookmark)
      } catch {
        rooms[place].isBookmarked = false
        context.remark("The bookmark of \(rooms[place].jid) cannot be converted: \(error)")
      }
    }
    return rooms
  }

  private func take(_ event: PubSubEvent) {
    // Where all items, or the node itself, are gone, a client may be about to write it anew.
    guard case .items(let items, let retracted) = event.change else { return beginReading() }
    for id in retracted {
      // Another program that shares the store may have forgotten it there before this one hears of it.
      guard let jid = try? JID(id),
        stored(jid) != nil || context.stores.rooms == nil || context.links.rooms?.record(of: jid) != nil
      else { continue }
      try? context.stores.rooms?.forget(jid)
      context.links.rooms?.bookmarkRemoved(jid.bare)
    }
    for item in items {
      guard let room = RoomRecord(item, of: context.identity.account) else { continue }
      take(room, mayBeLate: changed.contains(room.jid))
    }
    beginLookup()
  }

  private func take(_ room: RoomRecord, mayBeLate: Bool) {
    var room = room
    let known = stored(room.jid)
    room.takeOwn(of: known)
    // It is about to say that the room was ended.
    if ended.isUnpublished(room.jid), room.autojoin { return }
    // What this device published comes back to it, perhaps before the server says that it has it. What another program published that
    // shares the store may stand there before this one hears of it: its rooms have not followed then.
    guard room != known || !isFollowed(room) else { return }
    let isOwn = room.bookmark == publishing[room.jid]
    if mayBeLate, !isOwn {
      doubtful.insert(room.jid)
      return
    }
    store(room)
    if isOwn { return }
    published[room.jid] = nil
    context.links.rooms?.bookmarkChanged(room)
  }

  /// Whether the rooms of this session are as a bookmark says, or about to be.
  private func isFollowed(_ room: RoomRecord) -> Bool {
    guard let rooms = context.links.rooms else { return true }
    return published[room.jid] == room.bookmark || rooms.record(of: room.jid)?.bookmark == room.bookmark
  }

  private func beginLookup() {
    guard !doubtful.isEmpty, lookup == nil else { return }
    lookup = EventLoop.main.start { [weak self] in
      await self?.lookUp()
      guard !Task.isCancelled else { return }
      self?.lookup = nil
      self?.beginLookup()
    }
  }

  /// Sees how it stands with what something doubtful was told of: what is there counts.
  private func lookUp() async {
    let asked = doubtful
    do throws(RequestError) {
      let items = try await node.items() ?? []
      for room in items.compactMap({ RoomRecord($0, of: context.identity.account) })
      where asked.contains(room.jid) && doubtful.contains(room.jid) {
        take(room, mayBeLate: false)
      }
    } catch {
      guard error.code != .connectionGone, error.code != .cancelled else { return }
      context.remark("The bookmarks cannot be read: \(error)")
    }
    doubtful.subtract(asked)
  }

  // MARK: The store
  // What is wrong with it has been told by it: what the server says holds all the same.

  private func stored(_ jid: JID) -> RoomRecord? { (try? context.stores.rooms?.room(jid)) ?? nil }

  private func allStored() -> [RoomRecord] { (try? context.stores.rooms?.rooms()) ?? [] }

  private func store(_ room: RoomRecord) { try? context.stores.rooms?.keep(room) }
}

extension RoomRecord {
  /// Takes over what is this device's own, and is in no bookmark.
  fileprivate mutating func takeOwn(of known: RoomRecord?) {
    notify = known?.notify
    tellsOccupants = known?.tellsOccupants
  }
}
