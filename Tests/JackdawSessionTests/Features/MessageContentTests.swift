// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Messages that are more than a text.
@Client @Suite("What a message is", .onLoop) struct MessageContentTests {
  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  /// The messages that come of stanzas with these contents.
  private func arrived(_ contents: String..., from: String = "bob@example.net/x") async throws -> [MessageArrived] {
    try await fixture.settleIn()
    for content in contents {
      await fixture.receive("<message type='chat' id='m' from='\(from)'>\(content)</message>")
    }
    return fixture.events(MessageArrived.self)
  }

  private func content(_ stanza: String, from: String = "bob@example.net/x") async throws -> MessageContent? {
    try await arrived(stanza, from: from).last?.payload?.content
  }

  @Test("a direct invitation has its room and reason (XEP-0249)")
  func directInvitation() async throws {
    let found = try await content("<x xmlns='jabber:x:conference' jid='Lunch@rooms.example.net/x' reason='Join us'/>")
    #expect(found?.kind == .invitation && found?.address == "lunch@rooms.example.net" && found?.text == "Join us")
    #expect(found?.person == nil)
  }

  @Test("an invitation that a room hands on names the room, and who it says invites (XEP-0045 7.8.2)")
  func mediatedInvitation() async throws {
    let stanza =
      "<x xmlns='http://jabber.org/protocol/muc#user'><invite from='bob@example.net/x'><reason>Hi</reason></invite></x>"
    let found = try await content(stanza, from: "lunch@rooms.example.net")
    #expect(found?.address == "lunch@rooms.example.net" && found?.person == "bob@example.net" && found?.text == "Hi")
    let withDirect = "<x xmlns='jabber:x:conference' jid='lunch@rooms.example.net'>Hi</x>" + stanza
    #expect(try await content(withDirect, from: "lunch@rooms.example.net")?.person == "bob@example.net")
    let hidden = stanza.replacing("bob@example.net/x", with: "lunch@rooms.example.net/Bob")
    #expect(try await content(hidden, from: "lunch@rooms.example.net")?.person == "lunch@rooms.example.net/Bob")
  }

  @Test(
    "an invitation without an address that is one is none",
    arguments: ["<x xmlns='jabber:x:conference'/>", "<x xmlns='jabber:x:conference' jid='@@'/>"])
  func noInvitation(stanza: String) async throws {
    #expect(try await arrived(stanza).isEmpty)
  }

  @Test("attention is no message without a text, and one with it (XEP-0224)")
  func attention() async throws {
    let attention = "<attention xmlns='urn:xmpp:attention:0'/>"
    let found = try await arrived(attention, attention + "<body>wake up</body>")
    #expect(found.map(\.payload?.content?.kind) == [.attention, .attention])
    #expect(found.map(\.isAnnotation) == [true, false])
  }

  @Test(
    "hints for those who route it change nothing of a message that is there (XEP-0334)",
    arguments: ["no-store", "no-permanent-store", "no-copy", "store"])
  func hints(name: String) async throws {
    let hint = "<\(name) xmlns='urn:xmpp:hints'/>"
    let found = try await arrived("<body>hello</body>" + hint, hint)
    #expect(found.map(\.body) == ["hello"] && found[0].payload == nil && !found[0].isAnnotation)
    #expect(found[0].countsAsUnread)
  }

  @Test("a call is told once, and what becomes of it is silent (XEP-0353)")
  func call() async throws {
    let media = "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/>"
    let propose = "<propose xmlns='urn:xmpp:jingle-message:0' id='c1'>\(media)</propose>"
    let end = ["retract", "accept", "proceed", "reject", "finish", "ringing"].map {
      "<\($0) xmlns='urn:xmpp:jingle-message:0' id='c1'/>"
    }
    let found = try await arrived(propose, propose, end[0], end[1], end[2], end[3], end[4], end[5])
    #expect(found.count == 1 && found[0].payload?.content?.id == "c1" && found[0].payload?.content?.type == "audio")
  }

  @Test("contacts are suggested, without what is no address, and nothing is asked of the server (XEP-0144)")
  func contacts() async throws {
    let items = (0..<2_000).map { "<item action='add' jid='c\($0)@example.net' name='x'/>" }.joined()
    let found = try await content(
      "<x xmlns='http://jabber.org/protocol/rosterx'><item jid='@'/><item action='frob' jid='a@x'/>\(items)</x>")
    #expect(found?.type == "add" && found?.items.first == "c0@example.net" && found?.items.count == PayloadLimits.items)
    #expect(!fixture.sent().contains { $0.name == "iq" && $0.attribute("type") == "set" })
  }

