// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Rooms: entered, left, and kept (XEP-0045).
///
/// A room is joined only when it was asked for or is bookmarked; that one is in it is kept beyond connections (``RoomSeat``). How that is
/// done is in `Groupchat+Seats.swift`, what rooms say of who is there in `Groupchat+Presence.swift`, what is said in them in
/// `Groupchat+Messages.swift` and `Groupchat+History.swift`.
@Client package final class Groupchat: Feature, RoomDirectory, RoomGate {
  package nonisolated static let about = FeatureDescription(
    "XEP-0045", "Multi-User Chat", version: "1.34.6",
    discoFeatures: [RoomPresence.namespace],
    namespaces: [Namespace.roomUser, RoomPresence.occupantIDNamespace, "http://jabber.org/protocol/muc#rooms"],
    scope: "rooms joined, kept and left; messages, topics, nicks, private messages; reading archives of rooms")

  /// What rooms send is no person's.
  package nonisolated static var before: [any Feature.Type] { [Chat.self] }

  let context: FeatureContext
  let store: (any RoomStore)?
  /// Rooms that the user is in, wants to be in, or is about to leave. Bounded by ``RoomLimits/rooms``.
  var known: [JID: Room] = [:] { didSet { updateHasRooms() } }
  /// Rooms of the store. Bounded by it.
  var records: [JID: RoomRecord] = [:] { didSet { updateHasRooms() } }
  /// Rooms that did not let the user in on this stream, as they were kept then: what is no news does not have them asked once more.
  /// Bounded by ``RoomLimits/rooms``.
  var refusals: [JID: RoomRecord] = [:]
  private var hasReadStore = false
  /// Addresses that turned out to be rooms'. Bounded by ``RoomLimits/rooms``.
  private var learned: Set<JID> = [] { didSet { updateHasRooms() } }
  /// One of these three has something in it. Each message asks several times, of most accounts in vain.
  private(set) var hasRooms = false
  /// There is a stream, and the user is shown on it as far as they will be.
  var hasStream = false
  /// Each feature has asked what it asks at a log-in.
  private var isLoggedIn = false
  /// Until then the user may be shown.
  private var showing: LoopTimer?
  var probing: LoopTimer?
  /// Messages that are read from a room's archive at a time.
  var readAtOnce = RoomLimits.missedMessages
  /// Occupants of all rooms.
  var occupantCount = 0
  /// Topics that were set, until their rooms have said so, by the ids of their messages. Bounded by those who wait.
  var topics: [String: (room: JID, set: WaitingList<Void>)] = [:]

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    store = context.stores.rooms
    context.links.rooms = self
    context.delivery.rooms = self
    context.intake.onMissedInRoom = { [weak self] in self?.logMissedSome(of: $0) }
    context.links.onShown { [weak self] in self?.wasShown($0) }
  }

  package func install(in routes: RouteTable) {
    routes.claimPresence { [unowned self] in take($0) }
    routes.onMessage(.verify) { [unowned self] in verify(&$0) }
    routes.onMessage(.interpret) { [unowned self] in interpret(&$0) }
  }

  // MARK: What is known

  /// The rooms that the user is in or wants to be in, by address.
  package var rooms: [Room] {
    known.values.filter(\.isWanted).sorted { $0.jid.description < $1.jid.description }
  }

  /// A room that the user is in or wants to be in.
  package func room(_ jid: JID) -> Room? { known[jid.bare].flatMap { $0.isWanted ? $0 : nil } }

  package func isRoom(_ jid: JID) -> Bool {
    readStore()
    guard hasRooms else { return false }
    let room = jid.bare
    return known[room] != nil || learned.contains(room) || records[room] != nil
  }

  private func updateHasRooms() { hasRooms = !(known.isEmpty && learned.isEmpty && records.isEmpty) }

  package func isBeingEntered(_ jid: JID) -> Bool { room(jid)?.isInside == false }

  package func isPrivate(_ jid: JID) -> Bool {
    guard let room = known[jid.bare], room.isInside, !room.isInformationOld, let information = room.information
    else { return false }
    return room.table.count <= RoomLimits.toldOccupants
      && information.supports("muc_membersonly") && information.supports("muc_nonanonymous")
  }

  /// An address turned out to be a room's, which the user may want to write to.
  package func learn(_ jid: JID) {
    if learned.count < RoomLimits.rooms { learned.insert(jid.bare) }
  }

  /// What is kept of a room; nil: nothing.
  package func record(of jid: JID) -> RoomRecord? {
    readStore()
    guard hasRooms else { return nil }
    let address = jid.bare
    return known[address]?.record ?? records[address]
  }

  /// Changes what is kept of a room.
  /// - Throws: what the store throws.
  package func keep(_ record: RoomRecord) throws {
    readStore()
    records[record.jid] = record
    known[record.jid]?.record = record
    try store?.keep(record)
  }

  /// Forgets a room, but for what was said there.
  /// - Throws: what the store throws.
  package func forget(_ jid: JID) throws {
    records[jid.bare] = nil
    try store?.forget(jid.bare)
  }

  private func readStore() {
    guard !hasReadStore else { return }
    hasReadStore = true
    // The store has reported its error.
    for record in (try? store?.rooms()) ?? [] { records[record.jid] = record }
  }

  package func addressing(of jid: JID) -> Addressing {
    guard isRoom(jid) else { return .person }
    return jid.resource == nil ? .room : .occupant
  }

  package func mayWrite(to room: JID) -> Bool {
    // It is asked where there is a stream, which a single command says in no other way.
    if context.delivery.isForOneCommand { hasStream = true }
    // Who is just leaving is not brought back by what was written before. Where another device has left, nothing was.
    if let room = known[room.bare], room.seat.state == .leaving, !room.isLeftElsewhere { return false }
    return want(room, nick: nil, password: nil, making: .never)?.isInside == true
  }

  // MARK: The stream

  package func streamBegan() {
    (hasStream, isLoggedIn) = (false, false)
    refusals = [:]
  }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in self?.loggedIn() }
  }

  private func loggedIn() {
    readStore()
    isLoggedIn = true
    if !known.isEmpty || records.values.contains(where: \.autojoin) { awaitBeingShown() }
  }

  /// Before it is known how the user is shown no room is entered: what an earlier run was in ends with that, where its stream goes on. Who
  /// is not shown at all is in rooms all the same.
  func awaitBeingShown() {
    guard isLoggedIn, !hasStream, showing == nil else { return }
    showing = context.clock.schedule(after: RoomLimits.shownPatience) { [weak self] in self?.streamIsReady() }
  }

  private func wasShown(_ presence: Presence) {
    switch presence.kind {
    case .available where hasStream:
      for room in known.values where room.isInside { tell(room, presence) }
    case .available: streamIsReady()
    default: roomsAreLost()
    }
  }

  private func streamIsReady() {
    (hasStream, showing) = (true, nil)
    for record in records.values where record.autojoin { _ = want(record.jid, nick: nil, password: nil) }
    enterWaiting()
  }

  package func streamResumed() {
    hasStream = true
    for room in known.values where room.isInside { probe(room) }
  }

  package func streamLost() {
    isLoggedIn = false
    for room in known.values { room.isAskedFor = false }
    roomsAreLost()
  }

  package func sessionEnded() {
    roomsAreLost()
    (probing, known) = (nil, [:])
  }

  private func roomsAreLost() {
    (hasStream, showing, probing) = (false, nil, nil)
    for room in known.values { streamIsGone(room) }
  }

  // MARK: Bookmarks

  package func bookmarksWereRead(_ rooms: [RoomRecord], removed: [JID]) {
    for jid in removed {
      records[jid.bare] = nil
      guard let room = known[jid.bare], room.isWanted else { continue }
      (room.record.autojoin, room.record.isBookmarked) = (false, false)
      leftElsewhere(room)
    }
    for record in rooms {
      let left = left(by: record)
      // A room may have answered before the bookmarks are here.
      noteBookmark(record, mayEnter: refusals[record.jid] != record)
      if let left { leftElsewhere(left) }
    }
    // Whatever is read later on this stream is newer than what the user asked for.
    for room in known.values { room.isAskedFor = false }
    if hasStream { enterWaiting() }
  }

  /// What another device has left while there was no stream is left here, too. But it may be asked for since then: nobody knows which
  /// came last, and to leave it would lose what is to be said there.
  private func leftElsewhere(_ room: Room) {
    guard !isAskedFor(room) else { return }
    room.isLeftElsewhere = true
    act(room, .unwanted)
  }

  package func bookmarkChanged(_ record: RoomRecord) {
    let left = left(by: record)
    noteBookmark(record)
    if let left { act(left, .unwanted) }
  }

  /// The room that another device has left, as its bookmark says now. One by which nobody was in the room has nobody leave it: it was
  /// renamed, or another nick stands in it.
  private func left(by record: RoomRecord) -> Room? {
    guard !record.autojoin, let room = known[record.jid], room.record.autojoin, room.isWanted else { return nil }
    return room
  }

  package func bookmarkRemoved(_ jid: JID) {
    records[jid.bare] = nil
    if let room = known[jid.bare], room.isWanted { act(room, .unwanted) }
  }

  /// A command enters it, or somebody has something to say there.
  private func isAskedFor(_ room: Room) -> Bool {
    room.isAskedFor || room.entering.count > 0 || context.delivery.hasOpen(in: room.jid)
  }

  private func noteBookmark(_ record: RoomRecord, mayEnter: Bool = true) {
    records[record.jid] = record
    if let room = known[record.jid] {
      room.record = record
      // Another device has taken another name.
      if let nick = record.nick, room.isInside, nick != room.nick { try? ask(room, for: nick) }
    }
    if record.autojoin, hasStream, mayEnter { _ = want(record.jid, nick: nil, password: nil) }
  }
}
