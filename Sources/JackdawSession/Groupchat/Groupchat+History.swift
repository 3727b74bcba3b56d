// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What was said in a room while the user was not there: its archive (XEP-0313) has it, or the room sends some of it.
extension Groupchat {
  /// What a room is asked to send of before, when it is entered.
  func historyRequest(for room: Room) -> RoomHistoryRequest {
    recallPosition(of: room)
    guard !room.hasArchive, wantsHistory(of: room) else { return .none }
    guard let last = lastHeard(in: room) else { return .newest(RoomLimits.firstMessages) }
    // Messages that come again, as clocks differ, are recognised.
    return .since(Timestamp(milliseconds: last.milliseconds - RoomLimits.clockDifference))
  }

  /// A single command shows no messages; but one that inherited messages of an earlier one has to know what became of them.
  private func wantsHistory(of room: Room) -> Bool {
    !context.delivery.isForOneCommand || context.delivery.isInDoubt(about: room.jid)
  }

  /// The user has just entered a room.
  func beginHistory(of room: Room) {
    guard wantsHistory(of: room) else { return room.history = .current }
    if room.hasArchive, let archive = context.intake.history {
      room.history = .reading([])
      room.reading.entered()
      begin(reading: archive, of: room)
    } else {
      let timer = context.clock.schedule(after: RoomLimits.historyPatience) { [weak self] in
        self?.historyHasCome(to: room)
      }
      room.history = .coming(timer, room.position.heard)
    }
  }

  /// There will be a gap between what is known of a room and what it sends next.
  func endHistory(of room: Room) {
    // Messages that are held back come again, from the archive.
    if isReading(room) { noteGap(in: room) }
    room.history = .unknown
    room.isInformationOld = true
    room.rereading = nil
    keepPosition(of: room)
  }

  /// The topic comes behind what was said before (XEP-0045 7.2.2).
  func historyHasCome(to room: Room) {
    guard case .coming = room.history else { return }
    room.history = .current
    // What came with it is in the log by then.
    context.clock.nextTurn { [weak self] in
      self?.context.intake.logArrivals()
      self?.wasRead(room)
    }
  }

  private func wasRead(_ room: Room) {
    context.delivery.roomWasRead(room.jid)
    context.links.whenRoomIsRead?(room.jid)
  }

  // MARK: The archive

  /// Ends a read that has reached its limit: the rest is read later.
  private struct EnoughForNow: Error {}

  private func begin(reading archive: any MessageHistory, of room: Room) {
    room.rereading = nil
    let number = room.reading.begun()
    EventLoop.main.start { [weak self] in await self?.read(archive, of: room, number) }
  }

  /// - Parameter number: which reading of it this is.
  private func read(_ archive: any MessageHistory, of room: Room, _ number: Int) async {
    var isComplete = true
    do {
      try await readMissed(archive, room)
    } catch {
      guard number == room.reading.number, isReading(room) else { return }
      isComplete = false
      wasNotReadToItsEnd(room, error)
      // Requests end before the stream is known to be lost. Messages that are held back come again, from the archive.
      if Self.meansNoConnection(error) { return }
    }
    var isOverfull = false
    while number == room.reading.number, case .reading(let held) = room.history, !held.isEmpty {
      // Some messages found no room behind those that are held back: the archive has them.
      isOverfull = isOverfull || held.count >= RoomLimits.heldMessages
      // What comes until they are in the log waits behind them.
      room.history = .reading([])
      if !context.delivery.isForOneCommand { await context.intake.takeHeld(held) }
    }
    guard number == room.reading.number, isReading(room) else { return }
    if isComplete, room.reading.missesSome {
      isComplete = false
      readAgainLater(room)
    }
    if isComplete { wasReadToItsEnd(room) }
    if isOverfull, isComplete { return await read(archive, of: room, number) }
    room.history = .current
    if isComplete { wasRead(room) }
  }

  private func wasReadToItsEnd(_ room: Room) {
    room.reading.ended()
    var position = room.position
    (position.archiveGap, position.archiveCursor) = (nil, room.reading.upTo ?? position.archiveCursor)
    keep(position, of: room)
  }

  /// From now on a live message is no sign that all before it is known.
  private func noteGap(in room: Room) {
    var position = room.position
    position.archiveGap = room.reading.upTo ?? position.archiveGap
    keep(position, of: room)
  }

  /// What is still to be read is read after a pause, or by the next run.
  private func wasNotReadToItsEnd(_ room: Room, _ error: any Error) {
    noteGap(in: room)
    // The store has reported its error.
    if !(error is EnoughForNow), !(error is any StoreFailure), !Self.meansNoConnection(error) {
      context.remark("What was said in \(room.jid) meanwhile cannot be read: \(error)")
    }
    if (error as? FeatureError)?.code == .notOffered { return }
    // Nothing failed: however much was missed, each part comes a pause later than the one before, and no longer.
    if error is EnoughForNow { room.reading.paused() }
    readAgainLater(room)
  }

  /// A message of a room could not be logged, and was posted all the same.
  func logMissedSome(of jid: JID) {
    guard let room = known[jid], room.hasArchive else { return }
    room.reading.missed()
    if room.position.archiveGap == nil {
      // Where not even that can be read, what was said since the user came is read again.
      let logged = try? context.stores.log?.lastArchiveID(in: jid)
      room.position.archiveGap = logged ?? room.reading.upTo ?? room.position.archiveCursor
      keepPositionSoon(of: room)
    }
    if !isReading(room), room.rereading == nil { readAgainLater(room) }
  }

