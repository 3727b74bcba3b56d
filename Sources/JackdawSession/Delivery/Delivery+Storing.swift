// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What is stored of our messages: that they exist, their positions on the stream, and what became of them.
extension Delivery {
  /// Puts into the store what is not in it.
  /// - Parameter asWritten: the batch that is written next is stored as sent, in one transaction, and no more than that: ``write()`` writes it,
  ///   and then has the rest stored. Else all is stored, as waiting.
  func keepNew(asWritten: Bool = false) {
    guard !unkept.isEmpty else { return }
    let next = unkept.prefix(batchLimit)
    let goes = asWritten && goOutNow(next)
    let new = goes ? Array(next) : unkept
    if goes { enableStreamManagementForCommand() }
    var place = goes ? core.place : nil
    let archiveCursor = goes ? cursor.id : nil
    let records = new.map { unkept in
      place?.position &+= 1
      return OutboxRecord(
        unkept.message, state: goes ? .sent : .waiting, place: place, archiveCursor: archiveCursor)
    }
    var numbers: [Int64]?
    do {
      numbers = try store?.keep(records, from: core.identity.account)
      log = .free
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return
    } catch {
      // The store has reported its error: chat goes on.
    }
    unkept.removeFirst(min(new.count, unkept.count))
    for (index, number) in zip(records.indices, numbers ?? []) {
      let entry = new[index].entry
      entry.stored = number
      if goes { entry.place(at: records[index].place) }
      // It may have been given up while it waited for the log: the next run must not send it.
      if !entry.state.isOpen { note(MessageOutcome(number: number, id: entry.id, state: entry.state)) }
    }
    guard !isWriting else { return }
    for entry in new.lazy.map(\.entry) where entry.state.isOpen {
      core.events.post(MessageStateChanged(id: entry.id, to: entry.to, state: .waiting))
    }
  }

  /// Whether these new messages are the next batch to be written, with none before them, and are all prepared.
  private func goOutNow(_ new: ArraySlice<UnkeptMessage>) -> Bool {
    guard stage == .writing else { return false }
    let next = toWrite(limit: new.count, keptAlone: false)
    guard next.count == new.count, zip(next.indices, new.indices).allSatisfy({ next[$0] === new[$1].entry }) else {
      return false
    }
    return new.indices.allSatisfy { place in
      if case .ready = preparation(of: new[place].message, new[place].entry) { return true } else { return false }
    }
  }

  /// Another program has the log locked: what is to be in it waits.
  /// - Returns: false when that has been so for too long.
  private func waitsForLog() -> Bool {
    log.isLocked(core) { [weak self] in
      guard let self else { return }
      log.isTriedAgain()
      flush()
    }
  }

  /// Stores the outcomes and reports that were noted.
  func tellStore() {
    guard hasUnnoted, !log.isLocked else { return }
    if !outcomes.isEmpty { settleOutcomes() }
    while outcomes.isEmpty, !log.isLocked, let report = reports.first {
      let known: ReportedMessage?
      do {
        known = try advance(report)
      } catch let error as any StoreFailure where error.isBusy {
        _ = waitsForLog()
        return
      } catch {
        // The store has reported its error.
        known = nil
      }
      reports.removeFirst()
      tell(report, known)
    }
  }

  private func settleOutcomes() {
    let news = outcomes
    outcomes = []
    do {
      try store?.settle(news)
      log = .free
      storeTakesNothing = false
    } catch let error as any StoreFailure where error.isBusy {
      _ = waitsForLog()
      outcomes = Array(news.suffix(SessionLimits.rememberedMessages))
      storeTakesNothing = false
    } catch {
      // The store has reported its error. On a disk that was full they are noted once it has room: else the next run would
      // send them again where no archive says what became of them.
      outcomes = Array(news.suffix(SessionLimits.rememberedMessages))
      storeTakesNothing = true
      tellingAgain = core.clock.schedule(after: SessionLimits.logPatience) { [weak self] in self?.tellStore() }
    }
  }

  /// Stores a report about a message of ours and posts it; while another program has the log locked, or the log does not have the message
  /// yet, both wait.
  /// - Returns: false where the log has no message that it is about.
  @discardableResult func note(_ report: MessageReport) -> Bool {
    guard store != nil else { return false }
    // What was said before it comes first.
    tellStore()
    if outcomes.isEmpty, reports.isEmpty, !log.isLocked {
      do {
        let known = try advance(report)
        tell(report, known)
        return known != nil
      } catch let error as any StoreFailure where error.isBusy {
        _ = waitsForLog()
      } catch {
        // The store has reported its error.
        return false
      }
    }
    guard reports.count < SessionLimits.rememberedMessages else { return false }
    reports.append(report)
    return true
  }

  private func advance(_ report: MessageReport) throws -> ReportedMessage? {
    let known = try store?.advance(report.id, with: report.peer, to: report.state)
    log = .free
    if known == nil { keepEarly(report) }
    return known
  }

