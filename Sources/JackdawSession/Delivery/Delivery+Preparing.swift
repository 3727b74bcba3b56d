// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What the outbound stages have made of a message.
enum PreparedMessage {
  /// The stanza to write.
  case ready(Element)
  /// It cannot be sent: one sentence why.
  case failed(reason: String)
  /// An asynchronous stage is still preparing it, or an earlier message to the same recipient.
  case later
}

/// A message that an asynchronous stage is preparing.
@Client final class LatePreparation {
  let id: String
  /// When the preparation is given up, and the message fails.
  var deadline: LoopTimer?

  init(_ id: String) { self.id = id }
}

/// Between the log and the wire: the stages that features have (``OutboundStage``).
extension Delivery {
  /// Has the outbound stages prepare a message that is to be sent now. An asynchronous stage is started: the message is written when it
  /// has ended, and then later ones to the same recipient; all others meanwhile.
  /// - Parameter entry: the message's.
  func preparation(of message: OutgoingMessage, _ entry: Outbox.Entry) -> PreparedMessage {
    if let known = entry.prepared { return known }
    // One at a time per recipient: a later message is not prepared before the earlier one is.
    guard inPreparation.isEmpty || inPreparation[message.conversation] == nil else { return .later }
    let isLate = entry.isRepeated || core.calendar().milliseconds - message.time.milliseconds > Self.lateness
    let preparation: PreparedMessage
    var stanza = message.stanza(isLate: isLate)
    switch routes.prepare(&stanza) {
    case nil: preparation = .ready(stanza.element(keeping: &names))
    case .failed(let reason)?: preparation = .failed(reason: reason)
    case .later(let known)?:
      wait(for: message, known)
      return .later
    }
    entry.prepared = preparation
    return preparation
  }

  private func wait(for message: OutgoingMessage, _ known: @escaping @Client () async -> Preparation) {
    let late = LatePreparation(message.id)
    inPreparation[message.conversation] = late
    // It is not sent unprepared: it may have been meant to be encrypted.
    late.deadline = core.clock.schedule(after: SessionLimits.stagePatience) { [weak self] in
      self?.isPrepared(message, late, .failed(reason: "Preparing it took too long."))
    }
    EventLoop.main.start { [weak self] in
      var known = known
      while true {
        switch await known() {
        case .ready(let stanza): self?.isPrepared(message, late, .ready(stanza.element))
        case .failed(let reason): self?.isPrepared(message, late, .failed(reason: reason))
        case .later(let more):
          known = more
          continue
        }
        return
      }
    }
  }

  private func isPrepared(_ message: OutgoingMessage, _ late: LatePreparation, _ preparation: PreparedMessage) {
    // It may have taken too long, or the session is over.
    guard inPreparation[message.conversation] === late else { return }
    inPreparation[message.conversation] = nil
    late.deadline = nil
    // It may have been withdrawn meanwhile.
    if let entry = outbox[message.id], entry.isWaiting { entry.prepared = preparation }
    flush()
  }

  /// Messages that may be written next, in order.
  /// - Parameter keptAlone: only those that the store has: nothing is on the wire before it is in the log.
  func toWrite(limit: Int, keptAlone: Bool = true) -> [Outbox.Entry] {
    let unkept = keptAlone ? unkept.first { outbox[$0.entry.id] != nil }?.entry.number : nil
    let limit = min(limit, writableBeforeAnswers ?? limit)
    guard limit > 0 else { return [] }
    let next = outbox.waiting(limit: limit, before: unkept, held: inPreparation.mapValues(\.id)) {
      rooms?.mayWrite(to: $0) ?? true
    }
    return core.role.isOneShot ? outbox.oneRepeatedFirst(next) : next
  }

  /// The next messages to write, in order, with the stanza of each.
  /// - Returns: nil when one failed: that was posted, and a subscriber may have had others written.
  func nextBatch() -> [(entry: Outbox.Entry, stanza: Element)]? {
    var batch: [(entry: Outbox.Entry, stanza: Element)] = []
    // Recipients whose next message is still being prepared: a later one to them may be ready, and must not overtake it.
    var held: Set<JID> = []
    let next = toWrite(limit: batchLimit)
    batch.reserveCapacity(next.count)
    for entry in next {
      guard let message = entry.message, held.isEmpty || !held.contains(entry.peer) else { continue }
      switch preparation(of: message, entry) {
      case .ready(let stanza): batch.append((entry, stanza))
      case .failed(let reason):
        if let entry = outbox.fail(id: message.id, reason: reason) { tell(entry) }
        return nil
      case .later: held.insert(entry.peer)
      }
    }
    return batch
  }

  /// Milliseconds after which a message says when it was written (XEP-0203).
  private static let lateness: Int64 = 10_000
}
