// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// What features send of themselves, and what is said with it stands in the log as a message does.
extension Delivery {
  /// Puts it into the log before it goes out: the archive gives it again, and what is not there then is told as news of another device.
  /// - Parameter event: as it is told of our own.
  /// - Returns: where it stands; nil: nowhere, which keeps it from nothing.
  package func keepSent(_ event: MessageArrived) async -> Int64? {
    var event = event
    event.carbon = .sent
    var message = ArrivedMessage(
      event, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: core.calendar())
    message.exportedState = .sent
    // What is wrong with the store has been told by it.
    let records = try? await core.patiently { try store?.record([message], archiveCursor: nil) }
    guard case .new(let place)? = records?.first else { return nil }
    return place.seq
  }

  /// What became of it.
  /// - Parameter number: as ``keepSent(_:)`` says.
  package func noteSent(_ number: Int64?, id: String, became state: DeliveryState) {
    guard let number else { return }
    note(MessageOutcome(number: number, id: id, state: state))
    tellStore()
  }
}
