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
    // No script's end waits for a room that cannot be entered.
    adopted = messages.lazy.map(\.message).filter { $0.addressing == .person }.map(\.id)
  }

  /// A message of ours is in our server's archive: it has arrived.
  /// - Returns: whether it is one of this run's own.
  func confirm(by archived: Message) -> Bool {
    guard archived.from?.bare == core.identity.account, archived.to?.bare != core.identity.account,
      let id = archived.id, outbox[id] != nil
    else { return false }
    if let entry = outbox.confirmAlone(id: id) {
      if adoptedIDs.contains(id) { adoptedBefore.insert(id) }
      confirmed([entry])
    }
    return true
  }

  /// Nothing more can be learnt about the uncertain messages: they are sent again, as losing one is worse than sending it twice.
  func sendUncertainAgain() {
    outbox.repeatUncertain()
    flush()
  }

  /// Takes over what programs that are gone left open, to be sent before anything else: for a single command.
  /// - Throws: what the store does, and nothing is taken over then.
  func adoptLeftovers() throws {
    guard let left = try store?.adopt().ours else { return }
    for message in left { outbox.add(message) }
    adopted = left.map(\.message.id)
  }

  /// Waits until the server has the messages that this run inherited from earlier ones, but for those to rooms, or it is known that they
  /// do not arrive, for `limit` at most.
  /// - Returns: how many arrived, had arrived before, failed and still wait; nil where there were none, or that was said already.
  package func settleAdopted(within limit: Duration) async -> (arrived: Int, known: Int, failed: Int, open: Int)? {
    guard !adopted.isEmpty else { return nil }
    defer { adopted = [] }
    flush()
    if hasStream { try? await settled(.these(adopted), within: limit) }
    var (arrived, known, failed, open) = (0, 0, 0, 0)
    for id in adopted {
      switch outbox[id]?.state {
      case .waiting, .sent: open += 1
      case .failed: failed += 1
      // nil: so many have arrived since that the outbox has forgotten this one.
      case .server, .delivered, .displayed, nil:
        if adoptedBefore.contains(id) { known += 1 } else { arrived += 1 }
      }
    }
    return (arrived, known, failed, open)
  }

  /// The server has answered whether the stream of an earlier run is resumed (XEP-0198 5).
  /// - Parameters:
  ///   - stream: its id.
  ///   - handled: the server's `h`, how many stanzas of that stream it has handled; nil: it does not say.
  func earlierStream(_ stream: String, handled: UInt32?) {
    defer { inherited = [] }
    guard let handled else { return }
    for message in inherited {
      guard let place = message.place, place.stream == stream else { continue }
      let id = message.message.id
      if place.isReached(by: handled) {
        // A message to a room has arrived only when the room reflects it.
        guard outbox[id]?.awaitsReflection == false else { continue }
        guard let entry = outbox.confirmAlone(id: id) else { continue }
        if adoptedIDs.contains(id) { adoptedBefore.insert(id) }
        confirmed([entry])
      } else {
        outbox.repeatUncertain(id: id)
      }
    }
  }
}
