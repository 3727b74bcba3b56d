// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The archive's messages as the log takes them.
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

  private func isOurs(_ message: Message) -> Bool {
    message.from?.bare == core.identity.account && message.to?.bare != core.identity.account
  }
}
