// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite(.onLoop) struct LineReaderTests {
  /// Gives the same bytes so often; nil: as long as somebody asks.
  private final class Repeated: PieceSource {
    private let piece: [UInt8]
    private var left: Int?

    init(_ piece: [UInt8], times: Int? = nil) {
      self.piece = piece
      left = times
    }

    func nextPiece() async throws(CommandFailure) -> InputPiece {
      guard let left else { return .bytes(piece) }
      guard left > 0 else { return .end }
      self.left = left - 1
      return .bytes(piece)
    }
  }

  @Test("A line longer than the limit ends the input, which is reported")
  func aLineLongerThanTheLimitEndsTheInput() async throws {
    let reader = LineReader(Repeated([UInt8](repeating: 0, count: 1 << 20)))
    let failure = CommandFailure(
      .badInput, "too-long", "Line 1 is longer than 1 MB and has no end: nothing more is read.")
    await #expect(throws: failure) { try await reader.nextLine() }
    #expect(try await reader.nextLine() == nil)
  }

  @Test("The rest of the input is read as a whole, however long its lines, up to a limit")
  func theRestOfTheInputIsReadAsAWhole() async throws {
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    #expect(try await LineReader(Repeated(piece, times: 3)).rest(upTo: 3 << 20)?.count == 3 << 20)
    #expect(try await LineReader(Repeated(piece)).rest(upTo: 3 << 20) == nil)
  }

  @Test("A line that was read whole is ready, and each one is counted")
  func aLineThatWasReadWholeIsReady() async throws {
    let reader = LineReader(Repeated(Array("one\ntwo\n".utf8) + [0xFF, 0x0A, 0x61], times: 1))
    #expect(try reader.readyLine() == nil)
    #expect(try await reader.nextLine() == "one")
    #expect(try reader.readyLine() == "two")
    #expect(throws: CommandFailure(.badInput, "not-utf-8", "Line 3 is not UTF-8.")) { try reader.readyLine() }
    #expect(try reader.readyLine() == nil)
    #expect(try await reader.nextLine() == "a")
    #expect(try await reader.nextLine() == nil)
  }

  @Test("The rest of the input is all that was not taken as a line")
  func theRestOfTheInputIsAllThatWasNotTaken() async throws {
    let reader = LineReader(Repeated(Array("one\ntwo\nthr".utf8), times: 2))
    #expect(try await reader.nextLine() == "one")
    #expect(try await reader.rest(upTo: 100) == Array("two\nthrone\ntwo\nthr".utf8))
    #expect(try await reader.nextLine() == nil)
  }
}
