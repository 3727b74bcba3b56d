// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What earlier runs left to be sent.
extension Delivery {
  /// Takes over what an earlier run left open, to be sent before anything else.
  func adopt(_ messages: [LeftMessages.Ours]) {
    for message in messages { outbox.add(message) }
    inherited = messages
  }

  /// Our server's archive has it: a message that is in it has arrived.
  /// - Returns: whether it is one of this run's own.
  func confirm(by archived: Message) -> Bool {
    guard archived.from?.bare == core.identity.account, archived.to?.bare != core.identity.account,
      let id = archived.id, outbox[id] != nil
    else { return false }
    if let entry = outbox.confirmAlone(id: id) {
      if adopted.contains(id) { adoptedInArchive.insert(id) }
      confirmed([entry])
    }
    return true
  }

  /// Nobody can say more of those that are uncertain: they go out again.
  func sendUncertainAgain() {
    outbox.repeatUncertain()
    flush()
  }

  /// Takes over what single commands that are gone left open, to be sent before anything else: for a single command.
  func adoptLeftovers() {
    // What is wrong with the store is told by it.
    guard let left = try? store?.adopt().ours else { return }
    for message in left { outbox.add(message) }
    adopted = left.map(\.message.id)
  }

  /// Waits until the server has the messages that this single command inherited from earlier ones, or it is known that they do not
  /// arrive, for `limit` at most.
  /// - Returns: how many arrived, had arrived before, failed and still wait; nil where there were none.
  package func settleAdopted(within limit: Duration) async -> (arrived: Int, known: Int, failed: Int, open: Int)? {
    guard let last = adopted.last else { return nil }
    flush()
    if hasStream, let number = outbox[last]?.number { try? await settled(.through(number), within: limit) }
    var (arrived, known, failed, open) = (0, 0, 0, 0)
    for id in adopted {
      switch outbox[id]?.state {
      case .waiting, .sent: open += 1
      case .failed: failed += 1
      // So much has arrived since that this one is not remembered.
      case .server, .delivered, .displayed, nil:
        if adoptedInArchive.contains(id) { known += 1 } else { arrived += 1 }
      }
    }
    return (arrived, known, failed, open)
  }

  /// The server said whether the stream of an earlier run goes on.
  /// - Parameters:
  ///   - stream: its name.
  ///   - handled: how many of its stanzas the server has; nil: it does not say.
  func earlierStream(_ stream: String, handled: UInt32?) {
    defer { inherited = [] }
    guard let handled else { return }
    for message in inherited {
      guard let place = message.place, place.stream == stream else { continue }
      let id = message.message.id
      if place.isReached(by: handled) {
        // What was for a room is there when the room says so.
        guard outbox[id]?.awaitsReflection == false else { continue }
        if let entry = outbox.confirmAlone(id: id) { confirmed([entry]) }
      } else {
        outbox.repeatUncertain(id: id)
      }
    }
  }
}