  private func readAgainLater(_ room: Room) {
    let pause = RoomLimits.firstPause * (1 << min(room.reading.isPutOff(), RoomLimits.doublings))
    let number = room.reading.number
    room.rereading = context.clock.schedule(after: pause) { [weak self, weak room] in
      guard let self, let room, number == room.reading.number, room.isInside, let archive = context.intake.history
      else {
        return
      }
      // While the log is locked nothing that is read could be kept, and what is said would wait for it.
      guard keepPosition(of: room) else { return readAgainLater(room) }
      if !isReading(room) { room.history = .reading([]) }
      begin(reading: archive, of: room)
    }
  }

  private static func meansNoConnection(_ error: any Error) -> Bool {
    guard let code = (error as? RequestError)?.code else { return false }
    return code == .connectionGone || code == .notSent || code == .cancelled
  }

  private func readMissed(_ archive: any MessageHistory, _ room: Room) async throws {
    var query = ArchiveQuery()
    query.archive = room.jid
    let logged = room.reading.isFirst ? nil : try context.stores.log?.lastArchiveID(in: room.jid)
    let start = room.position.archiveGap ?? logged ?? room.position.archiveCursor
    room.reading.starts(behind: start)
    guard let last = start else { return try await readFirst(archive, room) }
    query.after = last == ArchiveCursor.beginning ? nil : last
    do {
      try await readPages(archive, room, query)
    } catch let error as FeatureError where error.code == .notFound {
      // The last known message has expired there, or was removed: later ones may be there.
      guard let written = try context.stores.log?.time(ofArchived: last, in: room.jid) else {
        return try await readFirst(archive, room)
      }
      let dayBefore = Timestamp(milliseconds: written.milliseconds - RoomLimits.agedMilliseconds)
      // What stands before the log's beginning is no news: of a room that was new here not all was read.
      let beginning = try context.stores.log?.beginning(of: room.jid) ?? dayBefore
      (query.after, query.start) = (nil, max(dayBefore, beginning))
      try await readPages(archive, room, query)
    }
  }

  private func readPages(_ archive: any MessageHistory, _ room: Room, _ query: ArchiveQuery) async throws {
    var count = 0
    _ = try await archive.pages(query) { [weak self, readAtOnce] page in
      count += try await self?.take(page, of: room) ?? 0
      guard page.isComplete || count < readAtOnce else { throw EnoughForNow() }
    }
  }

  /// Of a room that is new here the last messages are of use, but not all of its archive.
  private func readFirst(_ archive: any MessageHistory, _ room: Room) async throws {
    var query = ArchiveQuery(limit: RoomLimits.firstMessages, takesNewest: true)
    query.archive = room.jid
    let page = try await archive.page(query)
    _ = try await take(page, of: room)
    // Where there is nothing, the log does not say from where on the rest is news.
    if page.messages.isEmpty, page.last == nil { room.reading.foundNothing() }
  }

  private func take(_ page: ArchivePage, of room: Room) async throws -> Int {
    // If the stream was lost meanwhile, the archive is read anew.
    guard case .reading(let held) = room.history else { throw CancellationError() }
    // Messages that came live too are taken next, in that form: some archives keep less of them.
    let heldIDs = Set(held.compactMap(\.archiveID))
    var seen = heldIDs
    var recognised: Set<String> = []
    let inLines = inLines(page.messages, in: room)
    let messages = page.messages.indices.compactMap { place -> InboundMessage? in
      let archived = page.messages[place]
      guard archived.message.kind == .groupchat, says(archived.message), !inLines.parts.contains(place) else {
        return nil
      }
      var inbound = InboundMessage(archived.message)
      inbound.delayed = archived.stamp
      let id = StanzaID.stored(archived.archiveID, in: room.jid)
      guard seen.insert(id).inserted else { return nil }
      inbound.archiveID = id
      if inbound.message.id == nil,
        let own = inLines.wholes[place] ?? ownStanza(of: inbound, in: room, besides: recognised)
      {
        Self.restore(&inbound.message, own)
        if let id = own.id { recognised.insert(id) }
      }
      describe(&inbound, in: room)
      return inbound
    }
    if !context.delivery.isForOneCommand { try await context.intake.take(messages) }
    room.reading.took(page.messages.map(\.archiveID), last: page.last) {
      heldIDs.contains(StanzaID.stored($0, in: room.jid))
    }
    return page.messages.count
  }

  /// Whether it is part of the conversation in a room, and no topic. A message of the room itself that has no text is part of it only where
  /// it retracts another one (XEP-0425).
  func says(_ message: Message) -> Bool {
    if message.body != nil { return true }
    guard message.from?.resource != nil else { return MessageRelation.retraction(in: message.payloads) != nil }
    return message.subject == nil
  }

  /// A message of the user's that an archive kept without its id, as biboumi's does: the oldest with that text that the archive is not
  /// known to have.
  private func ownStanza(of inbound: InboundMessage, in room: Room, besides recognised: Set<String>) -> Message? {
    guard inbound.message.from?.resource == room.nick, let stamp = inbound.delayed, let log = context.stores.log else {
      return nil
    }
    // The store has reported its error.
    let page = try? log.page(LogQuery(conversation: room.jid, limit: RoomLimits.recognised), before: nil)
    let own = page?.messages.last { said in
      guard said.isOutgoing, Self.text(of: said) == inbound.message.body, let id = said.event.id,
        !recognised.contains(id),
        let written = said.event.delayed, written.milliseconds <= stamp.milliseconds + RoomLimits.clockDifference
      else { return false }
      return (try? log.archiveID(ofMessage: id, in: room.jid)) == nil
    }
    return own.map(Self.stanza(of:))
  }
}
