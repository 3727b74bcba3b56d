// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Runs labelled requests side by side, at most ``limit`` at a time, to one outcome when all have ended.
///
/// ```swift
/// let group = RequestGroup(limit: 3)
/// let roster = group.add("roster") { try await friends.load() }
/// let blocked = group.add("block list") { try await blocking.list() }
/// try await group.run()
/// show(try roster.value, try blocked.value)
/// ```
///
/// Any asynchronous operation can join as it is; groups know nothing of each other and may be nested, a group being
/// run by a request of another. Nothing starts before ``run()``; what is added while the group runs starts as soon as
/// there is room. Once it has run, more may be added and run again. When ``run()`` returns, nothing that the group began is left running.
@Client package final class RequestGroup {
  /// How many requests run at a time.
  package let limit: Int
  /// Whether the first failure cancels the rest.
  package let cancelsOnFailure: Bool

  private var members: [any GroupMember] = []
  /// Members before this index have been started or cancelled.
  private var nextToStart = 0
  private var unfinished = 0
  private var running = 0
  private var isRunning = false
  private var isCancelled = false
  private var firstFailure: RequestGroupError.Failure?
  /// Bounded by our own callers.
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameter limit: at least 1; less counts as 1.
  package init(limit: Int = RequestLimits.groupWidth, cancelOnFailure: Bool = false) {
    self.limit = max(1, limit)
    cancelsOnFailure = cancelOnFailure
  }

  /// Adds a request.
  /// - Parameters:
  ///   - label: names it in errors.
  ///   - completed: called as soon as this request has ended, whatever the others do.
  /// - Returns: where its result can be asked for after ``run()``.
  @discardableResult package func add<Value>(
    _ label: String, completed: (@Client (Result<Value, any Error>) -> Void)? = nil,
    _ operation: @escaping @Client () async throws -> Value
  ) -> GroupedRequest<Value> {
    let request = GroupedRequest(label: label, completed: completed, operation: operation)
    members.append(request)
    unfinished += 1
    if isCancelled {
      cancelWaiting()
    } else if isRunning {
      startWaiting()
    }
    return request
  }

  /// Starts what has been added and waits until all of it has ended. Cancelling the task cancels the group.
  /// - Throws: ``RequestGroupError`` with every failure.
  package func run() async throws(RequestGroupError) {
    if Task.isCancelled { cancel() }
    if unfinished > 0 {
      isRunning = true
      startWaiting()
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiters.append($0) }
      } onCancel: {
        Task(executorPreference: EventLoop.main) { await self.cancel() }
      }
    }
    guard let firstFailure else { return }
    throw RequestGroupError(
      failures: members.compactMap { member in
        member.failure.map { RequestGroupError.Failure(label: member.label, error: $0) }
      },
      first: firstFailure, count: members.count)
  }

  /// Cancels what runs and never starts the rest, what is added later included. ``run()`` still waits for those that
  /// run to end.
  package func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    let started = members[..<nextToStart]
    for member in started { member.cancel {} }
    cancelWaiting()
  }

  private func startWaiting() {
    while running < limit, nextToStart < members.count {
      let member = members[nextToStart]
      nextToStart += 1
      running += 1
      member.start { [self] in
        running -= 1
        ended(member)
        startWaiting()
      }
    }
  }

  private func cancelWaiting() {
    while nextToStart < members.count {
      let member = members[nextToStart]
      nextToStart += 1
      member.cancel { ended(member) }
    }
  }

  private func ended(_ member: any GroupMember) {
    unfinished -= 1
    if let error = member.failure {
      if firstFailure == nil { firstFailure = RequestGroupError.Failure(label: member.label, error: error) }
      if cancelsOnFailure { cancel() }
    }
    guard unfinished == 0 else { return }
    isRunning = false
    let waiters = self.waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }
}

extension RequestGroup {
  /// Does the same for each of several items, and returns the values in the items' order.
  /// - Parameters:
  ///   - label: names an item's request in errors.
  ///   - completed: called as soon as an item's request has ended, whatever the others do.
  /// - Throws: ``RequestGroupError`` with every failure.
  package static func each<Item, Value>(
    of items: some Sequence<Item>, limit: Int = RequestLimits.groupWidth, cancelOnFailure: Bool = false,
    label: (Item) -> String, completed: (@Client (Item, Result<Value, any Error>) -> Void)? = nil,
    _ operation: @escaping @Client (Item) async throws -> Value
  ) async throws(RequestGroupError) -> [Value] {
    let group = RequestGroup(limit: limit, cancelOnFailure: cancelOnFailure)
    let requests = items.map { item in
      group.add(label(item), completed: { completed?(item, $0) }) { try await operation(item) }
    }
    try await group.run()
    return requests.compactMap { try? $0.value }
  }
}
