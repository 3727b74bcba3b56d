// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A kind of message that clients of today send.
struct MessageKind {
  /// What it is, for the page.
  var name: String
  /// What stands in the stanza.
  var content: String
  var type = "chat"

  init(_ name: String, _ content: String, type: String = "chat") {
    self.name = name
    self.content = content
    self.type = type
  }

  /// Servers give a copy of it to the other devices (XEP-0280 6.1); an invitation that a room hands on is for one.
  var isCopied: Bool { type == "chat" && !content.contains(Self.room) }
  /// Servers put it into the archive, whatever they think of what has no text (XEP-0313 5.1.1).
  var isKept: Bool { type != "headline" && content.contains("<body>") && !content.contains("?OTR") }

  private static let url = "https://example.org/cat.png"
  private static let metadata =
    "<media-type>image/png</media-type><name>cat.png</name><size>12345</size><desc>A cat</desc>"
  private static let sharing =
    "<file-sharing xmlns='urn:xmpp:sfs:0' disposition='inline'><file xmlns='urn:xmpp:file:metadata:0'>\(metadata)</file>"
    + "<sources><url-data xmlns='http://jabber.org/protocol/url-data' target='\(url)'/></sources></file-sharing>"
  private static let eme = "<encryption xmlns='urn:xmpp:eme:0' namespace='"

  private static func body(_ text: String) -> String { "<body>\(text)</body>" }

  /// All of them, in the order of the page. What is said of an earlier one names the first.
  static let all: [MessageKind] = texts + links + files + encrypted + relations + offers + signals

  private static let texts: [MessageKind] = [
    .init("text", body("hello")),
    .init("text of several lines", body("one\ntwo")),
    .init("text in a message of type normal", body("hello"), type: "normal"),
    .init("text in a headline", body("news"), type: "headline"),
    .init("what somebody does (XEP-0245)", body("/me waves")),
    .init("emoji", body("👩‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿")),
    .init("styled text (XEP-0393)", body("*bold* _em_ ~no~ `code`")),
    .init("styled block (XEP-0393)", body("```\nlet x = 1\n```")),
    .init("quote (XEP-0393)", body("&gt; you said\nyes")),
    .init("text that is not to be styled (XEP-0393)", body("*bold*") + "<unstyled xmlns='urn:xmpp:styling:0'/>"),
    .init("formatted text with its plain one (XEP-0071)", body("hello") + html),
    .init("formatted text alone (XEP-0071)", html),
    .init("text in two languages", "<body xml:lang='en'>hello</body><body xml:lang='de'>hallo</body>"),
    .init("empty text", "<body/>"),
    .init("subject and text", "<subject>Lunch</subject>" + body("at one?"), type: "normal"),
    .init("subject alone", "<subject>Lunch</subject>"),
    .init("text of a thread (XEP-0201)", "<thread>t1</thread>" + body("hello")),
    .init("spoiler with a hint (XEP-0382)", "<spoiler xmlns='urn:xmpp:spoiler:0'>the end</spoiler>" + body("he dies")),
    .init("spoiler without a hint (XEP-0382)", "<spoiler xmlns='urn:xmpp:spoiler:0'/>" + body("he dies")),
  ]

  private static let html =
    "<html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'><p>hello <b>you</b></p>"
    + "</body></html>"

  private static let links: [MessageKind] = [
    .init("link in a text", body("see https://example.org")),
    .init("uploaded file (XEP-0363, XEP-0066)", body(url) + "<x xmlns='jabber:x:oob'><url>\(url)</url></x>"),
    .init("address outside of XMPP alone (XEP-0066)", "<x xmlns='jabber:x:oob'><url>\(url)</url></x>"),
    .init(
      "address with a description (XEP-0066)",
      body("look") + "<x xmlns='jabber:x:oob'><url>\(url)</url><desc>A cat</desc></x>"),
    .init(
      "mention (XEP-0372)",
      body("@alice hi") + "<reference xmlns='urn:xmpp:reference:0' type='mention' begin='0' end='6' uri='xmpp:a@b.c'/>"),
    .init("link to a place (RFC 5870)", body("geo:52.5,13.4")),
    .init(
      "place (XEP-0080)",
      "<geoloc xmlns='http://jabber.org/protocol/geoloc'><lat>52.5</lat><lon>13.4</lon><text>Here</text></geoloc>"),
  ]

  private static let files: [MessageKind] = [
    .init("file (XEP-0447)", body(url) + sharing),
    .init("file without a text (XEP-0447)", sharing),
    .init(
      "file (XEP-0385)",
      body(url) + "<reference xmlns='urn:xmpp:reference:0' type='data'><media-sharing xmlns='urn:xmpp:sims:1'>"
        + "<file xmlns='urn:xmpp:jingle:apps:file-transfer:5'>\(metadata)</file><sources><reference "
        + "xmlns='urn:xmpp:reference:0' type='data' uri='\(url)'/></sources></media-sharing></reference>"),
    .init("sticker (XEP-0449)", body("😘") + "<sticker xmlns='urn:xmpp:stickers:0' pack='p'/>" + sharing),
  ]

