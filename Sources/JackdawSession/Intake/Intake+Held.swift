// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Deferred messages, which wait until the archive has been read.
extension Intake {
  /// The log-in is done: where the server is known to have no archive, nothing has to be deferred.
  func releaseWithoutArchive() {
    if stage == .holding, !(history?.mayBeOffered ?? false) { release() }
  }

  /// The archive has been read: deferred messages get their place and are posted, unless the archive had them too. Where another program
  /// has the log locked, what comes meanwhile waits with them.
  func release() {
    guard logArrivals() else { return stage = .releasing }
    var last: String?
    do {
      last = try placePostponed()
      log = .free
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return stage = .releasing
    } catch {
      // What cannot be moved now is moved later, or by the next run. The store has reported its error.
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
  /// - Throws: when the store does; those that have their place have been posted.
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

  /// On a machine where a command has fetched the archive before anything was presented, the server still keeps for us what stands before the
  /// cursor: that is presented before what the archive has behind it. It has come by now, as our presence was sent before the
  /// archive was asked.
  /// - Parameter time: as for ``MessageStore/postponedFromBefore(_:limit:)``.
  func placeStored(before time: Timestamp?) async {
    guard stage == .holding, hasPostponed, let store, history?.vouchesForIDs ?? false, logArrivals() else { return }
    do {
      try await core.patiently {
        var before: LogPlace?
        while true {
          let batch = try store.postponedFromBefore(time, limit: SessionLimits.messagesPlacedAtOnce)
          guard let first = batch.first?.postponed, first != before else { return }
          before = first
          _ = try place(batch)
          let placed = Set(batch.compactMap(\.archiveID))
          postponed.removeAll { $0.archiveID.map { placed.contains($0) } ?? false }
        }
      }
    } catch {
      // They are placed with the others, behind what the archive has.
    }
  }

  private func place(_ batch: [ArrivedMessage]) throws -> String? {
    let isVouchedFor = history?.vouchesForIDs ?? false
    let batch = batch.map { message in
      var message = message
      // The stanza-ids of rooms were verified when the messages came.
      if !isVouchedFor, message.event.kind != .groupchat { message.archiveID = nil }
      return message
    }
    let records = try store?.record(batch, archiveCursor: nil) ?? []
    onLogged?(batch, true)
    for (message, record) in zip(batch, records) {
      if let place = placeToTell(record) { tell(message.event, place) }
    }
    return batch.last { $0.ownArchiveID != nil }?.ownArchiveID
  }

  /// The log cannot store deferred messages: they wait in memory, up to a limit. The rest is posted out of order, else it never would be.
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

  /// The session ends before the archive has been read: the next run posts the deferred messages in their place. Those that are not in
  /// the log are posted now, else they never would be.
  func leaveHeld() {
    stage = .open
    tellUnlogged()
  }
}
