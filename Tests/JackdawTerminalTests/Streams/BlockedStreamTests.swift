// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import Support
import Testing

@testable import JackdawTerminal

/// A stream whose other side takes nothing. A test that hangs here has found a write that waits.
@Client @Suite(.onLoop) struct BlockedStreamTests {
  /// What a descriptor may be.
  enum Kind: CaseIterable { case pipe, socket, terminal }

  @Client private final class Line {
    let reading: Int32
    let writing: Int32
    let clock = ManualClock()
    let stream: StandardStream

    init(_ kind: Kind, leavesOut: Bool = false) throws {
      var ends: [Int32] = [-1, -1]
      switch kind {
      case .pipe: pipe(&ends)
      case .socket: socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      case .terminal:
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        ends = [terminal.controller, terminal.terminal]
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      (reading, writing) = (ends[0], ends[1])
      stream = StandardStream(
        descriptor: ends[1], name: "stdout", colors: .auto, environment: { _ in nil }, clock: clock,
        leavesOut: leavesOut)
    }

    func readBytes() -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while case let count = Glibc.read(reading, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
      return bytes
    }

    /// What there is to be read, a terminal's newlines as they were written.
    func read() -> String { String(decoding: readBytes().filter { $0 != 0x0D }, as: UTF8.self) }

    deinit {
      close(reading)
      close(writing)
    }
  }

  /// More than may wait. Put together of long pieces, which is a hundred times as fast.
  private var tooMuch: String {
    String(repeating: String(repeating: "x", count: 1 << 10), count: (TerminalLimits.waitingOutput >> 10) + 100)
  }

