// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Testing

@testable import JackdawTransport

@Suite struct TLSSessionTests {
  private let authority = TestAuthority()

  private func pair(
    _ settings: TestTLSServer.Settings = .init(), domain: String = "chat.example", isDirect: Bool = false,
    identity: TestCertificate? = nil
  ) throws -> TLSPair {
    let server = TestTLSServer(identity ?? authority.identity(), settings: settings)
    return try TLSPair(server: server, domain: domain, context: authority.context(), isDirect: isDirect)
  }

  @Test("Bytes are carried in both directions", arguments: [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")])
  func carriesBytesBothWays(version: Int32, name: String) throws {
    let pair = try pair(.init(maximumVersion: version))
    #expect(pair.security?.version == name)
    #expect(pair.security?.cipher.contains("GCM") == true)
    let text = Array("<stream/>".utf8)
    #expect(text.withUnsafeBytes { pair.client.write($0) } == nil)
    pair.toServer()
    #expect(pair.server.read() == text)
    let long = (0..<50_000).map { UInt8(truncatingIfNeeded: $0) }
    pair.server.write(long)
    pair.toClient()
    #expect(pair.clientReads().bytes == long)
  }

  /// The server offers only TLS 1.0 or 1.1 (RFC 8996).
  @Test("TLS 1.1 and older is refused", arguments: [TLS1_VERSION, TLS1_1_VERSION])
  func oldTLSIsRefused(version: Int32) throws {
    let pair = try pair(.init(minimumVersion: TLS1_VERSION, maximumVersion: version, ciphers: "ALL:@SECLEVEL=0"))
    #expect(pair.error?.code == .tls)
    #expect(
      pair.error?.description == "The server of chat.example offers no version of TLS that is safe (1.2 at least).")
  }

  /// Cipher suites that RFC 9325 advises against: NULL, anonymous, without forward secrecy.
  @Test(
    "Weak cipher suites are refused", arguments: ["eNULL:@SECLEVEL=0", "aNULL:@SECLEVEL=0", "kRSA+AES:@SECLEVEL=0"])
  func weakSuitesAreRefused(ciphers: String) throws {
    let settings = TestTLSServer.Settings(maximumVersion: TLS1_2_VERSION, ciphers: ciphers)
    let pair = try pair(settings, identity: authority.identity { $0.key = .rsa(bits: 2048) })
    #expect(pair.error?.code == .tls)
    #expect(pair.error?.description == "The server of chat.example offers no cipher that is safe.")
  }

  @Test(
    "The domain is sent as server name (SNI)",
    arguments: [
      ("chat.example", "chat.example"), ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("192.0.2.1", nil),
      ("[2001:db8::1]", nil),
    ])
  func tellsTheDomainAsServerName(domain: String, serverName: String?) throws {
    #expect(try pair(domain: domain).server.serverName == serverName)
  }

  /// Direct TLS has ALPN `xmpp-client` (XEP-0368).
  @Test("Direct TLS announces XMPP by ALPN") func directTLSAnnouncesXMPP() throws {
    let speaking = TestTLSServer.Settings(applicationProtocol: "xmpp-client")
    #expect(try pair(speaking, isDirect: true).server.applicationProtocol == "xmpp-client")
    #expect(try pair(speaking, isDirect: false).server.applicationProtocol == nil)
    let refused = try pair(.init(applicationProtocol: "h2"), isDirect: true)
    #expect(refused.error?.code == .tls)
    #expect(refused.error?.description == "The server of chat.example speaks TLS there, but not for XMPP clients.")
    #expect(try pair(isDirect: true).security != nil, "a server without ALPN is none the worse")
  }

  @Test(
    "A domain that is not a host name is refused",
    arguments: ["", "a b", "evil\0.example", "-x.example", "bücher.example", "[::1", "..", "a\n"])
  func aDomainThatIsNoNameIsRefused(domain: String) throws {
    let context = try authority.context()
    let error = #expect(throws: TransportError.self) {
      try TLSSession(context: context, domain: domain, isDirect: false)
    }
    #expect(error?.code == .tls)
  }

