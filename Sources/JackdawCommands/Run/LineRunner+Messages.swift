// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Plain lines: messages to whom the line above them, or the prompt, names.
extension LineRunner {
  /// Does what is left of a line, where nothing has to be waited for: what may wait takes longer to be called than most lines to be sent.
  /// - Returns: false: ``finish(_:after:)`` is to do it, and nothing of it has been done.
  func finishAtOnce(_ step: Step) throws(CommandFailure) -> Bool {
    guard case .message(let text, let to, let account) = step else { return false }
    guard let session = account.sessionTakingMessages, account.isKnownPerson(to) else { return false }
    let delivery = session.delivery
    guard delivery.hasStream, hasRoom(delivery) else { return false }
    do throws(CommandFailure) {
      let body = try OutgoingText.checked(text)
      do {
        messageGoes(to: to, in: session, of: account)
        said(body, id: try delivery.send(body, to: to), to: to, in: session, of: account)
      } catch {
        throw unsent(to, by: account, because: error)
      }
    } catch {
      throw state.named(error, of: account)
    }
    return true
  }

  /// Sends a plain line.
  func say(_ text: String, to: JID, by account: Account) async throws(CommandFailure) {
    let body = try OutgoingText.checked(text)
    do {
      let session: Session
      if let taking = account.sessionTakingMessages {
        session = taking
      } else {
        session = try await application.chatSession(of: account, timeout: application.settings.timeout)
      }
      if !account.isKnownPerson(to) { await application.approach(to, of: account) }
      let delivery = session.delivery
      if !hasRoom(delivery) { try await delivery.waitForRoom(within: application.settings.timeout) }
      messageGoes(to: to, in: session, of: account)
      let id = delivery.hasStream ? try delivery.send(body, to: to) : try await delivery.queue(body, to: to)
      said(body, id: id, to: to, in: session, of: account)
    } catch {
      throw unsent(to, by: account, because: error)
    }
  }

  /// A script is read no faster than its messages go out; a person is.
  private func hasRoom(_ delivery: Delivery) -> Bool { origin != .script || delivery.hasRoom }

  private func messageGoes(to recipient: JID, in session: Session, of account: Account) {
    state.events.of(account, in: session).messageGoes(to: recipient, at: application.now())
  }

  private func said(_ body: String, id: String, to: JID, in session: Session, of account: Account) {
    if origin == .prompt {
      // The line that was typed is gone from the screen: what was said stands among what the others say.
      output.show(session.said(body, id: id, to: to), of: session.identity.account)
    } else if application.isGuest {
      application.tellPrompt(session.said(body, id: id, to: to), of: account)
    }
    state.unconfirmed.add(id, in: session, of: account)
  }

  private func unsent(_ to: JID, by account: Account, because error: any Error) -> CommandFailure {
    var failure = CommandFailure(error)
    let name = CommandContext.called(to, by: account).name
    failure.text = "Your message to \(name) was not sent: \(failure.text)"
    failure.account = account.jid
    return failure
  }

  /// Waits until the server has every message that lines sent without waiting.
  /// - Throws: ``CommandFailure`` when it does not, or one was refused.
  package func confirm() async throws(CommandFailure) {
    // At the prompt, what failed before was shown when it happened.
    if origin == .prompt { state.unconfirmed.forgetFailures() }
    try await state.unconfirmed.confirm(within: application.settings.timeout, withOthers: origin == .prompt)
  }
}
