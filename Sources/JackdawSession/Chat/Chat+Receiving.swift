// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Theirs: checked, kept, told.
extension Chat {
  /// Errors end here: they are never a message from somebody, and never answered (RFC 6120 8.3.1).
  func verify(_ message: Message) -> StageVerdict {
    switch message.kind {
    case .error:
      cameBack(message)
      return .drop
    case .groupchat:
      context.remark("ignored a message of a room that was never entered")
      return .drop
    case .normal, .chat, .headline:
      return .pass
    }
  }

  /// An error may come from whom the message was sent to, from their server and from ours.
  private func cameBack(_ message: Message) {
    let error = message.error ?? .undefined
    guard let id = message.id, let to = outbox[id]?.to, let from = message.from,
      from.bare == to.bare || from == to.server || context.identity.isOwnServer(from),
      let entry = outbox.bounce(id: id, error)
    else { return context.remark("ignored an error for a message that was not sent") }
    failed(entry, error.description)
  }

  /// Into the log before anything is acknowledged to the server; all that one turn brings goes in together.
  func record(_ inbound: inout InboundMessage) -> StageVerdict {
    guard store != nil, inbound.message.body != nil, let message = arrived(inbound) else {
      // What says something of messages comes after them.
      logArrivals()
      return .pass
    }
    arrivals.append(Arrival(message: message, inbound: inbound))
    if arrivals.count == 1 { context.clock.nextTurn { [weak self] in self?.logArrivals() } }
    return .drop
  }

  /// Keeps what came, and tells it.
  /// - Returns: whether all that came is safe, or can never be: a log that another program has locked is waited for.
  @discardableResult func logArrivals() -> Bool {
    guard !arrivals.isEmpty else { return true }
    let news = arrivals
    do {
      let delivered = try keep(news)
      patience = nil
      arrivals.removeFirst(news.count)
      for var inbound in delivered { routes?.deliver(&inbound, from: .deliver) }
      return true
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return false
    } catch {
      // What is wrong with the store has been told by it: chat goes on.
      patience = nil
      arrivals.removeFirst(news.count)
      if isPostponing {
        held += news.map(\.message)
      } else {
        for var arrival in news { routes?.deliver(&arrival.inbound, from: .deliver) }
      }
      return true
    }
  }

  /// What comes waits for what came before it. What comes to a command is for the next program that presents messages, which may
  /// have to present others before it.
  private var isPostponing: Bool { isHolding || isCommand }

  /// - Returns: those that are to be told.
  private func keep(_ news: [Arrival]) throws -> [InboundMessage] {
    guard let store else { return news.map(\.inbound) }
    if isPostponing {
      let messages = news.map { arrival in
        var message = arrival.message
        // Whether what it is called may be believed is not known before the end of the log-in.
        message.archiveID = message.archiveID ?? StanzaIDs.claimedArchiveID(of: arrival.inbound.message, context)
        return message
      }
      try store.postpone(messages)
      hasPostponed = true
      postponed += messages.prefix(max(0, SessionLimits.postponedRemembered - postponed.count))
      return []
    }
    let last = isCaughtUp ? news.last { $0.message.archiveID != nil }?.message.archiveID : nil
    let records = try store.record(
      news.map { arrival in
        var message = arrival.message
        message.streamStart = streamStart
        return message
      }, mark: last)
    if let last { mark = .at(last) }
    var delivered: [InboundMessage] = []
    delivered.reserveCapacity(news.count)
    for (arrival, record) in zip(news, records) {
      if case .new(let place) = record, streamStart == nil { streamStart = place }
      guard let place = record.place else {
        context.remark("dropped a message that had come before")
        continue
      }
      var inbound = arrival.inbound
      inbound.place = place
      delivered.append(inbound)
    }
    return delivered
  }

  /// - Returns: false when it has been locked for too long.
  private func waitsForLog() -> Bool {
    let now = context.clock.now
    let end = patience?.end ?? now + SessionLimits.logPatience
    guard now < end, hasStream else { return false }
    let timer = context.clock.schedule(after: SessionLimits.logPause) { [weak self] in
      guard let self, logArrivals() else { return }
      context.acknowledge()
    }
    patience = LogPatience(end: end, timer: timer)
    return true
  }

  /// The log-in is done: where it knows that there is no archive to read from, nothing has to wait.
  func releaseWithoutArchive() {
    if isHolding, context.links.archive == nil || !mayBeArchived { release() }
  }

