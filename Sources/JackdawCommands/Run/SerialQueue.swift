// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Does pieces of work one after the other, in the order in which they were added.
@Client final class SerialQueue {
  private var waiting: [@Client () async -> Void] = []
  private var running: Task<Void, Never>?
  /// Bounded by our own callers.
  private var drained: [CheckedContinuation<Void, Never>] = []
  private let limit: Int

  /// - Parameter limit: how many pieces may wait while one runs.
  init(limit: Int = .max) { self.limit = limit }

  /// Whether something runs.
  var isBusy: Bool { running != nil }
  /// How many pieces wait.
  var count: Int { waiting.count }

  /// Adds a piece of work; it begins at once if nothing runs.
  /// - Returns: false when too many wait: it is not taken.
  @discardableResult func add(_ work: @escaping @Client () async -> Void) -> Bool {
    guard running == nil || waiting.count < limit else { return false }
    waiting.append(work)
    if running == nil { startNext() }
    return true
  }

  /// Waits until nothing runs and nothing waits. Cancelling the task cancels the work.
  func drain() async {
    guard running != nil else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { drained.append($0) }
    } onCancel: {
      EventLoop.main.start { self.cancel() }
    }
  }

  /// Cancels the piece that runs and forgets those that wait.
  /// - Returns: how many were forgotten.
  @discardableResult func cancel() -> Int {
    let forgotten = waiting.count
    waiting = []
    running?.cancel()
    return forgotten
  }

  private func startNext() {
    guard !waiting.isEmpty else {
      running = nil
      let released = drained
      drained = []
      for continuation in released { continuation.resume() }
      return
    }
    let work = waiting.removeFirst()
    running = EventLoop.main.start {
      await work()
      self.startNext()
    }
  }
}
