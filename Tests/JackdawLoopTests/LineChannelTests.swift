// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@Client @Suite("A channel of lines", .onLoop)
struct LineChannelTests {
  /// What a channel told, and the other end of its socket.
  @Client private final class Ends {
    let channel: LineChannel
    let other: Int32
    private(set) var lines: [String] = []
    private(set) var ending: LineChannel.Ending?
    private(set) var hasReadAll = false
    private var waiting: CheckedContinuation<Void, Never>?

    init(lineLimit: Int = 1_000, queueLimit: Int = 1 << 20) {
      var ends: [Int32] = [-1, -1]
      precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      channel = LineChannel(adopting: ends[0], lineLimit: lineLimit, queueLimit: queueLimit)
      other = ends[1]
      channel.onLine = { [weak self] in self?.told { $0.lines.append(String(decoding: $1, as: UTF8.self)) }($0) }
      channel.onLastLine = { [weak self] in self?.told { me, _ in me.hasReadAll = true }([]) }
      channel.onEnd = { [weak self] ending in self?.told { me, _ in me.ending = ending }([]) }
    }

    private func told(_ note: @escaping @Client (Ends, [UInt8]) -> Void) -> @Client ([UInt8]) -> Void {
      { bytes in
        note(self, bytes)
        self.waiting?.resume()
        self.waiting = nil
      }
    }

    func write(_ text: String) {
      var text = text
      text.withUTF8 { _ = Glibc.write(other, $0.baseAddress, $0.count) }
    }

    func until(_ condition: @Client () -> Bool) async {
      while !condition() { await withCheckedContinuation { waiting = $0 } }
    }

    func end() { close(other) }
  }

  @Test("gives lines as they come, wherever they are split")
  func lines() async {
    let ends = Ends()
    ends.write("one\ntw")
    await ends.until { ends.lines.count == 1 }
    ends.write("o\n\nthree\nrest")
    await ends.until { ends.lines.count == 4 }
    #expect(ends.lines == ["one", "two", "", "three"])
    ends.end()
    await ends.until { ends.ending != nil }
    #expect(ends.ending == .closed && ends.lines.count == 4)
  }

  @Test("A line that is too long ends it")
  func tooLong() async {
    let ends = Ends(lineLimit: 10)
    ends.write("0123456789abc")
    await ends.until { ends.ending != nil }
    #expect(ends.ending == .tooLong)
    ends.end()
  }

  @Test("Who reads nothing is let go of when too much waits")
  func stuck() async {
    let ends = Ends(queueLimit: 1 << 16)
    let line = Array(repeating: UInt8(ascii: "x"), count: 1 << 14) + [0x0A]
    var sent = 0
    while ends.ending == nil, sent < 1_000 {
      ends.channel.send(line)
      sent += 1
    }
    #expect(ends.ending == .stuck && sent < 1_000)
    ends.end()
  }

  @Test("Who has said all can still be answered, until they are gone")
  func halfClosed() async {
    let ends = Ends()
    ends.write("ask\n")
    shutdown(ends.other, Int32(SHUT_WR))
    await ends.until { ends.hasReadAll }
    #expect(ends.lines == ["ask"] && ends.ending == nil && !ends.channel.isDeserted)
    #expect(ends.channel.send(Array("answer\n".utf8)))
    var buffer = [UInt8](repeating: 0, count: 20)
    #expect(read(ends.other, &buffer, 20) == 7)
    ends.end()
    #expect(ends.channel.isDeserted)
    await ends.until { ends.ending != nil }
    #expect(ends.ending == .closed)
  }

  @Test("The last line of who has said all needs no newline")
  func lastLine() async {
    let ends = Ends()
    ends.write("one\ntwo")
    shutdown(ends.other, Int32(SHUT_WR))
    await ends.until { ends.hasReadAll }
    #expect(ends.lines == ["one", "two"] && ends.ending == nil)
    ends.end()
  }

  @Test("What nobody can take any more is never told as taken")
  func sentToNobody() {
    let ends = Ends()
    shutdown(ends.other, Int32(SHUT_RDWR))
    var count = 0
    #expect(!ends.channel.send(Array("x\n".utf8)))
    ends.channel.whenSent { count += 1 }
    #expect(count == 0)
    ends.end()
  }

  @Test("After it is abandoned the other side cannot write; what it wrote before is not lost")
  func abandoned() {
    let ends = Ends()
    ends.write("before\nhalf")
    #expect(ends.channel.abandon().map { String(decoding: $0, as: UTF8.self) } == ["before", "half"])
    var byte: UInt8 = 0x0A
    #expect(send(ends.other, &byte, 1, Int32(MSG_NOSIGNAL)) < 0 && errno == EPIPE)
    #expect(ends.ending == nil)
    ends.end()
  }

  @Test("What is taken by the system is told")
  func sent() async {
    let ends = Ends()
    var count = 0
    #expect(ends.channel.send(Array("x\n".utf8)))
    ends.channel.whenSent { count += 1 }
    #expect(count == 1)
    let much = Array(repeating: UInt8(ascii: "x"), count: 900_000) + [0x0A]
    #expect(!ends.channel.send(much))
    ends.channel.whenSent { count += 1 }
    #expect(count == 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var got = 0
    while got < much.count + 2 {
      let read = read(ends.other, &buffer, buffer.count)
      if read > 0 { got += read } else { await EventLoop.main.idle() }
    }
    await EventLoop.main.idle()
    #expect(count == 2)
    ends.end()
  }
}
