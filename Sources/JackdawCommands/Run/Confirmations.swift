// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// Follows messages that were sent until the server has them or they have failed.
@Client final class Confirmations {
  private let delivery: Delivery
  private let onConfirmed: @Client (String) -> Void
  private let onFailed: (@Client (String, any Error) -> Void)?
  /// Bounded by what the user says.
  private var waiting: Set<String> = []
  private var failure: (any Error)?
  private var subscription: Subscription?

  /// - Parameters:
  ///   - onConfirmed: called with the id of each message that the server has.
  ///   - onFailed: called with the id of each message that has failed, and why: it tells of it, and ``finish()`` does not.
  init(
    _ session: Session, onConfirmed: @escaping @Client (String) -> Void = { _ in },
    onFailed: (@Client (String, any Error) -> Void)? = nil
  ) {
    delivery = session.delivery
    self.onConfirmed = onConfirmed
    self.onFailed = onFailed
    subscription = session.events.on(MessageStateChanged.self) { [weak self] in self?.changed($0) }
  }

  /// There is a stream that takes them.
  var hasStream: Bool { delivery.hasStream }

  /// A message was sent.
  func add(_ id: String) { waiting.insert(id) }

  /// Waits until the server has every message.
  /// - Parameters:
  ///   - patience: for so long at most since it last took one.
  ///   - others: what else was sent in the session meanwhile is waited for, too.
  /// - Throws: why the first one failed that did since the last call; `CancellationError`.
  func finish(within patience: Duration, withOthers others: Bool = false) async throws {
    if !waiting.isEmpty {
      try await others ? delivery.confirm([], within: patience) : delivery.settle(waiting, within: patience)
    }
    defer { failure = nil }
    if let failure { throw failure }
  }

  /// What failed until now is told by somebody else.
  func forgetFailure() { failure = nil }

  private func changed(_ event: MessageStateChanged) {
    switch event.state {
    case .waiting, .sent: return
    case .server, .delivered, .displayed:
      if waiting.remove(event.id) != nil { onConfirmed(event.id) }
    case .failed(let reason):
      guard waiting.remove(event.id) != nil else { return }
      let error = delivery.failure(of: event.id) ?? CommandFailure(.tryAgain, "failed", reason)
      if let onFailed { return onFailed(event.id, error) }
      if failure == nil { failure = error }
    }
  }
}
