// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

@testable import JackdawCommands

/// Writes what is shown to the streams of a client of the agent: JSON Lines, or the names of rows and the bodies of messages.
@Client final class StreamOutput: Output {
  private let out: RunStream
  private let errors: RunStream
  private let isJSON: Bool

  init(_ out: RunStream, _ errors: RunStream, _ settings: Settings) {
    self.out = out
    self.errors = errors
    isJSON = settings.isJSON
  }

  private func write(_ text: String, _ json: [UInt8]?) { out.write(isJSON ? json ?? [] : Array("\(text)\n".utf8)) }

  func show(_ row: any CommandRow, of command: String, account: JID?) {
    write(
      "row \(command)",
      try? row.jsonLine(of: command, at: Timestamp(milliseconds: 0), account: account?.bare.description))
  }
  func show(document: [UInt8]) { out.write(document) }
  func show(_ event: any ClientEvent, of account: JID) {
    write(
      (event as? MessageArrived)?.body ?? "event \(event.name)",
      try? event.jsonLine(at: Timestamp(milliseconds: 0), account: account.bare.description))
  }
  func notice(_ text: String) { errors.write(Array("\(text)\n".utf8)) }
  func warn(_ text: String) { notice(text) }
  func progress(_ text: String?) {}
  func detail(_ text: String) {}
  func trace(_ text: String) {}
  func fail(_ failure: CommandFailure, account: JID?) {
    if isJSON { write("", try? failure.jsonLine(at: Timestamp(milliseconds: 0), account: nil)) }
    errors.write(Array("\(failure.text)\n".utf8))
  }
  func whenOut(_ action: @escaping @Client () -> Void) { out.whenOut(action) }
  var holdsBack: Bool { out.holdsBack }
  func whenRoom(_ action: @escaping @Client () -> Void) { out.whenRoom(action) }
  func settle() {
    errors.settle()
    out.settle()
  }
  func sendOn() { out.settle() }
  func flush() async throws(CommandFailure) {
    settle()
    try await out.flush(within: nil)
  }
}

/// Lines of pieces that have whole lines.
@Client final class PieceLines: LineSource {
  private let source: any PieceSource
  private var lines: [String] = []

  init(_ source: any PieceSource) { self.source = source }

  func nextLine() async throws(CommandFailure) -> String? {
    while lines.isEmpty {
      switch try await source.nextPiece() {
      case .bytes(let bytes): lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      case .end: return nil
      case .failed(let reason): throw CommandFailure(.inputOutput, "io-error", reason)
      }
    }
    return lines.removeFirst()
  }
}
