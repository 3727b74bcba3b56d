// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawTerminal

private struct CountRow: CommandRow {
  var count: Int
  var note: String?

  var cells: [Cell] { [Cell("\(count)", .number)] }
}

private struct FriendRow: CommandRow {
  static let event = "friend"
  var jid: String

  var cells: [Cell] { [Cell(jid, .jid)] }
}

@Client @Suite(.onLoop) struct JSONOutputTests {
  /// What is written to stdout and stderr by `body`.
  private func written(
    verbosity: Verbosity = .normal, by body: (JSONOutput) throws -> Void
  ) throws -> (out: String, errors: String) {
    var pipes: [[Int32]] = [[-1, -1], [-1, -1]]
    for index in pipes.indices {
      try #require(pipe(&pipes[index]) == 0)
      _ = fcntl(pipes[index][0], F_SETFL, O_NONBLOCK)
    }
    defer { for end in pipes.joined() { close(end) } }
    let clock = ManualClock()
    let streams = zip(pipes, ["stdout", "stderr"]).map { ends, name in
      StandardStream(descriptor: ends[1], name: name, colors: .auto, environment: { _ in nil }, clock: clock)
    }
    let output = JSONOutput(
      out: streams[0], errors: streams[1], wallClock: { noon }, verbosity: verbosity)
    try body(output)
    output.settle()
    let texts = pipes.map { ends in
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(ends[0], &buffer, buffer.count)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
    return (texts[0], texts[1])
  }

  private static let head = #""time":"2026-11-21T12:01:00.000Z","account":"me@example.org""#

  @Test("An event is a line, its keys in the order of the contract, its text as it came") func anEventIsALine() throws {
    let message = MessageArrived(
      id: "1", from: try JID("bob@example.org/x"), to: try JID("me@example.org"), kind: .chat,
      body: "a\nb\u{9B}\u{202E}\"")
    let (out, errors) = try written { $0.show(message, of: try JID("me@example.org/here")) }
    #expect(out.hasPrefix(#"{"event":"message",\#(Self.head),"id":"1","from":"bob@example.org/x","#))
    #expect(out.hasSuffix("\n"))
    #expect(out.dropLast().utf8.allSatisfy { $0 >= 0x20 })
    #expect(!out.unicodeScalars.contains("\u{9B}"))
    #expect(out.contains(#""delayed":null,"carbon":null"#))
    #expect(errors == "")
  }

  @Test("A result names its command, a friend in a list does not") func aResultNamesItsCommand() throws {
    let (out, _) = try written { output in
      output.show(CountRow(count: 3, note: nil), of: "friends list", account: try JID("me@example.org/here"))
      output.show(FriendRow(jid: "bob@example.org"), of: "friends list", account: try JID("me@example.org/here"))
    }
    #expect(
      out == """
        {"event":"result",\(Self.head),"command":"friends list","count":3,"note":null}
        {"event":"friend",\(Self.head),"jid":"bob@example.org"}

        """)
  }

  @Test("A failure is an object on stdout and a sentence on stderr")
  func aFailureIsAnObjectOnStdoutAndASentence() throws {
    let (out, errors) = try written { output in
      output.fail(CommandFailure(.unavailable, "forbidden", "no\u{9B}", command: "ping"), account: nil)
    }
    #expect(
      out == #"{"event":"error","time":"2026-11-21T12:01:00.000Z","account":null,"command":"ping","#
        + #""condition":"forbidden","text":"no\u009b","code":69}"# + "\n")
    #expect(errors == "jackdaw: no\\u{9b}\n")
  }

  @Test("Notices are not written as JSON") func noticesAreNotWrittenAsJSON() throws {
    let (out, errors) = try written { output in
      output.notice("a remark")
      output.detail("left out")
    }
    #expect(out == "")
    #expect(errors == "a remark\n")
    let quiet = try written(verbosity: .quiet) { output in
      output.notice("left out")
      output.warn("Nothing is stored on disk.")
    }
    #expect(quiet.out == "" && quiet.errors == "Nothing is stored on disk.\n")
  }

  @Test("When the reader has gone neither an object nor a sentence is written")
  func whenTheReaderHasGoneNeitherAnObjectNorASentence() throws {
    let (out, errors) = try written {
      $0.fail(CommandFailure(.inputOutput, CommandFailure.brokenPipe, "x"), account: nil)
    }
    #expect(out == "")
    #expect(errors == "")
  }
}
