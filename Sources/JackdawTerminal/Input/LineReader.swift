// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop

/// Reads input line by line: a script on a pipe, that may stay open, or a file.
@Client package final class LineReader: LineSource {
  private let pieces: any PieceSource
  private var buffer = LineBuffer()
  private var number = 0
  private var ending: Result<String?, CommandFailure>?

  /// - Parameter pieces: the input; nobody else reads it.
  package init(_ pieces: any PieceSource) { self.pieces = pieces }

  /// Reads a descriptor, which stays the caller's.
  package convenience init(descriptor: Int32, loop: EventLoop) {
    self.init(PieceReader(descriptor: descriptor, loop: loop))
  }

  /// One caller at a time.
  package func nextLine() async throws(CommandFailure) -> String? {
    while true {
      if let line = buffered() { return try line.get() }
      switch try await pieces.nextPiece() {
      case .bytes(let bytes): buffer.append(bytes)
      case .end: ending = .success(nil)
      case .failed(let reason): ending = .failure(CommandFailure(.inputOutput, "io-error", reason))
      }
    }
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
