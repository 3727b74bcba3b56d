// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Reads the bytes before libxml2 does, and sees to what libxml2 leaves open or does too late.
///
/// It knows just enough of XML to tell where tags, attribute values and CDATA sections end. By that it
/// - finds the places where a stanza is complete, so that libxml2 is never given a byte behind it;
/// - tells the decoder where the last complete tag ends: libxml2 gets whole tags only, so the same input leads to the
///   same events and errors whatever way it came cut, and libxml2 never searches half a tag again and again;
/// - refuses at the byte: what is not UTF-8 or not a character of XML, DTDs, comments, processing instructions (RFC
///   6120 11.1), text between stanzas, and what exceeds a limit, before anything grows;
/// - finds the end of a stanza that is left out (``leaveOut()``), of which libxml2 is given nothing more.
///
/// libxml2 remains the judge of everything else. The decoder checks after each piece that libxml2 has taken all of it,
/// so the two cannot come to differ about where a stanza ends.
struct StreamScanner {
  let limits: DecoderLimits
  private let stanzaLimit: Int
  /// In a tag of so few bytes there are not too many attributes, as each has two quotation marks, and none is too long.
  let plainTagBytes: Int
  /// Bytes of this unit that are allowed: more than ``stanzaLimit`` for one that is taken in parts.
  private var unitLimit: Int
  /// Bytes of this unit up to which it was cut into parts.
  private var partEnd = 0
  /// Whether the receiver did not want a part of this unit.
  private var isWhole = false
  /// Whether only the end of this unit is looked for.
  private(set) var isLeavingOut = false
  /// Whether a large stanza may be cut up.
  var allowsParts = false
  var state = State.start
  private var characters = CharacterChecker()
  /// Elements open, the stream's included.
  var depth = 0
  /// The quotation mark that ends the value.
  private var quote: UInt8 = 0
  private var attributes = 0
  /// How much of a fixed word has matched, or how many brackets at the end of a CDATA section.
  var matched = 0
  private var lastByte: UInt8 = 0
  /// Bytes of this unit, and of this attribute's value, in earlier calls.
  private var unitBytes = 0
  private var valueBytes = 0
  /// Where the value began or went on in this call.
  private var valueStart = 0

  /// What is not allowed.
  private(set) var failure: DecodeError?
  /// The limit that the stanza exceeds; only at ``Outcome/limit``.
  private(set) var excess: StaticString?
  /// Where the bytes begin that the decoder has to keep or parse, if ``isInUnit`` or at an event.
  private(set) var unitStart = 0
  /// Behind the last complete tag of this call, 0 without one.
  var tagEnd = 0

  init(limits: DecoderLimits) {
    self.limits = limits
    plainTagBytes = max(0, min(2 * limits.attributes, limits.attributeBytes))
    stanzaLimit = min(limits.stanzaBytes, DecoderLimits.largestStanza)
    unitLimit = stanzaLimit
  }

  /// The receiver has looked at the part that ends here. One that is wanted is over, so that as much may follow.
  mutating func partTaken(_ isWanted: Bool) {
    partEnd = unitBytes
    if isWanted {
      unitLimit = max(unitLimit, min(limits.partedBytes, unitBytes + stanzaLimit))
    } else {
      isWhole = true
    }
  }

  /// The rest of this stanza is not wanted: from here on only its end is looked for, and no limit but
  /// ``DecoderLimits/leftOutBytes`` holds.
  mutating func leaveOut() {
    isLeavingOut = true
    excess = nil
  }

  /// Whether a stanza is to be cut behind `at`, which is behind a tag.
  private func isPart(at position: Int) -> Bool {
    allowsParts && !isWhole && !isLeavingOut && unitBytes + position - unitStart - partEnd >= DecoderSizes.partBytes
  }

  /// Whether the scanner stands within the stream's opening tag (or before it), a stanza, or the closing tag.
  var isInUnit: Bool {
    switch state {
    case .between, .headerClosed, .closed: false
    default: true
    }
  }

  /// Whether the scanner stands within a stanza, its own tag included.
  var isInStanza: Bool { depth > 1 || (depth == 1 && (state == .startTag || state == .value)) }

