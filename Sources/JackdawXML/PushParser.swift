// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CLibXML2

/// A libxml2 push parser and the builder that it calls back.
///
/// What it must be given: first a whole opening tag of a stream, then pieces that end with a whole tag.
struct PushParser: ~Copyable {
  private let context: xmlParserCtxtPtr
  private let builder: UnsafeMutablePointer<StanzaBuilder>

  /// - Throws: when libxml2 has no memory.
  init(limits: DecoderLimits) throws(DecodeError) {
    _ = Self.initialized
    builder = .allocate(capacity: 1)
    builder.initialize(to: StanzaBuilder(limits: limits))
    var handlers = Self.handlers()
    guard let context = xmlCreatePushParserCtxt(&handlers, builder, nil, 0, nil) else {
      builder.deinitialize(count: 1)
      builder.deallocate()
      throw .outOfMemory
    }
    self.context = context
    // Without NOENT libxml2 would leave `&#38;` in attributes for `&amp;`. It can expand nothing else: declarations of
    // entities stand in DTDs, which neither scanner nor handlers let pass.
    let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = xmlCtxtUseOptions(context, Int32(bitPattern: options))
    // The declaration has been read and left out by now. This one fixes the version and the encoding, and makes any
    // other declaration a fault.
    Self.prologue.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = xmlParseChunk(context, $0.baseAddress, Int32($0.count), 0) }
    }
  }

  deinit {
    xmlFreeParserCtxt(context)
    builder.deinitialize(count: 1)
    builder.deallocate()
  }

  /// Whether the names of the peer fill this parser, so that it should be exchanged between two stanzas.
  var isWorn: Bool { builder.pointee.names.isWorn }

  /// Parses a piece that ends with a tag.
  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    guard let start = bytes.baseAddress, let count = Int32(exactly: bytes.count) else { return }
    _ = xmlParseChunk(context, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), count, 0)
    if builder.pointee.failure == nil, let input = context.pointee.input, input.pointee.cur != input.pointee.end {
      // Only a bare & is ever left over: instead of reporting it libxml2 waits for its semicolon, which may be in the
      // next stanza or never come. With one it reports what it would have reported.
      _ = xmlParseChunk(context, ";", 1, 0)
      builder.pointee.fail(.notWellFormed("there is a bare &"))
    }
    if let failure = builder.pointee.failure { throw failure }
    guard context.pointee.wellFormed != 0 else { throw .notWellFormed("libxml2 gave up") }
  }

  /// The element that the last piece completed.
  mutating func take() -> Element? { builder.pointee.take() }

  /// The stanza's own tag, where it has been parsed, whatever was wrong behind it.
  mutating func envelope() -> Element? { builder.pointee.envelope() }

  /// What is there of a stanza that is not complete; see ``StanzaBuilder/part()``.
  mutating func part() -> Element? { builder.pointee.part() }

  mutating func dropPart() { builder.pointee.dropPart() }

  private static let prologue = Array("<?xml version='1.0'?>".utf8)

  /// libxml2 wants this before threads use it.
  private static let initialized: Void = xmlInitParser()
}

// MARK: - Callbacks

extension PushParser {
  private static func handlers() -> xmlSAXHandler {
    var handlers = xmlSAXHandler()
    handlers.initialized = UInt32(XML_SAX2_MAGIC)
    handlers.startElementNs = { user, name, prefix, namespace, declarationCount, declarations, count, _, attributes in
      guard let name else { return }
      stanzaBuilder(user)?.pointee.start(
        name, prefix: prefix, namespace: namespace,
        declarations: UnsafeBufferPointer(start: declarations, count: Int(declarationCount) * 2),
        attributes: UnsafeBufferPointer(start: attributes, count: Int(count) * 5))
    }
    handlers.endElementNs = { user, _, _, _ in stanzaBuilder(user)?.pointee.end() }
    let text: charactersSAXFunc = { user, text, count in
      if let text { stanzaBuilder(user)?.pointee.text(text, Int(count)) }
    }
    handlers.characters = text
    // The same function for both, or libxml2 would guess which white space matters.
    handlers.ignorableWhitespace = text
    handlers.cdataBlock = text
    handlers.serror = { user, error in
      if let error { stanzaBuilder(user)?.pointee.report(error.pointee) }
    }
    // The scanner has refused these already. They stay forbidden where they do their harm.
    handlers.internalSubset = { user, _, _, _ in stanzaBuilder(user)?.pointee.fail(.restricted("DTDs")) }
    handlers.externalSubset = { user, _, _, _ in stanzaBuilder(user)?.pointee.fail(.restricted("DTDs")) }
    handlers.entityDecl = { user, _, _, _, _, _ in stanzaBuilder(user)?.pointee.fail(.restricted("entity declarations"))
    }
    handlers.comment = { user, _ in stanzaBuilder(user)?.pointee.fail(.restricted("comments")) }
    handlers.processingInstruction = { user, _, _ in
      stanzaBuilder(user)?.pointee.fail(.restricted("processing instructions"))
    }
    return handlers
  }
}

/// The builder that libxml2 hands back. Callbacks are C functions, which can capture no type, so this is in none.
private func stanzaBuilder(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<StanzaBuilder>? {
  user?.assumingMemoryBound(to: StanzaBuilder.self)
}

extension StanzaBuilder {
  /// Turns libxml2's report into a failure, unless it is about taste.
  fileprivate mutating func report(_ error: xmlError) {
    switch UInt32(bitPattern: error.code) {
    case XML_WAR_NS_URI.rawValue, XML_WAR_NS_URI_RELATIVE.rawValue:
      // A namespace is compared, not opened: it need not be a URI that libxml2 can take apart.
      return
    case XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue:
      fail(
        DecodeError(
          condition: "bad-namespace-prefix", description: "The XML uses a namespace prefix that it does not declare."))
    case XML_ERR_NAME_TOO_LONG.rawValue: fail(.limit("the length of a name"))
    case XML_ERR_NO_MEMORY.rawValue: fail(.outOfMemory)
    default:
      guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      fail(.notWellFormed(Self.sentence(error)))
    }
  }

  private static func sentence(_ error: xmlError) -> String {
    guard let message = error.message else { return "libxml2 error \(error.code)" }
    let text = String(cString: message)
    return String(text.prefix { $0 != "\n" })
  }
}
