// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Where stanzas go out: the connection of the moment, or an error when there is none. It counts them (XEP-0198) across the
/// connections of one stream.
@Client final class StanzaWire: StanzaSending {
  weak var connection: StreamConnection?
  /// Hears of the stanzas that the server says it has, in order, of all at once.
  var onAcknowledged: (@Client ([Element]) -> Void)?
  /// What is sent of a stanza in place of it when it is sent again, as a server may have it twice then.
  var onResend: (@Client (Element) -> Element)?
  /// Called when the server has acknowledged something, and when more is to be lost on a stream with stream management: what is
  /// kept of it may be too old.
  var onSignOfLife: (@Client () -> Void)?
  /// Called before the server is told how much has been handled; false: not all of that is safe yet, and ``acknowledge()`` is called
  /// when it is, once for all that was asked meanwhile.
  var onProgress: (@Client () -> Bool)?
  /// Whether all that came is where it is not lost with the program.
  var isAllSafe: (@Client () -> Bool)?
  /// Called when the server counts from now on: it is known how to come back, if it is possible.
  var onStreamManagementEnabled: (@Client () -> Void)?
  /// Called when there is more room than before.
  var onRoom: (@Client () -> Void)?
  /// Called with the id of each request that has gone out on a stream on which nobody counts.
  var onUncountedRequest: (@Client (String) -> Void)?

  private let clock: any LoopClock
  private let remark: @Client (String) -> Void
  private var management = StreamManagement()
  /// Whoever waits for an acknowledgement, by what the count must have reached; lowest first.
  /// Bounded by our own callers.
  private var waiting: [(count: UInt32, list: WaitingList<Void>)] = []
  private var willAsk = false
  /// The server has asked for an acknowledgement, which it gets when all that came is safe.
  private var owesAnswer = false
  /// Messages were sent that nothing has been asked about.
  private var hasNewMessages = false
  /// Of the messages since a question was sent among others.
  private var bytesUnasked = 0

  init(clock: any LoopClock, remark: @escaping @Client (String) -> Void) {
    self.clock = clock
    self.remark = remark
  }

  func send(_ element: Element) throws {
    guard let connection else { throw ConnectionError(.lost, "There is no connection.") }
    guard management.isCounting, element.isStanza else {
      try connection.send(element)
      if let id = element.requestID { onUncountedRequest?(id) }
      return
    }
    guard management.unacknowledgedCount < SessionLimits.unacknowledged else {
      askSoon()
      throw ConnectionError(.stalled, "The server does not acknowledge anything that is sent to it.")
    }
    let bytes = try connection.send(element)
    management.sent(element)
    // People want to know of their messages at once.
    if element.name == "message" {
      hasNewMessages = true
      bytesUnasked += bytes
      if management.unasked >= SessionLimits.stanzasPerQuestion || bytesUnasked >= SessionLimits.bytesPerQuestion {
        askAmong()
      }
    }
    if isWorthAsking { askSoon() }
  }

  /// Sends a message that others count on to stand here: whether or not there is room, and where the connection has just gone when the
  /// stream goes on.
  /// - Throws: `XMLWriteError`.
  func sendBound(_ element: Element) throws {
    do {
      try connection?.send(element, isLimited: false)
    } catch is ConnectionError {
      // It counts all the same, and so is sent again.
    }
    management.sent(element)
    hasNewMessages = true
    askSoon()
  }

  func answer(_ element: Element, isForStranger: Bool) throws {
    let counted = isForStranger ? SessionLimits.unacknowledgedStrangerAnswers : SessionLimits.unacknowledgedAnswers
    let bytes = isForStranger ? SessionLimits.pendingStrangerAnswers : SessionLimits.pendingAnswers
    guard management.unacknowledgedCount < counted, connection?.pendingOutput ?? 0 < bytes else {
      if management.isCounting { askSoon() }
      throw ConnectionError(.stalled, "Too many answers wait for the server.")
    }
    try send(element)
  }

  func takeParts(_ parts: StanzaParts?) { connection?.takeParts(parts) }

  /// Stanzas can be sent. A connection that ends tells so a turn later than it takes nothing any more.
  var isReady: Bool { connection?.isReady ?? false }

  // MARK: Counting

  /// What we send counts.
  var isCounting: Bool { management.isCounting }

  /// How many stanzas came since the server last heard how many did.
  var unacknowledgedInbound: Int { management.unacknowledgedInbound }

