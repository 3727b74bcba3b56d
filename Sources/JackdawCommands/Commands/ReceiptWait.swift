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
    // They may have read a later one already.
    guard !reached.contains(id), !isSeen(id, with: to.bare) else { return }
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

  /// They have read a later one, and so have this one, too.
  private func isSeen(_ id: String, with peer: JID) -> Bool {
    guard let number = try? context.log.number(ofID: id, in: peer) else { return false }
    return (try? context.log.message(number)?.state == .displayed) ?? false
  }
}

extension CommandContext {
  /// Refuses to wait for what nobody tells in a room, before anything is said there. Whether it is one where others tell what they have
  /// read is known once the user is in it.
  /// - Parameter wanted: ``DeliveryState/delivered`` or ``DeliveryState/displayed``.
  /// - Throws: ``CommandFailure`` with code 69; why a room cannot be entered.
  func refuseSilentRooms(_ addresses: [JID], telling wanted: DeliveryState, _ session: Session) async throws {
    let groupchat = session.features[Groupchat.self]
    for jid in addresses {
      let addressing = session.delivery.addressing(of: jid)
      guard addressing != .person else { continue }
      var reason = "Nobody in a room is told that a message has come"
      if addressing == .occupant {
        reason = "Nobody tells what becomes of a message to them alone in a room"
      } else if wanted == .displayed {
        // What the user said of the room itself is what counts.
        let said = try log.privacy.disclosures(to: jid.bare)[.markers]
        if said == nil, groupchat.room(jid)?.isInside != true {
          try await learnBookmark(of: jid, session)
          _ = try await entered(jid, groupchat)
        }
        if said ?? groupchat.isPrivate(jid) { continue }
        reason = "Nobody tells in \(jid.bare) what they have read, as small rooms of members do who see each other"
      }
      throw CommandFailure(
        .unavailable, "not-acceptable", "\(reason). '--wait server' waits until the room has sent it on.")
    }
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
