// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// One `listen`, for one account or several side by side: an interrupt ends it for all of them, and so does the last message that was
/// wanted; what is wrong with one is nothing to the others.
@Client final class ListenerGroup {
  private let accounts: [Account]
  private let context: CommandContext
  /// One for each account, or the only one.
  private let listeners: [Listener]
  private var work: [Task<CommandFailure?, Never>] = []
  private let wanted: ListenCount
  /// Those that were cancelled before they had begun, by their places. Bounded by the accounts.
  private var unbegun: Set<Int> = []

  /// - Parameters:
  ///   - accounts: of several; none: the context's one.
  ///   - wanted: how many messages are wanted of all of them.
  init(
    _ accounts: [Account], count wanted: ListenCount, in context: CommandContext,
    _ make: @Client (CommandContext) -> Listener
  ) {
    self.wanted = wanted
    self.accounts = accounts
    self.context = context
    listeners = accounts.isEmpty ? [make(context)] : accounts.map { make(context.of($0)) }
  }

  /// Listens.
  /// - Parameter duration: nil: until something else ends it.
  /// - Throws: as ``Listener/run(for:)``; of several, what ended the last that failed, and it has been told of each.
  func run(for duration: Duration?) async throws {
    guard !accounts.isEmpty else { return try await listeners[0].run(for: duration) }
    work = zip(accounts, listeners).map { account, listener in
      EventLoop.main.start { @Client [context] () async -> CommandFailure? in
        do {
          try await listener.run(for: duration)
          return nil
        } catch {
          let failure = CommandFailure(error).located(account.shownName)
          if failure.code != .interrupted { context.of(account).fail(failure) }
          return failure
        }
      }
    }
    wanted.whenReached { [weak self] in self?.endThoseNotBegun() }
    let work = work
    let failures = await withTaskCancellationHandler {
      var failures: [(place: Int, failure: CommandFailure)] = []
      for (place, task) in work.enumerated() {
        if let failure = await task.value { failures.append((place, failure)) }
      }
      return failures
    } onCancel: {
      for task in work { task.cancel() }
    }
    // Those that had not begun when the others were brought to an end have nothing to say of it.
    let ended = failures.last { !unbegun.contains($0.place) || $0.failure.code != .interrupted }
    guard var last = ended?.failure else { return }
    last.isShown = last.code != .interrupted
    throw last
  }

  /// An interrupt came.
  /// - Returns: false: nobody has begun, or all end already.
  func interrupt() -> Bool {
    guard listeners.map({ $0.interrupt() }).contains(true) else { return false }
    endThoseNotBegun()
    return true
  }

  /// Nothing is left to be done: nobody waits for a log-in that takes long.
  private func endThoseNotBegun() {
    for (place, task) in work.enumerated() where !listeners[place].hasBegun {
      unbegun.insert(place)
      task.cancel()
    }
  }
}
