// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Brings requests and their answers together: id → who may answer, handler, deadline.
///
/// Each tracked request ends exactly once, in one of the ways of ``RequestOutcome``, and is out of the tracker before
/// its handler runs. A handler may therefore track, resolve or remove anything, its own id too. An answer counts only
/// when it comes from whom the request was sent to (``OwnAddresses``); others are dropped, counted in ``dropped``, and
/// the request goes on waiting for the true one.
///
/// Most callers want ``request(_:timeout:)``; `track` is for those who send by themselves.
@Client package final class IQTracker {
  /// The full JID that the server bound; nil before that. Decides, by ``OwnAddresses``, which answers are our own server's.
  package var account: JID?

  /// Where ``request(_:timeout:)`` sends. Not kept alive.
  package weak var sender: (any StanzaSending)?

  /// Called with the id of each request that is answered, before its handler.
  var onAnswer: (@Client (String) -> Void)?

  /// Replies that were not taken since the start.
  package private(set) var dropped = DroppedReplies()

  /// How many requests wait for their answer.
  package var count: Int { entries.count }

  struct Entry {
    /// Tells this request from a later one with the same id.
    let serial: UInt64
    /// Whom the request was sent to.
    let to: JID?
    /// Its place among the deadlines; nil without one.
    let deadline: TimerQueue<String>.Token?
    let end: @Client (RequestOutcome) -> Void
  }

  let clock: any LoopClock
  let ids: StanzaIDSource
  /// The ids of requests with a deadline.
  var deadlines = TimerQueue<String>()
  /// The one timer, and the moment it is set for.
  var timer: (timer: LoopTimer, deadline: MonotonicTime)?
  private var entries: [String: Entry] = [:]
  private(set) var nextSerial: UInt64 = 0
  /// Of the requests that were answered, the one that was tracked last: our server has dealt with what was sent before that.
  private(set) var lastAnswered: UInt64?

  /// - Parameters:
  ///   - clock: measures the deadlines.
  ///   - sender: see ``sender``.
  ///   - ids: makes the id of a request that has none.
  package init(clock: any LoopClock, sender: (any StanzaSending)? = nil, ids: StanzaIDSource = StanzaIDSource()) {
    self.clock = clock
    self.sender = sender
    self.ids = ids
  }

  isolated deinit {
    for entry in takeAll() { entry.end(.cancelled) }
  }

  // MARK: Answers

  /// An IQ came in. Ends the request that it answers.
  /// - Returns: whether it was the answer to a request of ours. A reply that was not is to be dropped.
  @discardableResult package func resolve(_ element: Element) -> Bool {
    guard element.matches("iq", Namespace.client), let type = element.attribute("type"),
      type == "result" || type == "error"
    else { return false }
    guard let id = element.attribute("id"), let entry = entries[id] else {
      dropped.late += 1
      return false
    }
    let outcome: RequestOutcome
    let from: JID?
    do throws(StanzaFormatError) {
      let iq = try IQ(element)
      (outcome, from) = (.answer(iq), iq.from)
    } catch {
      outcome = .malformed(error)
      do {
        from = try element.attribute("from").map { try JID(received: $0) }
      } catch {
        dropped.foreign += 1
        return false
      }
    }
    return end(id, entry, from: from, with: outcome)
  }

  /// An answer came that was left out, as it exceeds a limit: ends the request that it answers.
  /// - Parameter envelope: its own tag.
  /// - Returns: as ``resolve(_:)-(Element)``.
  @discardableResult func resolve(leftOut envelope: Element, reason: String) -> Bool {
    guard let id = envelope.attribute("id"), let entry = entries[id] else {
      dropped.late += 1
      return false
    }
    do {
      return end(id, entry, from: try envelope.attribute("from").map { try JID(received: $0) }, with: .leftOut(reason))
    } catch {
      dropped.foreign += 1
      return false
    }
  }

  /// Whether a request of this id waits.
  func awaits(_ id: String?) -> Bool { id.map { isTracked($0) } ?? false }

  /// Whether `element` is the result, or a part of it, of a request that waits.
  func isResult(_ element: Element) -> Bool {
    guard element.matches("iq", Namespace.client), element.attribute("type", equals: "result"),
      let id = element.attribute("id"), let entry = entries[id]
    else { return false }
    guard let text = element.attribute("from") else { return mayAnswer(nil, to: entry.to) }
    guard let from = try? JID(received: text) else { return false }
    return mayAnswer(from, to: entry.to)
  }

  /// The same for an IQ that has been read already.
  @discardableResult package func resolve(_ iq: IQ) -> Bool {
    guard iq.kind == .result || iq.kind == .error else { return false }
    guard let entry = entries[iq.id] else {
      dropped.late += 1
      return false
    }
    return end(iq.id, entry, from: iq.from, with: .answer(iq))
  }

  /// Ends the request `id` with an outcome that the caller answers for: no sender is checked.
  /// - Returns: whether there was such a request.
  @discardableResult package func resolve(id: String, with outcome: RequestOutcome) -> Bool {
    guard let entry = take(id) else { return false }
    entry.end(outcome)
    return true
  }

  /// Stops waiting: the request's handler is told that it was cancelled.
  /// - Returns: whether there was such a request.
  @discardableResult package func remove(id: String) -> Bool { resolve(id: id, with: .cancelled) }

  /// The connection is gone: ends every request, in the order in which they were tracked. Requests that their handlers
  /// track stay.
  package func removeAll(reason: any Error) {
    for entry in takeAll() { entry.end(.connectionGone(reason)) }
  }

  // MARK: Entries

  func isTracked(_ id: String) -> Bool { entries[id] != nil }

  func isTracked(_ id: String, serial: UInt64) -> Bool { entries[id]?.serial == serial }

  /// Puts a request in whose id has been checked.
  func keep(
    _ id: String, to: JID?, timeout: Timeout, end: @escaping @Client (RequestOutcome) -> Void
  ) {
    let deadline = timeout.duration.map { deadlines.insert(id, at: clock.now + $0) }
    entries[id] = Entry(serial: nextSerial, to: to, deadline: deadline, end: end)
    nextSerial += 1
    if deadline != nil { arm() }
  }

  /// Takes a request out, its deadline too.
  func take(_ id: String) -> Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let deadline = entry.deadline { _ = deadlines.remove(deadline) }
    if entries.isEmpty, entries.capacity > RequestLimits.capacityWorthKeeping { forgetAll() }
    arm()
    return entry
  }

  private func takeAll() -> [Entry] {
    let all = entries.values.sorted { $0.serial < $1.serial }
    forgetAll()
    arm()
    return all
  }

  private func forgetAll() {
    entries = [:]
    deadlines = TimerQueue()
  }

  // MARK: Senders

  /// Ends the request if `from` may answer it, else counts a foreign reply.
  private func end(_ id: String, _ entry: Entry, from: JID?, with outcome: RequestOutcome) -> Bool {
    guard mayAnswer(from, to: entry.to) else {
      dropped.foreign += 1
      return false
    }
    lastAnswered = max(lastAnswered ?? entry.serial, entry.serial)
    onAnswer?(id)
    return resolve(id: id, with: outcome)
  }

  /// Without an account nobody is known to be our own server.
  private func mayAnswer(_ from: JID?, to: JID?) -> Bool {
    account.map { OwnAddresses($0).acceptsAnswer(from: from, to: to) } ?? (from == to)
  }
}

extension RequestOutcome {
  /// The outcome that a well-formed result or error means.
  fileprivate static func answer(_ iq: IQ) -> RequestOutcome {
    iq.kind == .error ? .failed(iq.error ?? .undefined, returned: iq.payload) : .reply(iq)
  }
}
