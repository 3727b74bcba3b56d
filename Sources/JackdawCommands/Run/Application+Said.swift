// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What the user says, as the prompt shows it among what others say.
extension Application {
  /// A command has sent a message. Where it is another process's, the prompt through whose session it went shows it as what another device
  /// of the user's sent: the server gives copies (XEP-0280) to other sessions alone.
  func tellPrompt(_ said: MessageArrived, of account: Account) {
    guard isGuest, let show = account.onGuestSaid else { return }
    var said = said
    said.carbon = .sent
    show(said)
  }
}

extension Session {
  /// What the user just sent, as it is shown.
  func said(
    _ body: String, id: String, to: JID, saying relations: [MessageRelation] = [], about subject: String? = nil
  ) -> MessageArrived {
    var said = MessageArrived.said(
      body, id: id, from: identity.account, to: to, delivery.addressing(of: to), relations: relations)
    if let subject {
      said.payload = said.payload ?? MessagePayload()
      said.payload?.subject = subject
    }
    said.isWaiting = delivery.sending(to: to) == .waits
    return said
  }
}

extension CommandContext {
  /// Shows what was just sent among what others say: at the prompt where it was typed, or at the one whose session a command of another
  /// process goes through.
  func tellSaid(
    _ body: String, id: String, to: JID, saying relations: [MessageRelation] = [], about subject: String? = nil,
    _ session: Session
  ) {
    guard origin == .prompt || application.isGuest else { return }
    let said = session.said(body, id: id, to: to, saying: relations, about: subject)
    if origin == .prompt {
      output.show(said, of: session.identity.account)
    } else if let account = try? account() {
      application.tellPrompt(said, of: account)
    }
  }
}