  /// The server says that it keeps an archive, or has not said anything yet.
  var mayBeArchived: Bool { context.links.ownAccount.answer?.supports(MessageArchive.namespace) ?? true }

  /// Everything before them is here: those that waited are told, unless the archive had them too.
  func release() {
    logArrivals()
    isHolding = false
    var last: String?
    if hasPostponed, let store {
      (hasPostponed, postponed) = (false, [])
      var before: LogPlace?
      // What cannot be moved now stays for the next time.
      while let batch = try? store.postponed(limit: SessionLimits.messagesPlacedAtOnce),
        let first = batch.first?.postponed,
        first != before
      {
        before = first
        guard let placed = place(batch) else { break }
        last = placed ?? last
      }
    }
    let waiting = held
    held = []
    for message in waiting { context.events.post(message.event) }
    guard isCaughtUp, let last else { return }
    mark = .at(last)
    try? store?.keepArchiveMark(last)
  }

  /// - Returns: nil where the log could not; else the last id of the archive among them, if there is one.
  private func place(_ batch: [ArrivedMessage]) -> String?? {
    let isVouchedFor = StanzaIDs.areVouchedFor(in: context)
    let batch = batch.map { message in
      var message = message
      if !isVouchedFor { message.archiveID = nil }
      return message
    }
    guard let records = try? store?.record(batch, mark: nil) else { return nil }
    for (message, record) in zip(batch, records) {
      if let place = record.place { tell(message.event, place) }
    }
    return .some(batch.last { $0.archiveID != nil }?.archiveID)
  }

  /// The session ends before it is known what came before those that wait: the next run tells them in their place. What is not in
  /// the log is told now, else it never would be.
  func leaveHeld() {
    logArrivals()
    isHolding = false
    let waiting = held
    held = []
    for message in waiting { context.events.post(message.event) }
  }

  /// - Returns: nil when there is nothing to be kept.
  private func arrived(_ inbound: InboundMessage) -> ArrivedMessage? {
    guard let event = event(of: inbound) else { return nil }
    let now = context.calendar()
    var message = ArrivedMessage(
      event, archiveID: inbound.archiveID, hasUniqueID: Self.hasUniqueID(inbound.message),
      mayBeRepeated: inbound.delayed != nil, time: inbound.delayed ?? now, received: now)
    message.firstSent = firstSent(inbound.message)
    return message
  }

  static func hasUniqueID(_ message: Message) -> Bool { message.originID != nil && message.originID == message.id }

  /// What the sender says of its having been sent before; our server's word on when it came is another one.
  func firstSent(_ message: Message) -> Timestamp? {
    guard Self.hasUniqueID(message) else { return nil }
    return Delay.all(in: message.payloads).first { $0.from.map { !context.identity.isOwnServer($0) } ?? true }?.stamp
  }

  func deliver(_ inbound: InboundMessage) -> StageVerdict {
    if let event = event(of: inbound) { tell(event, inbound.place) }
    return .pass
  }

  private func event(of inbound: InboundMessage) -> MessageArrived? {
    let message = inbound.message
    guard let body = message.body, let from = message.from else { return nil }
    return MessageArrived(
      id: message.id, from: from, to: message.to ?? context.identity.account, kind: message.kind, body: body,
      delayed: inbound.delayed, carbon: inbound.carbon)
  }

  /// - Parameter place: nil: the log does not have it.
  func tell(_ event: MessageArrived, _ place: LogPlace?) {
    var event = event
    event.place = place
    context.events.post(event)
  }

  /// Somebody who presents what comes, by a name of its own: nil where there is no log.
  package func consumer(_ name: LogConsumer.Name) -> LogConsumer? {
    store.map { LogConsumer(name, of: $0, clock: context.clock) }
  }
}

/// A message on its way into the log.
struct Arrival {
  let message: ArrivedMessage
  var inbound: InboundMessage
}

/// The log is locked by another program, and tried again until `end`.
struct LogPatience {
  let end: MonotonicTime
  let timer: LoopTimer
}

/// Up to where everything of our server's archive is in the log.
enum ArchiveMark: Equatable {
  /// The store has not said yet.
  case unread
  /// Nothing of it is known.
  case nothing
  /// The id of a message; empty: everything that it will ever hold is news.
  case at(String)

  /// For the store.
  var id: String? { if case .at(let id) = self { id } else { nil } }
}