  /// Reads on from `position`, which then is behind what was read. `count` bytes are at `bytes`.
  mutating func scan(_ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ count: Int) -> Outcome {
    let start = position
    tagEnd = 0
    unitStart = start
    valueStart = start
    if state == .headerClosed {
      state = .closed
      return .closed
    }
    // A variable of its own, as what is reached through a pointer is stored again at each step.
    var at = start
    defer {
      position = at
      if at > start { lastByte = bytes[at - 1] }
    }
    var end = isInUnit ? limited(count) : count
    var search = MarkupSearch(bytes, count: count)
    if characters.isWithin, at < end, let outcome = takeCharacter(bytes, &at, end) { return outcome }
    while at < end {
      let outcome: Outcome?
      switch state {
      case .value: outcome = scanValue(bytes, &at, end, &search)
      case .startTag: outcome = scanStartTag(bytes, &at, end, &search, isFirst: at == start)
      case .text:
        skipPlain(bytes, &at, end, &search)
        outcome = scanText(bytes, &at, end, &search)
      case .markup: outcome = scanMarkup(bytes[at], &at)
      case .endTag: outcome = scanEndTag(bytes, &at, end, &search)
      case .between:
        outcome = scanSpace(bytes, &at, end)
        if state == .markup {
          unitStart = at - 1
          end = limited(count)
        }
      case .cdata: outcome = scanCDATA(bytes, &at, end)
      case .exclamation: outcome = scanExclamation(bytes[at], &at)
      case .instruction: outcome = scanInstruction(bytes[at], &at)
      case .start, .startMarkup: outcome = scanStart(bytes[at], &at)
      case .declaration: outcome = scanDeclaration(bytes[at], &at)
      case .beforeHeader, .headerClosed, .closed: outcome = scanSpace(bytes, &at, end)
      }
      guard let outcome else { continue }
      // The declaration counts towards the header's limit: the rest of the header starts with what it used. The rest of a
      // stanza starts with what its parts used, or with what came before the limit.
      if outcome == .declaration || outcome == .part || outcome == .limit {
        unitBytes += at - unitStart
      } else {
        unitBytes = 0
        unitLimit = stanzaLimit
        partEnd = 0
        isWhole = false
        isLeavingOut = false
      }
      return outcome
    }
    if isInUnit { unitBytes += at - unitStart }
    if state == .value {
      valueBytes += at - valueStart
      // A character that is not whole may turn out to be none: that is the graver fault.
      if valueBytes > limits.attributeBytes, !characters.isWithin,
        let outcome = exceed("the length of an attribute")
      {
        return outcome
      }
    }
    if at < count {
      guard depth > 0 else { return fail(.limit("the length of the stream's header")) }
      return exceed("the size of a stanza") ?? fail(.limit("the size of a stanza that is left out"))
    }
    return .input
  }

  /// Where reading must end so that the unit keeps within its limit.
  private func limited(_ count: Int) -> Int {
    let limit = depth == 0 ? limits.headerBytes : isLeavingOut ? limits.leftOutBytes : unitLimit
    return min(count, unitStart + max(0, limit - unitBytes))
  }

  /// There is more than a limit allows. That costs a stanza, or the stream where it is in the stream's opening tag.
  /// - Returns: nil where it does not matter any more.
  @inline(never)
  private mutating func exceed(_ what: StaticString) -> Outcome? {
    if isLeavingOut { return nil }
    if depth == 0 { return fail(.limit("\(what)")) }
    excess = what
    return .limit
  }

  mutating func fail(_ error: DecodeError) -> Outcome {
    failure = error
    return .failed
  }
}

// MARK: - Tags

extension StreamScanner {
  private mutating func scanMarkup(_ byte: UInt8, _ position: inout Int) -> Outcome? {
    switch byte {
    case UInt8(ascii: "/"):
      if depth == 0 { return fail(.notWellFormed("a closing tag comes first")) }
      state = .endTag
    case UInt8(ascii: "!"):
      matched = 0
      state = .exclamation
    case UInt8(ascii: "?"):
      matched = 0
      state = .instruction
    default:
      attributes = 0
      state = .startTag
      return nil
    }
    position += 1
    return nil
  }

