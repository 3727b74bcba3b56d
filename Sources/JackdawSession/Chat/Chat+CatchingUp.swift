// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What an earlier run left, and what was said while there was no stream.
extension Chat {
  /// Takes over what an earlier run left: its open messages, to be sent, and those that wait for their place. Called once, before
  /// the first connection, by a session that is there to be talked with.
  package func begin() {
    guard store != nil, !hasBegun else { return }
    hasBegun = true
    takeOver()
  }

  /// A log that cannot be read now, as another program has it locked, says nothing of what it holds: it is asked until it does.
  private func takeOver() {
    guard let store else { return }
    do {
      try readMark()
      let left = try store.adopt()
      let isLate = adoption != nil
      adoption = nil
      for message in left.ours { outbox.add(message) }
      self.left = left.ours
      hasPostponed = hasPostponed || left.hasPostponed
      guard isLate, hasStream else { return }
      // The server's word on the earlier stream has been missed: the archive has to do.
      self.left = []
      EventLoop.main.start { [weak self] in
        do {
          try await self?.catchUp()
        } catch {
          self?.context.remark("what became of earlier messages cannot be read from the archive: \(error)")
        }
      }
    } catch {
      // What is wrong with the store has been told by it.
      adoption = context.clock.schedule(after: SessionLimits.logPause) { [weak self] in self?.takeOver() }
    }
  }

  private func readMark() throws {
    guard mark == .unread else { return }
    mark = try store?.archiveMark().map { .at($0) } ?? .nothing
  }

  /// Takes over what single commands that are gone left open, to be sent before anything else: for a single command.
  func takeUp() {
    // What is wrong with the store is told by it.
    guard let left = try? store?.adopt().ours else { return }
    for message in left { outbox.add(message) }
    self.left = left
    takenUp = left.map(\.message.id)
  }

  /// Waits until the server has the messages that earlier single commands left and this one took up, or it is known that they do
  /// not arrive, for `limit` at most.
  /// - Returns: how many arrived, failed and still wait; nil where there were none.
  package func settleTakenUp(within limit: Duration) async -> (arrived: Int, failed: Int, open: Int)? {
    guard let last = takenUp.last else { return nil }
    flush()
    if hasStream, let number = outbox[last]?.number { try? await settled(through: number, within: limit) }
    var (arrived, failed, open) = (0, 0, 0)
    for id in takenUp {
      switch outbox[id]?.state {
      case .waiting, .written, .uncertain: open += 1
      case .bounced, .withdrawn: failed += 1
      // So much has arrived since that this one is not remembered.
      case .server, nil: arrived += 1
      }
    }
    return (arrived, failed, open)
  }

  /// The server said whether the stream of an earlier run goes on.
  /// - Parameters:
  ///   - stream: its name.
  ///   - handled: how many of its stanzas the server has; nil: it does not say.
  func earlierStream(_ stream: String, handled: UInt32?) {
    defer { left = [] }
    guard let handled else { return }
    for message in left {
      guard let place = message.place, place.stream == stream else { continue }
      let id = message.message.id
      if place.isReached(by: handled) {
        if let entry = outbox.confirmAlone(id: id) { confirmed([entry]) }
      } else {
        outbox.repeatUncertain(id: id)
      }
    }
  }

  /// Reads what the archive got since we last looked (XEP-0313): what came meanwhile is told, and those of our own messages
  /// that are in it have arrived. Then those go out again that are not.
  ///
  /// It is for after our presence: what comes before that goes to the archive only, and servers do not send it later to those who
  /// have asked the archive. What comes meanwhile is held back, else it would be told before what came before it.
  /// - Throws: what kept the archive from being read; the messages go out all the same, as losing one is worse than that one
  ///   comes twice.
  func catchUp() async throws {
    guard !isCatchingUp, !isCaughtUp || !outbox.uncertain.isEmpty else { return }
    isCatchingUp = true
    defer { endCatchingUp() }
    guard store != nil || !outbox.uncertain.isEmpty, let archive = context.links.archive else { return }
    do {
      try await catchUp(by: archive)
    } catch let error as FeatureError where error.code == .notOffered && !mayBeArchived {
      return
    } catch  where hasStream && Self.isRefusal(error) {
      // A server that stops may refuse what it offered a moment ago, and end the stream a moment later: that must neither tell
      // what waits too early nor send what may have arrived.
      try await context.clock.sleep(for: SessionLimits.archivePause)
      try await catchUp(by: archive)
    }
    if let id = mark.id { try? store?.keepArchiveMark(id) }
    guard !needsAnotherLook else { return lookAgainSoon() }
    isCaughtUp = true
  }

  /// What is on its way while we become available may reach the archive a moment after it was read, and no stream: ejabberd keeps
  /// it for the presence after this one. The mark stays until a second look. Only where each message can be told apart from all
  /// others, else what came meanwhile would be told twice.
  private var needsAnotherLook: Bool { !hasLookedAgain && StanzaIDs.areVouchedFor(in: context) }

  private func lookAgainSoon() {
    secondLook = context.clock.schedule(after: SessionLimits.secondLook) { [weak self] in
      guard let self else { return }
      secondLook = nil
      hasLookedAgain = true
      EventLoop.main.start { [weak self] in
        do {
          try await self?.catchUp()
        } catch {
          self?.context.remark("the archive cannot be read a second time: \(error)")
        }
      }
    }
  }

