// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Ours: kept, written, followed.
extension Delivery {
  /// How far a message got when it was sent.
  package enum Sending: Sendable, Equatable {
    /// There is a stream: it is on its way.
    case goes
    /// There is none: it goes when there is one.
    case waits
  }

  /// Takes a message for `to`. It is in the store before it is on the wire, and its fate is told by ``MessageStateChanged``
  /// events, the first of them on the next turn.
  /// - Parameters:
  ///   - body: empty where only `relations` say something.
  ///   - relations: what it says of earlier messages.
  ///   - subject: what it is about (RFC 6121 5.2.4).
  /// - Returns: its id.
  /// - Throws: `XMLWriteError` when the text holds what XML cannot carry.
  @discardableResult package func send(
    _ body: String, to: JID, saying relations: [MessageRelation] = [], subject: String? = nil
  ) throws -> String {
    let message = try makeMessage(body, to: to, relations, subject)
    unkept.append(UnkeptMessage(message: message, entry: outbox.add(message)))
    if !willFlush {
      willFlush = true
      core.clock.nextTurn { [weak self] in
        self?.willFlush = false
        self?.flush()
      }
    }
    return message.id
  }

  /// Takes a message as ``send(_:to:saying:subject:)`` does, for whoever can still take it back: where there is no stream for it, it is in the
  /// store when this returns, and outlasts the program. Where another program has that locked, it is waited for.
  /// - Returns: its id.
  /// - Throws: as ``send(_:to:saying:subject:)``; ``MessageNotStored``, and the message is not taken then.
  @discardableResult package func queue(
    _ body: String, to: JID, saying relations: [MessageRelation] = [], subject: String? = nil
  ) async throws -> String {
    guard !hasStream else { return try send(body, to: to, saying: relations, subject: subject) }
    let message = try makeMessage(body, to: to, relations, subject)
    let number: Int64?
    do {
      number = try await core.patiently {
        // Those before it stand before it in the store.
        flush()
        guard !log.isLocked else { throw LogIsLocked() }
        return try store?.keep([OutboxRecord(message)], from: core.identity.account).first
      }
    } catch is CancellationError {
      // Whoever wrote it learns that it is nowhere, also where they do not wait.
      throw MessageNotStored(reason: "\(LogIsLocked())")
    } catch {
      throw MessageNotStored(reason: "\(error)")
    }
    guard let store, let number else { throw MessageNotStored(reason: "There is no database.") }
    guard !store.isTemporary else {
      _ = try? store.withdraw(message.id)
      throw MessageNotStored(reason: "The database's file cannot be opened.")
    }
    outbox.add(message).stored = number
    core.clock.nextTurn { [weak self] in
      guard let self, outbox[message.id]?.state == .waiting else { return }
      // There may be a stream by now.
      guard !isWriting else { return flush() }
      core.events.post(MessageStateChanged(id: message.id, to: to, state: .waiting))
    }
    return message.id
  }

  /// What kind of address messages to `to` go to.
  package func addressing(of to: JID) -> Addressing { rooms?.addressing(of: to) ?? .person }

  private func makeMessage(
    _ body: String, to: JID, _ relations: [MessageRelation], _ subject: String?
  ) throws -> OutgoingMessage {
    guard StanzaWriter.canCarry(body), subject.map({ StanzaWriter.canCarry($0) }) ?? true else {
      throw XMLWriteError(description: "The message holds a control character that XML cannot carry.")
    }
    let addressing = addressing(of: to)
    let time = core.calendar()
    // What comes back, from a room, from the archive or to another of our programs, is compared with what is kept here.
    return OutgoingMessage(
      // In a room nobody is to be known by their clock.
      id: addressing == .person ? core.messageID(time) : core.freshID(), to: addressing == .room ? to.bare : to,
      addressing: addressing,
      body: StanzaWriter.asRead(body), time: time, relations: relations, subject: subject.map(StanzaWriter.asRead))
  }

  /// Messages that the server may not have and that no later run will send, as they are not stored; in order.
  package var unstored: [OutgoingMessage] {
    let isKept = store?.isTemporary == false
    return outbox.openEntries.filter { !isKept || $0.stored == nil }.compactMap(\.message)
  }

