// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Stanzas that features send by themselves, and that are logged as messages are.
extension Delivery {
  /// Logs it before it is sent: the archive returns it later, and what the log does not have then is shown as sent by another device.
  /// - Parameter event: as for a message of our own.
  /// - Returns: its number in the log; nil: it could not be logged, and may be sent all the same.
  package func keepSent(_ event: MessageArrived) async -> Int64? {
    var event = event
    event.carbon = .sent
    var message = ArrivedMessage(
      event, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: core.calendar())
    message.exportedState = .sent
    // The store has reported its error.
    let records = try? await core.patiently { try store?.record([message], archiveCursor: nil) }
    guard case .new(let place)? = records?.first else { return nil }
    return place.seq
  }

  /// Notes what became of it.
  /// - Parameter number: what ``keepSent(_:)`` returned.
  package func noteSent(_ number: Int64?, id: String, became state: DeliveryState) {
    guard let number else { return }
    note(MessageOutcome(number: number, id: id, state: state))
    tellStore()
  }
}
