// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A stream as a busy account sees it, the same in each run: chat with its attachments, archive results, presence,
/// replies. 250,000 stanzas are about 90 million bytes.
enum StreamCorpus {
  static func make(stanzas: Int) -> [UInt8] {
    var bytes = Array(
      ("<?xml version='1.0'?><stream:stream from='example.org' id='c2s-1' version='1.0' xml:lang='en' "
        + "xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>").utf8)
    bytes.reserveCapacity(stanzas * 400)
    for number in 0..<stanzas { bytes.append(contentsOf: stanza(number).utf8) }
    return bytes
  }

  private static let sentences = [
    "Are you coming tonight?", "I&apos;ll be there at 8 &amp; bring the cake.", "ok",
    "Kommst du später noch vorbei? Grüße!",
    "The build is green again; thanks for looking into it, I was about to give up on that machine altogether.",
    "今天晚上一起吃饭吗？", "Look: https://example.org/a/b?c=1&amp;d=2 &lt;- that one", "👍", "No, the other one. You know which.",
  ]

  private static func stanza(_ number: Int) -> String {
    let friend = "friend\(number % 97)@example.org"
    let id = "\(number &* 2_654_435_761 % 1_000_000_007)-\(number)"
    let body = sentences[number % sentences.count]
    switch number % 10 {
    case 0, 1, 2, 3:
      return """
        <message from='\(friend)/phone' to='me@example.org/jackdaw' type='chat' id='\(id)' xml:lang='en'>\
        <body>\(body)</body><active xmlns='http://jabber.org/protocol/chatstates'/>\
        <request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>\
        <origin-id xmlns='urn:xmpp:sid:0' id='\(id)'/>\
        <stanza-id xmlns='urn:xmpp:sid:0' by='me@example.org' id='\(id)'/></message>
        """
    case 4, 5:
      return """
        <message to='me@example.org/jackdaw' from='me@example.org'>\
        <result xmlns='urn:xmpp:mam:2' queryid='q1' id='\(id)'><forwarded xmlns='urn:xmpp:forward:0'>\
        <delay xmlns='urn:xmpp:delay' stamp='2026-01-0\(1 + number % 9)T12:00:00Z'/>\
        <message xmlns='jabber:client' from='\(friend)/phone' to='me@example.org' type='chat' id='\(id)'>\
        <body>\(body)</body></message></forwarded></result></message>
        """
    case 6, 7:
      return """
        <presence from='\(friend)/phone' to='me@example.org/jackdaw'><show>away</show><status>\(body)</status>\
        <priority>5</priority><c xmlns='http://jabber.org/protocol/caps' hash='sha-1' \
        node='https://client.example' ver='QgayPKawpkPSDYmwT/WM94uAlu0='/>\
        <x xmlns='vcard-temp:x:update'><photo>01b87fcd030b72895ff8e88db57ec525450f000d</photo></x></presence>
        """
    case 8:
      return """
        <iq from='example.org' to='me@example.org/jackdaw' type='result' id='\(id)'>\
        <query xmlns='jabber:iq:roster' ver='\(number)'>\
        <item jid='\(friend)' name='A friend' subscription='both'><group>Friends</group></item>\
        <item jid='other@example.net' name='Another' subscription='to'/></query></iq>
        """
    default:
      return """
        <message from='room@muc.example.org/nick\(number % 31)' to='me@example.org/jackdaw' type='groupchat' \
        id='\(id)'><body>\(body)</body><occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/></message>
        """
    }
  }
}
