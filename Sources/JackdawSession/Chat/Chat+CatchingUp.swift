// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What an earlier run left, and what was said while there was no stream.
extension Chat {
  /// Takes over what an earlier run left: its open messages, to be sent, and those that it was killed before it could show,
  /// which are told now. Called once, before the first connection, by a session that is there to be talked with.
  package func begin() {
    guard let store, !hasBegun else { return }
    hasBegun = true
    // What is wrong with the store is told by it.
    mark = (try? store.archiveMark()) ?? nil
    guard let left = try? store.adopt() else { return }
    for message in left.ours { outbox.add(message) }
    self.left = left.ours
    held = left.held
    for (number, event) in left.theirs { tell(event, number) }
    // There may be more, and there may be no room for these.
    if !left.theirs.isEmpty { deferMessages() }
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
    isCaughtUp = true
    if let mark { try? store?.keepArchiveMark(mark) }
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
      try await look(in: archive)
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

  /// Looks for those of ours that are uncertain, among what was said to each of their addressees since they were written.
  private func look(in archive: MessageArchive) async throws {
    var starts: [JID: Timestamp] = [:]
    for entry in outbox.uncertain {
      guard let time = entry.message?.time else { continue }
      starts[entry.to.bare] = min(starts[entry.to.bare] ?? time, time)
    }
    for (peer, time) in starts {
      // Clocks differ, but not by a day.
      let start = Timestamp(milliseconds: time.milliseconds - 86_400_000)
      try await archive.messages(ArchiveQuery(with: peer, start: start), upTo: SessionLimits.messagesCaughtUp) {
        _ = confirm(by: $0)
      }
    }
  }

  private func catchUp(by archive: MessageArchive) async throws {
    var query = ArchiveQuery()
    if let oldest = outbox.uncertain.first, let mark = oldest.mark {
      query.after = Self.place(behind: mark)
    } else if let mark {
      // Where they are is not known; what is known already, and what is news, ends there all the same.
      if !outbox.uncertain.isEmpty { try await look(in: archive) }
      query.after = Self.place(behind: mark)
    } else {
      if !outbox.uncertain.isEmpty { try await look(in: archive) }
      // Nothing was ever known: what is old is no news.
      mark = try await archive.page(ArchiveQuery(limit: 1, takesNewest: true)).last ?? Self.beginning
      return
    }
    var news = 0
    let end: ArchiveEnd
    do {
      end = try await archive.messages(query, upTo: SessionLimits.messagesCaughtUp) { news += take($0) ? 1 : 0 }
    } catch let error as FeatureError where error.code == .notFound {
      // The oldest ones have expired: all that there is is newer, or known.
      let all = ArchiveQuery()
      end = try await archive.messages(all, upTo: SessionLimits.messagesCaughtUp) { news += take($0) ? 1 : 0 }
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

  /// - Returns: whether it is news.
  private func take(_ archived: ArchivedMessage) -> Bool {
    mark = archived.archiveID
    let message = archived.message
    guard let from = message.from, let to = message.to, let body = message.body else { return false }
    if confirm(by: archived) { return false }
    let isOurs = isOurs(message)
    switch message.kind {
    case .chat, .normal: break
    case .error, .groupchat, .headline: return false
    }
    let event = MessageArrived(
      id: message.id, from: from, to: to, kind: message.kind, body: body, delayed: archived.stamp,
      carbon: isOurs ? .sent : nil)
    guard let store else { return false }
    let record: MessageRecord? = try? store.record(
      ArrivedMessage(
        event, archiveID: archived.archiveID, hasUniqueID: message.originID != nil && message.originID == message.id,
        mayBeRepeated: true, time: archived.stamp), movesMark: true)
    switch record {
    // Another program here sent it.
    case .knownElsewhere where isOurs: return false
    case .new, .knownElsewhere, nil: break
    case .known: return false
    }
    tell(event, record?.number)
    return true
  }
}
