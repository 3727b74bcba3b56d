// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import Support
import Testing

@testable import JackdawTransport

@Client @Suite(.onLoop) struct DirectTLSTests: ConnectorTesting {
  let progress = Progress()
  let names = ScriptedNames()
  let authority = TestAuthority()
  let clock = ManualClock()
  let closed = ClosedPort()

  /// Direct TLS (XEP-0368): same verification, SNI = domain, ALPN `xmpp-client`, whatever host DNS names.
  @Test("With direct TLS the certificate is verified for the domain")
  func directTLSIsVerifiedForTheDomain() async throws {
    let server = directServer(authority.identity(), settings: .init(applicationProtocol: "xmpp-client"))
    names.offer([("host.other.example", server.address.port, true)])
    names.hosts = ["host.other.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.transport?.isSecure == true)
    #expect(dial.security?.channelBindings["tls-exporter"]?.count == 32)
    let peer = try await server.firstPeer()
    #expect(peer.tls?.serverName == "chat.example")
    #expect(peer.tls?.applicationProtocol == "xmpp-client")
  }

  /// A certificate for the host connected to, but not for the JID's domain (RFC 6120 13.7.2, RFC 9525).
  @Test("A certificate for the host of the SRV record is not enough", arguments: [false, true])
  func aCertificateForTheHostIsNotEnough(byServerOption: Bool) async throws {
    let server = directServer(authority.identity("localhost"))
    names.offer([("localhost", server.address.port, true)])
    names.hosts = ["localhost": ["127.0.0.1"]]
    let dial = dial(
      byServerOption ? plan(server: HostPort(host: "localhost", port: server.address.port), tls: .direct) : plan())
    try await dial.untilOver()
    #expect(dial.code == .certificate)
    #expect(dial.sentence == "The certificate of chat.example is not for this domain, but for localhost.")
  }

  @Test(
    "an authority's file that is exchanged while the program runs counts at the next connection, once it can be read")
  func anExchangedAuthorityCounts() async throws {
    let renewed = TestAuthority()
    let (before, after) = (directServer(authority.identity()), directServer(renewed.identity()))
    let connector = connector()
    func connects(to server: LoopbackServer) async throws -> Bool {
      let plan = plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct)
      let dial = Dial(connector, plan, progress)
      try await dial.untilOver()
      return dial.transport?.isSecure == true
    }
    #expect(try await connects(to: before))
    #expect(try await !connects(to: after))
    authority.directory.write([], to: "ca.pem")
    #expect(try await connects(to: before))
    authority.directory.write(renewed.certificate.pem + [UInt8(ascii: "\n")], to: "ca.pem")
    #expect(try await connects(to: after))
    #expect(try await !connects(to: before))
  }

  @Test("After a bad certificate the next target is tried")
  func afterABadCertificateTheNextTargetIsTried() async throws {
    let bad = directServer(authority.identity("other.example"))
    let good = directServer(authority.identity())
    names.offer([("a.example", bad.address.port, true), ("b.example", good.address.port, true)])
    names.hosts = ["a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.transport?.isSecure == true)
    #expect(good.peers.count == 1)
  }

  @Test("A bad certificate is reported when no other target works")
  func theBadCertificateIsToldWhenNothingElseWorks() async throws {
    let bad = directServer(authority.identity("other.example"))
    names.offer([("a.example", bad.address.port, true), ("b.example", closed.port, false)])
    names.hosts = ["a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"]]
    let dial = dial(plan())
    try await dial.untilOver()
    #expect(dial.code == .certificate)
  }

  /// An SSH banner where TLS was expected.
  @Test("A port that does not speak TLS is reported as that") func aPortWithoutTLSIsNamed() async throws {
    let server = LoopbackServer(progress: progress) { $0.send("SSH-2.0-OpenSSH_9.2p1\r\n") }
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct))
    try await dial.untilOver()
    #expect(dial.code == .tls)
    #expect(dial.sentence == "The server of chat.example does not speak TLS there.")
  }

  @Test("A connection that ends during the TLS handshake is lost")
  func aHangUpDuringTheHandshakeIsALoss() async throws {
    let server = LoopbackServer(progress: progress) { $0.finish() }
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct))
    try await dial.untilOver()
    #expect(dial.code == .lost)
  }

  @Test("Data that the server sends first waits for the delegate")
  func whatTheServerSaysFirstWaitsForTheDelegate() async throws {
    let server = directServer(authority.identity())
    let dial = dial(plan(server: HostPort(host: "127.0.0.1", port: server.address.port), tls: .direct))
    try await dial.untilOver()
    let peer = try await server.firstPeer()
    try await progress.until("the server has finished too") { peer.isSecure }
    peer.send("first words")
    await EventLoop.main.idle()
    let recorder = Recorder(progress)
    let transport = try #require(dial.transport)
    recorder.during { transport.delegate = recorder }
    try await progress.until("the words arrive") { recorder.received.count == 11 }
    #expect(recorder.text == "first words")
  }
}
