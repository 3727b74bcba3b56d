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

  /// Everything before them is here: those that waited are told, unless the archive had them too. Where another program has the log
  /// locked, what comes meanwhile waits with them.
  func release() {
    guard logArrivals() else { return stage = .releasing }
    var last: String?
    do {
      last = try placePostponed()
      log = .free
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return stage = .releasing
    } catch {
      // What cannot be moved now is moved later, or by the next run. What is wrong with the store has been told by it.
      stage = .open
      releaseLater()
      return tellUnlogged()
    }
    stage = .open
    (hasPostponed, heldFrom, postponed) = (false, nil, [])
    tellUnlogged()
    guard followsArchive, let last else { return }
    cursor.advance(to: last)
    cursor.keep()
  }

  /// A session that remains online may do so for weeks.
  private func releaseLater() {
    releasing = core.clock.schedule(after: SessionLimits.logPatience) { [weak self] in
      if let self, stage == .open, hasPostponed { release() }
    }
  }

  /// - Returns: the last id of the archive among them, if there is one.
  /// - Throws: when the store does; those that have their place have been told.
  private func placePostponed() throws -> String? {
    guard hasPostponed, let store else { return nil }
    var (before, last): (LogPlace?, String?)
    while true {
      let batch = try store.postponed(heldFrom: heldFrom, limit: SessionLimits.messagesPlacedAtOnce)
      guard let first = batch.first?.postponed, first != before else { return last }
      before = first
      last = try place(batch) ?? last
    }
  }

  private func place(_ batch: [ArrivedMessage]) throws -> String? {
    let isVouchedFor = history?.vouchesForIDs ?? false
    let batch = batch.map { message in
      var message = message
      // What rooms call their messages was looked at when it came.
      if !isVouchedFor, message.event.kind != .groupchat { message.archiveID = nil }
      return message
    }
    let records = try store?.record(batch, archiveCursor: nil) ?? []
    for (message, record) in zip(batch, records) {
      if let place = placeToTell(record) { tell(message.event, place) }
    }
    return batch.last { $0.ownArchiveID != nil }?.ownArchiveID
  }

  /// The log cannot take what waits for its place: it waits in memory, as much of it as there is room for. The rest is told out of its
  /// place, else it never would be.
  func hold(_ messages: [ArrivedMessage]) {
    let room = max(0, SessionLimits.postponedRemembered - unlogged.count)
    unlogged += messages.prefix(room)
    missed(Array(messages.dropFirst(room)))
    for message in messages.dropFirst(room) { core.events.post(message.event) }
  }

  private func tellUnlogged() {
    let waiting = unlogged
    unlogged = []
    missed(waiting)
    for message in waiting { core.events.post(message.event) }
  }

  /// The session ends before it is known what came before those that wait: the next run tells them in their place. What is not in
  /// the log is told now, else it never would be.
  func leaveHeld() {
    stage = .open
    tellUnlogged()
  }
}
