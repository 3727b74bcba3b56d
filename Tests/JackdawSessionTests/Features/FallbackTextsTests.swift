// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

/// What of a text stands for something that is known (XEP-0428).
@Client @Suite("A fallback text", .onLoop) struct FallbackTextsTests {
  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  private static let reply = "<reply id='m0' to='alice@example.org' xmlns='urn:xmpp:reply:0'/>"

  private static func fallback(_ namespace: String, _ parts: String...) -> String {
    let bodies = parts.map { part -> String in
      let bounds = part.split(separator: "-")
      return bounds.isEmpty ? "<body/>" : "<body start='\(bounds[0])' end='\(bounds[1])'/>"
    }
    return "<fallback for='\(namespace)' xmlns='urn:xmpp:fallback:0'>\(bodies.joined())</fallback>"
  }

  private func arrived(_ body: String, _ payloads: String...) async throws -> MessageArrived? {
    try await fixture.settleIn()
    await fixture.receive(
      "<message type='chat' id='m1' from='bob@example.net/x'><body>\(body)</body>\(payloads.joined())</message>")
    return fixture.events(MessageArrived.self).last
  }

  @Test("of a reply is no part of what is said, and kept beside it")
  func reply() async throws {
    let found = try await arrived("&gt; Lunch?\nYes", Self.reply, Self.fallback("urn:xmpp:reply:0", "0-9"))
    #expect(found?.body == "Yes" && found?.quotedText == "> Lunch?\n" && found?.answeredID == "m0")
  }

  @Test("may stand in several places")
  func several() async throws {
    let found = try await arrived("ab: Yes (re: cd)", Self.reply, Self.fallback("urn:xmpp:reply:0", "0-4", "7-16"))
    #expect(found?.body == "Yes" && found?.quotedText == "ab:  (re: cd)")
  }

  @Test(
    "of a range that makes no sense leaves the text as it is",
    arguments: ["-3-2", "0-900", "2-1", "3-3", "x-2", "900-901"])
  func noSense(part: String) async throws {
    let parts = part.hasPrefix("-") ? "<body start='-3' end='2'/>" : ""
    let fallback =
      parts.isEmpty
      ? Self.fallback("urn:xmpp:reply:0", part)
      : "<fallback for='urn:xmpp:reply:0' xmlns='urn:xmpp:fallback:0'>\(parts)</fallback>"
    let found = try await arrived("&gt; Lunch?\nYes", Self.reply, fallback)
    #expect(found?.body == "> Lunch?\nYes" && found?.quotedText == "" && found?.answeredID == "m0")
  }

  @Test("that is all of a reply is said after all: else nothing was")
  func everything() async throws {
    let whole = try await arrived("&gt; Lunch?\n", Self.reply, Self.fallback("urn:xmpp:reply:0", ""))
    #expect(whole?.body == "> Lunch?\n" && whole?.quotedText == "")
  }

  @Test("of what is not there, or not known, is a text")
  func unknown() async throws {
    let noReply = try await arrived("&gt; Lunch?\nYes", Self.fallback("urn:xmpp:reply:0", "0-9"))
    #expect(noReply?.body == "> Lunch?\nYes")
    let other = try await arrived("text", "<x xmlns='urn:example:x'/>", Self.fallback("urn:example:x", ""))
    #expect(other?.body == "text")
  }

  @Test("of a reply and of a link are counted in the text as it came")
  func replyWithLink() async throws {
    let link = "<x xmlns='jabber:x:oob'><url>https://example.org/a.png</url></x>"
    let found = try await arrived(
      "&gt; Lunch?\nhttps://example.org/a.png", Self.reply, link, Self.fallback("urn:xmpp:reply:0", "0-9"),
      Self.fallback("jabber:x:oob", "9-34"))
    #expect(found?.body == "" && found?.payload?.links.map(\.url) == ["https://example.org/a.png"])
    #expect(found?.quotedText == "> Lunch?\n")
  }

  @Test("of a reaction leaves a reaction, and words beside it a message")
  func reaction() async throws {
    let reactions = "<reactions id='m0' xmlns='urn:xmpp:reactions:0'><reaction>👍</reaction></reactions>"
    let found = try await arrived(
      "&gt; Lunch?\n👍", Self.reply, reactions, Self.fallback("urn:xmpp:reply:0", "0-9"),
      Self.fallback("urn:xmpp:reactions:0", "9-10"))
    #expect(found?.relations == [.reacts(to: "m0", with: ["👍"])] && found?.body == "")
    let words = try await arrived("👍 of course", reactions, Self.fallback("urn:xmpp:reactions:0", "0-2"))
    #expect(words?.body == "of course" && words?.relations == [])
  }

  @Test("of a file leaves the file")
  func file() async throws {
    let file =
      "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><name>a.png</name></file><sources>"
      + "<url-data xmlns='http://jabber.org/protocol/url-data' target='https://example.org/a.png'/></sources></file-sharing>"
    let found = try await arrived("https://example.org/a.png", file, Self.fallback("urn:xmpp:sfs:0", ""))
    #expect(found?.body == "" && found?.payload?.content?.url == "https://example.org/a.png")
  }
}