  /// Truncation: only close_notify is the end (RFC 8446 6.1); that no more data has arrived is not.
  @Test("Only close_notify ends the session properly") func closeNotifyIsTheOnlyEnd() throws {
    let pair = try pair()
    pair.server.write([1, 2, 3])
    pair.toClient()
    var (bytes, stop) = pair.clientReads()
    #expect(bytes == [1, 2, 3])
    guard case .drained = stop else {
      Issue.record("an end that was not said")
      return
    }
    pair.server.write([4])
    pair.server.finish()
    pair.toClient()
    (bytes, stop) = pair.clientReads()
    #expect(bytes == [4])
    guard case .closed = stop else {
      Issue.record("close_notify was not seen")
      return
    }
  }

  @Test("Finishing sends close_notify") func finishingSendsCloseNotify() throws {
    let pair = try pair()
    pair.client.finishWriting()
    pair.toServer()
    #expect(pair.server.read() == [])
    #expect(pair.server.hasPeerFinished)
  }

  @Test("Damaged records are an error") func damagedRecordsAreAnError() throws {
    let pair = try pair()
    pair.server.write([UInt8](repeating: 7, count: 100))
    var bytes = pair.server.takeOutput()
    bytes[bytes.count - 1] ^= 1
    bytes.withUnsafeBytes { pair.client.receive($0) }
    guard case (_, .failed(let error)) = pair.clientReads() else {
      Issue.record("damage was not seen")
      return
    }
    #expect(error.description == "The TLS connection to chat.example was tampered with or damaged.")
  }

  /// Servers that answer with HTTP, an SSH banner or a plain stream instead of TLS.
  @Test(
    "A server that does not speak TLS is reported as that",
    arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "<stream:stream>......"])
  func whatIsNotTLSIsSaidSo(text: String) throws {
    let client = try TLSSession(context: authority.context(), domain: "chat.example", isDirect: true)
    _ = client.handshake()
    Array(text.utf8).withUnsafeBytes { client.receive($0) }
    guard case .failed(let error) = client.handshake() else {
      Issue.record("not noticed")
      return
    }
    #expect(error.code == .tls)
    #expect(error.description == "The server of chat.example does not speak TLS there.")
  }

  /// The server asks for renegotiation with a HelloRequest; the client answers with nothing but a warning.
  @Test("Renegotiation is refused") func renegotiationIsRefused() throws {
    let pair = try pair(.init(maximumVersion: TLS1_2_VERSION))
    SSL_renegotiate(pair.server.session)
    pair.server.handshake()
    pair.toClient()
    #expect(pair.clientReads().bytes == [])
    var count = 0
    pair.client.takeOutput { count += $0.count }
    #expect((1..<100).contains(count), "an alert, not another ClientHello")
  }

  /// There is no 0-RTT, and no resumption unless it is asked for, whatever tickets the server sends.
  @Test("Every handshake is a full one, without resumption and early data") func everyHandshakeIsAWholeOne() throws {
    let context = try authority.context()
    let identity = authority.identity()
    for _ in 0..<2 {
      let pair = try TLSPair(server: TestTLSServer(identity), domain: "chat.example", context: context)
      pair.toClient()
      _ = pair.clientReads()
      #expect(SSL_session_reused(pair.server.session) == 0)
      #expect(SSL_get_early_data_status(pair.server.session) == SSL_EARLY_DATA_NOT_SENT)
    }
  }

  /// Every cut of the server's first flight, and noise, is waited on or refused, never crashed over.
  @Test("Broken handshakes never crash") func brokenHandshakesNeverCrash() throws {
    let context = try authority.context()
    let server = TestTLSServer(authority.identity())
    let first = try TLSSession(context: context, domain: "chat.example", isDirect: false)
    _ = first.handshake()
    first.takeOutput { server.receive(Array($0)) }
    server.handshake()
    let flight = server.takeOutput()
    var generator = SystemRandomNumberGenerator()
    for end in stride(from: 0, to: flight.count, by: 7) {
      let client = try TLSSession(context: context, domain: "chat.example", isDirect: false)
      _ = client.handshake()
      var bytes = Array(flight[..<end])
      if let index = bytes.indices.randomElement(using: &generator) { bytes[index] = .random(in: 0...255) }
      bytes.withUnsafeBytes { client.receive($0) }
      if case .done = client.handshake() { Issue.record("a foreign handshake was accepted") }
    }
  }
}
