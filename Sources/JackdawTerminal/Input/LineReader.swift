// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawCommands
package import JackdawLoop

/// Reads lines from a descriptor on the loop: a script on a pipe, that may stay open, or a file.
///
/// It reads only while somebody waits for a line, and only what is there, so a descriptor shared with other programs keeps
/// its mode.
@Client package final class LineReader: LineSource {
  private let descriptor: Int32
  private let loop: EventLoop
  private var watch: DescriptorWatch?
  private var buffer = LineBuffer()
  private var number = 0
  private var ending: Result<String?, CommandFailure>?
  private typealias Waiting = CheckedContinuation<Result<String?, CommandFailure>, Never>
  private var waiting: Waiting?

  /// - Parameter descriptor: stays the caller's.
  package init(descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  /// One caller at a time.
  package func nextLine() async throws(CommandFailure) -> String? {
    if let line = buffered() { return try line.get() }
    precondition(waiting == nil, "two readers of the same lines")
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiting) in
        if Task.isCancelled {
          continuation.resume(returning: .failure(Self.cancelled))
        } else {
          waiting = continuation
          listen()
        }
      }
    } onCancel: {
      loop.start { self.finish(.failure(Self.cancelled)) }
    }
    return try result.get()
  }

  private static let cancelled = CommandFailure(.interrupted, "interrupted", "Interrupted while waiting for input.")

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
      buffer.append(bytes)
    } else if count == 0 {
      end(.success(nil))
    } else if errno != EINTR && errno != EAGAIN {
      let reason = String(cString: strerror(errno))
      end(.failure(CommandFailure(.inputOutput, "io-error", "The input cannot be read: \(reason).")))
    }
    if let line = buffered() { finish(line) }
  }

  private func end(_ result: Result<String?, CommandFailure>) {
    ending = result
    watch?.cancel()
    watch = nil
  }

  private func finish(_ result: Result<String?, CommandFailure>) {
    guard let continuation = waiting else { return }
    waiting = nil
    watch?.interest = []
    continuation.resume(returning: result)
  }

  private func buffered() -> Result<String?, CommandFailure>? {
    guard let line = buffer.next() ?? (ending == nil ? nil : buffer.last()) else { return ending }
    number += 1
    switch line {
    case .text(let text): return .success(text)
    case .tooLong:
      let limit = TerminalLimits.inputLineBytes >> 20
      return .failure(CommandFailure(.badInput, "too-long", "Line \(number) is longer than \(limit) MB."))
    case .notUTF8:
      return .failure(CommandFailure(.badInput, "not-utf-8", "Line \(number) is not UTF-8."))
    }
  }
}
