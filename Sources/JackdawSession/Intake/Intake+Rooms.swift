// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Messages of rooms' archives, and those that were held back while these were read.
extension Intake {
  /// Keeps messages of a room's archive in the order in which they are given, unless they are there, and posts those that are new. They
  /// have been verified.
  /// - Throws: when the log cannot take them: none is posted then.
  package func take(_ messages: [InboundMessage]) async throws { try await take(await arrivals(messages)) }

  /// The same for live messages that were held back while the archive was read. What cannot be logged is posted all the same.
  package func takeHeld(_ messages: [InboundMessage]) async {
    let arrived = await arrivals(messages)
    do {
      try await take(arrived)
    } catch {
      // The store has reported its error: chat goes on.
      missed(arrived)
      for message in arrived { core.events.post(message.event) }
    }
  }

  private func arrivals(_ messages: [InboundMessage]) async -> [ArrivedMessage] {
    var arrived: [ArrivedMessage] = []
    for message in messages {
      guard var one = await routes.read(message, from: .decrypt).flatMap({ self.arrived($0) }) else { continue }
      one.isFromArchive = message.archiveID != nil
      arrived.append(one)
    }
    return arrived
  }

  private func take(_ arrived: [ArrivedMessage]) async throws {
    guard !arrived.isEmpty else { return }
    logArrivals()
    let records = try await core.patiently { try store?.record(arrived, archiveCursor: nil) }
    for (index, message) in arrived.enumerated() {
      guard let records else {
        core.events.post(message.event)
        continue
      }
      guard let place = placeToTell(records[index]), !wasTold(message, at: place) else { continue }
      tell(message.event, place)
    }
  }
}
