// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much a peer may ask the decoder to hold. What exceeds a limit within a stanza costs that stanza (``LeftOutStanza``);
/// in the stream's opening tag it ends the stream with `policy-violation`, and so does a stanza of more than ``leftOutBytes``.
package struct DecoderLimits: Sendable {
  /// Bytes of one stanza, from its `<` to its last `>`. RFC 6120 13.12 demands that 10,000 pass; a full roster or a
  /// picture in a vCard needs some hundred thousand. libxml2 refuses to look at more than 10 million bytes at once, so
  /// a greater value than ``largestStanza`` is taken as that.
  package var stanzaBytes = 1_048_576

  /// Bytes before the end of the stream's opening tag: declaration, white space and the tag. Real ones have 300.
  package var headerBytes = 16_384

  /// Levels of elements within a stanza, the stanza being the first. Message forwarding, the deepest nesting of any
  /// extension, needs about ten.
  package var depth = 256

  /// Attributes of one element, namespace declarations included. libxml2 compares each with each.
  package var attributes = 128

  /// Bytes of one attribute's value as written. A picture in an XHTML message is the longest known.
  package var attributeBytes = 262_144

  /// Bytes of one name, prefix or namespace.
  package var nameBytes = 1024

  /// Names, prefixes and namespaces that one stanza may bring and that were not seen shortly before. Data belong in
  /// attribute values and text; the widest stanzas known bring some dozens.
  package var distinctNames = 1024

  /// Namespace declarations in force at one place: libxml2 walks through them for each element.
  package var namespacesInScope = 512

  /// Elements, attributes and pieces of text in one stanza, 16 bytes each: a roster of 15,000 friends has 100,000.
  package var nodes = 131_072

  /// Bytes of one stanza that its receiver takes in parts, see ``StanzaParts``. A contact list of 100,000, with long names
  /// and several groups each, has some 25 million.
  package var partedBytes = 33_554_432

  /// Bytes of a stanza that is left out: nothing of it is held, and one that never ends must not be all that is read. Twice
  /// as many as the largest answer that is awaited may have.
  package var leftOutBytes = 67_108_864

  /// What a client needs, and little more.
  package static let standard = DecoderLimits()

  /// The most that ``stanzaBytes`` can allow, below libxml2's own limit on what it has not yet parsed.
  package static let largestStanza = 8_388_608

  /// The standard limits, to change some of them.
  package init() {}
}

/// Sizes that are ours to choose, not the peer's to fill.
enum DecoderSizes {
  /// What is kept allocated between stanzas; a larger buffer is given back after the stanza that needed it.
  static let retainedBytes = 65_536
  /// Nodes for which room is made at the start: one page.
  static let initialNodes = 256
  /// Bytes after which a stanza that is taken in parts is cut, at the next place where it can be: enough for each part to be
  /// cheap, few enough for a part's copies to be small beside what they become.
  static let partBytes = 131_072
  /// Bytes of text for which room is made at the start.
  static let initialBytes = 4096
  /// Bytes of a stanza after which the parser, whose buffer has grown with it, is exchanged.
  static let wearingStanza = 262_144
  /// Bytes of all names together after which the parser is exchanged at the next stanza's end.
  static let nameBytesInUse = 262_144
}
