// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What was said in a room while the user was not there: its archive (XEP-0313) has it, or the room sends some of it.
extension Groupchat {
  /// What a room is asked to send of before, when it is entered.
  func historyRequest(for room: Room) -> RoomHistoryRequest {
    guard !room.hasArchive, wantsHistory(of: room) else { return .none }
    guard let last = lastMessage(of: room) else { return .newest(RoomLimits.firstMessages) }
    return .since(last)
  }

  /// A single command shows nobody what was said; but one that has taken over what an earlier one left has to know what became of it.
  private func wantsHistory(of room: Room) -> Bool {
    !context.delivery.isForOneCommand || context.delivery.isInDoubt(about: room.jid)
  }

  /// When the last message of the room was said that the log has.
  private func lastMessage(of room: Room) -> Timestamp? {
    // What is wrong with the store has been told by it.
    let page = try? context.stores.log?.page(LogQuery(conversation: room.jid, limit: 1), before: nil)
    return page?.messages.first?.event.delayed
  }

  /// The user has just entered a room.
  func beginHistory(of room: Room) {
    guard wantsHistory(of: room) else { return room.history = .current }
    if room.hasArchive, let archive = context.intake.history {
      room.history = .reading([])
      room.readings += 1
      let number = room.readings
      EventLoop.main.start { [weak self] in await self?.read(archive, of: room, number) }
    } else {
      let timer = context.clock.schedule(after: RoomLimits.historyPatience) { [weak self] in
        self?.historyHasCome(to: room)
      }
      room.history = .coming(timer)
    }
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

  /// - Parameter number: which reading of it this is.
  private func read(_ archive: any MessageHistory, of room: Room, _ number: Int) async {
    var isComplete = true
    do {
      try await readMissed(archive, room)
    } catch {
      isComplete = false
      if isReading(room), number == room.readings, !Task.isCancelled {
        context.remark("What was said in \(room.jid) meanwhile cannot be read: \(error)")
      }
    }
    var isOverfull = false
    while number == room.readings, case .reading(let held) = room.history, !held.isEmpty {
      // Some found no room behind those that are held: the archive has them.
      isOverfull = isOverfull || held.count >= RoomLimits.heldMessages
      // What comes until they are in the log waits behind them.
      room.history = .reading([])
      if !context.delivery.isForOneCommand { await context.intake.take(held) }
    }
    guard number == room.readings, isReading(room) else { return }
    if isOverfull, isComplete { return await read(archive, of: room, number) }
    room.history = .current
    if isComplete { wasRead(room) }
  }

  private func readMissed(_ archive: any MessageHistory, _ room: Room) async throws {
    var query = ArchiveQuery()
    query.archive = room.jid
    guard let last = try context.stores.log?.lastArchiveID(in: room.jid) ?? room.record.archiveCursor else {
      return try await readFirst(archive, room)
    }
    query.after = last == ArchiveCursor.beginning ? nil : last
    var count = 0
    do {
      _ = try await archive.pages(query) { [weak self] page in
        count += try await self?.take(page, of: room) ?? 0
        guard count < RoomLimits.missedMessages else { throw CancellationError() }
      }
    } catch let error as FeatureError where error.code == .notFound {
      // The last one that is known has expired there.
      try await readFirst(archive, room)
    }
  }

  /// Of a room that is new here some messages are of use, and all of them of none.
  private func readFirst(_ archive: any MessageHistory, _ room: Room) async throws {
    var query = ArchiveQuery(limit: RoomLimits.firstMessages, takesNewest: true)
    query.archive = room.jid
    let page = try await archive.page(query)
    _ = try await take(page, of: room)
    // Where nothing of it is in the log, that does not say from where on the rest is news.
    guard !context.delivery.isForOneCommand, room.record.archiveCursor == nil,
      try context.stores.log?.lastArchiveID(in: room.jid) == nil
    else { return }
    var record = room.record
    record.archiveCursor = page.last ?? ArchiveCursor.beginning
    // What is wrong with the store has been told by it.
    try? keep(record)
  }

  private func take(_ page: ArchivePage, of room: Room) async throws -> Int {
    // A stream that was lost meanwhile has begun it anew.
    guard case .reading(let held) = room.history else { throw CancellationError() }
    // What has come by itself as well comes next, and says more than some archives keep of it.
    var seen = Set(held.compactMap(\.archiveID))
    var recognised: Set<String> = []
    let messages = page.messages.compactMap { archived -> InboundMessage? in
      guard archived.message.kind == .groupchat, archived.message.from?.resource != nil,
        archived.message.body != nil || archived.message.subject == nil
      else { return nil }
      var inbound = InboundMessage(archived.message)
      inbound.delayed = archived.stamp
      let id = StanzaID.stored(archived.archiveID, in: room.jid)
      guard seen.insert(id).inserted else { return nil }
      inbound.archiveID = id
      if inbound.message.id == nil, let own = ownID(of: inbound, in: room, besides: recognised) {
        inbound.message.id = own
        recognised.insert(own)
      }
      describe(&inbound, in: room)
      return inbound
    }
    if !context.delivery.isForOneCommand { await context.intake.take(messages) }
    return page.messages.count
  }

  /// The id of a message of the user's that an archive kept without it, as biboumi's does: the oldest with that text that the archive is
  /// not known to have.
  private func ownID(of inbound: InboundMessage, in room: Room, besides recognised: Set<String>) -> String? {
    guard inbound.message.from?.resource == room.nick, let stamp = inbound.delayed, let log = context.stores.log else {
      return nil
    }
    // What is wrong with the store has been told by it.
    let page = try? log.page(LogQuery(conversation: room.jid, limit: RoomLimits.recognised), before: nil)
    let own = page?.messages.last { said in
      guard said.isOutgoing, said.event.body == inbound.message.body, let id = said.event.id, !recognised.contains(id),
        let written = said.event.delayed, written.milliseconds <= stamp.milliseconds + RoomLimits.clockDifference
      else { return false }
      return (try? log.archiveID(ofMessage: id, in: room.jid)) == nil
    }
    return own?.event.id
  }
}
