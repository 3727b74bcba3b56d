// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct TransportFlowTests {
  @Test("large data goes in both directions through small windows", arguments: [false, true])
  func muchGoesBothWaysThroughSmallWindows(secure: Bool) async throws {
    let line = try await Line(upBuffer: 8192, downBuffer: 8192)
    if secure { try await line.secure() }
    let up = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let down = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) }
    for start in stride(from: 0, to: up.count, by: 9_999) {
      line.transport.send(Array(up[start..<min(start + 9_999, up.count)]))
    }
    line.peer.send(down)
    try await line.progress.until("all is there") {
      line.peer.received.count >= up.count && line.recorder.received.count >= down.count
    }
    #expect(line.peer.received == up)
    #expect(line.recorder.received == down)
    #expect(line.transport.pendingOutput == 0)
  }

  /// A flood never starves the keyboard: a bounded piece, then a turn for others.
  @Test(
    "a flood arrives in bounded pieces", arguments: [false, true],
    [TransportLimits.readPerTurn, TransportLimits.readBetweenKeys])
  func aFloodComesInBoundedPieces(secure: Bool, readPerTurn: Int) async throws {
    let line = try await Line(readPerTurn: readPerTurn)
    if secure { try await line.secure() }
    var turns = 0
    var turnsAtPiece: [Int] = []
    // A byte that nobody reads is ready in every turn, once.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0 && write(ends[1], "x", 1) == 1)
    defer { for end in ends { close(end) } }
    let everyTurn = EventLoop.main.watch(ends[0], .readable) { _ in turns += 1 }
    defer { everyTurn.cancel() }
    line.recorder.onReceived = { turnsAtPiece.append(turns) }
    line.peer.send([UInt8](repeating: 5, count: 3_000_000))
    try await line.untilClient(has: 3_000_000)
    #expect(line.recorder.pieces.allSatisfy { $0 <= readPerTurn + 16_384 })
    #expect(zip(turnsAtPiece, turnsAtPiece.dropFirst()).allSatisfy { $0 < $1 }, "two pieces in one turn")
  }

  @Test("pausing holds the server back", arguments: [false, true])
  func pausingHoldsThePeerBack(secure: Bool) async throws {
    let line = try await Line(downBuffer: 16_384)
    if secure { try await line.secure() }
    line.transport.isReadingPaused = true
    let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0) }
    line.peer.send(bytes)
    await EventLoop.main.idle()
    #expect(line.recorder.received.isEmpty)
    #expect(line.peer.unsent > 100_000, "TCP holds the peer back")
    line.recorder.during { line.transport.isReadingPaused = false }
    try await line.untilClient(has: bytes.count)
    #expect(line.recorder.received == bytes)
  }

  @Test("pausing from within a delivery stops the delivery") func pausingFromWithinADeliveryStopsIt() async throws {
    let line = try await Line()
    line.recorder.onReceived = { line.transport.isReadingPaused = true }
    line.peer.send([UInt8](repeating: 1, count: 300_000))
    try await line.untilClient(has: 1)
    await EventLoop.main.idle()
    #expect(line.recorder.pieces.count == 1)
    line.recorder.onReceived = nil
    line.transport.isReadingPaused = false
    try await line.untilClient(has: 300_000)
  }

  /// While reading is paused, neither a reset nor an end makes the loop spin, and what came before an end is not
  /// lost.
  @Test("an end while reading is paused is reported after it is resumed", arguments: [false, true])
  func anEndWhilePausedWaits(byReset: Bool) async throws {
    let line = try await Line()
    line.transport.isReadingPaused = true
    line.peer.send("before")
    await EventLoop.main.idle()
    if byReset { line.peer.reset() } else { line.peer.finish() }
    await EventLoop.main.idle()
    line.transport.send(Array("into the void".utf8))
    await EventLoop.main.idle()
    #expect(line.recorder.ends.isEmpty)
    line.transport.isReadingPaused = false
    try await line.untilEnd()
    #expect(line.recorder.ends.first??.code == .lost)
    if !byReset { #expect(line.recorder.text == "before") }
  }

  /// A zero TCP window.
  @Test("a server that never reads blocks nothing", arguments: [false, true])
  func aPeerThatNeverReadsBlocksNothing(secure: Bool) async throws {
    let line = try await Line()
    if secure { try await line.secure() }
    line.peer.isReading = false
    let total = 20_000_000
    for _ in 0..<20 { line.transport.send([UInt8](repeating: 0, count: total / 20)) }
    await EventLoop.main.idle()
    #expect(line.transport.pendingOutput > 1_000_000)
    #expect(line.transport.pendingOutput < total + 100_000)
    line.peer.send("still heard")
    try await line.untilClient(has: 11)
    // What the kernel buffers by itself says nothing of the peer.
    await EventLoop.main.idle()
    let before = line.recorder.roomCount
    let stuck = try #require(line.transport.outputProgress)
    #expect(stuck.acknowledged < total)
    #expect(stuck.waiting > line.transport.pendingOutput)
    line.peer.isReading = true
    try await line.untilPeer(has: total)
    #expect(line.transport.pendingOutput == 0)
    #expect(line.recorder.roomCount > before)
    let ended = try #require(line.transport.outputProgress)
    #expect(ended.acknowledged > stuck.acknowledged, "it reads: a sign of life")
    #expect(ended.acknowledged + ended.waiting >= total)
  }

  @Test("what a turn leaves to be encrypted goes out in the next one, though the kernel has taken all that was")
  func aTurnThatLeavesNothingForTheKernel() async throws {
    let line = try await Line(upBuffer: 1 << 20)
    try await line.secure()
    // A record of TLS 1.3 is 22 bytes longer than what is in it: four are what is encrypted ahead, sixteen what a turn writes.
    let size = TransportLimits.encryptedAhead / 4 - 22
    try #require(TransportLimits.writePerTurn.isMultiple(of: TransportLimits.encryptedAhead))
    for _ in 0..<20 { line.transport.send([UInt8](repeating: 7, count: size)) }
    try await line.untilPeer(has: 20 * size)
    #expect(line.transport.pendingOutput == 0)
  }

  /// Neither the kernel nor what is encrypted holds more than a slow line carries soon.
  @Test("what is sent ahead goes before what a slow peer has not taken yet, between two pieces of that")
  func ahead() async throws {
    let line = try await Line()
    try await line.secure()
    line.peer.isReading = false
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
    for _ in 0..<300 { line.transport.send(piece) }
    await EventLoop.main.idle()
    line.transport.sendAhead(Array("<a/>".utf8))
    #expect(line.transport.pendingOutput > 2_000_000)
    line.peer.isReading = true
    try await line.untilPeer(has: 300 * piece.count + 4)
    let place = try #require(line.peer.received.firstIndex(of: UInt8(ascii: "<")))
    #expect(place < 1_500_000 && place.isMultiple(of: piece.count))
    #expect(Array(line.peer.received[place..<place + 4]) == Array("<a/>".utf8))
    #expect(line.transport.pendingOutput == 0)
  }

  /// The program may end before a slow line has carried it.
  @Test("the kernel takes far more once all is handed over")
  func handedOver() async throws {
    let line = try await Line()
    try await line.secure()
    line.peer.isReading = false
    line.transport.send([UInt8](repeating: UInt8(ascii: "x"), count: 8_000_000))
    await EventLoop.main.idle()
    let waiting = line.transport.pendingOutput
    line.transport.handOver()
    for _ in 0..<20 { await EventLoop.main.idle() }
    #expect(line.transport.pendingOutput < waiting - 300_000)
    line.peer.isReading = true
    try await line.untilPeer(has: 8_000_000)
  }

  /// SIGPIPE: the socket is gone while we write.
  @Test("writing to a closed socket raises no signal") func writingToAClosedSocketRaisesNoSignal() async throws {
    var signals = 0
    let watch = EventLoop.main.onSignal(SIGPIPE) { signals += 1 }
    defer { watch.cancel() }
    // TCP tells of the reset first and raises the signal at the second write only. This pair raises it at the first,
    // which has to come before poll tells that the peer is gone.
    let line = try Line(pair: SOCK_STREAM)
    line.transport.isReadingPaused = true
    line.peer.shutDown()
    line.transport.send([1])
    line.transport.flush()
    #expect(line.transport.isOutputBroken)
    await EventLoop.main.idle()
    line.transport.isReadingPaused = false
    try await line.untilEnd()
    #expect(line.recorder.ends.first??.code == .lost)
    #expect(signals == 0)
  }

  /// What the server said before it hung up is told even though our writes fail first.
  @Test("the server's last bytes are delivered though writes fail")
  func lastWordsAreHeardThoughWritesFail() async throws {
    let line = try await Line()
    line.peer.send("<stream:error/>")
    line.peer.finish()
    line.peer.drop()
    for _ in 0..<3 { line.transport.send([1]) }
    try await line.untilEnd()
    #expect(line.recorder.text == "<stream:error/>")
    #expect(line.recorder.ends.first??.code == .lost)
  }

  /// TLS 1.3 lets a peer ask for answers of TLS itself, without end. Their sum is bounded when it does not read them.
  @Test("the answers of TLS itself are bounded") func answersOfTLSItselfAreBounded() async throws {
    let line = try await Line(upBuffer: 4096)
    try await line.secure()
    let server = try #require(line.peer.tls)
    line.peer.isReading = false
    func ask() {
      for _ in 0..<2_000 {
        SSL_key_update(server.session, SSL_KEY_UPDATE_REQUESTED)
        server.handshake()
      }
      line.peer.pushTLS()
    }
    var asked = 0
    while line.recorder.ends.isEmpty, asked < 200_000 {
      ask()
      asked += 2_000
      try await line.progress.until("the questions are out") { line.peer.unsent == 0 || !line.recorder.ends.isEmpty }
      await EventLoop.main.idle()
      #expect(line.transport.pendingOutput <= TransportLimits.encryptedBacklog + TransportLimits.readPerTurn)
    }
    #expect(line.recorder.ends.first??.code == .tls)
  }
}
