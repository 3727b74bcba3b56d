// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import Support
import Testing

@testable import JackdawTerminal

@Client @Suite(.onLoop) struct StandardStreamTests {
  /// A pipe and the stream that writes to it.
  @Client private final class Pipe {
    var ends: [Int32] = [-1, -1]
    let clock = ManualClock()
    let stream: StandardStream

    init(nonBlocking: Bool = false) {
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      if nonBlocking { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      stream = StandardStream(
        descriptor: ends[1], name: "stdout", colors: .auto, environment: { _ in nil }, clock: clock)
    }

    func read() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while case let count = Glibc.read(ends[0], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }

    func closeReader() {
      close(ends[0])
      ends[0] = -1
    }

    deinit {
      for end in ends where end >= 0 { close(end) }
    }
  }

  @Test("Lines of one turn are one write") func linesOfOneTurnAreOneWrite() async throws {
    let pipe = Pipe()
    pipe.stream.write("one\n")
    pipe.stream.write("two\n")
    #expect(pipe.read() == "")
    await pipe.clock.settle()
    #expect(pipe.read() == "one\ntwo\n")
  }

  @Test("Lines of JSON of one turn are one write") func linesOfJSONOfOneTurnAreOneWrite() async throws {
    let pipe = Pipe()
    pipe.stream.write(line: Array("{}\n".utf8))
    pipe.stream.write(line: Array("[]\n".utf8))
    #expect(pipe.read() == "")
    await pipe.clock.settle()
    #expect(pipe.read() == "{}\n[]\n")
  }

  @Test("Entries go out in order among lines and count as waiting output")
  func entriesGoOutAmongLinesInOrderAndCountAmong() async throws {
    let pipe = Pipe()
    let entry = PlainEntry(time: "12:34", label: .notice, line: "two")
    pipe.stream.write("one\n")
    pipe.stream.write(entry)
    pipe.stream.write("three\n")
    var isOut = false
    pipe.stream.whenOut { isOut = true }
    #expect(pipe.stream.waiting == 4 + 13 + 6)
    await pipe.clock.settle()
    #expect(pipe.read() == "one\n12:34 -- two\nthree\n")
    #expect(isOut)
    #expect(pipe.stream.waiting == 0)
  }

  @Test("An action that waits for the lines to be out runs right after them")
  func whatWaitsForTheLinesToBeOutRunsRightAfter() async throws {
    let pipe = Pipe()
    var read: [String] = []
    pipe.stream.whenOut { read.append("at once") }
    pipe.stream.write("one\n")
    pipe.stream.whenOut { read.append(pipe.read()) }
    pipe.stream.whenOut { read.append("in order") }
    #expect(read == ["at once"])
    await pipe.clock.settle()
    #expect(read == ["at once", "one\n", "in order"])
    pipe.stream.write(line: Array("{}\n".utf8))
    pipe.stream.whenOut { read.append(pipe.read()) }
    await pipe.clock.settle()
    #expect(read.last == "{}\n")
  }

  @Test("An action that waits for lines that never go out never runs")
  func whatWaitsForLinesThatNeverGoOutNeverRuns() async throws {
    let full = Pipe(nonBlocking: true)
    var isOut = false
    full.stream.write(String(repeating: "x", count: 100_000) + "\n")
    full.stream.whenOut { isOut = true }
    full.stream.settle()
    #expect(!isOut, "a pipe holds 65,536 bytes")
    while !isOut {
      try #require(!full.read().isEmpty)
      full.stream.settle()
    }
    let broken = Pipe()
    broken.stream.write("one\n")
    broken.stream.whenOut { Issue.record("nobody read it") }
    broken.closeReader()
    await broken.clock.settle()
    broken.stream.whenOut { Issue.record("nobody can") }
  }

  @Test("A reader that went away is reported once, as a broken pipe, with code 74")
  func aReaderThatWentAwayIsReportedOnce() async throws {
    let pipe = Pipe()
    var told: [CommandFailure] = []
    pipe.stream.whenBroken = { told.append($0) }
    pipe.closeReader()
    pipe.stream.write("one\n")
    let failure = await #expect(throws: CommandFailure.self) { try await pipe.stream.flush(within: nil) }
    #expect(failure?.code == .inputOutput)
    #expect(failure?.condition == CommandFailure.brokenPipe)
    pipe.stream.write("two\n")
    await #expect(throws: CommandFailure.self) { try await pipe.stream.flush(within: nil) }
    #expect(told.count == 1)
  }

  @Test("A full disk is an error with its reason") func aFullDiskIsAnErrorWithItsReason() async throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let stream = StandardStream(
      descriptor: descriptor, name: "stdout", colors: .auto, environment: { _ in nil }, clock: ManualClock())
    stream.write("one\n")
    let failure = await #expect(throws: CommandFailure.self) { try await stream.flush(within: nil) }
    #expect(failure?.code == .inputOutput)
    #expect(failure?.text == "Cannot write to stdout: No space left on device.")
  }

  @Test("On a non-blocking pipe nothing is lost and all is in order")
  func onANonBlockingPipeNothingIsLostAndAll() async throws {
    let pipe = Pipe(nonBlocking: true)
    var expected = ""
    for number in 0..<5000 {
      let line = "line \(number) of a flood that is more than a pipe holds\n"
      expected += line
      pipe.stream.write(line)
    }
    var got = ""
    // Each settling sends what fits; a reader that takes nothing delays it by no more than one wait.
    while got.utf8.count < expected.utf8.count {
      pipe.stream.settle()
      let more = pipe.read()
      try #require(!more.isEmpty)
      got += more
    }
    #expect(got == expected)
    try await pipe.stream.flush(within: nil)
  }

  @Test(
    "Colours are for terminals, unless asked for or refused",
    arguments: [
      (ColorChoice.auto, false, "xterm-256color", nil, Style.Colors.none),
      (.auto, true, "xterm-256color", nil, .many),
      (.auto, true, "xterm", nil, .sixteen),
      (.auto, true, "dumb", nil, .none),
      (.auto, true, "", nil, .none),
      (.auto, true, "xterm-256color", "1", .none),
      (.auto, true, "xterm-256color", "", .many),
      (.auto, true, "xterm-direct", nil, .all),
      (.always, false, "xterm", "1", .sixteen),
      (.never, true, "xterm-256color", nil, .none),
    ] as [(ColorChoice, Bool, String, String?, Style.Colors)])
  func coloursAreForTerminals(
    choice: ColorChoice, isTerminal: Bool, term: String, noColor: String?, colors: Style.Colors
  ) {
    let style = Style(choice, isTerminal: isTerminal) { ["TERM": term, "NO_COLOR": noColor][$0] ?? nil }
    #expect(style.colors == colors)
  }

  @Test(
    "True colours are used on terminals that announce them",
    arguments: [
      ("xterm-256color", "truecolor", Style.Colors.all), ("tmux-256color", "24bit", .all), ("xterm", "yes", .many),
      // It would take parts of the colour for blinking and the like.
      ("screen-256color", "truecolor", .many),
    ])
  func trueColoursAreUsedOnTerminalsThatAnnounceThem(term: String, says: String, colors: Style.Colors) {
    #expect(Style(.auto, isTerminal: true) { ["TERM": term, "COLORTERM": says][$0] }.colors == colors)
  }
}