  private func lines(_ range: Range<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test("A reader that comes late gets everything, in order", arguments: Kind.allCases)
  func aReaderThatComesLateGetsEverything(kind: Kind) async throws {
    let line = try Line(kind)
    let text = lines(0..<60_000)
    line.stream.write(text)
    line.stream.settle()
    #expect(line.stream.holdsBack)
    var got = ""
    let all = EventLoop.main.start { try await line.stream.flush(within: nil) }
    while got.utf8.count < text.utf8.count {
      got += line.read()
      await EventLoop.main.idle()
    }
    try await all.value
    #expect(got == text)
    #expect(!line.stream.holdsBack)
    #expect(fcntl(line.writing, F_GETFL) & O_NONBLOCK == 0, "the description is others' as well")
  }

  @Test("An action that waits for a line runs when that line is out, not when all lines are")
  func whatWaitsForALineRunsWhenThatLineIsOut() async throws {
    let line = try Line(.pipe)
    var out: [Int] = []
    for number in 0..<100 {
      line.stream.write(String(repeating: "x", count: 9_999) + "\n")
      line.stream.whenOut { out.append(number) }
    }
    line.stream.settle()
    // A pipe holds 65,536 bytes.
    #expect(out == Array(0..<6))
    _ = line.read()
    line.stream.settle()
    #expect(out == Array(0..<13))
  }

  @Test("Waiting output can be left out, except the rest of a line that has begun")
  func whatWaitsCanBeLeftOut() async throws {
    let line = try Line(.pipe)
    var out: [Int] = []
    let texts = (0..<10).map { "\($0)" + String(repeating: "x", count: 9_998) + "\n" }
    for (number, text) in texts.enumerated() {
      line.stream.write(text)
      line.stream.whenOut { out.append(number) }
    }
    line.stream.settle()
    // A pipe holds 65,536 bytes, or somewhat less in several writes: the seventh line is cut there.
    let waiting = line.stream.waiting
    #expect(out == Array(0..<6) && (30_001..<40_000).contains(waiting))
    #expect(line.stream.leaveOutLines() == 30_000)
    #expect(line.stream.waiting == waiting - 30_000)
    var got = line.read()
    line.stream.settle()
    got += line.read()
    #expect(got == texts.prefix(7).joined() && out == Array(0..<7))
    line.stream.write("next\n")
    #expect(line.stream.leaveOutLines() == 5, "nothing of a line is out")
    line.stream.write("last\n")
    line.stream.settle()
    #expect(line.read() == "last\n")
  }

  @Test("There is room again when enough output has gone out") func thereIsRoomAgainWhenEnoughHasGoneOut() async throws
  {
    let line = try Line(.pipe)
    var hasRoom = false
    line.stream.whenRoom { hasRoom = true }
    #expect(hasRoom)
    hasRoom = false
    line.stream.write(lines(0..<100_000))
    line.stream.whenRoom { hasRoom = true }
    while line.stream.holdsBack {
      #expect(!hasRoom)
      #expect(!line.read().isEmpty)
      line.stream.settle()
    }
    #expect(hasRoom)
  }

  @Test("Stdout counts as failed when far too much waits, and nobody waits for it any more")
  func stdoutCountsAsFailedWhenFarTooMuchWaits() async throws {
    let line = try Line(.pipe)
    var told: [CommandFailure] = []
    var hasRoom = false
    line.stream.whenBroken = { told.append($0) }
    line.stream.write(tooMuch + "\n")
    line.stream.whenRoom { hasRoom = true }
    line.stream.whenOut { Issue.record("it never went out") }
    #expect(told.isEmpty)
    line.stream.write("one more\n")
    #expect(told.map(\.text) == ["stdout takes nothing."])
    #expect(hasRoom)
  }

  @Test("Stderr leaves lines out and says how many") func stderrLeavesLinesOutAndSaysHowMany() async throws {
    let line = try Line(.pipe, leavesOut: true)
    line.stream.write(tooMuch + "\n")
    line.stream.write("one\n")
    line.stream.write("two\n")
    let told = Array("x\njackdaw: Nobody read stdout, and 2 lines were left out.\n".utf8)
    var end: ArraySlice<UInt8> = []
    while !end.elementsEqual(told) {
      let more = line.readBytes()
      try #require(!more.isEmpty)
      end = (end + more).suffix(told.count)
      line.stream.settle()
    }
  }

  @Test("A flush that is given up loses nothing") func aFlushThatIsGivenUpLosesNothing() async throws {
    let line = try Line(.pipe)
    let text = lines(0..<20_000)
    line.stream.write(text)
    let flush = EventLoop.main.start { try await line.stream.flush(within: nil) }
    await EventLoop.main.idle()
    flush.cancel()
    let failure = await #expect(throws: CommandFailure.self) { try await flush.value }
    #expect(failure?.code == .interrupted)
    var got = ""
    while got.utf8.count < text.utf8.count {
      got += line.read()
      line.stream.settle()
    }
    #expect(got == text)
  }

  @Test("A flush ends when the reader goes away") func aFlushEndsWhenTheReaderGoesAway() async throws {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    defer { close(ends[1]) }
    let stream = StandardStream(
      descriptor: ends[1], name: "stdout", colors: .auto, environment: { _ in nil }, clock: ManualClock())
    stream.write(lines(0..<20_000))
    let flush = EventLoop.main.start { try await stream.flush(within: nil) }
    await EventLoop.main.idle()
    close(ends[0])
    let failure = await #expect(throws: CommandFailure.self) { try await flush.value }
    #expect(failure?.condition == CommandFailure.brokenPipe)
  }

  @Test("Streams that are one file are written in turn") func streamsThatAreOneFileAreWrittenInTurn() async throws {
    let line = try Line(.pipe)
    let errors = StandardStream(
      descriptor: line.writing, name: "stderr", colors: .auto, environment: { _ in nil }, clock: line.clock,
      beside: line.stream, leavesOut: true)
    var text = ""
    for number in 0..<10_000 {
      let (one, two) = ("result \(number)\n", "remark \(number)\n")
      line.stream.write(one)
      errors.write(two)
      text += one + two
      if number % 100 == 0 { errors.settle() }
    }
    var got = ""
    while got.utf8.count < text.utf8.count {
      got += line.read()
      line.stream.settle()
    }
    #expect(got == text)
  }
}