  /// How many of these messages the server may not have: those that a later run will send, and those that none will, as they are not stored.
  package func openCount(of ids: Set<String>) -> (stored: Int, unstored: Int) {
    // What was said last may not be stored yet.
    flush()
    let open = ids.compactMap { outbox[$0] }.filter(\.state.isOpen)
    let stored = store?.isTemporary == false ? open.count { $0.stored != nil } : 0
    return (stored, open.count - stored)
  }

  /// Whether what is sent to `to` now goes out now.
  package func sending(to: JID) -> Sending {
    let addressing = addressing(of: to)
    guard isWriting, !outbox.isInDoubt(addressing.conversation(with: to)) else { return .waits }
    return addressing == .person || rooms?.mayWrite(to: to.bare) ?? true ? .goes : .waits
  }

  /// The first message that the server may not have and that a later run will send.
  package var firstKept: String? {
    store?.isTemporary == false ? outbox.openEntries.first { $0.stored != nil }?.id : nil
  }

  /// How many messages the server may not have.
  package var openCount: Int { outbox.openCount }

  // MARK: Writing

  /// The stream takes messages: sends the outbox. Stream management (XEP-0198) has been requested, or a single command does so before it
  /// writes.
  /// - Parameter writable: so many messages go out before ``questionsAreAnswered()``; nil: all.
  func streamIsReady(writing writable: Int? = nil) {
    (givenUp, hasHadStream) = (nil, true)
    writableBeforeAnswers = writable
    startWriting()
  }

  /// The questions of the log-in are answered, or will not be: what waits goes out.
  func questionsAreAnswered() {
    writableBeforeAnswers = nil
    if hasStream { flush() }
  }

  /// Writes what may be written: a new message waits for an uncertain one to the same recipient, which may have to be sent first.
  func startWriting() {
    stage = .writing
    // Of messages to rooms that an earlier stream or run left uncertain only the rooms can tell: they are entered for that.
    for room in openRooms { _ = rooms?.mayWrite(to: room) }
    flush()
    if outbox.lastWritten != nil { confirmSoon() }
  }

  func stopWriting() {
    stage = .offline
    writableBeforeAnswers = nil
    confirmation = nil
    questions = []
  }

  /// The stream is lost, and what the server acknowledged of it is known.
  /// - Parameters:
  ///   - isCertain: the server is known to have nothing else of ours.
  ///   - refusal: the condition of the stream error that ended it, if one did.
  func streamIsLost(isCertain: Bool, refusal: String?) {
    stopWriting()
    // A message over which the server ends the stream must not end every stream from now on, nor each single command's.
    if let refusal, Self.conditionsOfContent.contains(refusal),
      let entry = outbox.blameFirst(
        "The server ends the connection when it gets this message: \(refusal).",
        isLastStream: core.role.isOneShot)
    {
      tell(entry)
    }
    outbox.lose(isCertain: isCertain)
  }

  /// Stream errors (RFC 6120 4.9.3) that may be due to what was sent.
  private static let conditionsOfContent: Set<String> = [
    "bad-format", "invalid-xml", "not-well-formed", "policy-violation", "restricted-xml", "unsupported-stanza-type",
  ]

  /// No further connection is tried by itself. Open messages remain in the store, for the next run.
  package func giveUp(_ error: ConnectionError) {
    flush()
    var reason = error
    if outbox.openCount > 0 {
      // They are for the next run, unless somebody has to do something first.
      if hasHadStream, !Self.permanentCodes.contains(reason.code) { reason.code = .lost }
      reason.description +=
        outbox.openCount == 1 ? " 1 message is still unsent." : " \(outbox.openCount) messages are still unsent."
    }
    givenUp = reason
    let waiters = waiting
    waiting = []
    for waiter in waiters { waiter.list.end(.failure(reason)) }
  }

  /// Errors that the next run would meet again.
  private static let permanentCodes: Set<ConnectionError.Code> = [
    .authentication, .configuration, .protocolViolation, .unable, .unsafe,
  ]

