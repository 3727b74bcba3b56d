// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawCommands
package import JackdawLoop

/// Reads input line by line: a script on a pipe, that may stay open, or a file.
@Client package final class LineReader: LineSource {
  private let pieces: any PieceSource
  private var buffer = LineBuffer()
  private var number = 0
  /// The last line has no end.
  private var isCutOff = false
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
      // What has no end is no script: it is not read for ever.
      if buffer.skipped > TerminalLimits.endlessLineBytes {
        isCutOff = true
        ending = .success(nil)
        continue
      }
      switch try await pieces.nextPiece() {
      case .bytes(let bytes): buffer.append(bytes)
      case .end: ending = .success(nil)
      case .failed(let reason): ending = .failure(CommandFailure(.inputOutput, "io-error", reason))
      }
    }
  }

  package func rest(upTo limit: Int) async throws(CommandFailure) -> [UInt8]? {
    var bytes = buffer.rest()
    while ending == nil, bytes.count <= limit {
      switch try await pieces.nextPiece() {
      case .bytes(let more): bytes += more
      case .end: ending = .success(nil)
      case .failed(let reason): throw CommandFailure(.inputOutput, "io-error", reason)
      }
    }
    return bytes.count > limit ? nil : bytes
  }

  package func readyLine() throws(CommandFailure) -> String? {
    guard let line = buffer.next() else { return nil }
    return try text(of: line).get()
  }

  private func buffered() -> Result<String?, CommandFailure>? {
    guard let line = buffer.next() ?? (ending == nil ? nil : buffer.last()) else { return ending }
    return text(of: line)
  }

  private func text(of line: LineBuffer.Line) -> Result<String?, CommandFailure> {
    number += 1
    switch line {
    case .text(let text): return .success(text)
    case .tooLong:
      let limit = TerminalLimits.inputLineBytes >> 20
      let more = isCutOff ? " and has no end: nothing more is read" : ""
      return .failure(CommandFailure(.badInput, "too-long", "Line \(number) is longer than \(limit) MB\(more)."))
    case .notUTF8:
      return .failure(CommandFailure(.badInput, "not-utf-8", "Line \(number) is not UTF-8."))
    }
  }
}
