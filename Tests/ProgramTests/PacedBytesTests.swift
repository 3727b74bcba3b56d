// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The slow line of ``FaultProxy``, whose speed no timer's grain may change.
@Suite("Bytes at a pace")
struct PacedBytesTests {
  private static let microsecond: Int64 = 1000
  private static let byteByByte = FaultProxy.Pace(bytes: 1, interval: .microseconds(100))

  @Test("each byte passes one interval after the one before")
  func intervals() {
    var line = PacedBytes()
    line.append(1...3, Self.byteByByte, now: 0)
    #expect(line.ready(at: 0) == [1])
    line.removeFirst(1)
    #expect(line.due == 100 * Self.microsecond)
    #expect(line.ready(at: 99 * Self.microsecond).isEmpty)
    #expect(line.ready(at: 100 * Self.microsecond) == [2])
  }

  @Test("a wake-up that comes late passes all that is due by then, at once")
  func late() {
    var line = PacedBytes()
    line.append(0..<100, Self.byteByByte, now: 0)
    #expect(Array(line.ready(at: 4000 * Self.microsecond)) == Array(0...40))
    line.removeFirst(41)
    #expect(line.due == 4100 * Self.microsecond)
  }

  @Test("a stream takes as long as its bytes do, however coarse the timer", arguments: [1, 100, 1000, 4000, 10_000])
  func grain(_ microseconds: Int64) throws {
    var line = PacedBytes()
    line.append(Array(repeating: UInt8(ascii: "x"), count: 2000), Self.byteByByte, now: 0)
    let grain = microseconds * Self.microsecond
    var now: Int64 = 0
    while let due = line.due {
      // The next tick at or after the moment.
      now = (due + grain - 1) / grain * grain
      line.removeFirst(line.ready(at: now).count)
    }
    #expect((199_900 * Self.microsecond..<199_900 * Self.microsecond + grain).contains(now))
  }

  @Test("what the other side did not take waits, in its order")
  func notTaken() {
    var line = PacedBytes()
    line.append(1...4, .init(), now: 0)
    line.removeFirst(2)
    line.append(5...6, .init(), now: 1)
    #expect(line.ready(at: 1) == [3, 4, 5, 6])
    line.removeFirst(4)
    #expect(line.isEmpty && line.due == nil)
  }

  @Test("what comes when nothing waits still keeps its distance from what was passed")
  func distance() {
    var line = PacedBytes()
    line.append([1], Self.byteByByte, now: 0)
    line.removeFirst(1)
    line.append([2], Self.byteByByte, now: 10 * Self.microsecond)
    #expect(line.due == 100 * Self.microsecond)
  }

  @Test("a delay holds each piece back, and keeps no later one any longer")
  func delay() {
    var line = PacedBytes()
    line.append([1], .init(delay: .milliseconds(1)), now: 0)
    line.append([2], .init(delay: .milliseconds(1)), now: 400 * Self.microsecond)
    #expect(line.ready(at: 1000 * Self.microsecond) == [1])
    #expect(line.ready(at: 1400 * Self.microsecond) == [1, 2])
  }
}
