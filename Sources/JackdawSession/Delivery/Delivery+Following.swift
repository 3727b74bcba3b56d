// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What becomes of our messages.
extension Delivery {
  /// Whether so few messages are open that more may be sent.
  package var hasRoom: Bool { outbox.openCount < SessionLimits.openMessages }

  /// Waits while so many messages are open that more would fill the memory.
  /// - Parameter patience: as ``confirm(_:within:)``.
  /// - Throws: as ``confirm(_:within:)``.
  package func waitForRoom(within patience: Duration? = nil) async throws {
    while !hasRoom { try await settled(.allBut(SessionLimits.openMessages / 2), patience: patience) }
  }

  /// Waits while so many unacknowledged messages are on the stream that a slow server would answer a request behind them too late. If it
  /// acknowledges none of them for `patience` this returns all the same, and the request itself fails.
  /// - Parameter patience: as ``confirm(_:within:)``.
  /// - Throws: `CancellationError`.
  package func waitForServer(within patience: Duration) async throws {
    guard hasStream else { return }
    do {
      try await settled(.onStreamAllBut(SessionLimits.messagesBeforeRequest), patience: patience)
    } catch {
      try Task.checkCancellation()
    }
  }

  /// Waits until the server has acknowledged every message on the stream, those of earlier runs too; not for those still to be written.
  /// - Throws: as ``confirm(_:within:)``.
  package func confirmWritten() async throws {
    guard hasStream else { return }
    try await settled(.onStreamAllBut(0))
  }

  /// Waits until the server has these messages. A connection that is lost meanwhile may come back. Other
  /// messages, for a room that cannot be entered say, hold none of them up.
  /// - Parameters:
  ///   - ids: none: every message so far.
  ///   - patience: for so long at most since the server last took one: `--timeout` of whoever waits; nil: the session's.
  /// - Throws: ``RequestError`` when it has not; ``ConnectionError`` when there will be no connection; what ``failure(of:)`` says
  ///   of the first of `ids` that failed.
  package func confirm(_ ids: [String], within patience: Duration? = nil) async throws {
    try await settle(ids.isEmpty ? .through(outbox.count) : .these(ids), within: patience)
    for id in ids {
      if let error = failure(of: id) { throw error }
    }
  }

  /// Waits as ``confirm(_:within:)`` does until the fate of these messages is known, whatever it is.
  /// - Throws: as that, but for messages that failed.
  package func settle(_ ids: Set<String>, within patience: Duration? = nil) async throws {
    try await settle(.these(ids), within: patience)
  }

  private func settle(_ messages: AwaitedMessages, within patience: Duration?) async throws {
    flush()
    try await settled(messages, patience: patience)
  }

  /// Waits until these messages are written to the connection, or their fate is known, and for nothing that the server says. A single
  /// command, whose connection ends with it, waits until the kernel has them.
  /// - Parameter patience: for so long at most since something was written.
  /// - Throws: ``RequestError`` when it takes longer; ``ConnectionError`` when there will be no connection; `CancellationError`.
  package func written(_ ids: [String], within patience: Duration) async throws {
    flush()
    // The kernel gets all that one turn has written together.
    await withCheckedContinuation { continuation in core.clock.nextTurn { continuation.resume() } }
    var end = core.clock.now + patience
    var left = unwritten(of: ids)
    while left.messages > 0 || left.bytes > 0 {
      if let givenUp { throw givenUp }
      guard core.clock.now < end else { throw lateness(of: left.messages) }
      try await core.clock.sleep(for: SessionLimits.writingPause)
      let before = left
      left = unwritten(of: ids)
      if left.messages < before.messages || left.bytes < before.bytes { end = core.clock.now + patience }
    }
  }

  /// How many of these messages are still to be written, and how many bytes the kernel has yet to take.
  private func unwritten(of ids: [String]) -> (messages: Int, bytes: Int) {
    let messages = ids.count { id in outbox[id].map { $0.state.isOpen && !$0.isWritten } ?? false }
    return (messages, core.role.isOneShot ? core.wire.pendingOutput : 0)
  }

  private func lateness(of unwritten: Int) -> RequestError {
    guard unwritten > 0 else { return RequestError(.timedOut, "The server did not read in time what was sent to it.") }
    return lateness(of: unwritten, reason: "There was no room on the connection in time.")
  }