  /// - Parameter known: what the store says of the message; nil: it does not have it, or takes nothing.
  private func tell(_ report: MessageReport, _ known: ReportedMessage?) {
    guard let to = recipient(of: report, known),
      heardReports.isNews(report, of: known?.number ?? outbox[report.id]?.stored)
    else { return }
    core.events.post(MessageStateChanged(id: report.id, to: to, state: report.state))
  }

  /// - Returns: to whom the message was sent, if this program is to post the report; nil: it is not.
  private func recipient(of report: MessageReport, _ known: ReportedMessage?) -> JID? {
    if report.origin == .told { return nil }
    // A command here may wait for it, even if a program that shares the store has stored the report.
    if let entry = outbox[report.id] { return entry.peer == report.peer && entry.state == .server ? entry.to : nil }
    return report.origin == .stream || known?.isNoted == true ? known?.to : nil
  }

  /// Outcomes or reports are to be stored: at the end of the turn, or when no other program has the log locked.
  private var hasUnnoted: Bool { !outcomes.isEmpty || !reports.isEmpty }

  /// The same, where it is worth waiting for.
  var hasToNote: Bool { hasUnnoted && !storeTakesNothing }

  /// The session ends: the last outcomes and reports are stored.
  /// - Throws: ``LogIsLocked`` where another program has the log locked.
  func noteLast() throws {
    tellStore()
    if hasToNote { throw LogIsLocked() }
  }

  /// Stores the positions that the messages will have on the stream, so that a later run can tell from the server's `h` which of them it
  /// has.
  /// - Returns: the ids of those that were withdrawn meanwhile, in their order; nil: the log is waited for, and none has a place.
  func place(_ batch: [Outbox.Entry]) -> [String]? {
    guard let store, batch.contains(where: { !$0.isPlaced }) else { return [] }
    var place = core.place
    for entry in batch {
      place?.position &+= 1
      entry.place(at: place)
    }
    while true {
      let beginnings = beginnings
      let placed = batch.compactMap { entry -> (number: Int64, id: String, place: StreamPlace?)? in
        guard let entry = outbox[entry.id] else { return nil }
        return entry.stored.map { ($0, entry.id, entry.place) }
      }
      guard !placed.isEmpty else { return [] }
      var withdrawn: Set<Int64> = []
      do {
        withdrawn = try store.place(placed, after: cursor.id)
        log = .free
      } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
        for entry in batch { entry.unplace() }
        return nil
      } catch {
        // The store has reported its error: chat goes on.
      }
      // In a store that began anew they have other numbers.
      if beginnings == self.beginnings { return placed.filter { withdrawn.contains($0.number) }.map(\.id) }
    }
  }

  /// The places of those of a batch that could not be written will be others'.
  /// - Returns: false where the store has places of theirs, and takes nothing now: then all stays as it is.
  func unplace(_ batch: [Outbox.Entry]) -> Bool {
    let unwritten = batch.compactMap { outbox[$0.id] }.filter { $0.state == .waiting }
    let placed = unwritten.filter { $0.place != nil }.compactMap { entry in
      entry.stored.map { (number: $0, id: entry.id, place: StreamPlace?.none) }
    }
    do {
      if !placed.isEmpty { _ = try store?.place(placed, after: cursor.id) }
    } catch {
      // The store has reported its error.
      return false
    }
    for entry in unwritten { entry.unplace() }
    return true
  }

  /// The stream can be resumed from now on: messages that were written before its id was known get their positions on it.
  func streamIsNamed() {
    naming = nil
    guard let store, let stream = core.place?.stream else { return }
    let places = outbox.unnamed.compactMap { entry -> (number: Int64, id: String, place: StreamPlace?)? in
      guard let number = entry.stored, let position = entry.position else { return nil }
      return (number, entry.id, StreamPlace(stream: stream, position: position))
    }
    guard !places.isEmpty else { return }
    do {
      let withdrawn = try store.place(places, after: cursor.id)
      if !withdrawn.isEmpty { _ = try store.place(places.filter { !withdrawn.contains($0.number) }, after: cursor.id) }
    } catch let error as any StoreFailure where error.isBusy {
      naming = core.clock.schedule(after: SessionLimits.logPause) { [weak self] in self?.streamIsNamed() }
      return
    } catch {
      // The store has reported its error.
    }
    for place in places { outbox[place.id]?.place(at: place.place) }
  }

  // MARK: A store that began anew

  /// Open messages are stored again, in their order.
  func keepAgain() {
    beginnings += 1
    storeTakesNothing = false
    let isNew = Set(unkept.map(\.message.id))
    let open = outbox.openEntries.filter { !isNew.contains($0.id) }
    let records = open.compactMap { entry in
      entry.message.map {
        OutboxRecord(
          $0, state: entry.isRepeated ? .sent : entry.state, place: entry.place,
          archiveCursor: entry.archiveCursor)
      }
    }
    outbox.forgetNumbers()
    // The store has reported its error.
    let numbers = records.isEmpty ? [] : try? store?.keep(records, from: core.identity.account)
    for (entry, number) in zip(open, numbers ?? []) { entry.stored = number }
    // The stored outcomes are gone, and the numbers are other messages' now.
    outcomes = []
    heardReports.forgetNumbers()
  }
}
