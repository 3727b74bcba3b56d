// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Between the log and the wire: the stages that features have (``OutboundStage``).
extension Delivery {
  /// What the stages make of a message that is to be sent now. What takes time is begun: the message is written when that is known.
  /// - Parameter isRepeated: it was written before.
  func preparation(of message: OutgoingMessage, isRepeated: Bool) -> Preparation {
    if let known = prepared[message.id] { return known }
    let isLate = isRepeated || core.calendar().milliseconds - message.time.milliseconds > Self.lateness
    let stanza = message.stanza(isLate: isLate)
    guard routes.hasOutboundStages else { return .ready(stanza) }
    // One after the other: those behind it are not looked at before it is known.
    guard inPreparation == nil else { return .later { .ready(stanza) } }
    let preparation = routes.prepare(stanza)
    switch preparation {
    case .ready, .failed: prepared[message.id] = preparation
    case .later(let known): wait(for: message.id, known)
    }
    return preparation
  }

  private func wait(for id: String, _ known: @escaping @Client () async -> Preparation) {
    inPreparation = id
    EventLoop.main.start { [weak self] in
      var preparation = await known()
      while case .later(let more) = preparation { preparation = await more() }
      guard let self else { return }
      inPreparation = nil
      // It may have been withdrawn meanwhile.
      if outbox[id]?.state == .waiting { prepared[id] = preparation }
      flush()
    }
  }

  /// The next that are to be written, in order, with what is written of each.
  /// - Returns: nil when one could not be sent: that is told, and others may have been written by whoever heard it.
  func nextBatch() -> [(entry: Outbox.Entry, stanza: Message)]? {
    var batch: [(Outbox.Entry, Message)] = []
    for entry in outbox.waiting(limit: SessionLimits.messagesWrittenAtOnce) {
      guard let message = entry.message else { continue }
      switch preparation(of: message, isRepeated: entry.isRepeated) {
      case .ready(let stanza): batch.append((entry, stanza))
      case .failed(let reason):
        prepared[entry.id] = nil
        if let entry = outbox.fail(id: entry.id, reason: reason) { tell(entry) }
        return nil
      case .later: return batch
      }
    }
    return batch
  }

  /// Milliseconds after which a message says when it was written (XEP-0203).
  private static let lateness: Int64 = 10_000
}
