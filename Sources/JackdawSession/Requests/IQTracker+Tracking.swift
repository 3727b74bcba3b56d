// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// The ways to register a request. In each, `handler` is called once, on the loop, never from within the call itself.
extension IQTracker {
  /// Waits for the answer to a request that the caller sends by itself, and keeps `info` until then.
  /// - Parameters:
  ///   - id: the request's id.
  ///   - element: the request; its `to` decides who may answer. nil: tracked by id alone, as a request without `to`.
  ///   - info: anything that the handler wants to know again.
  /// - Throws: ``RequestError`` with the code `missingID`, `differentID`, `alreadyTracked` or `notARequest`; nothing is
  ///   tracked then, and the handler is not called.
  package func track<Info>(
    id: String, of element: Element? = nil, info: Info, timeout: Timeout,
    handler: @escaping @Client (RequestOutcome, Info) -> Void
  ) throws(RequestError) {
    try check(id)
    if let own = element?.attribute("id"), own != id {
      throw RequestError(.differentID, "The request has another id than the one to track.")
    }
    keep(id, to: try recipient(of: element), timeout: timeout) { handler($0, info) }
  }

  /// Waits for the answer to `element`, whose own id is tracked; else as ``track(id:of:info:timeout:handler:)``.
  package func track<Info>(
    _ element: Element, info: Info, timeout: Timeout, handler: @escaping @Client (RequestOutcome, Info) -> Void
  ) throws(RequestError) {
    try track(id: element.attribute("id") ?? "", of: element, info: info, timeout: timeout, handler: handler)
  }

  /// As ``track(id:of:info:timeout:handler:)``, with the id, the element and the timeout as the info.
  package func track(
    id: String, of element: Element? = nil, timeout: Timeout,
    handler: @escaping @Client (RequestOutcome, TrackingInfo) -> Void
  ) throws(RequestError) {
    let info = TrackingInfo(id: id, element: element, timeout: timeout)
    try track(id: id, of: element, info: info, timeout: timeout, handler: handler)
  }

  /// As ``track(_:info:timeout:handler:)``, with the id, the element and the timeout as the info.
  package func track(
    _ element: Element, timeout: Timeout, handler: @escaping @Client (RequestOutcome, TrackingInfo) -> Void
  ) throws(RequestError) {
    try track(id: element.attribute("id") ?? "", of: element, timeout: timeout, handler: handler)
  }

  private func check(_ id: String) throws(RequestError) {
    guard !id.isEmpty else { throw RequestError(.missingID, "A request needs an id.") }
    guard !isTracked(id) else {
      throw RequestError(.alreadyTracked, "A request with the id '\(id)' still waits for its answer.")
    }
  }

  private func recipient(of element: Element?) throws(RequestError) -> JID? {
    guard let to = element?.attribute("to") else { return nil }
    do {
      return try JID(received: to)
    } catch {
      throw RequestError(.notARequest, "The request cannot be sent: \(error)", cause: error)
    }
  }

  /// Sends a get or set and waits for its answer.
  ///
  /// An empty id is replaced by one that nobody can guess. Cancelling the task ends the wait; the request itself has been
  /// sent by then.
  /// - Returns: the answer of type result.
  /// - Throws: ``RequestError`` for every other end.
  package func request(_ iq: IQ, timeout: Timeout = .standard) async throws(RequestError) -> IQ {
    var iq = iq
    if iq.id.isEmpty { iq.id = ids.next() }
    return try await answer(of: iq.id) { [iq] end throws(RequestError) in try send(iq, timeout: timeout, end: end) }
  }

  /// Sends a get or set, and has `end` called with its answer as the bytes are read: before any stanza behind it, which the task of
  /// ``request(_:timeout:)`` would see first.
  /// - Throws: ``RequestError``, as ``request(_:timeout:)``, where it cannot be sent: nothing is tracked then, and `end` not called.
  package func send(
    _ iq: IQ, timeout: Timeout, end: @escaping @Client (RequestOutcome) -> Void
  ) throws(RequestError) {
    guard iq.kind == .get || iq.kind == .set else {
      throw RequestError(.notARequest, "Only an IQ of type get or set is answered.")
    }
    try send(iq.element, id: iq.id, to: iq.to, timeout: timeout, end: end)
  }

  /// Sends a get or set that was written by hand, as it is, and waits for its answer; else as ``request(_:timeout:)``.
  /// - Parameter element: an `<iq/>` with an id.
  /// - Returns: the answer of type result.
  /// - Throws: ``RequestError`` for every other end.
  package func answer(to element: Element, timeout: Timeout) async throws(RequestError) -> IQ {
    let id = element.attribute("id") ?? ""
    let recipient = try recipient(of: element)
    return try await answer(of: id) { end throws(RequestError) in
      try send(element, id: id, to: recipient, timeout: timeout, end: end)
    }
  }

  /// Tracks first and sends then, so that no answer can be too early; what cannot be sent is tracked no longer.
  private func send(
    _ element: Element, id: String, to recipient: JID?, timeout: Timeout,
    end: @escaping @Client (RequestOutcome) -> Void
  ) throws(RequestError) {
    try check(id)
    guard let sender else { throw RequestError(.notSent, "There is no connection to send the request on.") }
    let serial = nextSerial
    keep(id, to: recipient, timeout: timeout, end: end)
    do {
      try sender.send(element)
    } catch {
      // A sender that failed may have ended all requests already, this one too.
      guard isTracked(id, serial: serial) else { return }
      _ = take(id)
      throw RequestError(.notSent, "The request could not be sent: \(error)", cause: error)
    }
  }

  /// Begins a request and waits for its end.
  /// - Parameter begin: tracks and sends it.
  private func answer(
    of id: String, _ begin: (@escaping @Client (RequestOutcome) -> Void) throws(RequestError) -> Void
  ) async throws(RequestError) -> IQ {
    let serial = nextSerial
    if Task.isCancelled { return try RequestOutcome.cancelled.get() }

    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Ending, Never>) in
        do throws(RequestError) {
          try begin { continuation.resume(returning: .ended($0)) }
        } catch {
          continuation.resume(returning: .notBegun(error))
        }
      }
    } onCancel: {
      Task(executorPreference: EventLoop.main) { await self.cancel(id, serial: serial) }
    }
    switch ending {
    case .ended(let outcome): return try outcome.get()
    case .notBegun(let error): throw error
    }
  }

  /// An outcome, or why there was nothing to wait for.
  private enum Ending {
    case ended(RequestOutcome)
    case notBegun(RequestError)
  }

  /// The task of a request was cancelled. By now the request may have ended and its id be in use again.
  private func cancel(_ id: String, serial: UInt64) {
    if isTracked(id, serial: serial) { remove(id: id) }
  }

  /// Sends a stanza that nobody answers.
  /// - Throws: when there is no connection, or it holds what XML cannot carry.
  package func send(_ element: Element) throws {
    guard let sender else { throw RequestError(.notSent, "There is no connection to send it on.") }
    try sender.send(element)
  }
}
