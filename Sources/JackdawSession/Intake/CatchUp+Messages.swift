// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// The archive's messages as the log takes them, and ours among them.
extension CatchUp {
  /// A message of the archive as the log takes it; nil: there is nothing to be kept.
  func arrived(_ archived: ArchivedMessage) async -> ArrivedMessage? {
    var message = await readable(archived).flatMap { intake.arrived($0) }
    message?.isFromArchive = true
    return message
  }

  /// A message of the archive, decrypted.
  /// - Returns: nil for one of this run's own, which has arrived then, and for what is no message of a conversation.
  private func readable(_ archived: ArchivedMessage) async -> InboundMessage? {
    let message = archived.message
    guard message.from != nil, message.to != nil, [.chat, .normal].contains(message.kind),
      !delivery.confirm(by: message)
    else { return nil }
    var inbound = InboundMessage(message)
    inbound.carbon = isOurs(message) ? .sent : nil
    inbound.delayed = archived.stamp
    inbound.archiveID = archived.archiveID
    return await intake.routes.read(inbound, from: .decrypt)
  }

  /// Whether a message within the overlap may be new. If the log has it, it must be recognised: that needs an id, and what one writes to
  /// oneself is in the archive twice.
  func mayBeOvertaken(_ message: Message) -> Bool {
    message.from?.bare != core.identity.account && message.id != nil
  }

  private func isOurs(_ message: Message) -> Bool {
    message.from?.bare == core.identity.account && message.to?.bare != core.identity.account
  }

  /// Looks for uncertain messages of ours in the archive, recipient by recipient, from the newest message back to the day before they
  /// were written: one that was interrupted a moment ago is found at once, however much was said that day. Where the clock was ahead when one
  /// was written nobody knows which day that was.
  /// - Parameter end: what has not been found by then is not looked for any more.
  func look(in archive: any MessageHistory, until end: MonotonicTime? = nil) async throws {
    var wanted: [JID: (ids: Set<String>, first: Timestamp, last: Timestamp)] = [:]
    for entry in delivery.outbox.uncertainToPeople {
      guard let time = entry.message?.time else { continue }
      // Removed first: a set that is changed while the dictionary holds it too is copied whole, for each of thousands.
      var known = wanted.removeValue(forKey: entry.to.bare) ?? ([], time, time)
      known.ids.insert(entry.id)
      (known.first, known.last) = (min(known.first, time), max(known.last, time))
      wanted[entry.to.bare] = known
    }
    for (peer, (ids, first, last)) in wanted {
      var open = ids
      let start = last > core.calendar() ? nil : Self.dayBefore(first)
      try await archive.pagesBackwards(ArchiveQuery(with: peer, start: start), upTo: SessionLimits.messagesLookedAt) {
        for message in $0 where delivery.confirm(by: message.message) { open.remove(message.message.id ?? "") }
        return !open.isEmpty && end.map { core.clock.now < $0 } ?? true
      }
    }
  }

  /// Clocks differ, but not by a day.
  static func dayBefore(_ time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds - 86_400_000)
  }
}
