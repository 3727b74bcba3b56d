// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// What messages carry beside their texts.
@Client @Suite("What a message carries", .onLoop) struct MessagePayloadTests {
  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  /// The message that comes of a stanza with this content; nil: none.
  private func arrived(_ content: String) async throws -> MessageArrived? {
    try await fixture.settleIn()
    fixture.session.features[MessageTexts.self].languages = ["de-at", "de"]
    await fixture.receive("<message type='chat' id='m' from='bob@example.net/x'>\(content)</message>")
    return fixture.events(MessageArrived.self).last
  }

  @Test("a plain message carries nothing")
  func plain() async throws {
    let message = try await arrived("<body>hi</body><x xmlns='urn:example:x'/>")
    #expect(message?.body == "hi" && message?.payload == nil && message?.encrypted == false)
  }

  @Test("a subject and a thread are kept, with and without a text")
  func subject() async throws {
    var message = try await arrived("<subject>Lunch</subject><thread>t</thread><body>at one</body>")
    #expect(message?.payload?.subject == "Lunch" && message?.payload?.thread == "t" && message?.body == "at one")
    message = try await arrived("<subject>Lunch</subject>")
    #expect(message?.payload?.subject == "Lunch" && message?.body == "")
  }

  @Test("a thread alone is no message, nor is an empty subject")
  func threadAlone() async throws {
    #expect(try await arrived("<thread>t</thread><subject/>") == nil)
  }

  @Test("a subject of a megabyte is cut")
  func longSubject() async throws {
    let long = String(repeating: "é", count: 500_000)
    let message = try await arrived("<subject>\(long)</subject><thread>\(long.prefix(1_000))</thread><body>x</body>")
    if let message {
      #expect(message.payload?.subject?.utf8.count == PayloadLimits.textBytes)
      #expect(message.payload?.thread?.utf8.count == PayloadLimits.nameBytes)
    }
  }

  @Test(
    "an encrypted message is known by what encrypts it",
    arguments: [
      ("<encrypted xmlns='eu.siacs.conversations.axolotl'><payload>x</payload></encrypted>", "OMEMO"),
      ("<encrypted xmlns='urn:xmpp:omemo:2'><payload>x</payload></encrypted><body>fallback</body>", "OMEMO"),
      ("<x xmlns='jabber:x:encrypted'>x</x><body>fallback</body>", "OpenPGP"),
      ("<openpgp xmlns='urn:xmpp:openpgp:0'>x</openpgp>", "OpenPGP"),
      ("<body>?OTR:AAMD.</body>", "OTR"), ("<body>?OTRv23?</body>", "OTR"),
      ("<encryption xmlns='urn:xmpp:eme:0' namespace='urn:example:new' name='New'/><body>x</body>", "New"),
      ("<encryption xmlns='urn:xmpp:eme:0' namespace='urn:example:new'/>", "urn:example:new"),
      ("<encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:otr:0' name='no'/><body>x</body>", "OTR"),
    ])
  func encrypted(content: String, scheme: String) async throws {
    let message = try await arrived(content)
    #expect(message?.payload?.encryption == scheme && message?.encrypted == true)
  }

  @Test(
    "what is not encrypted is not said to be",
    arguments: [
      "<body>?OTRS is a ticket system</body>", "<body>?OTR</body>",
      "<encryption xmlns='urn:xmpp:eme:0'/><body>x</body>",
    ])
  func notEncrypted(content: String) async throws {
    let message = try await arrived(content)
    #expect(message?.payload == nil && message?.encrypted == false)
  }

  @Test("an exchange of keys alone is silent (XEP-0384)")
  func keysAlone() async throws {
    let message = try await arrived(
      "<encrypted xmlns='eu.siacs.conversations.axolotl'><header/></encrypted>"
        + "<encryption xmlns='urn:xmpp:eme:0' namespace='eu.siacs.conversations.axolotl' name='OMEMO'/>")
    #expect(message == nil)
  }

  @Test("addresses outside of XMPP are kept, once each and no more than there is room for")
  func links() async throws {
    let link = "<x xmlns='jabber:x:oob'><url>https://example.org/a</url><desc>A</desc></x>"
    var message = try await arrived(link + link + "<x xmlns='jabber:x:oob'><url/></x>")
    #expect(message?.payload?.links == [.init(url: "https://example.org/a", description: "A")] && message?.body == "")
    let many = (0..<3_000).map { "<x xmlns='jabber:x:oob'><url>https://example.org/\($0)</url></x>" }
    message = try await arrived("<body>many</body>" + many.joined())
    #expect(message?.payload?.links.count == PayloadLimits.items)
  }

  @Test("of a text in several languages the reader's is taken")
  func languages() async throws {
    let english = "<body xml:lang='en'>hello</body>"
    let german = "<body xml:lang='DE-ch'>gruezi</body>"
    var message = try await arrived(english + german + "<body>ciao</body>")
    #expect(message?.body == "gruezi" && message?.payload?.language == "DE-ch")
    message = try await arrived(english + "<body>ciao</body>")
    #expect(message?.body == "ciao" && message?.payload?.language == nil)
    message = try await arrived(english + "<body xml:lang='fr'>salut</body>")
    #expect(message?.body == "hello")
  }

  @Test("the reader's languages are those of the locale")
  func locale() {
    func languages(_ variables: [String: String]) -> [String] { MessageTexts.languages { variables[$0] } }
    #expect(languages(["LANG": "en_US.UTF-8", "LC_MESSAGES": "de_AT@euro", "LC_ALL": ""]) == ["de-at", "de"])
    #expect(languages(["LANG": "fr"]) == ["fr"])
    #expect(languages(["LC_ALL": "C.UTF-8", "LANG": "de"]).isEmpty && languages([:]).isEmpty)
  }
}