  /// Stores messages that are not stored, and writes those that may be written.
  package func flush() {
    guard !log.isLocked else { return }
    if isWriting { write() }
    // What does not go out now.
    if !log.isLocked { keepNew() }
    tellStore()
  }

  /// Writes the messages sent so far, before a stanza is sent in another way. Where another program has the log locked that is waited for,
  /// but not for ever.
  /// - Throws: `CancellationError`.
  package func letGo() async throws {
    do {
      try await core.patiently {
        flush()
        guard log.isLocked, isWriting, !unkept.isEmpty || outbox.hasWaiting else { return }
        throw LogIsLocked()
      }
    } catch is LogIsLocked {
      // The log is done without, as soon as it is given up.
    }
  }

  func write() {
    enableStreamManagementForCommand()
    while isWriting, !log.isLocked, outbox.hasWaiting {
      guard batchLimit > 0 else {
        stage = .blocked
        return
      }
      // A whole batch, which is stored as sent and written with one look at each. What cannot go so is stored as waiting.
      keepNew(asWritten: true)
      guard !log.isLocked else { return }
      guard let prepared = nextBatch() else { continue }
      let batch = prepared.map(\.entry)
      guard !batch.isEmpty else { return }
      guard let withdrawn = place(batch) else { return }
      guard withdrawn.isEmpty else {
        // Later messages get other positions on the stream.
        for entry in batch { entry.unplace() }
        for id in withdrawn {
          if let entry = outbox.withdraw(id: id) { tell(entry) }
        }
        continue
      }
      var isBound = false
      for place in prepared.indices {
        guard write(prepared[place].stanza, of: batch, &isBound) else {
          // The rest goes when the server has taken what it has, or on the next connection.
          stage = .blocked
          return
        }
        let entry = batch[place]
        outbox.wrote(entry, after: cursor.id, position: core.wire.sentCount)
        if let left = writableBeforeAnswers { writableBeforeAnswers = left - 1 }
        core.events.post(MessageStateChanged(id: entry.id, to: entry.to, state: .sent))
      }
      // The others may wait for the acknowledgement of that one.
      if waiting.isEmpty, batch.last !== outbox.firstRepeated { confirmSoon() } else { ask() }
    }
  }

  /// How many messages go out in one batch. What the store has as sent is sent: no more than the wire takes.
  var batchLimit: Int { min(SessionLimits.messagesWrittenAtOnce, core.wire.countLeft) }

  /// - Parameter isBound: the store has the places of the batch, and cannot be told that it does not come to stand there, as another
  ///   program has it locked: what stood there in its place would pass for it in a later run, which would not send it.
  /// - Returns: whether it stands on the stream.
  private func write(_ stanza: Element, of batch: [Outbox.Entry], _ isBound: inout Bool) -> Bool {
    do {
      if isBound {
        try core.wire.sendBound(stanza)
      } else {
        try core.wire.send(stanza)
      }
      return true
    } catch {
      if !isBound, !unplace(batch) {
        isBound = true
        return write(stanza, of: batch, &isBound)
      }
      if stage != .blocked { core.remark("A message waits: \(error)") }
      return false
    }
  }

  /// Bytes went out, or an acknowledgement came.
  func madeRoom() {
    guard stage == .blocked else { return }
    stage = .writing
    flush()
  }

  /// As a stanza is sent again on a stream that is resumed: a message says when it was first sent (XEP-0203), so that whoever gets it
  /// twice can tell it from another one of the same words. ejabberd handles it twice when it has still to read it from the old
  /// connection.
  func resent(_ stanza: Element) -> Element {
    guard stanza.name == "message", let id = stanza.attribute("id"), let message = outbox[id]?.message,
      Delay.all(in: Array(stanza.children)).isEmpty
    else { return stanza }
    return stanza.appending(Delay(stamp: message.time).element)
  }

  /// A single command enables stream management (XEP-0198) when it has something to lose, and not before; others do from the beginning.
  /// Its stream is not resumed: what is lost with the connection is looked for in the archive by the next one.
  func enableStreamManagementForCommand() {
    guard core.role.isOneShot, outbox.hasWaiting else { return }
    core.enableStreamManagement()
  }
}
