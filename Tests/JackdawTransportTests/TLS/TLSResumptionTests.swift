// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc
import Testing

@testable import JackdawTransport

/// What one TLS connection leaves for the next (RFC 8446 2.2).
@Suite("A resumed TLS connection") struct TLSResumptionTests {
  private let authority = TestAuthority()
  private let context: TLSContext

  init() throws { context = try authority.context() }

  private func pair(
    _ server: TestTLSServer, domain: String = "chat.example", isDirect: Bool = false, _ ticket: TLSTicket? = nil,
    context: TLSContext? = nil
  ) throws -> TLSPair {
    try TLSPair(
      server: server, domain: domain, context: context ?? self.context, isDirect: isDirect, keepsTickets: true,
      ticket: ticket)
  }

  /// What the server gave on a connection.
  private func left(by pair: TLSPair) -> TLSTicket? {
    pair.toClient()
    _ = pair.clientReads()
    return pair.client.takeTicket()
  }

  private func isResumed(_ pair: TLSPair) throws -> Bool {
    let resumed = try #require(pair.security).isResumed
    #expect(resumed == (SSL_session_reused(pair.server.session) == 1), "at both ends")
    return resumed
  }

  @Test("is as secure as the first: bound to itself and to the same certificate, and without early data")
  func bindings() throws {
    let identity = authority.identity()
    let first = try pair(TestTLSServer(identity))
    #expect(try !isResumed(first))
    let ticket = try #require(left(by: first))
    let second = try pair(TestTLSServer(again: first.server), ticket)
    #expect(try isResumed(second))
    let (before, after) = (first.security?.channelBindings, second.security?.channelBindings)
    #expect(after?["tls-exporter"] == second.server.exported("EXPORTER-Channel-Binding"))
    #expect(after?["tls-exporter"] != before?["tls-exporter"])
    #expect(after?["tls-server-end-point"] == identity.digest(EVP_sha256()))
    #expect(SSL_get_early_data_status(second.server.session) == SSL_EARLY_DATA_NOT_SENT)
    #expect(second.security?.version == "TLSv1.3")
  }

  @Test("leaves the newest of several tickets, once")
  func newest() throws {
    let first = try pair(TestTLSServer(authority.identity()))
    let earlier = try #require(left(by: first))
    #expect(first.client.takeTicket() == nil)
    for _ in 0..<2 {
      SSL_new_session_ticket(first.server.session)
      first.server.write([1])
    }
    let later = try #require(left(by: first))
    #expect(later.session != earlier.session)
    let second = try pair(TestTLSServer(again: first.server), later)
    #expect(try isResumed(second))
    #expect(left(by: second) != nil, "one for the next")
  }

  @Test("is a whole handshake in the same connection where the server does not know the ticket")
  func unknownTicket() throws {
    let ticket = try #require(left(by: pair(TestTLSServer(authority.identity()))))
    let restarted = try pair(TestTLSServer(authority.identity()), ticket)
    #expect(try !isResumed(restarted))
    #expect(restarted.error == nil)
    #expect(left(by: restarted)?.verifiedUntil ?? 0 >= ticket.verifiedUntil, "it was verified anew")
  }

  @Test("is not made for another domain, another way, other authorities or other files of them")
  func scopes() throws {
    let file = authority.directory.write(authority.certificate.pem, to: "copy.pem")
    let copied = try TLSContext(.file(file))
    let server = TestTLSServer(authority.identity { $0.alternativeNames = "DNS:chat.example,DNS:other.example" })
    let ticket = try #require(left(by: pair(server, context: copied)))
    #expect(try !isResumed(pair(TestTLSServer(again: server), domain: "other.example", ticket, context: copied)))
    #expect(try !isResumed(pair(TestTLSServer(again: server), isDirect: true, ticket, context: copied)))
    #expect(try !isResumed(pair(TestTLSServer(again: server), ticket)))
    let same = try TLSContext(.file(file))
    #expect(same.rules == copied.rules)
    #expect(try isResumed(pair(TestTLSServer(again: server), ticket, context: same)))
    // The same bytes in its place may be others the next time.
    rename(authority.directory.write(authority.certificate.pem, to: "new.pem"), file)
    #expect(try !isResumed(pair(TestTLSServer(again: server), ticket, context: TLSContext(.file(file)))))
  }

  @Test("is not made by a folder of authorities that has changed")
  func folder() throws {
    let folder = TemporaryDirectory()
    folder.write(authority.certificate.pem, to: authority.certificate.hashedFileName)
    let trust = TLSContext.Trust.directory(folder.path, orFile: nil)
    let server = TestTLSServer(authority.identity())
    let ticket = try #require(left(by: pair(server, context: TLSContext(trust))))
    #expect(try isResumed(pair(TestTLSServer(again: server), ticket, context: TLSContext(trust))))
    folder.write([], to: "another")
    #expect(try !isResumed(pair(TestTLSServer(again: server), ticket, context: TLSContext(trust))))
  }

