// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the scanner meets once in a stream, in few stanzas, or never in good ones.
extension StreamScanner {
  private static let cdataWord = Array("[CDATA[".utf8)
  private static let declarationWord = Array("xml".utf8)
  private static let instructions = DecodeError.restricted("processing instructions")
  private static let textBetweenStanzas = DecodeError(
    condition: "bad-format", description: "There is text between stanzas.")

  mutating func scanStart(_ byte: UInt8, _ position: inout Int) -> Outcome? {
    switch (state, byte) {
    case (.start, UInt8(ascii: "<")):
      position += 1
      state = .startMarkup
    case (.startMarkup, UInt8(ascii: "?")):
      position += 1
      matched = 0
      state = .declaration
    default:
      state = state == .start ? .beforeHeader : .markup
    }
    return nil
  }

  /// `<?xml …?>` up to its end; what it says is read when it is whole (``XMLDeclaration``).
  mutating func scanDeclaration(_ byte: UInt8, _ position: inout Int) -> Outcome? {
    position += 1
    let word = Self.declarationWord
    if matched < word.count {
      if byte != word[matched] { return fail(Self.instructions) }
      matched += 1
      return nil
    }
    let isFirst = matched == word.count
    let followsQuestionMark = matched == word.count + 2
    matched = byte == UInt8(ascii: "?") ? word.count + 2 : word.count + 1
    if isFirst {
      return ByteSearch.isSpace(byte) || byte == UInt8(ascii: "?") ? nil : fail(Self.instructions)
    }
    if followsQuestionMark, byte == UInt8(ascii: ">") {
      state = .beforeHeader
      return .declaration
    }
    return nil
  }

  /// `<?` anywhere but at the start.
  mutating func scanInstruction(_ byte: UInt8, _ position: inout Int) -> Outcome? {
    let word = Self.declarationWord
    if matched < word.count, byte == word[matched] {
      matched += 1
      position += 1
      return nil
    }
    if matched == word.count, ByteSearch.isSpace(byte) || byte == UInt8(ascii: "?") {
      return fail(.notWellFormed("there is an XML declaration that is not at the start"))
    }
    return fail(Self.instructions)
  }

  mutating func scanExclamation(_ byte: UInt8, _ position: inout Int) -> Outcome? {
    if matched == 0 {
      switch byte {
      case UInt8(ascii: "-"): return fail(.restricted("comments"))
      case UInt8(ascii: "D"): return fail(.restricted("document type declarations"))
      case UInt8(ascii: "[") where depth == 1: return fail(Self.textBetweenStanzas)
      default: break
      }
    }
    guard depth > 1, byte == Self.cdataWord[matched] else {
      return fail(.notWellFormed("there is <! where it cannot be"))
    }
    position += 1
    matched += 1
    if matched == Self.cdataWord.count {
      matched = 0
      state = .cdata
    }
    return nil
  }

  mutating func scanCDATA(_ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int) -> Outcome? {
    let next = ByteSearch.cdata(bytes, position, end)
    if next > position { matched = 0 }
    position = next
    guard position < end else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "]"):
      matched = min(matched + 1, 2)
    case UInt8(ascii: ">"):
      if matched == 2 { state = .text }
      matched = 0
    default:
      matched = 0
      return takeCharacter(bytes, &position, end)
    }
    position += 1
    return nil
  }

  /// White space where nothing else may stand but a tag.
  mutating func scanSpace(_ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int) -> Outcome? {
    position = ByteSearch.space(bytes, position, end)
    guard position < end else { return nil }
    let byte = bytes[position]
    if byte == UInt8(ascii: "<"), state != .closed {
      position += 1
      state = .markup
      return nil
    }
    if byte >= 0x80, !CharacterChecker.canBegin(byte) { return fail(Self.notUTF8) }
    switch state {
    case .closed: return fail(.notWellFormed("something follows the end of the stream"))
    case .between: return fail(Self.textBetweenStanzas)
    default: return fail(.notWellFormed("there is text before the stream's opening tag"))
    }
  }
}
