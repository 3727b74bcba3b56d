// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Reads from the archive what was said while there was no stream, and what became of our own messages.
@Client final class CatchUp {
  /// How far the archive has been read on this stream.
  enum Progress {
    case behind
    /// It is read once more when the timer fires.
    case awaitingSecondLook(LoopTimer)
    case lookingAgain
    /// It could not be read, and is asked again when the timer fires.
    case awaitingAnotherTry(LoopTimer)
    /// It holds nothing that came before this stream and is not known here.
    case done
  }

  /// From its first question to its end.
  final class Reading {
    /// It came to the archive's end.
    var hasCaughtUp = false
    /// Messages of earlier runs were inherited meanwhile: this read has not looked for them.
    var isOutdated = false
    /// Results up to this archive id overlap with an earlier read; nil: the overlap is over.
    var isKnownUpTo: String?
    /// A page of it has come.
    var hasBegun = false
  }

  let core: CoreContext
  private let store: (any MessageStore)?
  private let cursor: ArchiveCursor
  let delivery: Delivery
  let intake: Intake
  var progress = Progress.behind
  /// The read that is under way on this stream; one that was begun on an earlier stream is ignored.
  var reading: Reading?
  private let endOfReading = WaitingList<Void>()
  /// Where the second read begins.
  private var overlap = ArchiveOverlap()
  /// How often it could not be read in a row, on this stream.
  var failedReadings = 0
  /// How many streams have ended over what the archive sent.
  private var faultyReadings = 0
  /// There was no cursor at the first log-in, and what the archive got during that log-in has not been read yet.
  private var mayMissNews = false
  /// How many messages the archive had that the log had not, in all.
  private(set) var found = 0
  private let news: CaughtUpMessages

  init(
    _ core: CoreContext, store: (any MessageStore)?, cursor: ArchiveCursor, delivery: Delivery, intake: Intake
  ) {
    self.core = core
    self.store = store
    self.cursor = cursor
    self.delivery = delivery
    self.intake = intake
    news = CaughtUpMessages(core, intake)
    intake.onLogTakes = { [weak self] in self?.logTakesAgain() }
  }

  func phaseChanged(to phase: SessionPhase) {
    guard phase == .fresh else { return }
    (progress, reading) = (.behind, nil)
    (overlap, failedReadings) = (ArchiveOverlap(), 0)
    endOfReading.end(.success(()))
  }

  private var isDone: Bool { if case .done = progress { true } else { false } }
  private var isLookingAgain: Bool { if case .lookingAgain = progress { true } else { false } }

  /// The stream ends over XML that cannot be read.
  /// - Returns: whether the archive is not read any more from here on, as it is what ends streams.
  func streamIsFaulty() -> Bool {
    guard reading != nil else { return false }
    faultyReadings += 1
    return faultyReadings == SessionLimits.faultyStreams
  }

  /// Reads the archive from the cursor on (XEP-0313): new messages are posted, and uncertain messages of ours that are in it have
  /// arrived. The other uncertain ones are sent again.
  ///
  /// To be called after our presence was sent: what comes before that goes to the archive only, and servers do not send it later to
  /// those who have asked the archive. Live messages are deferred meanwhile, else they would be posted before earlier ones.
  /// - Throws: what kept the archive from being read; the messages go out all the same, as losing one is worse than that one
  ///   comes twice.
  func catchUp() async throws {
    guard reading == nil, !isDone || !delivery.outbox.uncertainToPeople.isEmpty else { return }
    let reading = Reading()
    self.reading = reading
    intake.coverage.readingBegins()
    defer { end(reading) }
    guard faultyReadings < SessionLimits.faultyStreams, store != nil || !delivery.outbox.uncertainToPeople.isEmpty,
      let archive = intake.history
    else { return }
    do {
      try await catchUpPatiently(by: archive, reading)
    } catch let error as FeatureError where error.code == .notOffered && !archive.mayBeOffered {
      return
    } catch {
      if archive.vouchesForIDs, !(error is CancellationError) { tryAgainLater(reading) }
      throw error
    }
    cursor.keep()
    reading.hasCaughtUp = true
    failedReadings = 0
    guard isLookingAgain && intake.coverage != .gap || !archive.vouchesForIDs else { return lookAgainSoon() }
    progress = .done
    intake.coverage = .complete
  }