  @Test("is not made of a ticket that is too old, nor of one with a certificate for another domain")
  func judgedOnceMore() throws {
    let server = TestTLSServer(authority.identity())
    var old = try #require(left(by: pair(server)))
    old.expiry = Int64(time(nil))
    #expect(try !isResumed(pair(TestTLSServer(again: server), old)))
    let elsewhere = TestTLSServer(authority.identity("other.example"))
    var foreign = try #require(left(by: pair(elsewhere, domain: "other.example")))
    foreign.scope = try pair(server).client.scope
    #expect(try pair(TestTLSServer(again: elsewhere), foreign).error?.code == .certificate, "it is looked at as ever")
  }

  @Test("is not made of bytes that are no ticket, and nothing crashes over them")
  func damage() throws {
    let server = TestTLSServer(authority.identity())
    let whole = try #require(left(by: pair(server)))
    var damaged = [[], Array(whole.session.dropLast()), whole.session + [0], [UInt8](repeating: 0, count: 500)]
    damaged.append([UInt8](repeating: 0x30, count: TransportLimits.ticketBytes + 1))
    for bytes in damaged {
      var ticket = whole
      ticket.session = bytes
      #expect(try !isResumed(pair(TestTLSServer(again: server), ticket)))
    }
    // Where only the secret is another the server finds out, as it must.
    for index in stride(from: 0, to: whole.session.count, by: 5) {
      var ticket = whole
      ticket.session[index] ^= 0x55
      let pair = try pair(TestTLSServer(again: server), ticket)
      if let error = pair.error { #expect(error.code == .tls) } else { #expect(pair.security != nil) }
    }
  }

  @Test("is not made by TLS 1.2, whose tickets hold the keys of what was said before")
  func olderVersion() throws {
    let server = TestTLSServer(authority.identity(), settings: .init(maximumVersion: TLS1_2_VERSION))
    #expect(try left(by: pair(server)) == nil)
  }

  @Test("leaves nothing where the server gives a name of what it would have to remember")
  func names() throws {
    #expect(try left(by: pair(TestTLSServer(authority.identity(), settings: .init(remembersSessions: true)))) == nil)
  }

  @Test("leaves nothing where the certificate is refused, nothing where nothing is wanted, and nothing too large")
  func nothing() throws {
    #expect(try left(by: pair(TestTLSServer(authority.identity("other.example")))) == nil)
    let unwanted = try TLSPair(server: TestTLSServer(authority.identity()), domain: "chat.example", context: context)
    #expect(left(by: unwanted) == nil)
    let names = (0..<900).map { "DNS:host-\($0).chat.example" }.joined(separator: ",")
    let large = try pair(TestTLSServer(authority.identity { $0.alternativeNames = "DNS:chat.example," + names }))
    #expect(large.security != nil)
    #expect(left(by: large) == nil)
  }

  @Test("counts as verified for a day and no longer than its certificates, however often it is resumed")
  func lifetime() throws {
    let now = Int64(time(nil))
    #expect(TLSTicket.expiry(at: 1_000, lifetime: 300, verifiedUntil: 2_000) == 1_300)
    #expect(TLSTicket.expiry(at: 1_000, lifetime: 3_000, verifiedUntil: 2_000) == 2_000)
    #expect(TLSTicket.expiry(at: 1_000, lifetime: .max, verifiedUntil: .max) == 1_000 + 86_400)
    let first = try pair(TestTLSServer(authority.identity()))
    var ticket = try #require(left(by: first))
    #expect((now + 86_300...now + 87_000).contains(ticket.verifiedUntil))
    #expect(ticket.expiry <= now + 7_300, "as the server says")
    ticket.verifiedUntil = now + 600
    let second = try pair(TestTLSServer(again: first.server), ticket)
    #expect(try isResumed(second))
    let renewed = try #require(left(by: second))
    #expect(renewed.verifiedUntil == now + 600 && renewed.expiry == now + 600)

    let brief = TestCertificate(
      .init(commonName: "Brief", isCA: true, validTo: 0, validLonger: 900), issuer: authority.certificate)
    let identity = TestCertificate(.init(alternativeNames: "DNS:chat.example"), issuer: brief)
    let ending = try #require(left(by: pair(TestTLSServer(identity, chain: [brief]))))
    #expect((now + 800...now + 1_000).contains(ending.verifiedUntil), "the authority's certificate ends first")
  }

  @Test("shows nothing of its secret in a dump")
  func dumps() throws {
    let ticket = try #require(left(by: pair(TestTLSServer(authority.identity()))))
    var text = ""
    dump(ticket, to: &text)
    #expect(text.contains("scope") && !text.contains("session"))
  }
}
