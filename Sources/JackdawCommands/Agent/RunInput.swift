// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The stdin of a client of the agent, as the command sees it that runs for it: asked for piece by piece, when somebody waits for a
/// line.
@Client final class RunInput: PieceSource {
  /// Asks for the next piece.
  var onWanted: (@Client () -> Void)?

  private var pieces = FIFO<InputPiece>()
  private var held = 0
  private var isAsking = false
  private var last: InputPiece?
  private typealias Waiting = CheckedContinuation<Result<InputPiece, CommandFailure>, Never>
  private var waiting: Waiting?

  /// A piece came.
  /// - Returns: false: too much came that nobody asked for.
  func take(_ piece: InputPiece) -> Bool {
    isAsking = false
    guard last == nil else { return true }
    switch piece {
    case .bytes(let bytes):
      held += bytes.count
      guard held <= CommandLimits.agentInput else { return false }
    case .end, .failed: last = piece
    }
    if let waiting {
      self.waiting = nil
      held = 0
      waiting.resume(returning: .success(piece))
    } else {
      pieces.append(piece)
    }
    return true
  }

  func nextPiece() async throws(CommandFailure) -> InputPiece {
    if let piece = pieces.popFirst() {
      if pieces.isEmpty { held = 0 }
      return piece
    }
    if let last { return last }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiting) in
        if Task.isCancelled { return continuation.resume(returning: .failure(Self.cancelled)) }
        waiting = continuation
        if !isAsking {
          isAsking = true
          onWanted?()
        }
      }
    } onCancel: {
      EventLoop.main.start { self.cancel() }
    }
    return try result.get()
  }

  private func cancel() {
    waiting?.resume(returning: .failure(Self.cancelled))
    waiting = nil
  }

  private static let cancelled = CommandFailure.inputCancelled
}
