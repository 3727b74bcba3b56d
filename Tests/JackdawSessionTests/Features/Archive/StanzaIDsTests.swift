// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// XEP-0359: which stanza ids are trusted.
@Client @Suite(.onLoop) struct StanzaIDsTests {
  /// What the messages that come were said to be called by the archive.
  @Client private final class Seen: Feature {
    nonisolated static let about = FeatureDescription("RFC 6121 5", "A test", scope: "looks on")
    private(set) var ids: [String?] = []

    init(_ context: FeatureContext) {}

    func install(in routes: RouteTable) {
      routes.onMessage(.decrypt) { [unowned self] in
        ids.append($0.archiveID)
        return .pass
      }
    }
  }

  private let fixture: SessionFixture
  private let server = ArchiveServer()

  init() throws { fixture = try SessionFixture(features: FeatureList.all + [Seen.self]) }

  private func seen(_ messages: String...) async throws -> [String?] {
    server.serve(fixture)
    try await fixture.settleIn()
    for message in messages { await fixture.receive(message) }
    return fixture.session.features[Seen.self].ids
  }

  private nonisolated static func id(_ id: String, by: String) -> String {
    "<stanza-id xmlns='urn:xmpp:sid:0' id='\(id)' by='\(by)'/>"
  }

  private nonisolated static func message(_ payloads: String) -> String {
    "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org/phone' type='chat'>"
      + "<body>x</body>\(payloads)</message>"
  }

  private nonisolated static func carbon(_ inner: String, outside: String = "") -> String {
    "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(inner)</forwarded></received>\(outside)</message>"
  }

  private nonisolated static let own = "alice@example.org"

  @Test(
    "The stanza ID that our account assigned counts",
    arguments: [
      (message(id("s1", by: own)), "s1"), (message(id("s1", by: "ALICE@example.ORG")), "s1"),
      (message(id("r1", by: "room@rooms.example.org") + id("s1", by: own) + id("m1", by: "bob@example.net")), "s1"),
      (carbon(message(id("s1", by: own))), "s1"),
      // The copy itself is not archived; what it holds is.
      (carbon(message(id("s1", by: own)), outside: id("s2", by: own)), "s1"),
      (carbon(message(""), outside: id("s2", by: own)), nil), (message(""), nil),
      // Whoever else says that it gave an id.
      (message(id("s1", by: "mallory@example.net")), nil), (message(id("s1", by: "example.org")), nil),
      (message(id("s1", by: own + "/here")), nil), (message(id("s1", by: "alice@example.com")), nil),
      (carbon(message(id("s1", by: "bob@example.net"))), nil),
      // Two of them: only one can be true.
      (message(id("s1", by: own) + id("s2", by: own)), nil), (message(id("s1", by: own) + id("s1", by: own)), nil),
      (message(id("", by: own)), nil), (message("<stanza-id xmlns='urn:other' id='s1' by='\(own)'/>"), nil),
    ])
  func theIdThatOurAccountGaveCounts(_ message: String, _ expected: String?) async throws {
    #expect(try await seen(message) == [expected])
  }

  /// A server without `urn:xmpp:sid:0` lets ids through that others wrote in the name of our account.
  @Test(
    "No stanza ID counts where the server does not announce that it removes forged ones",
    arguments: [[], [StanzaID.namespace], [MessageArchive.namespace], ["urn:xmpp:mam:1", StanzaID.namespace], nil])
  func noneCountsWhereTheServerDoesNotVouchForIt(_ features: [String]?) async throws {
    server.features = features
    let claimed = Self.message(Self.id("s1", by: Self.own))
    #expect(try await seen(claimed, Self.carbon(claimed)) == [nil, nil])
  }

  @Test("On another stream the server is asked again whether it vouches for IDs")
  func anotherStreamIsAskedAnew() async throws {
    let claimed = Self.message(Self.id("s1", by: Self.own))
    #expect(try await seen(claimed) == ["s1"])
    fixture.session.drop(ConnectionError(.lost, "gone"))
    server.features = []
    #expect(try await seen(claimed) == ["s1", nil])
  }

  /// Until the server has answered there is no reason to believe it.
  @Test("A message that comes before the server's answer has no stanza ID")
  func whatComesBeforeTheAnswerHasNone() async throws {
    try await fixture.logIn()
    await fixture.receive(Self.message(Self.id("s1", by: Self.own)))
    #expect(fixture.session.features[Seen.self].ids == [nil])
  }
}