  /// A server that stops may refuse what it offered a moment ago, and end the stream only seconds later, where it is busy: that must
  /// neither post deferred messages too early nor resend messages that may have arrived. So it is asked again before its refusal is believed.
  private func catchUpPatiently(by archive: any MessageHistory, _ reading: Reading) async throws {
    for pause in SessionLimits.archivePauses {
      do {
        return try await catchUp(by: archive, reading)
      } catch let error as FeatureError where error.code == .notOffered && !archive.mayBeOffered {
        throw error
      } catch  where delivery.hasStream && Self.isRefusal(error) {
        try await core.clock.sleep(for: pause)
        try check(reading)
      }
    }
    try await catchUp(by: archive, reading)
  }

  /// For a single command: looks in the archive for uncertain messages of ours alone, and sends those again that are not there. What
  /// others wrote remains unread for the next program that shows messages.
  /// - Throws: as ``catchUp()``.
  func settleUncertain() async throws {
    guard reading == nil, !delivery.outbox.uncertainToPeople.isEmpty else { return }
    let reading = Reading()
    self.reading = reading
    defer { end(reading) }
    guard let archive = intake.history else { return }
    do {
      try await look(in: archive, until: core.clock.now + SessionLimits.lookPatience)
    } catch let error as FeatureError where error.code == .notOffered {
      return
    }
  }

  /// Waits while something reads already, as a single command looks first for what earlier ones left: until then nothing else is begun.
  /// - Throws: `CancellationError`.
  func whenIdle() async throws {
    while reading != nil { try await endOfReading.wait() }
  }

  private func end(_ reading: Reading) {
    guard self.reading === reading else { return }
    self.reading = nil
    endOfReading.end(.success(()))
    // Without a stream the archive has not answered: the next stream asks again.
    guard !Task.isCancelled, delivery.hasStream, core.wire.isReady else { return }
    if reading.isOutdated, !delivery.outbox.uncertainToPeople.isEmpty, intake.history != nil {
      adoptionIsLate()
    } else {
      delivery.sendUncertainAgain()
    }
    guard !core.role.isOneShot else { return }
    intake.othersMayHaveLogged()
    intake.release()
    if reading.hasCaughtUp { intake.onCaughtUp?() }
  }

  /// - Throws: `CancellationError` where another stream has begun, which reads for itself.
  private func check(_ reading: Reading) throws {
    guard self.reading === reading else { throw CancellationError() }
  }

  private func catchUp(by archive: any MessageHistory, _ reading: Reading) async throws {
    try await core.patiently {
      try check(reading)
      try cursor.read()
    }
    intake.othersMayHaveLogged()
    let last: String
    if let oldest = delivery.outbox.uncertainToPeople.first, let known = oldest.archiveCursor {
      last = known
    } else {
      // Their place in the archive is unknown, so they are looked for by recipient; the read itself begins at the cursor.
      if !delivery.outbox.uncertainToPeople.isEmpty { try await look(in: archive) }
      guard let id = cursor.id else {
        // There never was a cursor: what the archive has by now is no news.
        let page = try await archive.page(ArchiveQuery(limit: 1, takesNewest: true))
        cursor.advance(to: page.last ?? ArchiveCursor.beginning)
        let isOld = page.messages.last.map { $0.stamp < Self.dayBefore(core.calendar()) } ?? false
        // ejabberd may also report an empty archive while it writes to it.
        mayMissNews = !isOld && archive.vouchesForIDs
        return
      }
      if mayMissNews, try await readSinceLogin(archive, reading) { return }
      last = id
    }
    let start = try await start(before: last, reading)
    // An uncertain message of ours may be before or behind the cursor's own overlap, at which the second read begins.
    let early = last == cursor.id ? nil : try await startAtCursor(reading)
    // What has been read is posted, whatever keeps the rest from being read.
    defer { news.tell() }
    let end = try await readAll(of: archive, behind: start == last ? [last] : [start, last], early: early, reading)
    if end != .complete { core.remark("The archive has more than what was read of it.") }
  }

  private func startAtCursor(_ reading: Reading) async throws -> String? {
    guard let id = cursor.id else { return nil }
    return try await start(before: id, reading)
  }

  /// Where the read begins, so that it covers messages that a known one has overtaken (``ArchiveOverlap``).
  private func start(before last: String, _ reading: Reading) async throws -> String {
    // For the cursor alone: an uncertain message may be before its overlap.
    if last == cursor.id, let start = isLookingAgain ? overlap.start : cursor.overlap { return start }
    let start = try await core.patiently {
      try check(reading)
      return try store?.place(before: last)
    }
    return start ?? last
  }

