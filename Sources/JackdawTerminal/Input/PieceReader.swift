// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawCommands
package import JackdawLoop

/// Reads a descriptor on the loop: a pipe, that may stay open, a file, a terminal.
///
/// It reads only while somebody waits for a piece, and only what is there, so a descriptor shared with other programs keeps its
/// mode.
@Client package final class PieceReader: PieceSource {
  private let descriptor: Int32
  private let loop: EventLoop
  private var watch: DescriptorWatch?
  private var last: InputPiece?
  /// Given nothing where the wait was cancelled.
  private typealias Waiting = CheckedContinuation<InputPiece?, Never>
  private var waiting: Waiting?

  /// - Parameter descriptor: stays the caller's.
  package init(descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  package func nextPiece() async throws(CommandFailure) -> InputPiece {
    if let last { return last }
    precondition(waiting == nil, "two readers of the same input")
    let piece = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiting) in
        if Task.isCancelled {
          continuation.resume(returning: nil)
        } else {
          waiting = continuation
          listen()
        }
      }
    } onCancel: {
      loop.start { self.finish(nil) }
    }
    guard let piece else { throw .inputCancelled }
    return piece
  }

  private func listen() {
    if watch == nil {
      watch = loop.watch(descriptor, .readable) { [weak self] _ in self?.read() }
    }
    watch?.interest = .readable
  }

  private func read() {
    guard waiting != nil else { return }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: TerminalLimits.inputChunk) { bytes, filled in
      count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      filled = max(count, 0)
    }
    if count > 0 {
      finish(.bytes(bytes))
    } else if count == 0 {
      end(.end)
    } else if errno != EINTR && errno != EAGAIN {
      end(.failed("The input cannot be read: \(String(cString: strerror(errno)))."))
    }
  }

  private func end(_ piece: InputPiece) {
    last = piece
    watch?.cancel()
    watch = nil
    finish(piece)
  }

  private func finish(_ piece: InputPiece?) {
    guard let continuation = waiting else { return }
    waiting = nil
    watch?.interest = []
    continuation.resume(returning: piece)
  }
}
