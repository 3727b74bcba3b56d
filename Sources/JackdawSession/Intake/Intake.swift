// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// The one way in of messages, whether they come on the stream, as carbons, or from the archive: each is in the log before anything
/// is acknowledged to the server, and delivered once, in its place.
///
/// What came while there was no stream is read by ``CatchUp``.
@Client package final class Intake {
  /// What becomes of a message once it is in the log.
  enum Stage {
    /// It is delivered.
    case open
    /// It is deferred until the archive has been read, which has what came before it. What comes to a single command waits for the
    /// next program that presents messages.
    case holding
    /// What came before is in the log, and what waited follows it as soon as no other program has the log locked.
    case releasing
  }

  let core: CoreContext
  let store: (any MessageStore)?
  let cursor: ArchiveCursor
  let routes: RouteTable
  /// The account's archive, offered by the feature that reads it.
  package weak var history: (any MessageHistory)?
  /// Called each time that the archive has been read to its end, in a session that remains online: what it had stands in the log.
  package var onCaughtUp: (@Client () -> Void)?

  var stage: Stage
  /// The stage of each new stream.
  var stageAtLogin: Stage
  /// What came and is not in the log yet, in order: as it is to be kept, and on its way through the stages.
  var arrivals: [ArrivedMessage] = []
  /// Bounded by ``arrivals``.
  var inbounds: [InboundMessage] = []
  /// Those that the server is asked to send again, as long as it has not said whether it does.
  var withheld: (arrivals: [ArrivedMessage], inbounds: [InboundMessage]) = ([], [])
  /// How many there were at the end of the last turn, and how many turns have ended with some.
  private var arrivalsBefore = 0
  private var arrivalTurns = 0
  /// Nothing is acknowledged or posted before it is in the log.
  var log = LogAccess.free
  /// The first message that came on the present stream.
  private var streamStart: LogPlace?
  var coverage = ArchiveCoverage.unread
  /// The server sends here what our other devices send and get, too (XEP-0280). Only then what comes is the archive's next message.
  package var hasCopies = false
  /// Counts the streams: one that is resumed is one.
  private(set) var streamNumber = 0
  /// The log-in went on without an answer, that to ``hasCopies`` perhaps: what our other devices sent meanwhile has not come.
  var lacksAnswers = false
  /// Called when the log takes something again after that.
  var onLogTakes: (@Client () -> Void)?
  /// Called with messages that have got their places in the log, before they are posted, if they are.
  var onLogged: (@Client (_ messages: [ArrivedMessage], _ areNews: Bool) -> Void)?
  /// Called for a room of which something was told that the log could not take.
  package var onMissedInRoom: (@Client (JID) -> Void)?
  /// Tries whether it does, while something is missing.
  var logTrial: LoopTimer?
  /// Messages that were posted so, by the ids of the account's archive and of rooms'. Bounded by ``SessionLimits/toldOfOthers``.
  var toldUnlogged: [String: UnloggedMessage] = [:]
  /// The log has deferred messages, of this run or an earlier one. A connection that is lost does not change that.
  var hasPostponed = false
  /// The first of those that came on the present stream.
  var heldFrom: LogPlace?
  /// Tries once more to give them their place.
  var releasing: LoopTimer?
  /// The last of those that came in this run, for a log that has to be begun anew.
  var postponed: [ArrivedMessage] = []
  /// Places of messages that another program logged and this one posted: they may come again, from the archive.
  private var toldOfOthers: Set<LogPlace> = []
  private(set) var firstKept = FirstKeptMessage.notWanted
  /// Bounded by those that are there.
  var consumers: [WeakConsumer] = []
  /// Deferred messages that the log could not take.
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

  /// Whether nothing was ever known here of the account's archive.
  var isNewHere: Bool { store != nil && (try? cursor.read()) != nil && cursor.id == nil }

  /// Nothing is posted before what came before it.
  private var isHolding: Bool { stage != .open }

  /// Messages are in the log that have no place yet, or are put there now.
  var hasDeferred: Bool { isHolding || hasPostponed }

  /// The log has all that the archive has.
  var isUpToDate: Bool { coverage == .complete }

  /// What comes is the archive's next message.
  var followsArchive: Bool { isUpToDate && hasCopies && !lacksAnswers }

  func phaseChanged(to phase: SessionPhase) {
    if phase == .ended { log = .givenUp }
    logArrivals()
    switch phase {
    case .fresh:
      streamNumber += 1
      (coverage, lacksAnswers) = (.unread, false)
      firstKept.streamBegins(isFirst: !core.role.isOneShot && isNewHere)
      (streamStart, heldFrom) = (nil, nil)
      store?.streamBegins()
      stage = stageAtLogin
    case .resumed, .interrupted, .suspended: break
    case .ended:
      leaveHeld()
      (logTrial, releasing) = (nil, nil)
    }
  }

  /// The store is empty again: what must not be lost is put into it.
  func keepAgain() {
    streamStart = nil
    if !postponed.isEmpty { heldFrom = try? store?.postpone(postponed) }
  }

  /// Into the log before anything is acknowledged to the server; all that comes without a pause goes in together.
  func record(_ inbound: inout InboundMessage) -> StageVerdict {
    guard store != nil, inbound.message.body != nil,
      let message = arrived(inbound, streamStart: streamStart, beginsStream: streamStart == nil)
    else {
      // What says something of messages comes after them.
      logArrivals()
      return .pass
    }
    inbound.logged = message.event
    arrivals.append(consume message)
    if arrivals.count == 1 {
      (arrivalsBefore, arrivalTurns) = (0, 0)
      core.clock.nextTurn { [weak self] in self?.turnEnded() }
    }
    // ``logArrivals()`` delivers it.
    return .taken(by: keepOnItsWay)
  }

  private func keepOnItsWay(_ inbound: consuming InboundMessage) { inbounds.append(inbound) }

  /// Whether something came that is not in the log.
  var hasArrivals: Bool { !arrivals.isEmpty }

  /// A turn that brought nothing more, or many turns, and what came is kept: a transaction costs as much as some dozen messages.
  private func turnEnded() {
    // The first one of a stream is logged at once: those behind it are compared with what was there before it.
    let mayWait = streamStart != nil || isHolding
    let enough =
      core.role.isInteractive ? SessionLimits.messagesLoggedBetweenKeys : SessionLimits.messagesLoggedAtOnce
    let mayGrow = arrivals.count < enough && arrivalTurns < SessionLimits.turnsLoggedAtOnce
    guard mayWait, mayGrow, arrivals.count > arrivalsBefore else {
      logArrivals()
      return
    }
    arrivalsBefore = arrivals.count
    arrivalTurns += 1
    core.clock.nextTurn { [weak self] in self?.turnEnded() }
  }

  /// Logs what came, acknowledges it where the server has asked, and posts it.
  /// - Returns: whether all that came is safe, or can never be: a log that another program has locked is waited for.
  @discardableResult package func logArrivals() -> Bool {
    guard !arrivals.isEmpty else { return true }
    guard !log.isLocked else { return false }
    var records: [MessageRecord]?
    do {
      records = try keep()
      log = .free
    } catch let error as any StoreFailure where error.isBusy && waitsForLog() {
      return false
    } catch {
      // The store has reported its error: chat goes on.
      if isHolding { hold(arrivals) } else { missed(arrivals) }
    }
    // A flood would allocate the room of both lists anew for each transaction. What came while the log was locked may be far more.
    let keepsRoom = arrivals.count <= 2 * SessionLimits.messagesLoggedAtOnce
    var news: [InboundMessage] = []
    swap(&news, &inbounds)
    arrivals.removeAll(keepingCapacity: keepsRoom)
    core.wire.noteSafe()
    core.wire.acknowledge()
    if stage == .open { deliver(&news, records) }
    news.removeAll(keepingCapacity: keepsRoom)
    if inbounds.isEmpty { swap(&news, &inbounds) }
    return true
  }

  /// - Returns: what became of each; none where they wait for their place.
  private func keep() throws -> [MessageRecord]? {
    guard let store else { return nil }
    if isHolding {
      // Whether what it is called may be believed is not known before the end of the log-in.
      for index in arrivals.indices where arrivals[index].archiveID == nil && arrivals[index].event.kind != .groupchat {
        arrivals[index].archiveID = history?.claimedID(of: inbounds[index].message)
      }
      // What was kept for us comes before all else.
      if case .awaited = firstKept, !hasPostponed, let first = arrivals.first, first.event.delayed != nil {
        firstKept = .came(id: first.ownArchiveID)
      }
      let first = try store.postpone(arrivals)
      heldFrom = heldFrom ?? first
      hasPostponed = true
      postponed += arrivals.prefix(max(0, SessionLimits.postponedRemembered - postponed.count))
      return nil
    }
    let last = followsArchive ? arrivals.last { $0.ownArchiveID != nil }?.ownArchiveID : nil
    let records = try store.record(arrivals, archiveCursor: last)
    onLogged?(arrivals, true)
    if let last { cursor.advance(to: last) }
    if coverage == .gap { onLogTakes?() }
    return records
  }

  /// Posts new messages.
  /// - Parameter records: what the log said of each; nil: it could take none.
  private func deliver(_ news: inout [InboundMessage], _ records: [MessageRecord]?) {
    for index in news.indices {
      if let record = records?[index] {
        if case .new(let place) = record, streamStart == nil { streamStart = place }
        guard let place = placeToTell(record) else {
          core.remark("Dropped a message that had come before.")
          continue
        }
        news[index].place = place
      }
      routes.deliver(&news[index])
    }
  }

  /// The place of a message that is to be posted; nil: this program, or the one before it, has posted it.
  func placeToTell(_ record: MessageRecord) -> LogPlace? {
    switch record {
    case .new(let place): return place
    case .known: return nil
    case .knownElsewhere(let place):
      if toldOfOthers.count >= SessionLimits.toldOfOthers { toldOfOthers = [] }
      return toldOfOthers.insert(place).inserted ? place : nil
    }
  }

  /// Another program has the log locked: what came waits.
  /// - Returns: false when that has been so for too long.
  func waitsForLog() -> Bool {
    log.isLocked(core) { [weak self] in
      guard let self else { return }
      log.isTriedAgain()
      if stage == .releasing { release() } else { logArrivals() }
    }
  }
}