  @Test(
    "a place is a link or what is said of it (XEP-0080)",
    arguments: [
      ("<body>geo:52.5,13.4;u=10</body>", "geo:52.5,13.4;u=10", nil),
      (
        "<geoloc xmlns='http://jabber.org/protocol/geoloc'><lat>52.5</lat><lon>-13.4</lon><text>Here</text></geoloc>",
        "geo:52.5,-13.4", "Here"
      ),
      (
        "<geoloc xmlns='http://jabber.org/protocol/geoloc'><lat>nan</lat><lon>1e9</lon><text>There</text></geoloc>",
        nil, "There"
      ),
    ] as [(String, String?, String?)])
  func place(stanza: String, url: String?, text: String?) async throws {
    let found = try await content(stanza)
    #expect(found?.kind == .place && found?.url == url && found?.text == text)
  }

  @Test("a text about a place is a text", arguments: ["geo:", "geo: here, there", "geology,", "geo"])
  func noPlace(text: String) async throws {
    #expect(try await arrived("<body>\(text)</body>").map(\.payload) == [nil])
  }

  @Test("a file is described, as it is shared today and as it was (XEP-0447, XEP-0385)")
  func files() async throws {
    let inner = "<media-type>image/png</media-type><name>cat.png</name><size>12345</size><desc>A cat</desc>"
    let today =
      "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'>\(inner)</file><sources>"
      + "<url-data xmlns='http://jabber.org/protocol/url-data' target='https://example.net/cat.png'/></sources></file-sharing>"
    let before =
      "<reference xmlns='urn:xmpp:reference:0' type='data'><media-sharing xmlns='urn:xmpp:sims:1'>"
      + "<file xmlns='urn:xmpp:jingle:apps:file-transfer:5'>\(inner)</file><sources><reference type='data' "
      + "xmlns='urn:xmpp:reference:0' uri='https://example.net/cat.png'/></sources></media-sharing></reference>"
    for stanza in [today, before] {
      let found = try await content(stanza)
      #expect(found?.kind == .file && found?.url == "https://example.net/cat.png" && found?.name == "cat.png")
      #expect(found?.type == "image/png" && found?.size == 12_345 && found?.text == "A cat")
    }
    let sticker = try await content("<body>😘</body><sticker xmlns='urn:xmpp:stickers:0' pack='p'/>" + today)
    #expect(sticker?.kind == .sticker && sticker?.name == "cat.png")
    let odd = try await content(
      "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><size>-1</size></file></file-sharing>"
    )
    #expect(odd?.kind == .file && odd?.size == nil)
  }

  @Test("a spoiler has its hint, which may be none (XEP-0382)")
  func spoilers() async throws {
    let found = try await arrived(
      "<body>he dies</body><spoiler xmlns='urn:xmpp:spoiler:0'>the end</spoiler>",
      "<body>he dies</body><spoiler xmlns='urn:xmpp:spoiler:0'/>", "<spoiler xmlns='urn:xmpp:spoiler:0'>x</spoiler>")
    #expect(found.map(\.payload?.spoiler) == ["the end", ""])
  }

