// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
package import JackdawXML

/// Both counters of a stream and the stanzas between them (XEP-0198 1.6): what was sent and not acknowledged, and how many of
/// the server's stanzas have been handled. It outlives the connection, so that a stream that was cut can go on.
///
/// Both sides count modulo 2³² from `<enable/>` and `<enabled/>` on.
package struct StreamManagement: ~Copyable, Sendable {
  /// XEP-0198.
  package static let namespace = "urn:xmpp:sm:3"

  /// What an element of the server's meant.
  package enum Reception: Sendable, Equatable {
    /// From now on acknowledgements may be asked for.
    case enabled
    /// The server will not, this time.
    case refused(StanzaError)
    /// The server has these of ours, oldest first; possibly none that is new.
    case acknowledged([Element])
    /// The server wants to know how far we are: ``acknowledgement()`` says it.
    case asked
    /// Nothing that has a place here.
    case unknown
  }

  enum Mode: Sendable, Equatable {
    case off
    /// `<enable/>` is out. Stanzas count already.
    case enabling
    /// - Parameter resumption: nil when the server does not hold streams.
    case on(resumption: Resumption?)
  }

  /// What `<enabled/>` said of coming back.
  struct Resumption: Sendable, Equatable {
    var id: String
    var location: HostPort?
    var lifetime: Duration?
  }

  private var mode = Mode.off
  /// How many of ours the server said it has, modulo 2³².
  var acknowledged: UInt32 = 0
  private var waiting = SentStanzas()
  /// How many of the server's we have handled, modulo 2³².
  var handledCount: UInt32 = 0
  /// What that was when all of them were last in a safe place.
  private var safeCount: UInt32 = 0
  /// How many of those we have acknowledged, modulo 2³².
  private var acknowledgedInbound: UInt32 = 0
  /// What ``sentCount`` was at each `<r/>` that is out and has no answer yet.
  /// Bounded by what may be unacknowledged.
  private var questions: [UInt32] = []
  /// What was sent since the last `<r/>`.
  private var sentSinceAsking = 0

  /// An earlier run of the program had the stream: what it sent, and how much, is not known here.
  private var isEarlierRuns = false

  package init() {}

  /// Goes on with a stream of an earlier run of the program.
  package init(earlier resumption: StreamResumption) {
    mode = .on(
      resumption: Resumption(id: resumption.id, location: resumption.location, lifetime: resumption.lifetime))
    handledCount = resumption.handled
    acknowledgedInbound = resumption.handled
    safeCount = resumption.handled
    isEarlierRuns = true
  }

  /// Acknowledgements can be asked for on the present connection.
  package var isOn: Bool { if case .on = mode { true } else { false } }

  /// What we send counts.
  package var isCounting: Bool { mode != .off }

  /// How many of the server's stanzas we have handled since we last told it how far we are.
  package var unacknowledgedInbound: Int { Int(handledCount &- acknowledgedInbound) }

  /// How many of our stanzas the server has not acknowledged.
  package var unacknowledgedCount: Int { waiting.count }

  /// How many of our stanzas have ever counted, modulo 2³²: what the server will have acknowledged when it has them all.
  package var sentCount: UInt32 { acknowledged &+ UInt32(truncatingIfNeeded: waiting.count) }

  /// Whether the server has what had been sent when ``sentCount`` was `count`.
  package func hasAcknowledged(_ count: UInt32) -> Bool { Int32(bitPattern: acknowledged &- count) >= 0 }

  /// What it takes to go on after a cut; nil when the server holds nothing.
  /// - Parameter jid: the full JID that is bound.
  package func resumption(of jid: JID) -> StreamResumption? {
    guard case .on(let resumption?) = mode else { return nil }
    return StreamResumption(
      id: resumption.id, jid: jid, handled: handledCount, location: resumption.location, lifetime: resumption.lifetime)
  }

  // MARK: Beginning

  /// Begins: what is sent after the returned element counts. Called on a stream that is ready and has none yet.
  /// - Parameter resumable: the server is asked to keep the stream for a while when its connection is gone (XEP-0198 5).
  package mutating func enable(resumable: Bool = true) -> Element {
    self = StreamManagement()
    mode = .enabling
    return Element("enable", Self.namespace, resumable ? ["resume": "true"] : [:])
  }

  // MARK: Meanwhile

  /// A stanza was written. Elements that are no stanzas do not count and do not come here.
  package mutating func sent(_ stanza: Element) {
    guard isCounting else { return }
    waiting.append(stanza)
    sentSinceAsking += 1
  }

  /// A stanza of the server's has been handled: whatever must not be lost of it is in a safe place, or will be.
  package mutating func handled() {
    if isOn { handledCount &+= 1 }
  }

  /// Whatever must not be lost of what has been handled is in a safe place.
  package mutating func allIsSafe() { safeCount = handledCount }

  /// What is sent to learn how far the server is; nil while an earlier question is open or nothing may be asked.
  package mutating func ask() -> Element? { questions.isEmpty ? askAmong() : nil }

  /// What is sent among much else, though earlier questions are open: a server that is slow with all of it shows by its
  /// answers that it goes on. Nil where nothing may be asked.
  /// - Parameter left: how many of those that count already are to be sent again behind it.
  package mutating func askAmong(before left: Int = 0) -> Element? {
    guard isOn else { return nil }
    questions.append(sentCount &- UInt32(truncatingIfNeeded: left))
    sentSinceAsking = left
    return Element("r", Self.namespace)
  }

  /// How much was sent that no question that is out asks about; 0 where nothing may be asked.
  package var unasked: Int { isOn ? sentSinceAsking : 0 }

  /// How far we are, for the server: when it has asked, and as the last word before the stream is closed. Nil where nobody counts.
  package mutating func acknowledgement() -> Element? {
    guard isOn else { return nil }
    acknowledgedInbound = handledCount
    return Element("a", Self.namespace, ["h": String(handledCount)])
  }

  /// An element in ``namespace`` came on a stream that is ready.
  /// - Throws: ``StreamManagementError`` when the server says what cannot be.
  package mutating func received(_ element: Element) throws(StreamManagementError) -> Reception {
    guard element.namespace == Self.namespace else { return .unknown }
    switch (element.name, mode) {
    case ("enabled", .enabling):
      mode = .on(resumption: Self.resumption(in: element))
      return .enabled
    case ("failed", .enabling):
      self = StreamManagement()
      return .refused(Self.error(in: element))
    case ("a", .on):
      let stanzas = try acknowledge(Self.count(in: element))
      // It may be behind what it was asked about; and one answer may be that to several questions.
      let answered = max(1, questions.prefix { hasAcknowledged($0) }.count)
      questions.removeFirst(min(answered, questions.count))
      return .acknowledged(stanzas)
    case ("r", .on): return .asked
    case _:
      return .unknown
    }
  }

  private static func resumption(in enabled: Element) -> Resumption? {
    guard let resume = enabled.attribute("resume"), resume == "true" || resume == "1" else { return nil }
    guard let id = enabled.attribute("id"), !id.isEmpty, id.utf8.count <= StreamManagementLimits.id else { return nil }
    let seconds = enabled.attribute("max").flatMap { UInt32($0) }.map { min($0, StreamManagementLimits.lifetime) }
    let location = enabled.attribute("location").flatMap { HostPort(redirection: $0) }
    return Resumption(id: id, location: location, lifetime: seconds.map { .seconds($0) })
  }

  private static func error(in failed: Element) -> StanzaError {
    let condition = failed.children.first { $0.namespace == Namespace.stanzaErrors && $0.name != "text" }
    return StanzaError(
      kind: .cancel, condition: condition?.name ?? "undefined-condition",
      text: failed.text(of: "text", Namespace.stanzaErrors).map(PeerText.cut))
  }

  /// The attribute `h`: a whole number of 32 bits without a sign.
  static func count(in element: Element) throws(StreamManagementError) -> UInt32 {
    guard let text = element.attribute("h"), text.utf8.first != UInt8(ascii: "+"), let count = UInt32(text) else {
      throw .unreadable
    }
    return count
  }

  private mutating func acknowledge(_ handled: UInt32) throws(StreamManagementError) -> [Element] {
    let number = handled &- acknowledged
    // What is less than before looks like a huge number more.
    guard number <= waiting.count else { throw .tooMuch(handled: handled, sent: sentCount) }
    acknowledged = handled
    return waiting.removeFirst(Int(number))
  }

  // MARK: After a cut

  /// As ``resumption(of:)``, with those of the server's stanzas alone that are in a safe place: it sends the others again.
  package func safeResumption(of jid: JID) -> StreamResumption? {
    var resumption = resumption(of: jid)
    resumption?.handled = safeCount
    return resumption
  }

  /// The stream goes on by ``safeResumption(of:)``: what it left out has not come yet.
  package mutating func forgetUnsafe() { (handledCount, acknowledgedInbound) = (safeCount, safeCount) }

  /// The connection is gone; a question that was open will not be answered.
  package mutating func connectionLost() {
    questions = []
    // Coming back tells.
    acknowledgedInbound = handledCount
    if mode == .enabling { self = StreamManagement() }
  }

  /// The place that the server named cannot be reached: the next try is made where the domain says.
  package mutating func forgetLocation() {
    guard case .on(var resumption?) = mode else { return }
    resumption.location = nil
    mode = .on(resumption: resumption)
  }

  /// The stream goes on, on another connection. Of one that an earlier run had, nothing is known to have arrived or to be sent
  /// again: that is for whoever knows what it sent.
  /// - Parameter handled: how many of ours the server says it has; nil: it does not say, and gets all of them again.
  /// - Returns: what is now known to have arrived, and what is to be sent again, in order; that counts already.
  /// - Throws: ``StreamManagementError`` when the server has more than was sent.
  package mutating func resume(
    handled: UInt32?
  ) throws(StreamManagementError) -> (acknowledged: [Element], again: [Element]) {
    if isEarlierRuns {
      isEarlierRuns = false
      self.acknowledged = handled ?? 0
      return ([], [])
    }
    let acknowledged = try handled.map { count throws(StreamManagementError) in try acknowledge(count) } ?? []
    sentSinceAsking = waiting.count
    return (acknowledged, waiting.all)
  }

  /// The stream will not go on; there is nothing to be resumed any more.
  /// - Parameter handled: how many of ours the server had, where it said so; a number that cannot be counts as unsaid.
  /// - Returns: what is known to have arrived, and the rest; whether the number counts: then the server has nothing of the rest.
  package mutating func end(handled: UInt32?) -> (acknowledged: [Element], rest: [Element], isCertain: Bool) {
    let acknowledged: [Element]? =
      isEarlierRuns ? handled.map { _ in [Element]() } : handled.flatMap { try? acknowledge($0) }
    let rest = waiting.removeAll()
    self = StreamManagement()
    return (acknowledged ?? [], rest, acknowledged != nil)
  }
}

