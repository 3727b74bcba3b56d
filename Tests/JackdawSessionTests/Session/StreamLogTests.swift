// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// `--log-xml` writes everything but secrets.
@Client @Suite(.onLoop) struct StreamLogTests {
  @Client private final class Lines {
    var all: [String] = []
    var text: String { all.joined(separator: "\n") }
  }

  private func logIn(_ mechanism: String, showsXML: Bool) async throws -> (SessionFixture, Lines) {
    let lines = Lines()
    let fixture = try SessionFixture(
      log: TextStreamLog(showsXML: showsXML) { lines.all.append($0) }, features: SessionFixture.core)
    fixture.script.mechanisms = [mechanism]
    try await fixture.settleIn()
    return (fixture, lines)
  }

  @Test(arguments: ["SCRAM-SHA-256", "PLAIN"])
  func nothingOfTheLoginsSecretsIsShown(_ mechanism: String) async throws {
    let (fixture, lines) = try await logIn(mechanism, showsXML: true)
    // Whatever went over the wire between the tags of SASL.
    for write in fixture.connector.records[0].writes {
      let text = String(decoding: write, as: UTF8.self)
      guard text.hasPrefix("<auth") || text.hasPrefix("<response") else { continue }
      let secret = text.split(separator: ">")[1].split(separator: "<")[0]
      #expect(secret.count > 8)
      #expect(!lines.text.contains(secret))
    }
    for secret in ["secret", "AGFsaWNlAHNlY3JldA==", "r=", "v=", "3rfcNHYJY1ZVvWVs7j"] {
      #expect(!lines.text.contains(secret))
    }
    #expect(lines.text.contains("SENT <auth xmlns='\(Namespace.sasl)' mechanism='\(mechanism)'>…</auth>"))
    #expect(lines.text.contains("RECV <success xmlns='\(Namespace.sasl)'>…</success>"))
  }

  @Test func whatALogInInOneExchangeCarriesIsNotShownEither() throws {
    let lines = Lines()
    let log = TextStreamLog(showsXML: true) { lines.all.append($0) }
    let namespace = Namespace.extensibleSASL
    log.sent(
      Array(
        "<authenticate xmlns='\(namespace)' mechanism='X'><initial-response>abcdefgh</initial-response></authenticate>"
          .utf8))
    log.sent(Array("<response xmlns='\(namespace)'>abcdefgh</response>".utf8))
    log.sent(
      Array("<task-data xmlns='\(namespace)'><hash xmlns='urn:xmpp:scram-upgrade:0'>abcdefgh</hash></task-data>".utf8))
    for element in [
      "<challenge xmlns='\(namespace)'>abcdefgh</challenge>",
      "<continue xmlns='\(namespace)'><additional-data>abcdefgh</additional-data><tasks/></continue>",
      "<task-data xmlns='\(namespace)'><salt xmlns='urn:xmpp:scram-upgrade:0'>abcdefgh</salt></task-data>",
      "<success xmlns='\(namespace)'><additional-data>abcdefgh</additional-data><token xmlns='urn:xmpp:fast:0' token='abcdefgh'/></success>",
    ] { log.received(try Element(parsing: element)) }
    #expect(lines.all.count == 7)
    #expect(!lines.text.contains("abcdefgh"))
    #expect(lines.all[0] == "SENT <authenticate xmlns='\(namespace)' mechanism='X'>…</authenticate>")
  }

  @Test func stanzasAreShownBothWays() async throws {
    let (fixture, lines) = try await logIn("SCRAM-SHA-256", showsXML: true)
    try fixture.session.delivery.send("over", to: try JID("bob@example.org"))
    await fixture.receive("<message from='bob@example.org'><body>and out</body></message>")
    #expect(lines.all.contains { $0.hasPrefix("SENT <message") && $0.contains("over") })
    #expect(lines.all.contains { $0.hasPrefix("RECV <message") && $0.contains("and out") })
    #expect(lines.all.contains { $0.hasPrefix("SENT <?xml") })
  }

  @Test func withoutXMLOnlyRemarksAreShown() async throws {
    let (_, lines) = try await logIn("SCRAM-SHA-256", showsXML: false)
    #expect(lines.all == ["TLSv1.3, TLS_AES_256_GCM_SHA384"])
  }
}
