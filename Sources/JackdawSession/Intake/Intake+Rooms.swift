// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What was said in a room before, read by whoever knows rooms.
extension Intake {
  /// Keeps messages in the order in which they are given, unless they are there, and tells those that are new. They have been verified.
  package func take(_ messages: [InboundMessage]) async {
    var arrived: [ArrivedMessage] = []
    for message in messages {
      guard var one = await routes.read(message, from: .decrypt).flatMap({ self.arrived($0) }) else { continue }
      one.isFromArchive = message.archiveID != nil
      arrived.append(one)
    }
    guard !arrived.isEmpty else { return }
    logArrivals()
    // What is wrong with the store has been told by it: chat goes on.
    let records = try? await core.patiently { try store?.record(arrived, archiveCursor: nil) }
    for (index, message) in arrived.enumerated() {
      guard let records else {
        core.events.post(message.event)
        continue
      }
      if let place = placeToTell(records[index]) { tell(message.event, place) }
    }
  }
}
