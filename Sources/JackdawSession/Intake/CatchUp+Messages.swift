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

  /// A message of the archive, with what was sealed in it readable.
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

  /// Whether a message of the archive may have been overtaken by one that is known. What is read once more must be told from what is there:
  /// what has no id cannot be, and what one writes to oneself stands there twice.
  func mayBeOvertaken(_ message: Message) -> Bool {
    message.from?.bare != core.identity.account && message.id != nil
  }

  private func isOurs(_ message: Message) -> Bool {
    message.from?.bare == core.identity.account && message.to?.bare != core.identity.account
  }

  /// Looks for those of ours that are uncertain, among what was said to each of their addressees since they were written, newest
  /// first: what was interrupted a moment ago is there at once, however much was said that day.
  /// - Parameter end: what has not been found by then is not looked for any more.
  func look(in archive: any MessageHistory, until end: MonotonicTime? = nil) async throws {
    var wanted: [JID: (ids: Set<String>, time: Timestamp)] = [:]
    for entry in delivery.outbox.uncertainToPeople {
      guard let time = entry.message?.time else { continue }
      // Taken out: what is changed while it stands there too is copied whole, for each of thousands.
      var known = wanted.removeValue(forKey: entry.to.bare) ?? ([], time)
      known.ids.insert(entry.id)
      known.time = min(known.time, time)
      wanted[entry.to.bare] = known
    }
    for (peer, (ids, time)) in wanted {
      var open = ids
      let start = Self.dayBefore(time)
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