  @Test("a formatted text is its words where there is no other, and a form its questions (XEP-0071, XEP-0004)")
  func formatted() async throws {
    let html =
      "<html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'>"
      + "<p>hello <b>you</b></p><p>there</p></body></html>"
    let form =
      "<x xmlns='jabber:x:data' type='form'><title>Poll</title><instructions>Choose</instructions>"
      + "<field var='FORM_TYPE' type='hidden' label='no'><value>x</value></field><field var='q' label='Lunch?'/></x>"
    let found = try await arrived(html, "<body>plain</body>" + html, form)
    #expect(found.map(\.body) == ["hello you\nthere", "plain", ""])
    let content = found.last?.payload?.content
    #expect(
      content?.kind == .form && content?.name == "Poll" && content?.text == "Choose" && content?.items == ["Lunch?"])
    let deep = String(repeating: "<b>", count: 60) + "x" + String(repeating: "</b>", count: 60)
    _ = try await arrived(
      "<html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'>\(deep)</body></html>"
    )
  }

  @Test("the words of a formatted text keep their order, before, within and behind what is marked")
  func formattedOrder() async throws {
    let html =
      "<html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'>"
      + "<p>one <b>two</b> three <i>four</i> five</p><p>six</p></body></html>"
    let found = try await arrived(html)
    #expect(found.map(\.body) == ["one two three four five\nsix"])
  }

  @Test(
    "the words of a formatted text stand in lines as they are shown, and white space alone is no message",
    arguments: [
      ("<ul><li>tea</li><li>milk</li></ul>and sugar", "tea\nmilk\nand sugar"),
      ("<h1>News</h1>one<blockquote>two</blockquote>three", "News\none\ntwo\nthree"),
      ("\n  <p>one\n   two</p>\n\n  <p> three</p>\n", "one two\nthree"), ("a<br/>b<br/><br/>c", "a\nb\n\nc"),
      ("see <pre>a\n  b</pre>", "see\na\n  b"),
      ("<p>a cat: <img src='https://example.org/cat.png' alt='🐈'/></p>", "a cat: 🐈"),
      ("\n <p> </p>\n", nil),
    ] as [(String, String?)])
  func formattedLines(_ body: String, _ words: String?) async throws {
    let found = try await arrived(
      "<html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'>\(body)</body></html>"
    )
    #expect(found.map(\.body) == [words].compactMap { $0 })
  }

  @Test("what is not known is told once a minute and person, and is no message")
  func unknown() async throws {
    let some = "<foo xmlns='urn:example:foo'/><bar xmlns='urn:example:bar'/>"
    var found = try await arrived(some, some, some)
    #expect(found.count == 1 && found[0].isAnnotation)
    #expect(found[0].payload?.content == MessageContent(.unknown, items: ["urn:example:foo", "urn:example:bar"]))
    await fixture.clock.elapse(.seconds(61))
    found = try await arrived(some)
    #expect(found.count == 2)
    found = try await arrived("<body>hi</body>" + some)
    #expect(found.count == 3 && found[2].payload == nil)
  }

  @Test("an empty text is nothing, and hides nothing that is known")
  func empty() async throws {
    let found = try await arrived(
      "<body/>", "<body></body><foo xmlns='urn:example:foo'/>", "<body/><subject>x</subject>")
    #expect(found.map(\.payload?.subject) == [nil, "x"] && found[0].payload?.content?.kind == .unknown)
  }

  @Test(
    "an empty text is nothing, whatever is said of it",
    arguments: [
      "<thread>t</thread>", "<unstyled xmlns='urn:xmpp:styling:0'/>", "<spoiler xmlns='urn:xmpp:spoiler:0'/>",
    ])
  func emptyAll(more: String) async throws {
    #expect(try await arrived("<body/>" + more).isEmpty)
  }

  @Test("what somebody hands on (XEP-0297) is not shown, but it is said that they did")
  func handedOn() async throws {
    let message = "<message xmlns='jabber:client' from='carol@example.net/x' type='chat'><body>secret</body></message>"
    let found = try await content("<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded>")
    #expect(found == MessageContent(.unknown, items: ["urn:xmpp:forward:0"]))
    // Copies that are not our server's are nothing at all.
    let forged =
      "<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></received>"
    #expect(try await arrived(forged).count == 1)
  }

  @Test(
    "what is for programs is silent",
    arguments: [
      "<received xmlns='urn:xmpp:receipts' id='x'/>", "<request xmlns='urn:xmpp:receipts'/>",
      "<displayed xmlns='urn:xmpp:chat-markers:0' id='x'/>",
      "<composing xmlns='http://jabber.org/protocol/chatstates'/>",
      "<no-store xmlns='urn:xmpp:hints'/>", "<event xmlns='http://jabber.org/protocol/pubsub#event'/>",
      "<private xmlns='urn:xmpp:carbons:2'/>", "<delay xmlns='urn:xmpp:delay' stamp='x'/>",
      "<x xmlns='jabber:x:event'/>",
      "<nick xmlns='http://jabber.org/protocol/nick'>x</nick>", "<stanza-id xmlns='urn:xmpp:sid:0' id='x' by='y'/>",
    ])
  func silent(stanza: String) async throws {
    #expect(try await arrived(stanza).isEmpty)
  }

  @Test("what a server sends is silent where it is not known")
  func serversUnknown() async throws {
    #expect(try await arrived("<foo xmlns='urn:example:foo'/>", from: "example.net").isEmpty)
  }
}