/// What was sent on a stream, and what arrived, cannot be counted any more.
package enum StreamManagementError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It has more than was sent, or less than it had before.
  case tooMuch(handled: UInt32, sent: UInt32)
  /// It gave no number.
  case unreadable
  /// Not its fault: what it does not have could not be sent again.
  case notSentAgain

  /// One sentence, without the server's words.
  package var description: String {
    switch self {
    case .tooMuch(let handled, let sent): "The server acknowledges stanza \(handled) where \(sent) were sent."
    case .unreadable: "The server acknowledges stanzas without saying how many."
    case .notSentAgain: "What the server did not have could not be sent again."
    }
  }

  /// What the server is told of it (XEP-0198 4).
  var detail: String {
    switch self {
    case .tooMuch(let handled, let sent):
      "<handled-count-too-high xmlns='\(StreamManagement.namespace)' h='\(handled)' send-count='\(sent)'/>"
    case .unreadable, .notSentAgain: ""
    }
  }
}

/// How far a server may go here.
enum StreamManagementLimits {
  /// UTF-8 bytes of a stream's id: what XEP-0198 5 asks servers to stay below.
  static let id = 4_000
  /// Seconds for which a server may say it holds a stream: a day, after which nobody comes back to one.
  static let lifetime: UInt32 = 86_400
}
