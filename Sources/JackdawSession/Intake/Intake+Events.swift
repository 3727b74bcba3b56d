// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Messages as the log keeps them, and as they are posted.
extension Intake {
  /// - Parameters:
  ///   - streamStart: the first message of the stream that it came on; nil: that is not known.
  ///   - beginsStream: it is of the first turn that brought messages of its stream.
  /// - Returns: nil when there is nothing to be kept.
  func arrived(
    _ inbound: InboundMessage, streamStart: LogPlace? = nil, beginsStream: Bool = false
  ) -> ArrivedMessage? {
    guard let event = event(of: inbound) else { return nil }
    let now = core.calendar()
    let delayed = inbound.delayed
    return ArrivedMessage(
      event, archiveID: inbound.archiveID, hasUniqueID: Self.hasUniqueID(inbound.message),
      mayBeRepeated: delayed != nil, time: delayed ?? now, received: now,
      firstSent: firstSent(inbound.message), streamStart: streamStart, beginsStream: beginsStream)
  }

  static func hasUniqueID(_ message: Message) -> Bool { message.originID != nil && message.originID == message.id }

  /// The sender's own delay stamp (XEP-0203), for a message that was sent before; our server's stamps say when it came.
  func firstSent(_ message: Message) -> Timestamp? {
    guard !message.payloads.isEmpty, Self.hasUniqueID(message) else { return nil }
    return Delay.all(in: message.payloads).first { $0.from.map { !core.identity.isOwnServer($0) } ?? true }?.stamp
  }

  func deliver(_ inbound: InboundMessage) -> StageVerdict {
    if let event = event(of: inbound) { core.events.post(event) }
    return .pass
  }

  func event(of inbound: InboundMessage) -> MessageArrived? {
    if var event = inbound.logged {
      event.place = inbound.place
      return event
    }
    guard let body = inbound.message.body, let from = inbound.message.from else { return nil }
    return MessageArrived(
      id: inbound.message.id, from: from, to: inbound.message.to ?? core.identity.account, kind: inbound.message.kind,
      body: body, delayed: inbound.delayed, carbon: inbound.carbon, relations: inbound.relations, box: inbound.box,
      questions: inbound.questions, place: inbound.place)
  }

  /// - Parameter place: nil: the log does not have it.
  func tell(_ event: MessageArrived, _ place: LogPlace?) {
    var event = event
    event.place = place
    core.events.post(event)
  }

  /// Somebody who presents what comes, by a name of its own: nil where there is no log.
  package func consumer(_ name: LogConsumer.Name) -> LogConsumer? {
    guard let store else { return nil }
    let consumer = LogConsumer(name, of: store, clock: core.clock)
    consumers.removeAll { $0.consumer == nil }
    consumers.append(WeakConsumer(consumer: consumer))
    return consumer
  }

  /// Something that was presented could not be noted yet, as another program has the log locked.
  var hasUnnoted: Bool { consumers.contains { $0.consumer?.waitsForLog ?? false } }

  /// The session ends: what was presented is noted.
  /// - Throws: ``LogIsLocked`` where another program has the log locked.
  func noteLast() throws {
    for entry in consumers { try entry.consumer?.noteLast() }
  }

  /// What another program of the account logged while this one was away comes neither on its stream nor from the archive, which is read
  /// from where that one had come.
  func othersMayHaveLogged() {
    for entry in consumers { entry.consumer?.onMore?() }
  }
}

/// A consumer, for as long as it is there.
struct WeakConsumer {
  weak var consumer: LogConsumer?
}
