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

  @Test("The log shows no secret of the log-in", arguments: ["SCRAM-SHA-256", "PLAIN"])
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

  @Test("The log shows no data of a log-in by SASL2 either")
  func whatALogInInOneExchangeCarriesIsNotShownEither() throws {
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

  @Test("the passwords of rooms are shown neither way, and all else around them is")
  func passwordsOfRooms() throws {
    let lines = Lines()
    let log = TextStreamLog(showsXML: true) { lines.all.append($0) }
    for stanza in [
      "<presence to='t@r/b'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/><password>sesame</password></x></presence>",
      "<iq><pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='urn:xmpp:bookmarks:1'><item id='t@r'>"
        + "<conference xmlns='urn:xmpp:bookmarks:1' autojoin='true'><nick>bob</nick><password>sesame</password></conference>"
        + "</item></publish></pubsub></iq>",
      "<message><body>come</body><x xmlns='jabber:x:conference' jid='t@r' password='sesame'/></message>",
      "<message><x xmlns='http://jabber.org/protocol/muc#user'><invite from='a@b'/><password>sesame</password></x></message>",
      "<iq><query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'>"
        + "<field var='muc#roomconfig_roomname'><value>Tea</value></field>"
        + "<field var='muc#roomconfig_roomsecret'><value>sesame</value></field></x></query></iq>",
      "<iq><query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='form'>"
        + "<field var='pin' type='text-private' label='PIN'><value>sesame</value></field></x></query></iq>",
    ] {
      let element = try Element(parsing: stanza)
      log.sent(element)
      log.received(element)
      // No more than the secret is left out.
      let shown = element.description.replacing("sesame", with: "…")
      #expect(lines.all.suffix(2) == ["SENT \(shown)", "RECV \(shown)"])
    }
    // A form that asks, and what is said of passwords, hold none.
    for stanza in [
      "<iq><x xmlns='jabber:x:data' type='form'><field var='muc#roomconfig_roomsecret' type='text-private'><value/></field></x></iq>",
      "<message><body>my password is sesame</body><password xmlns='a'/></message>",
    ] {
      let element = try Element(parsing: stanza)
      log.sent(element)
      #expect(lines.all.last == "SENT \(element)")
    }
  }

  @Test("Stanzas are logged in both directions") func stanzasAreShownBothWays() async throws {
    let (fixture, lines) = try await logIn("SCRAM-SHA-256", showsXML: true)
    try fixture.session.delivery.send("over", to: try JID("bob@example.org"))
    await fixture.receive("<message from='bob@example.org'><body>and out</body></message>")
    #expect(lines.all.contains { $0.hasPrefix("SENT <message") && $0.contains("over") })
    #expect(lines.all.contains { $0.hasPrefix("RECV <message") && $0.contains("and out") })
    #expect(lines.all.contains { $0.hasPrefix("SENT <?xml") })
  }

  @Test("Without XML only remarks are logged") func withoutXMLOnlyRemarksAreShown() async throws {
    let (_, lines) = try await logIn("SCRAM-SHA-256", showsXML: false)
    #expect(lines.all == ["TLSv1.3, TLS_AES_256_GCM_SHA384"])
  }
}