  /// - Parameters:
  ///   - places: archive ids; the read begins at the first one that the archive still has.
  ///   - early: where the second read begins; nil: this read finds that.
  private func readAll(
    of archive: any MessageHistory, behind places: [String], early: String?, _ reading: Reading
  ) async throws -> ArchiveEnd {
    for place in places {
      reading.isKnownUpTo = place == places.last ? nil : places.last
      if !isLookingAgain { overlap = ArchiveOverlap(start: early ?? place, moves: early == nil) }
      let query = ArchiveQuery(after: Self.place(behind: place))
      do {
        let end = try await archive.pages(query) { try await takeNext($0, reading) }
        guard end == .complete, reading.isKnownUpTo != nil else { return end }
        // The last known message has expired, or cannot be read: where the overlap ends cannot be seen, so all is taken.
        reading.isKnownUpTo = nil
        if !isLookingAgain { overlap = ArchiveOverlap(start: early ?? place, moves: early == nil) }
        return try await archive.pages(query) { try await takeNext($0, reading) }
      } catch let error as FeatureError where error.code == .notFound {
        continue
      }
    }
    // All these ids have expired: whatever the archive still has is newer, or known.
    return try await archive.pages(ArchiveQuery()) { try await takeNext($0, reading) }
  }

  /// Reads what the archive got during the first log-in: a message may be in the archive only. ejabberd sends the offline messages while
  /// another one, for which we were still offline, is not among them yet.
  /// - Returns: false where it is not known when the log-in was.
  private func readSinceLogin(_ archive: any MessageHistory, _ reading: Reading) async throws -> Bool {
    var query = ArchiveQuery()
    if let id = intake.firstKept.id {
      query.after = id
      overlap = ArchiveOverlap(start: id)
    } else if let time = archive.loginTime {
      query.start = Timestamp(milliseconds: time.milliseconds - SessionLimits.storingMilliseconds)
    } else {
      return false
    }
    defer { news.tell() }
    do {
      _ = try await archive.pages(query) { try await take($0, reading) }
    } catch let error as FeatureError where error.code == .notFound {
      mayMissNews = false
      overlap = ArchiveOverlap()
      return false
    }
    mayMissNews = false
    return true
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    error is FeatureError || (error as? RequestError)?.stanzaError != nil
  }

  private static func place(behind id: String?) -> String? { id == ArchiveCursor.beginning ? nil : id }

  /// The next page; before the first one, what the server kept for us and the archive has before the cursor.
  private func takeNext(_ page: ArchivePage, _ reading: Reading) async throws {
    if !reading.hasBegun {
      reading.hasBegun = true
      await intake.placeStored(before: reading.isKnownUpTo == nil ? page.messages.first?.stamp : nil)
      try check(reading)
    }
    try await take(page, reading)
  }

  /// Keeps a page of the archive, and notes what of it is news.
  /// - Throws: when the store does: what is not in it has not been caught up with.
  private func take(_ page: ArchivePage, _ reading: Reading) async throws {
    // What could not be read on it is not asked for again.
    guard let last = page.last, let store else { return }
    var arrived: [ArrivedMessage] = []
    // How many of them are within the overlap.
    var again = 0
    for archived in page.messages {
      if reading.isKnownUpTo == nil || mayBeOvertaken(archived.message), let message = await self.arrived(archived) {
        arrived.append(message)
      }
      guard let end = reading.isKnownUpTo else { continue }
      again = arrived.count
      if archived.archiveID == end { reading.isKnownUpTo = nil }
    }
    var overlap = overlap
    overlap.took(page)
    // Within the overlap the cursor would go back.
    let isPast = reading.isKnownUpTo == nil
    let records = try await core.patiently {
      try check(reading)
      return try store.record(arrived, archiveCursor: isPast ? last : nil, overlap: overlap.start)
    }
    if isPast { cursor.advance(to: last, overlap: overlap.start) }
    if !isLookingAgain { self.overlap = overlap }
    for (index, (message, record)) in zip(arrived, records).enumerated() {
      let isNew = if case .new = record { true } else { false }
      if isNew { found += 1 }
      // A consumer that was not there when it was logged is presented it from the log.
      if index < again, !isNew { continue }
      // Another program here sent it.
      if case .knownElsewhere = record, message.event.carbon == .sent { continue }
      guard let place = intake.placeToTell(record), !intake.wasTold(message, at: place) else { continue }
      news.add(message.event, at: place, isNew: isNew)
    }
    news.pageHasEnded()
    // A report may be on the page of its message, and was read before the page was logged.
    intake.onLogged?(arrived, true)
  }
}