  /// Why a message of this session is known not to have arrived: ``MessageBounced``, or a ``ConnectionError``. Nil: nothing speaks
  /// against it.
  package func failure(of id: String) -> (any Error)? {
    guard let message = outbox[id] else { return nil }
    switch message.state {
    case .server, .delivered, .displayed: return nil
    case .waiting, .sent:
      return givenUp.map { ConnectionError($0.code, "\(Self.lossText(message.to)) \($0)") }
    case .failed(let reason):
      return message.error.map { MessageBounced(id: id, to: message.to, error: $0, reason: reason) }
        ?? ConnectionError(.closed, "The message to \(message.to) did not arrive: \(reason)")
    }
  }

  // MARK: The server's word

  /// An error came back (RFC 6120 8.3): from whom the message was sent to, from their server or from ours.
  /// - Returns: whether it is for a message of ours.
  func bounced(_ message: Message) -> Bool {
    let error = message.error ?? .undefined
    guard let id = message.id, let sent = outbox[id], let from = message.from,
      Self.mayReturn(sent, from: from) || core.identity.isOwnServer(from),
      let entry = outbox.bounce(id: id, error)
    else { return false }
    tell(entry)
    return true
  }

  /// Occupants know the ids of a room's messages, and rooms forward errors that occupants send (XEP-0045 7.5): for a groupchat message
  /// only the room's own error counts.
  private static func mayReturn(_ sent: Outbox.Entry, from: JID) -> Bool {
    if from == sent.to.server { return true }
    return sent.addressing == .room ? from == sent.to.bare : from.bare == sent.to.bare
  }

  /// A message that another device of ours sent came back there, and our server sent us a copy of the error.
  /// - Returns: whether the log has that message, and not that it has reached that person. Else the error counts once the log has it.
  func bouncedElsewhere(_ copy: Message) -> Bool {
    guard let id = copy.id, let from = copy.from else { return false }
    // It was sent from here, when this device was called something else.
    if outbox[id] != nil { return bounced(copy) }
    let state = DeliveryState.failed(reason: (copy.error ?? .undefined).description)
    return note(MessageReport(id: id, peer: from.bare, state: state, origin: .stream))
  }

  /// The recipient reports a message of ours as delivered (XEP-0184), or as displayed with those before it (XEP-0333). That is posted once;
  /// a report about a message that was never sent to them is ignored. Where the log has no such message yet, the report is kept until it has.
  /// - Parameters:
  ///   - id: the message's own.
  ///   - state: ``DeliveryState/delivered`` or ``DeliveryState/displayed``.
  ///   - origin: ``MessageReport/Origin/stream`` or ``MessageReport/Origin/kept``.
  func heard(of id: String, from: JID, _ state: DeliveryState, _ origin: MessageReport.Origin = .stream) {
    if let entry = outbox[id] {
      guard entry.peer == from.bare, entry.state == .sent || !entry.state.isOpen else { return }
      // Then our server has it, too.
      if let entry = outbox.confirmAlone(id: id) { tell(entry) }
    }
    note(MessageReport(id: id, peer: from.bare, state: state, origin: origin))
  }

  /// The server has these stanzas of ours. Whoever waits for messages hears of it once for all of them.
  func acknowledged(_ stanzas: [Element]) {
    confirmed(outbox.confirm(ids: stanzas.lazy.compactMap { $0.name == "message" ? $0.attribute("id") : nil }))
  }

  func confirmed(_ entries: [Outbox.Entry]) {
    guard !entries.isEmpty else {
      // It may have acknowledged a message to a room, which has yet to reflect it, and behind which others waited
      // (``Outbox/oneRepeatedFirst(_:)``).
      if core.role.isOneShot { writeOn() }
      return
    }
    for entry in entries { post(entry) }
    if outbox.lastWritten == nil { confirmation = nil }
    settledSome()
  }

  /// The state of a message has changed: stores it, posts it, and wakes who waits for it.
  func tell(_ entry: Outbox.Entry, isOwnWithdrawal: Bool = false) {
    post(entry, isOwnWithdrawal: isOwnWithdrawal)
    settledSome()
  }