  private mutating func scanStartTag(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int, _ search: inout MarkupSearch, isFirst: Bool
  ) -> Outcome? {
    let start = position
    var at = start
    defer { position = at }
    if attributes == 0, let tagEnd = search.endOfPlainTag(at, end, length: plainTagBytes), tagEnd > at {
      at = tagEnd + 1
      return endStartTag(at: at, isEmpty: bytes[tagEnd - 1] == UInt8(ascii: "/"))
    }
    while true {
      at = search.tag(at, end)
      guard at < end else { return nil }
      switch bytes[at] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        attributes += 1
        if attributes > limits.attributes, let outcome = exceed("the number of attributes") { return outcome }
        quote = bytes[at]
        at += 1
        let next = search.value(at, end, quote: quote)
        if next < end, bytes[next] == quote, next - at <= limits.attributeBytes {
          at = next + 1
          continue
        }
        // The value has more than plain characters, or more than is here.
        valueBytes = 0
        valueStart = at
        state = .value
        return nil
      case UInt8(ascii: ">"):
        let before = isFirst && at == start ? lastByte : bytes[at - 1]
        at += 1
        return endStartTag(at: at, isEmpty: before == UInt8(ascii: "/"))
      case UInt8(ascii: "<"): return fail(.notWellFormed("there is < in a tag"))
      default:
        if let outcome = takeCharacter(bytes, &at, end) { return outcome }
      }
    }
  }

  @inline(__always)
  private mutating func endStartTag(at position: Int, isEmpty: Bool) -> Outcome? {
    if depth > limits.depth, let outcome = exceed("the depth of elements") {
      // The tag is over, though libxml2 does not see it.
      if !isEmpty { depth += 1 }
      state = .text
      return outcome
    }
    tagEnd = position
    switch depth {
    case 0:
      depth = 1
      state = isEmpty ? .headerClosed : .between
      return .header
    case 1 where isEmpty:
      state = .between
      return .stanza
    default:
      if !isEmpty { depth += 1 }
      state = .text
      return isEmpty && depth == 3 && isPart(at: position) ? .part : nil
    }
  }

  @inline(__always)
  private mutating func scanValue(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int, _ search: inout MarkupSearch
  ) -> Outcome? {
    position = search.value(position, end, quote: quote)
    guard position < end else { return nil }
    // Before the byte is judged, so that the first of two faults is the one that is reported.
    let isEnd = bytes[position] == quote
    if valueBytes + position - valueStart + (isEnd ? 0 : 1) > limits.attributeBytes,
      let outcome = exceed("the length of an attribute")
    {
      return outcome
    }
    switch bytes[position] {
    case quote:
      position += 1
      state = .startTag
      return nil
    case UInt8(ascii: "<"): return fail(.notWellFormed("there is < in an attribute"))
    default: return takeCharacter(bytes, &position, end)
    }
  }

  @inline(__always)
  private mutating func scanEndTag(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int, _ search: inout MarkupSearch
  ) -> Outcome? {
    position = search.tag(position, end)
    guard position < end else { return nil }
    switch bytes[position] {
    case UInt8(ascii: ">"):
      position += 1
      tagEnd = position
      depth -= 1
      switch depth {
      case 0:
        state = .closed
        return .closed
      case 1:
        state = .between
        return .stanza
      case 3 where isPart(at: position):
        state = .text
        return .part
      default:
        state = .text
        return nil
      }
    case UInt8(ascii: "<"): return fail(.notWellFormed("there is < in a tag"))
    // libxml2 would look for its end before it looks for that of the tag.
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return fail(.notWellFormed("there is a quotation mark in a closing tag"))
    default: return takeCharacter(bytes, &position, end)
    }
  }
}

// MARK: - Text

extension StreamScanner {
  @inline(__always)
  private mutating func scanText(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int, _ search: inout MarkupSearch
  ) -> Outcome? {
    position = search.text(position, end)
    guard position < end else { return nil }
    if bytes[position] == UInt8(ascii: "<") {
      position += 1
      state = .markup
      return nil
    }
    return takeCharacter(bytes, &position, end)
  }

  /// Takes one character that is no plain ASCII, or white space.
  mutating func takeCharacter(_ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int) -> Outcome? {
    if !characters.isWithin, bytes[position] < 0x80 {
      if !ByteSearch.isSpace(bytes[position]) { return fail(.notWellFormed("there is a control character")) }
      position += 1
      return nil
    }
    switch characters.take(bytes, &position, end) {
    case .fine: return nil
    case .notUTF8: return fail(Self.notUTF8)
    case .notXML: return fail(.notWellFormed("there is a character that XML does not allow"))
    }
  }

  static let notUTF8 = DecodeError.encoding("there is a byte that cannot stand where it does")
}