  private static let encrypted: [MessageKind] = [
    .init(
      "OMEMO of most clients (XEP-0384 0.3)",
      "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/><payload>AAAA</payload></encrypted>"
        + eme + "eu.siacs.conversations.axolotl' name='OMEMO'/>" + body("I sent you an OMEMO encrypted message")),
    .init(
      "OMEMO without a text (XEP-0384)",
      "<encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/><payload>AAAA</payload></encrypted>"),
    .init(
      "keys of OMEMO alone (XEP-0384)",
      "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/></encrypted>"),
    .init("OpenPGP (XEP-0027)", body("This message is encrypted.") + "<x xmlns='jabber:x:encrypted'>AAAA</x>"),
    .init("OpenPGP (XEP-0373)", "<openpgp xmlns='urn:xmpp:openpgp:0'>AAAA</openpgp>"),
    .init("OTR (XEP-0364)", body("?OTR:AAMDAAAA.")),
    .init("question for OTR (XEP-0364)", body("?OTRv23?")),
    .init("another encryption (XEP-0380)", body("fallback") + eme + "urn:example:new' name='New'/>"),
  ]

  private static let fallback = "<fallback xmlns='urn:xmpp:fallback:0' for='"

  private static let relations: [MessageKind] = [
    .init("correction (XEP-0308)", body("hello!") + "<replace xmlns='urn:xmpp:message-correct:0' id='k1'/>"),
    .init("reply (XEP-0461)", body("yes") + "<reply xmlns='urn:xmpp:reply:0' id='k1'/>"),
    .init(
      "reply with a quote (XEP-0461, XEP-0428)",
      body("&gt; hello\nyes") + "<reply xmlns='urn:xmpp:reply:0' id='k1'/>" + fallback
        + "urn:xmpp:reply:0'><body start='0' end='8'/></fallback>"),
    .init(
      "reply with ranges that make no sense (XEP-0428)",
      body("yes") + "<reply xmlns='urn:xmpp:reply:0' id='k1'/>" + fallback
        + "urn:xmpp:reply:0'><body start='-3' end='900'/><body start='2' end='1'/></fallback>"),
    .init(
      "reply to what is not here, with a quote (XEP-0461, XEP-0428)",
      body("&gt; Lunch?\nyes") + "<reply xmlns='urn:xmpp:reply:0' id='k0'/>" + fallback
        + "urn:xmpp:reply:0'><body start='0' end='9'/></fallback>"),
    .init(
      "reaction (XEP-0444)", "<reactions xmlns='urn:xmpp:reactions:0' id='k1'><reaction>👍</reaction></reactions>"),
    .init("reaction taken back (XEP-0444)", "<reactions xmlns='urn:xmpp:reactions:0' id='k1'/>"),
    .init(
      "retraction (XEP-0424)",
      "<retract xmlns='urn:xmpp:message-retract:1' id='k2'/>" + body("fallback") + fallback
        + "urn:xmpp:message-retract:1'/>"),
  ]

  private static let room = "http://jabber.org/protocol/muc#user"

  private static let call = "urn:xmpp:jingle-message:0' id='c1'"

  private static let offers: [MessageKind] = [
    .init(
      "invitation to a room (XEP-0249)",
      body("You are invited") + "<x xmlns='jabber:x:conference' jid='lunch@rooms.example.org' reason='Join us'/>"),
    .init(
      "invitation that a room hands on (XEP-0045), here in the name of bob",
      "<x xmlns='\(room)'><invite from='carol@example.org'><reason>Join us</reason></invite></x>"),
    .init("attention (XEP-0224)", "<attention xmlns='urn:xmpp:attention:0'/>"),
    .init("attention with a text (XEP-0224)", body("wake up") + "<attention xmlns='urn:xmpp:attention:0'/>"),
    .init(
      "call (XEP-0353)",
      "<propose xmlns='\(call)><description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/></propose>"),
    .init("call that is over (XEP-0353)", "<retract xmlns='\(call)/>"),
    .init(
      "suggested contacts (XEP-0144)",
      "<x xmlns='http://jabber.org/protocol/rosterx'><item action='add' jid='carol@example.org'/></x>"),
    .init(
      "form (XEP-0004)",
      body("Lunch?") + "<x xmlns='jabber:x:data' type='form'><title>Poll</title><field var='q' label='When?'/></x>"),
    .init("unknown beside a text", body("hello") + "<foo xmlns='urn:example:foo'/>"),
    .init("unknown alone", "<foo xmlns='urn:example:foo'/>"),
  ]

  private static let signals: [MessageKind] = [
    .init("text with a wish for a receipt (XEP-0184)", body("hello") + "<request xmlns='urn:xmpp:receipts'/>"),
    .init("receipt (XEP-0184)", "<received xmlns='urn:xmpp:receipts' id='x'/>"),
    .init("text that can be marked (XEP-0333)", body("hello") + "<markable xmlns='urn:xmpp:chat-markers:0'/>"),
    .init("marker (XEP-0333)", "<displayed xmlns='urn:xmpp:chat-markers:0' id='x'/>"),
    .init("text with a state (XEP-0085)", body("hello") + "<active xmlns='http://jabber.org/protocol/chatstates'/>"),
    .init("typing (XEP-0085)", "<composing xmlns='http://jabber.org/protocol/chatstates'/>"),
    .init("name (XEP-0172)", "<nick xmlns='http://jabber.org/protocol/nick'>Bobby</nick>"),
  ]
}