  private func post(_ entry: Outbox.Entry, isOwnWithdrawal: Bool = false) {
    note(MessageOutcome(number: entry.stored ?? 0, id: entry.id, state: entry.state))
    var change = MessageStateChanged(id: entry.id, to: entry.to, state: entry.state)
    change.isOwnWithdrawal = isOwnWithdrawal
    core.events.post(change)
  }

  /// All outcomes of a turn are stored in one transaction.
  func note(_ outcome: MessageOutcome) {
    guard store != nil, outcome.number > 0 else { return }
    outcomes.append(outcome)
    tellStoreSoon()
  }

  func tellStoreSoon() {
    guard !willTellStore else { return }
    willTellStore = true
    core.clock.nextTurn { [weak self] in
      self?.willTellStore = false
      self?.tellStore()
    }
  }

  private func settledSome() {
    lastSettled = core.clock.now
    var reached: [WaitingList<Void>] = []
    for index in waiting.indices.reversed() where !waiting[index].messages.areOpen(in: outbox) {
      reached.append(waiting.remove(at: index).list)
    }
    for list in reached.reversed() { list.end(.success(())) }
    // Messages that had no room on the wire may go out now.
    writeOn()
  }

  private func writeOn() {
    if isWriting, outbox.hasWaiting, !willFlush { write() }
  }

  /// - Parameters:
  ///   - patience: begins anew whenever one of them, or one before them, is settled: a slow server that makes progress gets its time.
  ///     nil: the session's.
  ///   - limit: of all of it; nil: there is none.
  func settled(_ messages: AwaitedMessages, patience: Duration? = nil, within limit: Duration? = nil) async throws {
    var awaited = messages
    guard awaited.areOpen(in: outbox) else { return }
    if let givenUp { throw givenUp }
    ask()
    let list = WaitingList<Void>()
    waiting.append((awaited, list))
    defer { waiting.removeAll { $0.list === list } }
    let patience = patience ?? core.timeout
    var left = limit ?? patience
    var ahead = messages.openCount(upToLastIn: outbox)
    while true {
      do {
        return try await list.wait(for: left, on: core.clock) { [weak self] in
          self?.lateness(of: messages) ?? CancellationError()
        }
      } catch let error as RequestError where error.code == .timedOut && limit == nil {
        // They may have been settled, or given up, at the very moment of the timeout.
        guard awaited.areOpen(in: outbox) else { return }
        if let givenUp { throw givenUp }
        guard let lastSettled else { throw error }
        left = patience - (core.clock.now - lastSettled)
        if messages.areNamed {
          let before = ahead
          ahead = messages.openCount(upToLastIn: outbox)
          guard ahead < before else { throw error }
        }
        guard left > .zero else { throw error }
      }
    }
  }

  private func lateness(of messages: AwaitedMessages) -> any Error {
    lateness(of: messages.openCount(in: outbox), reason: "The server did not confirm it in time.")
  }

  private func lateness(of count: Int, reason: String) -> RequestError {
    let reason = isWriting ? reason : "There was no connection in time."
    return RequestError(
      .timedOut,
      count == 1 ? "1 message is still unsent: \(reason)" : "\(count) messages are still unsent: \(reason)")
  }

  /// Asks the server now for an acknowledgement (XEP-0198), or pings it.
  func ask() {
    confirmation = nil
    guard isWriting, !isAsking, let number = outbox.lastWritten else { return }
    isAsking = true
    EventLoop.main.start { [weak self, core] in
      let hasAnswered = (try? await core.confirm(within: core.timeout)) != nil
      self?.asked(number, hasAnswered: hasAnswered)
    }
  }

  func asked(_ number: Int, hasAnswered: Bool) {
    isAsking = false
    if hasAnswered { confirmed(outbox.confirm(through: number)) }
    if outbox.lastWritten != nil { waiting.isEmpty || !hasAnswered ? confirmSoon() : ask() }
  }

  func confirmSoon() {
    guard isWriting, confirmation == nil, !isAsking else { return }
    confirmation = core.clock.schedule(after: SessionLimits.confirmationDelay) { [weak self] in self?.ask() }
  }

  static func lossText(_ to: JID) -> String {
    "The connection was lost before the server confirmed the message to \(to)."
  }
}
