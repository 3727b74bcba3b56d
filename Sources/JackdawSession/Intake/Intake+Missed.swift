// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Messages that could not be logged, as the log is locked for too long or the disk is full: they are posted all the same, and the archive
/// still has them.
extension Intake {
  /// These are posted without a place in the log. The archive's cursor stays before them until the archive has been read once more.
  func missed(_ messages: [ArrivedMessage]) {
    missedInRooms(messages)
    // Without verified archive ids the cursor moves only when the archive is read.
    guard history?.vouchesForIDs ?? false else { return }
    for message in messages where message.event.kind != .groupchat {
      coverage = .gap
      noteTold(message)
    }
    if coverage == .gap { tryLogSoon() }
  }

  /// Tries the log by a timer: for long no message may come that would show that it can be written again.
  private func tryLogSoon() {
    logTrial = core.clock.schedule(after: SessionLimits.logPause) { [weak self] in
      guard let self, coverage == .gap else { return }
      tryLog()
      // Until the archive is read.
      tryLogSoon()
    }
  }

  private func tryLog() {
    // Without a stream there is nothing to read.
    guard core.wire.isReady, let id = cursor.id else { return }
    do {
      try store?.keepArchiveCursor(id, overlap: cursor.overlap)
    } catch {
      // The store has reported its error.
      return
    }
    if case .givenUp = log { log = .free }
    onLogTakes?()
  }

  /// Rooms have archives of their own.
  private func missedInRooms(_ messages: [ArrivedMessage]) {
    var rooms: Set<JID> = []
    for message in messages where message.event.kind == .groupchat && message.archiveID != nil {
      noteTold(message)
      rooms.insert(message.conversation)
    }
    for room in rooms { onMissedInRoom?(room) }
  }

  private func noteTold(_ message: ArrivedMessage) {
    guard let id = message.archiveID else { return }
    if toldUnlogged.count >= SessionLimits.toldOfOthers { toldUnlogged = [:] }
    toldUnlogged[id] = UnloggedMessage(message.event)
  }

  /// A message of the archive, ours or a room's, has got its place in the log.
  /// - Returns: whether it was posted before, when it could not be logged. Whoever presented it then has done so.
  func wasTold(_ message: ArrivedMessage, at place: LogPlace) -> Bool {
    guard let id = message.archiveID, let told = toldUnlogged.removeValue(forKey: id) else { return false }
    for entry in consumers { entry.consumer?.wasLogged(told, at: place) }
    return true
  }
}

/// By what a message is recognised that was posted and is not in the log yet.
struct UnloggedMessage: Hashable {
  private let id: String?
  private let from: JID
  /// In place of the text, which may be long.
  private let textHash: Int

  init(_ message: MessageArrived) {
    id = message.id
    from = message.from
    textHash = message.body.hashValue
  }
}
