// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// What a command prints that runs for a client of the agent: one of its streams. Bytes go to the client, and count as out when it says
/// that it has written them.
@Client package final class RunStream {
  /// The columns of the terminal behind it; nil: there is none.
  package internal(set) var columns: Int?
  /// Sends a piece on to the client.
  var onPiece: (@Client ([UInt8]) -> Void)?

  private let clock: any LoopClock
  /// What is sent counts as out at once: nobody says when it is.
  private let isUnconfirmed: Bool
  /// What it prints is collected for an answer: the command waits for nobody, and nothing is out before ``answered()``.
  private let isCollected: Bool
  private var gathered: [UInt8] = []
  private var isDue = false
  /// How many bytes it has taken since the beginning.
  private(set) var taken = 0
  private var confirmed = 0
  private(set) var hasEnded = false
  /// Why it has.
  private var reason = RunStream.broken
  /// Bounded by what is on its way, or by what is collected (``CommandLimits/agentAnswer``).
  private var outActions = PlacedActions()
  /// Bounded by our own callers.
  private var roomActions: [@Client () -> Void] = []
  /// Bounded by our own callers.
  private var emptyActions: [@Client () -> Void] = []

  init(columns: Int?, isUnconfirmed: Bool, isCollected: Bool = false, clock: any LoopClock) {
    self.columns = columns
    self.isUnconfirmed = isUnconfirmed
    self.isCollected = isCollected
    self.clock = clock
  }

  /// Takes bytes; they go out in this turn of the loop or the next.
  package func write(_ bytes: some Collection<UInt8>) {
    guard !hasEnded else { return }
    gathered += bytes
    taken += bytes.count
    if gathered.count >= CommandLimits.agentPiece {
      settle()
    } else if !isDue {
      isDue = true
      clock.nextTurn { [weak self] in
        self?.isDue = false
        self?.settle()
      }
    }
  }

  /// Sends on what was gathered.
  package func settle() {
    guard !gathered.isEmpty, !hasEnded else { return }
    let piece = gathered
    gathered = []
    onPiece?(piece)
    if isUnconfirmed { confirm(taken) }
  }

  /// The client has written so many bytes since the beginning.
  func confirm(_ count: Int) {
    guard !hasEnded, count > confirmed else { return }
    confirmed = min(count, taken)
    if !isCollected { runOutActions() }
    progress()
  }

  /// The answer that has all that was collected is out.
  func answered() { runOutActions() }

  private func runOutActions() {
    while let action = outActions.next(upTo: confirmed) { action() }
  }

  /// The client takes nothing any more.
  /// - Parameter reason: what whoever waits for it is told; nil: the client is gone.
  func end(_ reason: CommandFailure? = nil) {
    if let reason, !hasEnded { self.reason = reason }
    hasEnded = true
    // Nothing has gone out.
    (outActions, gathered) = (PlacedActions(), [])
    progress()
  }

  private func progress() {
    if !holdsBack { Self.run(&roomActions) }
    if isEmpty { Self.run(&emptyActions) }
  }

  /// Actions may ask for more of their kind.
  private static func run(_ actions: inout [@Client () -> Void]) {
    let due = actions
    actions = []
    for action in due { action() }
  }

  private var isEmpty: Bool { hasEnded || confirmed == taken }

  /// So much is on its way that whoever can wait should.
  package var holdsBack: Bool { !hasEnded && taken - confirmed >= CommandLimits.agentRoom }

  /// Runs an action as soon as all that was taken so far is out; at once where it is, never where it cannot be.
  package func whenOut(_ action: @escaping @Client () -> Void) {
    guard !hasEnded else { return }
    if isEmpty, !isCollected { action() } else { outActions.append(at: taken, action) }
  }

  /// Runs an action as soon as there is room, or nobody left to wait for.
  package func whenRoom(_ action: @escaping @Client () -> Void) {
    if holdsBack { roomActions.append(action) } else { action() }
  }

  /// Waits until all is out.
  /// - Parameter limit: how long at most; nil: however long it takes.
  /// - Throws: ``CommandFailure`` when the client is gone, or cannot write it; when the task is cancelled.
  package func flush(within limit: Duration?) async throws(CommandFailure) {
    settle()
    if !isEmpty {
      let end = Latch(clock: clock)
      emptyActions.append { end.open() }
      do {
        try await end.wait(for: limit)
      } catch {
        throw CommandFailure(.interrupted, "interrupted", "The output was not waited for any longer.")
      }
    }
    if hasEnded { throw reason }
  }

  static let broken = CommandFailure(.inputOutput, CommandFailure.brokenPipe, "Nobody reads stdout any more.")
}
