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

  /// Into the store before anything is acknowledged to the server, and told once, however often it comes.
  func record(_ inbound: inout InboundMessage) -> StageVerdict {
    guard store != nil, inbound.message.body != nil else { return .pass }
    guard let message = arrived(inbound) else { return .pass }
    // What comes to a command is for the next program that shows what comes, which may have to show others before it.
    if isHolding || isCommand, held.count < SessionLimits.messagesHeld {
      hold(message, inbound.message)
      return .drop
    }
    let record = keep(message, movesMark: isCaughtUp)
    if record == .known { return .drop }
    inbound.number = record?.number
    return .pass
  }

  private func hold(_ message: ArrivedMessage, _ stanza: Message) {
    var message = message
    // Whether what it is called may be believed is not known before the end of the log-in.
    if message.archiveID == nil { message.archiveID = StanzaIDs.claimedArchiveID(of: stanza, context) }
    // What is wrong with the store has been told by it: chat goes on.
    let number = try? store?.hold(message)
    held.append(HeldMessage(message, number: number))
  }

  /// The log-in is done: where it knows that there is no archive to read from, nothing has to wait.
  func releaseWithoutArchive() {
    if isHolding, context.links.archive == nil || !mayBeArchived { release() }
  }

  /// The server says that it keeps an archive, or has not said anything yet.
  var mayBeArchived: Bool { context.links.ownAccount.answer?.supports(MessageArchive.namespace) ?? true }

  /// Everything before them is here: those that waited are told, unless the archive had them too.
  func release() {
    isHolding = false
    let waiting = held
    held = []
    var last: String?
    for var held in waiting {
      if !StanzaIDs.areVouchedFor(in: context) { held.message.archiveID = nil }
      let record = keep(held.message, movesMark: false, held: held.number)
      if record == .known { continue }
      last = held.message.archiveID ?? last
      tell(held.message.event, record?.number)
    }
    guard isCaughtUp, let last else { return }
    mark = last
    try? store?.keepArchiveMark(last)
  }

  /// The session ends before it is known what came before those that wait: the next run tells them in their place. What is in
  /// no store is told now, else it never would be.
  func leaveHeld() {
    isHolding = false
    let waiting = held
    held = []
    for held in waiting where held.number == nil { context.events.post(held.message.event) }
  }

  /// - Returns: nil when there is nothing to be kept.
  private func arrived(_ inbound: InboundMessage) -> ArrivedMessage? {
    guard let event = event(of: inbound) else { return nil }
    return ArrivedMessage(
      event, archiveID: inbound.archiveID,
      hasUniqueID: inbound.message.originID != nil && inbound.message.originID == inbound.message.id,
      mayBeRepeated: inbound.delayed != nil, time: inbound.delayed ?? context.calendar())
  }

  /// - Returns: nil where the store could not: what is wrong with it has been told by it, and chat goes on.
  private func keep(_ message: ArrivedMessage, movesMark: Bool, held: Int64? = nil) -> MessageRecord? {
    guard let record = try? store?.record(message, movesMark: movesMark, held: held) else { return nil }
    if movesMark, let id = message.archiveID { mark = id }
    if record == .known { context.remark("dropped a message that had come before") }
    return record
  }

  func deliver(_ inbound: InboundMessage) -> StageVerdict {
    if let event = event(of: inbound) { tell(event, inbound.number) }
    return .pass
  }

  private func event(of inbound: InboundMessage) -> MessageArrived? {
    let message = inbound.message
    guard let body = message.body, let from = message.from else { return nil }
    return MessageArrived(
      id: message.id, from: from, to: message.to ?? context.identity.account, kind: message.kind, body: body,
      delayed: inbound.delayed, carbon: inbound.carbon)
  }
}
