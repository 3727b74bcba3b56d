// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// The one way in of messages, whether they come on the stream, as carbons, or from the archive: each is in the log before anything
/// is acknowledged to the server, and delivered once, in its place.
///
/// What came while there was no stream is read by ``CatchUp``.
@Client package final class Intake {
  /// What becomes of a message once it is in the log.
  enum Stage {
    /// It is delivered.
    case open
    /// It waits for what came before it, which is still to be read from the archive. What comes to a single command waits for the
    /// next program that presents messages.
    case holding
  }

  let core: CoreContext
  let store: (any MessageStore)?
  let cursor: ArchiveCursor
  let routes: RouteTable
  /// The account's archive, offered by the feature that reads it.
  package weak var history: (any MessageHistory)?

  var stage: Stage
  /// The stage of each new stream.
  var stageAtLogin: Stage
  /// What came in this turn and is not in the log yet, in order.
  private var arrivals: [Arrival] = []
  /// The log was locked when they were to be kept.
  private var patience: LogPatience?
  /// The first message that came on the present stream.
  private var streamStart: LogPlace?
  /// The archive has been read to its end on this stream: what comes is its next message.
  var isUpToDate = false
  /// Some wait in the log, of this run or the one before. A stream that is cut does not change it.
  var hasPostponed = false
  /// The last of those that came in this run, for a log that has to be begun anew.
  var postponed: [ArrivedMessage] = []
  /// Places of messages that another program logged and this one told: they may come again, from the archive.
  private var toldOfOthers: Set<LogPlace> = []
  /// Those that the log could not take.
  var unlogged: [ArrivedMessage] = []

  init(_ core: CoreContext, store: (any MessageStore)?, cursor: ArchiveCursor, routes: RouteTable) {
    self.core = core
    self.store = store
    self.cursor = cursor
    self.routes = routes
    stage = core.role.isOneShot ? .holding : .open
    stageAtLogin = stage
    routes.onMessage(.record) { [unowned self] in record(&$0) }
    routes.onMessage(.deliver) { [unowned self] in deliver($0) }
  }

  func phaseChanged(to phase: SessionPhase) {
    logArrivals()
    switch phase {
    case .fresh:
      isUpToDate = false
      streamStart = nil
      stage = stageAtLogin
    case .resumed, .interrupted, .suspended: break
    case .ended: leaveHeld()
    }
  }

  /// The store is empty again: what must not be lost is put into it.
  func keepAgain() {
    streamStart = nil
    if !postponed.isEmpty { try? store?.postpone(postponed) }
  }

  /// Into the log before anything is acknowledged to the server; all that one turn brings goes in together.
  func record(_ inbound: inout InboundMessage) -> StageVerdict {
    guard store != nil, inbound.message.body != nil, let message = arrived(inbound) else {
      // What says something of messages comes after them.
      logArrivals()
      return .pass
    }
    arrivals.append(Arrival(message: message, inbound: inbound))
    if arrivals.count == 1 { core.clock.nextTurn { [weak self] in self?.logArrivals() } }
    return .drop
  }

  /// Keeps what came, and tells it.
  /// - Returns: whether all that came is safe, or can never be: a log that another program has locked is waited for.
  @discardableResult func logArrivals() -> Bool {
    guard !arrivals.isEmpty else { return true }
    let news = arrivals
    do {
      let delivered = try keep(news)
      patience = nil
      arrivals.removeFirst(news.count)
      for inbound in delivered { routes.deliver(inbound) }
      return true
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return false
    } catch {
      // What is wrong with the store has been told by it: chat goes on.
      patience = nil
      arrivals.removeFirst(news.count)
      if stage == .holding {
        unlogged += news.map(\.message)
      } else {
        for arrival in news { routes.deliver(arrival.inbound) }
      }
      return true
    }
  }

  /// - Returns: those that are to be told.
  private func keep(_ news: [Arrival]) throws -> [InboundMessage] {
    guard let store else { return news.map(\.inbound) }
    if stage == .holding {
      let messages = news.map { arrival in
        var message = arrival.message
        // Whether what it is called may be believed is not known before the end of the log-in.
        message.archiveID = message.archiveID ?? history?.claimedID(of: arrival.inbound.message)
        return message
      }
      try store.postpone(messages)
      hasPostponed = true
      postponed += messages.prefix(max(0, SessionLimits.postponedRemembered - postponed.count))
      return []
    }
    let last = isUpToDate ? news.last { $0.message.archiveID != nil }?.message.archiveID : nil
    let records = try store.record(
      news.map { arrival in
        var message = arrival.message
        message.streamStart = streamStart
        message.beginsStream = streamStart == nil
        return message
      }, archiveCursor: last)
    if let last { cursor.advance(to: last) }
    var delivered: [InboundMessage] = []
    delivered.reserveCapacity(news.count)
    for (arrival, record) in zip(news, records) {
      if case .new(let place) = record, streamStart == nil { streamStart = place }
      guard let place = placeToTell(record) else {
        core.remark("dropped a message that had come before")
        continue
      }
      var inbound = arrival.inbound
      inbound.place = place
      delivered.append(inbound)
    }
    return delivered
  }

  /// Where a message stands that is to be told; nil: this program, or the one before it, has told it.
  func placeToTell(_ record: MessageRecord) -> LogPlace? {
    switch record {
    case .new(let place): return place
    case .known: return nil
    case .knownElsewhere(let place):
      if toldOfOthers.count >= SessionLimits.toldOfOthers { toldOfOthers = [] }
      return toldOfOthers.insert(place).inserted ? place : nil
    }
  }

  /// - Returns: false when it has been locked for too long.
  private func waitsForLog() -> Bool {
    let now = core.clock.now
    let end = patience?.end ?? now + SessionLimits.logPatience
    guard now < end, core.wire.connection != nil else { return false }
    let timer = core.clock.schedule(after: SessionLimits.logPause) { [weak self] in
      guard let self, logArrivals() else { return }
      core.wire.acknowledge()
    }
    patience = LogPatience(end: end, timer: timer)
    return true
  }
}

/// A message on its way into the log.
struct Arrival {
  let message: ArrivedMessage
  var inbound: InboundMessage
}

/// The log is locked by another program, and tried again until `end`.
struct LogPatience {
  let end: MonotonicTime
  let timer: LoopTimer
}
