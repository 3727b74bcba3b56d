// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Waits until somebody has a message, or has read it. Made before the message is sent: a receipt may come at once.
@Client final class ReceiptWait {
  private let wanted: DeliveryState
  private let session: Session
  private let context: CommandContext
  /// Messages that have got so far. Bounded by what the command sends.
  private var reached: Set<String> = []
  private var subscription: Subscription?

  /// - Parameter wanted: ``DeliveryState/delivered`` or ``DeliveryState/displayed``.
  /// - Throws: ``CommandFailure`` where the configuration forbids to ask.
  init(for wanted: DeliveryState, _ session: Session, _ context: CommandContext) throws(CommandFailure) {
    let (disclosure, key): (Disclosure, String) =
      wanted == .displayed ? (.markers, "markers") : (.receipts, "receipts")
    guard context.application.settings.discloses.contains(disclosure) else {
      throw CommandFailure(
        .configuration, "configuration",
        "'--wait \(wanted.name)' needs what your configuration switches off: '\(key) = true' switches it on.")
    }
    self.wanted = wanted
    self.session = session
    self.context = context
    subscription = session.events.on(MessageStateChanged.self) { [weak self] in self?.changed($0) }
  }

  private func changed(_ event: MessageStateChanged) {
    // Who has read a message has read those before it.
    if isEnough(event) { reached.insert(event.id) }
  }

  private func isEnough(_ event: MessageStateChanged) -> Bool {
    event.state == .displayed || event.state == wanted
  }

  /// - Throws: ``CommandFailure`` with code 75 when it takes longer than `--timeout`; why the message failed.
  func wait(for id: String, to: JID) async throws {
    guard !reached.contains(id) else { return }
    let last: MessageStateChanged
    do throws(EventWaitError) {
      last = try await session.events.next(
        MessageStateChanged.self, topics: [to.bare], timeout: .after(context.timeLeft)
      ) { [self] event in
        if event.id == id, case .failed = event.state { return true }
        return isEnough(event) && (event.id == id || isSeen(id, with: to.bare))
      }
    } catch {
      guard error.code == .timedOut else { throw error }
      throw CommandFailure(
        .tryAgain, "timeout",
        "The server has your message, but \(to.bare) has not confirmed it within \(context.timeout.inSeconds).")
    }
    if case .failed(let reason) = last.state {
      throw session.delivery.failure(of: id) ?? CommandFailure(.unavailable, "failed", reason)
    }
  }

  /// They have read a later one.
  private func isSeen(_ id: String, with peer: JID) -> Bool {
    guard wanted == .displayed, let number = try? context.log.number(ofID: id, in: peer) else { return false }
    return (try? context.log.message(number)?.state == .displayed) ?? false
  }
}

extension SendCommand.Wait {
  /// What they have to tell; nil: our server's word is enough.
  var receipt: DeliveryState? {
    switch self {
    case .sent, .server: nil
    case .delivered: .delivered
    case .displayed: .displayed
    }
  }
}
