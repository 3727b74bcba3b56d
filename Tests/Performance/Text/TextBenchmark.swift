// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTerminal

/// Measures what a text of a megabyte costs from its arrival to the finished lines of a terminal of 80 columns: escaping,
/// measuring, wrapping and laying out. The loop, and with it the line being typed, waits so long.
///
/// Prints lines of `NAME VALUE` for `measure.sh`, in milliseconds of processor time: for each kind of text
/// `message_NAME` and `table_NAME`, as a message and as a cell of a table, and the longest of them, `longest`. Given names, it
/// measures those texts alone.
@main
enum TextBenchmark {
  static func main() {
    EventLoop.main.runMain {
      do {
        try measureAll()
      } catch {
        preconditionFailure("the measurement failed: \(error)")
      }
    }
  }

  @Client private static func measureAll() throws {
    var longest = 0.0
    let wanted = CommandLine.arguments.dropFirst()
    for (name, text) in TextCorpus.texts where wanted.isEmpty || wanted.contains(name) {
      for (way, show) in [("message", showMessage), ("table", showTable)] {
        // The least of some: a busy machine makes it longer only.
        let milliseconds = try (0..<5).map { _ in try measure(text, show) }.min() ?? .infinity
        print("\(way)_\(name) \((milliseconds * 10).rounded() / 10)")
        longest = max(longest, milliseconds)
      }
    }
    print("longest \((longest * 10).rounded() / 10)")
  }

  @Client private static func measure(_ text: String, _ show: (TextOutput, String) throws -> Void) throws -> Double {
    let sink = CountingSink()
    let names = Nobody()
    let output = TextOutput(
      out: sink, errors: sink, names: names, clock: EventLoop.main, wallClock: { Timestamp(milliseconds: 0) },
      localTime: .utc)
    let start = now()
    try show(output, text)
    output.settle()
    let end = now()
    precondition(sink.bytes > 0, "nothing was shown")
    return end - start
  }

  @Client private static func showMessage(_ output: TextOutput, _ text: String) throws {
    let own = try JID("me@example.org")
    output.show(
      MessageArrived(id: nil, from: try JID("bob@example.org/x"), to: own, kind: .chat, body: text), of: own)
  }

  @Client private static func showTable(_ output: TextOutput, _ text: String) throws {
    output.show(Row(cells: [Cell("bob@example.org", .jid), Cell(text)]), of: "benchmark", account: nil)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

private struct Row: CommandRow {
  var cells: [Cell]
  func encode(to encoder: any Encoder) throws {}
}

@Client private final class CountingSink: TextSink {
  var columns: Int? { 80 }
  let style = Style(.sixteen)
  private(set) var bytes = 0

  func write(_ lines: String) { bytes += lines.utf8.count }
  func settle() {}
  func whenOut(_ action: @escaping @Client () -> Void) { action() }
  var holdsBack: Bool { false }
  func whenRoom(_ action: @escaping @Client () -> Void) { action() }
  func flush(within limit: Duration?) async throws(CommandFailure) {}
}

@Client private final class Nobody: NameSource {
  func accountName(_ account: JID) -> String? { nil }
  func friend(_ jid: JID, of account: JID?) -> RosterItem? { RosterItem(jid: jid.bare) }
  func isOwn(_ jid: JID) -> Bool { false }
  func room(_ jid: JID, of account: JID?) -> String? { nil }
  func isRoom(_ jid: JID) -> Bool { false }
  func occupant(_ jid: JID, of account: JID?) -> OccupantIdentity? { nil }
  func message(ofID id: String, in conversation: JID, isOutgoing: Bool?, of account: JID) -> LoggedMessage? { nil }
}
