// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What is searched for in texts, as it is typed: `words "a phrase" begin* *part* -without`. All of it must be there, in any order.
package struct SearchWords: Sendable, Equatable {
  /// One thing that must be there, or must not.
  package struct Term: Sendable, Equatable {
    /// What of a text it is compared with.
    package enum Kind: Sendable, Equatable {
      /// Words that follow each other, whatever stands between them but letters and digits; case and accents make no difference.
      /// - Parameter isPrefix: the last of them may go on.
      case words(String, isPrefix: Bool)
      /// Any part of the text; case makes no difference. For what has no words: scripts that put no spaces between them, and signs.
      case part(String)
    }
    /// What is looked for.
    package var kind: Kind
    /// It must not be there.
    package var isExcluded: Bool

    package init(_ kind: Kind, isExcluded: Bool = false) {
      self.kind = kind
      self.isExcluded = isExcluded
    }
  }

  /// In the order of typing.
  package let terms: [Term]

  /// - Returns: nil where nothing is asked for, or only what must not be there.
  package init?(_ text: String) {
    var reader = Reader(rest: Substring(text))
    var terms: [Term] = []
    while let term = reader.next() { terms.append(term) }
    guard terms.contains(where: { !$0.isExcluded }) else { return nil }
    self.terms = terms
  }

  /// Whether nothing of it has words.
  package var hasWords: Bool {
    terms.contains { term in
      if case .words = term.kind { !term.isExcluded } else { false }
    }
  }

  private struct Reader {
    var rest: Substring

    mutating func next() -> Term? {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return nil }
      var isExcluded = false
      // A minus alone is searched for.
      if rest.first == "-", let second = rest.dropFirst().first, !second.isWhitespace {
        isExcluded = true
        rest.removeFirst()
      }
      if rest.first == "\"" || rest.first == "“" {
        rest.removeFirst()
        let phrase = rest.prefix { $0 != "\"" && $0 != "”" }
        rest = rest[phrase.endIndex...].dropFirst()
        let isPrefix = rest.first == "*"
        if isPrefix { rest.removeFirst() }
        let text = String(phrase)
        guard text.contains(where: { !$0.isWhitespace }) else { return next() }
        return Term(SearchWords.kind(text, isPrefix: isPrefix), isExcluded: isExcluded)
      }
      var word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
      if word.count > 2, word.first == "*", word.last == "*" {
        return Term(.part(String(word.dropFirst().dropLast())), isExcluded: isExcluded)
      }
      let isPrefix = word.count > 1 && word.last == "*"
      if isPrefix { word.removeLast() }
      return Term(SearchWords.kind(String(word), isPrefix: isPrefix), isExcluded: isExcluded)
    }
  }

  private static func kind(_ text: String, isPrefix: Bool) -> Term.Kind {
    let scalars = text.unicodeScalars
    let hasLetters = scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    let hasWords = hasLetters && !scalars.contains(where: isOfScriptWithoutSpaces)
    return hasWords ? .words(text, isPrefix: isPrefix) : .part(text)
  }

  /// Thai and Lao, Myanmar, Khmer; kana, ideographs and all between them; Hangul, whose words take endings.
  private static func isOfScriptWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x3040...0x31FF, 0x3400...0x9FFF,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}

extension SearchWords.Term {
  /// Where a part stands in a text, in bytes of UTF-8; none for words, whose places the index knows.
  package func places(in text: String) -> [Range<Int>] {
    guard case .part(let part) = kind else { return [] }
    return FoldedText(text).places(of: FoldedText(part))
  }

  /// Where words stand in a text as they were typed, but for their case, in bytes of UTF-8: found in one pass, for texts in which
  /// the index is not asked for places. None for parts.
  package func placesAsTyped(in text: String) -> [Range<Int>] {
    guard case .words(let words, let isPrefix) = kind else { return [] }
    let (bytes, scalars) = (text.utf8, text.unicodeScalars)
    return FoldedText(text).places(of: FoldedText(words)).compactMap { place in
      let start = bytes.index(bytes.startIndex, offsetBy: place.lowerBound)
      if start > bytes.startIndex, Self.isOfWord(scalars[scalars.index(before: start)]) { return nil }
      var end = bytes.index(bytes.startIndex, offsetBy: place.upperBound)
      while end < bytes.endIndex, Self.isOfWord(scalars[end]) {
        guard isPrefix else { return nil }
        scalars.formIndex(after: &end)
      }
      return place.lowerBound..<bytes.distance(from: bytes.startIndex, to: end)
    }
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}

/// A text in which case makes no difference, and where each of its bytes came from.
private struct FoldedText {
  /// Bounded by some times the text.
  private var bytes: [UInt8] = []
  /// Bounded by ``bytes``. Of each byte, where its scalar begins in the text and where it ends; none where that is the byte's own place.
  private var origins: [Range<Int>] = []

  init(_ text: String) {
    bytes.reserveCapacity(text.utf8.count)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
      return
    }
    origins.reserveCapacity(text.utf8.count)
    var place = 0
    for scalar in text.unicodeScalars {
      let end = place + UTF8.width(scalar)
      for byte in scalar.properties.lowercaseMapping.utf8 {
        bytes.append(byte)
        origins.append(place..<end)
      }
      place = end
    }
  }

  func places(of part: FoldedText) -> [Range<Int>] {
    var places: [Range<Int>] = []
    guard let first = part.bytes.first, part.bytes.count <= bytes.count else { return [] }
    var index = 0
    let last = bytes.count - part.bytes.count
    while index <= last {
      guard bytes[index] == first, bytes[index..<index + part.bytes.count] == part.bytes[...] else {
        index += 1
        continue
      }
      let end = index + part.bytes.count
      places.append(origin(index).lowerBound..<origin(end - 1).upperBound)
      index = end
    }
    return places
  }

  private func origin(_ index: Int) -> Range<Int> { origins.isEmpty ? index..<index + 1 : origins[index] }
}
