// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// Follows messages that were sent until the server has them, and has had the time to send them back, or they have failed.
@Client final class Confirmations {
  private let session: Session
  private let onConfirmed: @Client (String) -> Void
  private let onFailed: (@Client (String, any Error) -> Void)?
  /// How far a message has got whose fate is not known.
  private enum Course {
    case waiting
    /// The server has it, and may send it back yet (``Session/mayReturn(to:)``).
    case doubtful
  }

  /// Bounded by what the user says.
  private var open: [String: Course] = [:]
  /// Those that are doubtful and behind which the server was not asked yet, in the order in which it took them. Bounded by ``open``.
  private var unasked: [String] = []
  /// Ends once the fate of all of them is known; nil: there are none.
  private var hearing: Task<Void, Never>?
  private var failure: (any Error)?
  private var subscription: Subscription?

  /// - Parameters:
  ///   - onConfirmed: called with the id of each message that the server has.
  ///   - onFailed: called with the id of each message that has failed, and why: it tells of it, and ``finish()`` does not.
  init(
    _ session: Session, onConfirmed: @escaping @Client (String) -> Void = { _ in },
    onFailed: (@Client (String, any Error) -> Void)? = nil
  ) {
    self.session = session
    self.onConfirmed = onConfirmed
    self.onFailed = onFailed
    subscription = session.events.on(MessageStateChanged.self) { [weak self] in
      // The state first: `sent` needs no action, and loading a weak reference costs more.
      if !$0.state.isOpen { self?.changed($0) }
    }
  }

  /// There is a stream that takes them.
  var hasStream: Bool { session.delivery.hasStream }

  /// A message was sent.
  func add(_ id: String) { open[id] = .waiting }

  /// Waits until the server has every message.
  /// - Parameters:
  ///   - patience: for so long at most since it last took one.
  ///   - others: what else was sent in the session meanwhile is waited for, too.
  /// - Throws: why the first one failed that did since the last call; `CancellationError`.
  func finish(within patience: Duration, withOthers others: Bool = false) async throws {
    let waiting = Set(open.lazy.filter { $0.value == .waiting }.map(\.key))
    if !waiting.isEmpty {
      let delivery = session.delivery
      try await others ? delivery.confirm([], within: patience) : delivery.settle(waiting, within: patience)
    }
    if let hearing {
      await withTaskCancellationHandler(operation: { await hearing.value }, onCancel: { hearing.cancel() })
      try Task.checkCancellation()
    }
    defer { failure = nil }
    if let failure { throw failure }
  }

  /// Waits until every message is written to the connection, and no longer.
  /// - Parameter patience: for so long at most since one of them was.
  /// - Throws: as ``Delivery/written(_:within:)``.
  func written(within patience: Duration) async throws {
    try await session.delivery.written(Array(open.keys), within: patience)
  }

  /// What failed until now is told by somebody else.
  func forgetFailure() { failure = nil }

  private func changed(_ event: MessageStateChanged) {
    let id = event.id
    switch event.state {
    case .waiting, .sent: return
    case .server where session.mayReturn(to: event.to): doubt(id)
    case .server, .delivered, .displayed:
      if open.removeValue(forKey: id) != nil { onConfirmed(id) }
    case .failed where event.isOwnWithdrawal && onFailed == nil:
      // That was what the user wanted.
      open[id] = nil
    case .failed(let reason):
      if open.removeValue(forKey: id) != nil { failed(id, reason) }
    }
  }

  private func failed(_ id: String, _ reason: String) {
    let error = session.delivery.failure(of: id) ?? CommandFailure(.tryAgain, "failed", reason)
    if let onFailed { return onFailed(id, error) }
    if failure == nil { failure = error }
  }

  private func doubt(_ id: String) {
    guard let place = open.index(forKey: id), open.values[place] == .waiting else { return }
    open.values[place] = .doubtful
    unasked.append(id)
    guard hearing == nil else { return }
    hearing = EventLoop.main.start { [weak self] in await self?.hearReturns() }
  }

  /// What the server had before it is asked has arrived once it answers, where it did not come back.
  private func hearReturns() async {
    while !unasked.isEmpty {
      let asked = unasked
      unasked = []
      await session.awaitReturns(within: session.configuration.timeout)
      for id in asked where open.removeValue(forKey: id) != nil { onConfirmed(id) }
    }
    hearing = nil
  }
}