  /// How many of ours have counted, modulo 2³²; nil where nobody counts.
  var sentCount: UInt32? { management.isCounting ? management.sentCount : nil }

  /// How many more may be sent now. Once the server has been asked to count, the rest waits until it says that it does: nothing can be asked
  /// about before.
  var countLeft: Int {
    guard management.isCounting, !management.isOn else { return .max }
    return max(0, SessionLimits.sentUncounted - management.unacknowledgedCount)
  }

  /// Bytes that wait for the kernel to take them.
  var pendingOutput: Int { connection?.pendingOutput ?? 0 }

  /// Acknowledgements can be asked for.
  var isStreamManagementEnabled: Bool { management.isOn }

  /// Enables stream management: everything that is sent from now on is counted.
  /// - Parameter resumable: the server keeps it for a while when the connection is gone, so that it can be resumed.
  func enable(resumable: Bool) {
    if isStreamManagementEnabled { onSignOfLife?() }
    guard let connection, !management.isCounting else { return }
    do {
      try connection.send(management.enable(resumable: resumable))
    } catch {
      management = StreamManagement()
    }
  }

  /// Stream management is enabled since the stream began: the server said so as it bound the resource (XEP-0386).
  /// - Throws: ``StreamManagementError``.
  func isEnabled(by element: Element) throws(StreamManagementError) {
    // What would be sent for it was asked for with the log-in.
    _ = management.enable()
    _ = try received(element)
  }

  /// A stanza of the server's has been handled.
  /// - Parameter isAllSafe: what came is safe with it, as ``isAllSafe`` would say.
  func handled(isAllSafe: Bool) {
    management.handled()
    if isAllSafe { management.allIsSafe() }
  }

  /// What came may all be safe now.
  func noteSafe() {
    if isAllSafe?() ?? true { management.allIsSafe() }
  }

  /// An element of XEP-0198 came.
  /// - Returns: whether the server has more of ours than it had.
  /// - Throws: ``StreamManagementError``: the stream cannot be counted any more.
  func received(_ element: Element) throws(StreamManagementError) -> Bool {
    switch try management.received(element) {
    case .enabled:
      onStreamManagementEnabled?()
      if hasNewMessages { askSoon() }
      onRoom?()
    case .refused(let error):
      remark("The server does not count stanzas this time: \(error)")
      onRoom?()
    case .asked:
      owesAnswer = true
      acknowledge()
    case .acknowledged(let stanzas):
      settle(stanzas)
      onSignOfLife?()
      return !stanzas.isEmpty
    case .unknown: remark("Ignored <\(element.name)/>, which has no place here.")
    }
    return false
  }

  /// Tells the server what has been handled, if it has asked and all of that is safe. One that asks and asks and reads nothing is
  /// told when there is room.
  func acknowledge() {
    guard owesAnswer, isReady, connection?.hasRoom ?? false, onProgress?() ?? true else { return }
    owesAnswer = false
    // It says nothing of what we send, and the server may hang up that waits for it (ejabberd after a minute): messages of ours that a
    // slow line has still to carry may take longer.
    if let answer = management.acknowledgement() { write(answer, goesAhead: true) }
  }

  /// The last word on a stream that we end.
  func sayFarewell() {
    owesAnswer = false
    if let farewell = management.acknowledgement() { write(farewell) }
  }

  private var isWorthAsking: Bool {
    hasNewMessages || management.unasked >= SessionLimits.stanzasPerQuestion
      || (management.unasked > 0 && !waiting.isEmpty)
  }

  /// Once a turn, for all that is sent in it, and never while a question is open.
  private func askSoon() {
    guard !willAsk else { return }
    willAsk = true
    clock.nextTurn { [weak self] in
      self?.willAsk = false
      self?.ask()
    }
  }

  private func ask() {
    guard isReady, let question = management.ask() else { return }
    hasNewMessages = false
    bytesUnasked = 0
    write(question)
  }

  /// Of many messages at once, or long ones, a slow server says with each hundred, and with each 64 kB, that it goes on.
  /// - Parameter left: how many are to be sent again behind it.
  private func askAmong(before left: Int = 0) {
    guard isReady, let question = management.askAmong(before: left) else { return }
    hasNewMessages = false
    bytesUnasked = 0
    write(question)
  }

