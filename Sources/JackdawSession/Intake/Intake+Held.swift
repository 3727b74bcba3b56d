// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Those that wait for what came before them.
extension Intake {
  /// The log-in is done: where it knows that there is no archive to read from, nothing has to wait.
  func releaseWithoutArchive() {
    if stage == .holding, !(history?.mayBeOffered ?? false) { release() }
  }

  /// Everything before them is here: those that waited are told, unless the archive had them too.
  func release() {
    logArrivals()
    stage = .open
    var last: String?
    if hasPostponed, let store {
      (hasPostponed, postponed) = (false, [])
      var before: LogPlace?
      // What cannot be moved now stays for the next time.
      while let batch = try? store.postponed(limit: SessionLimits.messagesPlacedAtOnce),
        let first = batch.first?.postponed,
        first != before
      {
        before = first
        guard let placed = place(batch) else { break }
        last = placed ?? last
      }
    }
    let waiting = unlogged
    unlogged = []
    for message in waiting { core.events.post(message.event) }
    guard isUpToDate, let last else { return }
    cursor.advance(to: last)
    cursor.keep()
  }

  /// - Returns: nil where the log could not; else the last id of the archive among them, if there is one.
  private func place(_ batch: [ArrivedMessage]) -> String?? {
    let isVouchedFor = history?.vouchesForIDs ?? false
    let batch = batch.map { message in
      var message = message
      // What rooms call their messages was looked at when it came.
      if !isVouchedFor, message.event.kind != .groupchat { message.archiveID = nil }
      return message
    }
    guard let records = try? store?.record(batch, archiveCursor: nil) else { return nil }
    for (message, record) in zip(batch, records) {
      if let place = placeToTell(record) { tell(message.event, place) }
    }
    return .some(batch.last { $0.ownArchiveID != nil }?.ownArchiveID)
  }

  /// The log cannot take what waits for its place: it waits in memory, as much of it as there is room for. The rest is told out of its
  /// place, else it never would be.
  func hold(_ messages: [ArrivedMessage]) {
    let room = max(0, SessionLimits.postponedRemembered - unlogged.count)
    unlogged += messages.prefix(room)
    for message in messages.dropFirst(room) { core.events.post(message.event) }
  }

  /// The session ends before it is known what came before those that wait: the next run tells them in their place. What is not in
  /// the log is told now, else it never would be.
  func leaveHeld() {
    logArrivals()
    stage = .open
    let waiting = unlogged
    unlogged = []
    for message in waiting { core.events.post(message.event) }
  }
}
