// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct TCPTransportTests {
  @Test("Bytes are carried in the clear") func carriesBytesInTheClear() async throws {
    let line = try await Line()
    line.recorder.during { line.transport.send(Array("hello".utf8)) }
    try await line.untilPeer(has: 5)
    #expect(line.peer.text == "hello")
    line.peer.send("and back")
    try await line.untilClient(has: 8)
    #expect(line.recorder.text == "and back")
    #expect(!line.transport.isSecure)
    #expect(line.transport.pendingOutput == 0)
  }

  @Test("What is sent in one turn is one write", arguments: [false, true])
  func oneTurnIsOneWrite(secure: Bool) async throws {
    let line = try Line(pair: SOCK_SEQPACKET)
    if secure { try await line.secure() }
    await EventLoop.main.idle()
    let before = line.peer.reads.count
    for part in ["<message>", "<body>", "hello", "</body>", "</message>"] { line.transport.send(Array(part.utf8)) }
    #expect(line.transport.pendingOutput == 37)
    try await line.untilPeer(has: 37)
    #expect(line.peer.text == "<message><body>hello</body></message>")
    #expect(line.peer.reads.count == before + 1)
    #expect(line.transport.pendingOutput == 0)
  }

  @Test("A connection is upgraded to TLS") func upgradesToTLS() async throws {
    let line = try await Line()
    line.transport.send(Array("<starttls/>".utf8))
    try await line.untilPeer(has: 11)
    line.peer.send("<proceed/>")
    try await line.untilClient(has: 10)
    try await line.secure()
    #expect(line.transport.isSecure)
    #expect(line.recorder.security?.version == "TLSv1.3")
    line.peer.clearReceived()
    line.transport.send(Array("secret".utf8))
    try await line.untilPeer(has: 6)
    #expect(line.peer.text == "secret")
    line.peer.send("answer")
    try await line.untilClient(has: 16)
    #expect(line.recorder.text == "<proceed/>answer")
  }

  @Test("What was queued before STARTTLS is sent in the clear")
  func whatWasQueuedBeforeTLSGoesInTheClear() async throws {
    let line = try await Line()
    let server = TestTLSServer(line.authority.identity())
    var clear: [UInt8] = []
    line.peer.onReceived = {
      // The clear bytes and the ClientHello may come in one read; the first is for the peer, the rest is for TLS.
      guard line.peer.tls == nil, line.peer.received.count > 5 else { return }
      clear = Array(line.peer.received.prefix(5))
      server.receive(Array(line.peer.received.dropFirst(5)))
      line.peer.startTLS(server)
      line.peer.clearReceived()
      server.handshake()
      line.peer.pushTLS()
    }
    line.recorder.during {
      line.transport.send(Array("clear".utf8))
      line.transport.startTLS()
      line.transport.send(Array("hidden".utf8))
    }
    try await line.untilPeer(has: 6)
    #expect(clear == Array("clear".utf8))
    #expect(line.peer.text == "hidden")
    #expect(line.peer.isSecure)
  }

  /// STARTTLS plaintext injection (on servers CVE-2011-0411): after `startTLS()` comes TLS or an error, no plain text.
  @Test("Plain text after STARTTLS is never delivered") func plainTextAfterStartTLSIsNeverDelivered() async throws {
    let line = try await Line()
    line.peer.send("<proceed/>")
    try await line.untilClient(has: 10)
    line.transport.startTLS()
    line.peer.send("<stream:stream><stream:features/>")
    try await line.untilEnd()
    #expect(line.recorder.text == "<proceed/>")
    #expect(line.recorder.ends.first??.code == .tls)
    #expect(!line.transport.isSecure)
  }

  /// A wrong certificate ends the connection before SASL (RFC 6120 13.7.2), and nothing is delivered.
  @Test("A wrong certificate ends the connection") func aWrongCertificateEndsIt() async throws {
    let line = try await Line()
    line.peer.startTLS(TestTLSServer(line.authority.identity("other.example")))
    line.transport.startTLS()
    line.transport.send(Array("password".utf8))
    try await line.untilEnd()
    #expect(line.recorder.ends.first??.code == .certificate)
    #expect(
      line.recorder.ends.first??.description
        == "The certificate of chat.example is not for this domain, but for other.example.")
    try await line.progress.until("the peer sees the end") { line.peer.end != nil }
    #expect(line.peer.received.isEmpty)
    #expect(line.recorder.security == nil)
  }

  @Test("A domain that is not a host name ends the connection with an error")
  func aDomainThatIsNoNameEndsInAnError() async throws {
    let progress = Progress()
    let server = LoopbackServer(progress: progress)
    let recorder = Recorder(progress)
    let transport = TCPTransport(
      socket: try Socket(connectingTo: server.address), domain: "a b", tls: try TestAuthority().context(), loop: .main,
      clock: EventLoop.main)
    transport.delegate = recorder
    recorder.during { transport.startTLS() }
    try await progress.until("it ends") { !recorder.ends.isEmpty }
    #expect(recorder.ends.first??.code == .tls)
  }

  @Test("Nothing is read before there is a delegate") func isReadBySomebodyOnly() async throws {
    let line = try await Line()
    line.transport.delegate = nil
    line.peer.send("early")
    await EventLoop.main.idle()
    #expect(line.recorder.received.isEmpty)
    line.transport.delegate = line.recorder
    try await line.untilClient(has: 5)
    #expect(line.recorder.text == "early")
  }

  /// Records that came with the last flight of the handshake are not announced by poll any more.
  @Test("What TLS has decrypted already is delivered later", arguments: [false, true])
  func whatTLSHasReadAlreadyIsDeliveredLater(byPause: Bool) async throws {
    let line = try await Line()
    // In TLS 1.2 the server speaks last, so that its first words can come in the same segment.
    line.peer.startTLS(TestTLSServer(line.authority.identity(), settings: .init(maximumVersion: TLS1_2_VERSION)))
    line.peer.onReceived = { if line.peer.isSecure { line.peer.tls?.write(Array("early".utf8)) } }
    line.recorder.onSecured = {
      if byPause { line.transport.isReadingPaused = true } else { line.transport.delegate = nil }
    }
    line.transport.startTLS()
    try await line.progress.until("TLS stands") { line.recorder.security != nil }
    await EventLoop.main.idle()
    #expect(line.recorder.received.isEmpty)
    line.recorder.during {
      if byPause { line.transport.isReadingPaused = false } else { line.transport.delegate = line.recorder }
    }
    try await line.untilClient(has: 5)
    #expect(line.recorder.text == "early")
  }

  /// The kernel forgets the setting in a while, so the test looks right behind the write.
  @Test("Quick acknowledgement is set while negotiating")
  func quickAcknowledgementIsSetWhileNegotiating() async throws {
    let line = try await Line()
    var length = socklen_t(MemoryLayout<Int32>.size)
    /// Writes a byte on a connection whose acknowledgements are delayed, and tells whether they are so no more.
    func isQuickAfterWriting() -> Bool {
      var value: Int32 = 0
      setsockopt(line.descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &value, length)
      line.transport.send([1])
      line.transport.flush()
      getsockopt(line.descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &value, &length)
      return value == 1
    }
    #expect(!isQuickAfterWriting())
    line.transport.isNegotiating = true
    #expect(isQuickAfterWriting())
    #expect(isQuickAfterWriting())
    line.transport.isNegotiating = false
    #expect(!isQuickAfterWriting())
  }

  @Test("The socket's options are set") func theSocketIsSetUp() async throws {
    let line = try await Line()
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var value: Int32 = -1
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(line.descriptor, level, name, &value, &length)
      return value
    }
    #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY) == 1)
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 0)
    #expect(fcntl(line.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(line.descriptor, F_GETFL) & O_NONBLOCK != 0)
  }
}