  /// What both sides count by is not held back where there is no room: a question that is not on its way would be waited for.
  private func write(_ element: Element, goesAhead: Bool = false) {
    do {
      try connection?.send(element, isLimited: false, goesAhead: goesAhead)
    } catch {
      remark("Could not send <\(element.name)/>: \(error)")
    }
  }

  private func settle(_ stanzas: [Element]) {
    onAcknowledged?(stanzas)
    let reached = waiting.prefix { management.hasAcknowledged($0.count) }
    waiting.removeFirst(reached.count)
    for waiter in reached { waiter.list.end(.success(())) }
    if isWorthAsking { askSoon() }
    onRoom?()
  }

  /// Waits until the server says that it has everything so far. Where nothing is open, that is a question all the same: it
  /// proves the link.
  func acknowledged(within limit: Duration) async throws(RequestError) {
    ask()
    let list = WaitingList<Void>()
    waiting.append((management.sentCount, list))
    defer { waiting.removeAll { $0.list === list } }
    do {
      try await list.wait(for: limit, on: clock) {
        RequestError(.timedOut, "The server did not acknowledge in time what was sent to it.")
      }
    } catch let error as RequestError {
      throw error
    } catch {
      throw RequestError(.cancelled, "Nobody waits for the acknowledgement any more.", cause: error)
    }
  }

  // MARK: Cuts

  /// Goes on with the stream of an earlier run of the program, if the server does.
  func adopt(_ earlier: StreamResumption) { management = StreamManagement(earlier: earlier) }

  /// Where the last stanza that was sent stands on the stream; nil when it cannot be resumed.
  func place(of jid: JID) -> StreamPlace? {
    management.resumption(of: jid).map { StreamPlace(stream: $0.id, position: management.sentCount) }
  }

  /// What is sent to go on with the stream that was cut.
  func resumption(of jid: JID) -> StreamResumption? { management.resumption(of: jid) }

  /// The same, as if nothing had come that is not safe.
  func safeResumption(of jid: JID) -> StreamResumption? { management.safeResumption(of: jid) }

  /// The stream goes on by that.
  func forgetUnsafe() { management.forgetUnsafe() }

  /// The place that the server named is of no use.
  func forgetLocation() { management.forgetLocation() }

  /// The connection is gone.
  func cut() {
    connection = nil
    owesAnswer = false
    management.connectionLost()
  }

  /// The stream goes on, on ``connection``: what the server does not have is sent again.
  /// - Throws: ``StreamManagementError``, also where something could not be sent: the stream cannot go on without it.
  func resume(handled: UInt32?) throws(StreamManagementError) {
    // Asked first of all: what is sent again may take long, and whether the server hears us is to be known soon.
    let question = management.ask()
    let (acknowledged, again) = try management.resume(handled: handled)
    settle(acknowledged)
    if let question { write(question) }
    hasNewMessages = false
    for (index, stanza) in again.enumerated() {
      bytesUnasked += try sendAgain(onResend?(stanza) ?? stanza)
      if stanza.name == "message" { hasNewMessages = true }
      let number = index + 1
      if number.isMultiple(of: SessionLimits.stanzasPerQuestion) || bytesUnasked >= SessionLimits.bytesPerQuestion {
        askAmong(before: again.count - number)
      }
    }
  }

  /// It counts already, so it goes out whether or not there is room: without it both sides would mean different stanzas by their
  /// numbers.
  /// - Returns: how many bytes it has.
  private func sendAgain(_ stanza: Element) throws(StreamManagementError) -> Int {
    guard let connection else { throw .notSentAgain }
    do {
      return try connection.send(stanza, isLimited: false)
    } catch {
      remark("Could not send <\(stanza.name)/> again: \(error)")
      throw .notSentAgain
    }
  }

  /// The stream will not be resumed. Stanzas that the server has are reported as acknowledged; waits for the others fail with `reason`.
  /// - Parameter handled: the server's `h`, where it sent one.
  /// - Returns: whether that is a possible count, so that the server has none of the others.
  func end(handled: UInt32?, reason: any Error) -> Bool {
    let (acknowledged, _, isCertain) = management.end(handled: handled)
    onAcknowledged?(acknowledged)
    let waiters = waiting
    waiting = []
    for waiter in waiters {
      waiter.list.end(.failure(RequestError(.connectionGone, "The connection was lost: \(reason)", cause: reason)))
    }
    return isCertain
  }
}
