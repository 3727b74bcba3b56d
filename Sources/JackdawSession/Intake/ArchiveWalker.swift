// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Reads our server's archive backwards, into the log before its beginning: everything, the newest first, and ahead of the rest the
/// conversation that is in view. Each page is noted with the place behind it, so an interrupted walk goes on.
///
/// It never reads behind the archive's cursor: what comes there is news, which ``CatchUp`` and the stream bring.
@Client package final class ArchiveWalker {
  private let core: CoreContext
  private let store: (any EarlierMessages)?
  private let cursor: ArchiveCursor
  private let intake: Intake
  /// As the log takes it; nil: it is no message of a conversation.
  private let arrived: @Client (ArchivedMessage) async -> ArrivedMessage?

  private var background: Task<Void, Never>?
  /// In view, and not read yet.
  private var wanted: (conversation: JID, whenRead: @Client () -> Void)?
  /// Where pages of this stream began. Bounded by the pages of a walk.
  private var visited: Set<Place> = []

  private struct Place: Hashable {
    var conversation: JID?
    var archiveID: String
  }

  init(
    _ core: CoreContext, store: (any EarlierMessages)?, cursor: ArchiveCursor, intake: Intake,
    arrived: @escaping @Client (ArchivedMessage) async -> ArrivedMessage?
  ) {
    self.core = core
    self.store = store
    self.cursor = cursor
    self.intake = intake
    self.arrived = arrived
  }

  isolated deinit { background?.cancel() }

  func phaseChanged(to phase: SessionPhase) {
    switch phase {
    case .fresh: visited = []
    case .resumed: break
    case .interrupted, .suspended, .ended: rest()
    }
  }

  // MARK: In the background

  /// Goes on with the walk through everything, where there is something left. What came meanwhile has been read.
  /// - Parameter extent: as far back as that.
  func begin(_ extent: ArchiveExtent) {
    guard background == nil, store != nil, extent != .nothing else { return }
    background = EventLoop.main.start { [weak self] in
      await self?.walk(extent)
      if !Task.isCancelled { self?.background = nil }
    }
  }

  private func rest() {
    background?.cancel()
    background = nil
  }

  /// Somebody looks at a conversation: of what a walk in the background reads, now or after the next log-in, its last messages come
  /// first.
  /// - Parameter whenRead: called when they are in the log, unless another conversation was looked at by then.
  package func prefer(_ conversation: JID, whenRead: @escaping @Client () -> Void) {
    wanted = (conversation, whenRead)
  }

  /// What goes wrong is a remark: the next stream goes on with it.
  private func walk(_ extent: ArchiveExtent) async {
    do {
      var told = SessionLimits.archiveTold
      let result = try await readEverything(extent) { progress in
        if progress.messages >= told {
          told *= 2
          core.events.post(progress)
        }
        try await core.clock.sleep(for: SessionLimits.archiveRest)
      }
      if result.messages > 0 { core.events.post(result) }
    } catch let error as FeatureError where error.code == .notOffered {
      return
    } catch {
      guard !Task.isCancelled else { return }
      core.remark("The archive cannot be read further back now: \(error)")
    }
  }

  // MARK: On demand

  /// Reads everything that is missing.
  /// - Parameters:
  ///   - extent: as far back as that.
  ///   - progress: is told after each page, with what part it is of the time that is to be read, from 0 to 1; nil where that is not
  ///     known.
  /// - Returns: what was read.
  /// - Throws: ``FeatureError`` with `.notOffered` where there is no archive; ``RequestError``; when the log cannot be written. What was
  ///   read by then is in the log.
  package func readAll(
    _ extent: ArchiveExtent, progress: @Client (ArchiveRead, Double?) async throws -> Void
  ) async throws -> ArchiveRead {
    rest()
    var beginning: Timestamp?
    var newest: Timestamp?
    return try await readEverything(extent) { read in
      if newest == nil, let oldest = read.oldest {
        newest = oldest
        // A server that cannot say it is read all the same.
        beginning = try? await intake.history?.page(ArchiveQuery(start: extent.start(now: core.calendar()), limit: 1))
          .messages.first?.stamp
      }
      var part: Double?
      if let beginning, let newest, let oldest = read.oldest, beginning < newest {
        let whole = Double(newest.milliseconds - beginning.milliseconds)
        part = min(max(0, Double(newest.milliseconds - oldest.milliseconds) / whole), 1)
      }
      try await progress(read, part)
    }
  }

  private func readEverything(
    _ extent: ArchiveExtent, progress: @Client (ArchiveRead) async throws -> Void
  ) async throws -> ArchiveRead {
    let start = extent.start(now: core.calendar())
    var result = ArchiveRead()
    while !result.complete {
      try Task.checkCancellation()
      if let (conversation, whenRead) = wanted {
        wanted = nil
        result.messages += try await readPage(of: conversation, from: start).messages
        whenRead()
      }
      let page = try await readPage(of: nil, from: start)
      result.messages += page.messages
      result.oldest = page.oldest ?? result.oldest
      result.complete = page.complete
      if !page.complete { try await progress(result) }
    }
    return result
  }

  /// Reads earlier messages of a conversation, until some are new or there are none.
  /// - Returns: how many are new, and whether there are no more.
  /// - Throws: as ``readAll(_:progress:)``.
  package func readEarlier(of conversation: JID) async throws -> ArchiveRead {
    var result = ArchiveRead()
    while result.messages == 0, !result.complete {
      let page = try await readPage(of: conversation, from: nil)
      result.messages += page.messages
      result.oldest = page.oldest ?? result.oldest
      result.complete = page.complete
    }
    return result
  }

  /// The next page, into the log.
  private func readPage(of conversation: JID?, from start: Timestamp?) async throws -> ArchiveRead {
    guard let store else { return ArchiveRead(complete: true) }
    let walk = try store.walk(of: conversation)
    if walk.isComplete { return ArchiveRead(complete: true) }
    guard let archive = intake.history else {
      throw FeatureError(.notOffered, "The server keeps no archive for you.")
    }
    var isFirst = false
    let archiveID: String
    if let known = walk.archiveID {
      archiveID = known
    } else {
      guard let end = try await end(archive) else { return try keep([], of: conversation, walk) }
      (archiveID, isFirst) = (end, true)
    }
    // Each page leads to where none has led before: so there is an end, whatever the server does.
    let place = Place(conversation: conversation, archiveID: archiveID)
    guard !visited.contains(place) else {
      throw RequestError(.malformedReply, "The archive says that it has more, and gives none of it.")
    }
    var query = ArchiveQuery(with: conversation, start: start, before: archiveID)
    var page: ArchivePage
    do {
      page = try await archive.page(query)
    } catch let error as FeatureError where error.code == .notFound {
      // The archive no longer has this id (item-not-found): it has expired, and so has everything older.
      return try keep([], of: conversation, walk)
    }
    if isFirst {
      // The one that the walk begins before belongs to it too.
      (query.before, query.after, query.limit) = (nil, page.last, 1)
      let last = try await archive.page(query)
      if last.last == archiveID { page.messages += last.messages }
    }
    var messages: [ArrivedMessage] = []
    for archived in page.messages {
      if let message = await arrived(archived) { messages.append(message) }
    }
    guard page.first != nil || !messages.isEmpty else {
      // No more in the requested period; the archive may hold older messages.
      return start == nil ? try keep([], of: conversation, walk) : ArchiveRead(complete: true)
    }
    visited.insert(place)
    let count = try store.keep(
      messages, of: conversation, walk, before: page.first, isComplete: page.isComplete && start == nil)
    // Backwards, a report is read before its message.
    intake.onLogged?(messages, false)
    return ArchiveRead(
      messages: count, oldest: page.messages.first?.stamp, complete: page.isComplete || page.first == nil)
  }

  private func keep(
    _ messages: [ArrivedMessage], of conversation: JID?, _ walk: ArchiveWalk
  ) throws -> ArchiveRead {
    let count = try store?.keep(messages, of: conversation, walk, before: nil, isComplete: true) ?? 0
    return ArchiveRead(messages: count, complete: true)
  }

  /// The id of the last message that is no news: where nobody has looked yet, of the last that there is.
  /// - Returns: nil: there was none.
  private func end(_ archive: any MessageHistory) async throws -> String? {
    try cursor.read()
    if cursor.id == nil {
      let newest = try await archive.page(ArchiveQuery(limit: 1, takesNewest: true))
      // There never was a cursor: what the archive has by now is no news.
      if cursor.id == nil {
        cursor.advance(to: newest.last ?? ArchiveCursor.beginning)
        cursor.keep()
      }
    }
    return cursor.id == ArchiveCursor.beginning ? nil : cursor.id
  }
}
