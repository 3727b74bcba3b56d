// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Streams, whole, broken and hostile, that every way of cutting must leave as they are.
enum DecoderCorpus {
  /// `¦` stands where an event is due: behind its last byte. It is not part of the stream.
  static let marked = [
    header
      + "¦<message to='a@b'><body>Hi</body></message>¦ \n\t<presence/>¦<iq id='1' type='get'/>¦\n</stream:stream>¦\n",
    "<stream:stream xmlns:stream='http://etherx.jabber.org/streams' xmlns='jabber:client'>¦<stream:features>"
      + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>¦"
      + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>¦",
    " \r\n<s:stream\n a = 'x>y/>z' \n xmlns:s=\"http://etherx.jabber.org/streams\" b=\"'&gt;&#x41;&quot;\" >¦"
      + "<m a='/'/>¦<m a='>'>></m>¦<m a=\"'/>'\"\n/>¦",
    header + "¦<message><body>a<![CDATA[<b>]]]]><![CDATA[>&amp;]] ]>]]>c<![CDATA[]]></body></message>¦",
    header + "¦<message><body>Grüße, 你好, 🐦‍⬛, e\u{301}</body><x xmlns='ü:ö'>\u{FFFD}\u{10FFFF}</x></message>¦",
    header
      + "¦<m>one<b>two</b>three<i>four</i><i/>five&lt;&#13;&#10;six\r\nseven\reight</m>¦<m>\r\n</m>¦\r\n<m>\r</m>¦",
    header + "¦<message xml:lang='de' xmlns:p='urn:p' p:a='1' a='2'><p:x xmlns='urn:q'><y p:a='3'/></p:x></message>¦",
    header + "¦<message><message><message/></message></message>¦<a><a><a></a></a></a>¦",
    "<stream/>¦¦  ",
    "<a b='1'/>¦¦",
    header + "¦" + String(repeating: "<p/>¦", count: 40) + "</stream:stream >¦",
    header + "¦<m>" + String(repeating: "some text, long enough to be given away in parts; ", count: 12) + "</m>¦",
    header + "¦<m a='" + String(repeating: "a value > as long as that of a picture \u{E9}", count: 12) + "'/>¦",
    header + "¦<m xmlns=''><n xmlns='jabber:client'/></m>¦<xml:x xml:space='preserve'> </xml:x>¦",
  ]

  /// What is wrong comes after at least one event.
  static let broken = [
    "<message><body></message>", "<message></body>", "<message a='1' a='2'/>", "<m>&nbsp;</m>", "<m>a & b</m>",
    "<m>a & b</m><n>;</n>", "<m>&#0;</m>", "<m>&#27;</m>", "<m>&#xFFFF;</m>", "<m>]]></m>", "<m><a:b/></m>",
    "<m a:b='1'/>",
    "text", "<m>\u{1}</m>", "<m a='\u{1}'/>", "<m \u{1}/>", "<m>\u{FFFF}</m>", "<!-- c -->", "<m><!-- c --></m>",
    "<?xml version='1.0'?>", "<?x?>", "<m><?x y?></m>", "<!DOCTYPE a>", "<m><!DOCTYPE a></m>", "<!x>", "<![CDATA[x]]>",
    "<m><![CDATX[x]]></m>", "<m a=1/>", "<m a='<'/>", "<m a='1'b='2'/>", "<m a=/>", "<m a/>", "<m / >", "<>", "</>",
    "< m/>",
    "<m><</m>", "<1/>", "</stream:strea>", "</stream:stream>x", "</stream:stream><m/>",
    "</stream:stream></stream:stream>",
    "<a:b:c xmlns:a='u'/>", "<m xmlns:a=''/>", "<m xmlns:xml='u'/>", "<m xmlns:xmlns='u'/>", "<x:m xmlns:x='u'></m>",
    "<m>&#x110000;</m>", "<m a='&b;'/>", "<m a='&'/>", "<m a='&amp'/>", "<m>&amp</m>", "&amp;<m/>", "<m>x<n></m>y<m/>",
    "<m a='x\u{FFFE}'/>", "<m></m\u{E9}>", "<m\u{D7}/>", "<m \u{E9}\u{D7}='1'/>", "<m a='1' a='2'><b></m>\u{1}",
    "<m><b></m>\u{1}", "<m>]]>\u{1}", "<m a='1'b='2'>\u{1}", "<m xmlns:a='u' xmlns:b='u' a:x='1' b:x='2'/>",
    // Found by fuzzing: libxml2 waits behind each of these for bytes that may never come.
    "<m><n>&</n></m>", "<m>a &<n/>;</m>", "<m></m'>>'>", "<m></m\">\">",
  ]

  /// Bytes that are no UTF-8, to stand in text, in an attribute, in a name and between stanzas.
  static let notUTF8: [[UInt8]] = [
    [0xFF], [0xFE], [0xC0, 0xBC], [0xC1, 0x81], [0xE0, 0x3C], [0xE0, 0x80, 0xBC], [0xE0, 0x9F, 0xBF],
    [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80],
    [0x80], [0xBF], [0xC3, 0x3C], [0xE2, 0x82, 0x3E], [0xF0, 0x9F, 0x98, 0x3C], [0xC3, 0xC3],
  ]

  /// All of it as bytes, marks removed.
  static var streams: [[UInt8]] {
    marked.map { Array($0.filter { $0 != "¦" }.utf8) }
      + broken.map { Array((header + "<presence/>" + $0 + "<message/>").utf8) }
      + notUTF8.flatMap { bytes in
        [("<m>", "</m>"), ("<m a='", "'/>"), ("<m", "/>"), ("", "<m/>"), ("<m><![CDATA[", "]]></m>")].map {
          Array((header + "<presence/>" + $0.0).utf8) + bytes + Array($0.1.utf8)
        }
      }
      + hostileStarts
  }

  /// Streams that are wrong before they are open.
  static let hostileStarts: [[UInt8]] =
    [
      "\u{FEFF}<a>", "x<a>", " <?xml version='1.0'?><a>", "<?xml version='1.1'?><a>", "<?xml?><a>",
      "<?xml encoding='UTF-8'?><a>",
      "<?xml version='1.0' encoding='ISO-8859-1'?><a>", "<?xml version='1.0' encoding='UTF-16'?><a>", "<?php x?><a>",
      "<?x?><a>",
      "<?xml-stylesheet href='x'?><a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>", "<!-- x --><a>", "</a>", "<a b='1' b='2'>",
      "<x:a>", "<a><b", "<?xml version='1.0'?><?xml version='1.0'?><a>", "<![CDATA[x]]><a>", "<a\u{1}>",
      "<a \u{FFFF}='x'>",
      "<?xml version='1.0' ?>\r\n<?x?>", "<?xml version=\"1.0\" standalone='yes'?><a>",
      "<?xml version='1.0'encoding='UTF-8'?><a>",
      "<?xml  version = '1.0'  encoding = \"uTf-8\"  standalone = 'no' ?><a>",
      "<?xml version='1.0' encoding='u\u{E9}'?><a>",
      "<?xml version='1.0", "<", "<?", "<!", "",
    ].map { Array($0.utf8) } + [
      [0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0], [0, 0x3C, 0, 0x61], [0x3C, 0, 0x61, 0], [0, 0, 0, 0x3C],
      [0x4C, 0x6F, 0xA7],
    ]
}