  /// For a single command: asks the archive for those of ours that are uncertain, and for nothing else. What others said stays
  /// news for whoever shows it. Then those go out again that are not there.
  /// - Throws: as ``catchUp()``.
  func settleUncertain() async throws {
    guard !isCatchingUp, !outbox.uncertain.isEmpty else { return }
    isCatchingUp = true
    defer { endCatchingUp() }
    guard let archive = context.links.archive else { return }
    do {
      try await look(in: archive, until: context.clock.now + SessionLimits.lookPatience)
    } catch let error as FeatureError where error.code == .notOffered {
      return
    }
  }

  private func endCatchingUp() {
    isCatchingUp = false
    // Without a stream nobody has been asked yet: that is for the next one.
    guard !Task.isCancelled, hasStream else { return }
    outbox.repeatUncertain()
    startWriting()
    if !isCommand { release() }
  }

  /// Looks for those of ours that are uncertain, among what was said to each of their addressees since they were written, newest
  /// first: what was interrupted a moment ago is there at once, however much was said that day.
  /// - Parameter end: what has not been found by then is not looked for any more.
  private func look(in archive: MessageArchive, until end: MonotonicTime? = nil) async throws {
    var wanted: [JID: (ids: Set<String>, time: Timestamp)] = [:]
    for entry in outbox.uncertain {
      guard let time = entry.message?.time else { continue }
      let known = wanted[entry.to.bare] ?? ([], time)
      wanted[entry.to.bare] = (known.ids.union([entry.id]), min(known.time, time))
    }
    for (peer, (ids, time)) in wanted {
      var open = ids
      // Clocks differ, but not by a day.
      let start = Timestamp(milliseconds: time.milliseconds - 86_400_000)
      try await archive.pagesBackwards(ArchiveQuery(with: peer, start: start), upTo: SessionLimits.messagesLookedAt) {
        for message in $0 where confirm(by: message) { open.remove(message.message.id ?? "") }
        return !open.isEmpty && end.map { context.clock.now < $0 } ?? true
      }
    }
  }

  private func catchUp(by archive: MessageArchive) async throws {
    try readMark()
    var query = ArchiveQuery()
    if let oldest = outbox.uncertain.first, let mark = oldest.mark {
      query.after = Self.place(behind: mark)
    } else {
      // Where they are is not known; what is known already, and what is news, ends where it did all the same.
      if !outbox.uncertain.isEmpty { try await look(in: archive) }
      guard case .at(let id) = mark else {
        // Nothing was ever known: what is old is no news.
        mark = .at(try await archive.page(ArchiveQuery(limit: 1, takesNewest: true)).last ?? Self.beginning)
        return
      }
      query.after = Self.place(behind: id)
    }
    var news = 0
    let end: ArchiveEnd
    do {
      end = try await archive.pages(query) { news += try take($0) }
    } catch let error as FeatureError where error.code == .notFound {
      // The oldest ones have expired: all that there is is newer, or known.
      end = try await archive.pages(ArchiveQuery()) { news += try take($0) }
    }
    if end != .complete { context.remark("the archive has more than what was read of it") }
    if news > 0 { context.events.post(CaughtUp(messages: news)) }
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    error is FeatureError || (error as? RequestError)?.stanzaError != nil
  }

  /// The mark of an archive that was empty: whatever will be in it is news.
  private static let beginning = ""

  private static func place(behind mark: String?) -> String? { mark == beginning ? nil : mark }

  private func isOurs(_ message: Message) -> Bool {
    message.from?.bare == context.identity.account && message.to?.bare != context.identity.account
  }

  /// What is in the archive has arrived.
  /// - Returns: whether it is one of this run's own.
  private func confirm(by archived: ArchivedMessage) -> Bool {
    guard isOurs(archived.message), let id = archived.message.id, outbox[id] != nil else { return false }
    if let entry = outbox.confirmAlone(id: id) { confirmed([entry]) }
    return true
  }

  /// Keeps a page of the archive and tells what of it is news.
  /// - Returns: how many that were.
  /// - Throws: when the store does: what is not in it has not been caught up with.
  private func take(_ page: [ArchivedMessage]) throws -> Int {
    guard let last = page.last?.archiveID, let store else { return 0 }
    let arrived = page.compactMap { archived -> ArrivedMessage? in
      let message = archived.message
      guard let from = message.from, let to = message.to, let body = message.body, !confirm(by: archived) else {
        return nil
      }
      switch message.kind {
      case .chat, .normal: break
      case .error, .groupchat, .headline: return nil
      }
      let event = MessageArrived(
        id: message.id, from: from, to: to, kind: message.kind, body: body, delayed: archived.stamp,
        carbon: isOurs(message) ? .sent : nil)
      var arrived = ArrivedMessage(
        event, archiveID: archived.archiveID, hasUniqueID: Self.hasUniqueID(message), mayBeRepeated: true,
        time: archived.stamp, received: context.calendar())
      arrived.firstSent = firstSent(message)
      return arrived
    }
    let records = try store.record(arrived, mark: last)
    mark = .at(last)
    var news = 0
    for (message, record) in zip(arrived, records) {
      // Another program here sent it.
      if case .knownElsewhere = record, message.event.carbon == .sent { continue }
      guard let place = record.place else { continue }
      news += 1
      tell(message.event, place)
    }
    return news
  }
}
