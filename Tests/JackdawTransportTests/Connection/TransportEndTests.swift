// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct TransportEndTests {
  /// A FIN or RST without close_notify is a truncation, not a clean end; without TLS it is a loss too.
  @Test("An end without close_notify is a loss", arguments: [false, true], [false, true])
  func anEndWithoutGoodbyeIsALoss(secure: Bool, byReset: Bool) async throws {
    let line = try await Line()
    if secure { try await line.secure() }
    line.peer.send("last words")
    try await line.untilClient(has: 10)
    if byReset { line.peer.reset() } else { line.peer.finish() }
    try await line.untilEnd()
    let error = try #require(line.recorder.ends.first ?? nil)
    #expect(error.code == .lost)
    #expect(error.errno == (byReset ? ECONNRESET : 0))
    #expect(
      error.description
        == (byReset
          ? "The connection to chat.example broke: connection reset."
          : "The server of chat.example hung up without a goodbye."))
  }

  @Test("An end after close_notify is a proper end") func aGoodbyeIsAnEnd() async throws {
    let line = try await Line()
    try await line.secure()
    line.peer.send("</stream:stream>")
    line.peer.sayGoodbye()
    try await line.untilEnd()
    #expect(line.recorder.text == "</stream:stream>")
    #expect(line.recorder.endedWell)
    try await line.progress.until("the goodbye is answered") { line.peer.tls?.hasPeerFinished == true }
  }

  @Test("A connection that ends during the TLS handshake is lost")
  func aHangUpDuringTheHandshakeIsALoss() async throws {
    let line = try await Line()
    line.transport.startTLS()
    try await line.untilPeer(has: 1)
    line.peer.finish()
    try await line.untilEnd()
    #expect(line.recorder.ends.first??.code == .lost)
    #expect(line.recorder.ends.first??.description == "The server of chat.example hung up during the TLS handshake.")
  }

  @Test("Closing sends everything first", arguments: [false, true])
  func closingSendsEverythingFirst(secure: Bool) async throws {
    let line = try await Line(upBuffer: 16_384)
    if secure { try await line.secure() }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    line.recorder.during {
      line.transport.send(bytes)
      line.transport.close(timeout: .seconds(60))
      line.transport.close(timeout: .zero)
      line.transport.send([0xFF])
    }
    try await line.progress.until("the peer sees the end") { line.peer.end != nil }
    #expect(line.peer.received == bytes)
    #expect(line.peer.end == .finished)
    if secure { #expect(line.peer.tls?.hasPeerFinished == true) }
    #expect(line.recorder.ends.isEmpty, "the peer has not ended yet")
    line.peer.send("bye")
    try await line.untilClient(has: 3)
    if secure { line.peer.sayGoodbye() } else { line.peer.finish() }
    try await line.untilEnd()
    #expect(line.recorder.endedWell)
  }

  /// A zero TCP window: the server has stopped reading, and closing still works.
  @Test("Closing is limited in time") func closingIsLimitedInTime() async throws {
    let clock = ManualClock()
    let line = try await Line(clock: clock, upBuffer: 4096)
    try await line.secure()
    line.peer.isReading = false
    line.transport.send([UInt8](repeating: 1, count: 4_000_000))
    await EventLoop.main.idle()
    #expect(line.transport.pendingOutput > 1_000_000)
    line.transport.close(timeout: .seconds(2))
    await clock.elapse(.milliseconds(1999))
    #expect(line.recorder.ends.isEmpty)
    await clock.elapse(.milliseconds(1))
    #expect(line.recorder.endedWell)
    #expect(line.transport.pendingOutput == 0)
  }

  @Test("A reset while closing is not a loss", arguments: [false, true])
  func aResetWhileClosingIsNoLoss(secure: Bool) async throws {
    let line = try await Line()
    if secure { try await line.secure() }
    line.transport.close(timeout: .seconds(60))
    try await line.progress.until("the peer sees the end") { line.peer.end != nil }
    line.peer.reset()
    try await line.untilEnd()
    #expect(line.recorder.endedWell)
  }

  @Test("Closing during the TLS handshake ends at once") func closingDuringTheHandshakeEndsAtOnce() async throws {
    let line = try await Line()
    line.transport.startTLS()
    try await line.untilPeer(has: 1)
    line.recorder.during { line.transport.close(timeout: .seconds(60)) }
    try await line.untilEnd()
    #expect(line.recorder.endedWell)
  }

  @Test("When the server closes while we close our bytes still go out")
  func aGoodbyeWhileWeCloseLetsOurBytesOut() async throws {
    let line = try await Line(upBuffer: 16_384)
    try await line.secure()
    let bytes = [UInt8](repeating: 9, count: 500_000)
    line.transport.send(bytes)
    line.transport.close(timeout: .seconds(60))
    line.peer.sayGoodbye()
    try await line.untilEnd()
    try await line.progress.until("the peer sees the end") { line.peer.end != nil }
    #expect(line.peer.received == bytes)
    #expect(line.recorder.endedWell)
  }

  @Test("Aborting calls no delegate and sends nothing more", arguments: [false, true])
  func abortingIsSilent(secure: Bool) async throws {
    let line = try await Line()
    if secure { try await line.secure() }
    line.peer.send("on its way")
    line.recorder.during {
      line.transport.send([1])
      line.transport.abort()
      line.transport.abort()
      line.transport.send([2])
      line.transport.startTLS()
      line.transport.close(timeout: .zero)
    }
    try await line.progress.until("the peer sees the end") { line.peer.end != nil }
    await EventLoop.main.idle()
    #expect(line.recorder.ends.isEmpty)
    #expect(line.recorder.received.isEmpty)
    #expect(line.transport.pendingOutput == 0)
  }

  @Test("Aborting from within a delivery is safe") func abortingFromWithinADeliveryIsSafe() async throws {
    let line = try await Line()
    try await line.secure()
    line.recorder.onReceived = { line.transport.abort() }
    line.peer.send("x")
    line.peer.sayGoodbye()
    try await line.untilClient(has: 1)
    await EventLoop.main.idle()
    #expect(line.recorder.ends.isEmpty)
    #expect(line.recorder.text == "x")
  }

  @Test("Releasing a transport closes it") func lettingGoOfATransportClosesIt() async throws {
    let progress = Progress()
    let server = LoopbackServer(progress: progress)
    var transport: TCPTransport? = TCPTransport(
      socket: try Socket(connectingTo: server.address), domain: "chat.example", tls: try TestAuthority().context(),
      loop: .main,
      clock: EventLoop.main)
    let recorder = Recorder(progress)
    transport?.delegate = recorder
    let peer = try await server.firstPeer()
    transport = nil
    try await progress.until("the peer sees the end") { peer.end != nil }
    #expect(recorder.ends.isEmpty)
  }

  @Test("Without its delegate a transport does not spin") func losingTheDelegateDoesNotSpin() async throws {
    let line = try await Line()
    var second: Recorder? = Recorder(line.progress)
    line.transport.delegate = second
    second = nil
    line.peer.send("nobody listens")
    line.peer.finish()
    // The loop is idle only when nothing is ready over and over.
    await EventLoop.main.idle()
    line.transport.delegate = line.recorder
    try await line.untilEnd()
    #expect(line.recorder.text == "nobody listens")
  }
}
