// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bytes that were typed and readline has not had yet, and pastes among them.
///
/// A terminal marks a paste (bracketed paste: `ESC [ 200 ~` … `ESC [ 201 ~`). Between the marks the bytes are text, not keys:
/// they are gathered here, however slowly they come, and inserted as one piece.
///
/// Keys are handed out in whole characters: readline, given half of one, would in some of its modes wait for the rest. What is no
/// UTF-8 is no key. A value, so that it is tested without a terminal.
struct PromptInput {
  private static let pasteBegin: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  private var next = 0
  /// Bytes of the next key that are there to be handed out; 0: none is there, or not all of it.
  private var ready = 0
  /// Bytes were left out that are no characters.
  private(set) var hasDropped = false
  private var paste: [UInt8]?
  private var isPasteCut = false
  private var isPasteDropped = false

  /// A whole paste.
  struct Paste: Equatable {
    /// Made fit for a line of the prompt: newlines kept, other controls left out.
    var text: String
    /// It was too long and its end is missing.
    var isCut: Bool
  }

  /// Nothing was typed that is not dealt with.
  var isEmpty: Bool { next == bytes.count }
  /// There is something to hand out.
  var hasKey: Bool { isPasting ? !isEmpty : ready > 0 }
  /// A character has begun, and its end has not come yet.
  var isIncomplete: Bool { !isPasting && ready == 0 && !isEmpty }
  var isPasting: Bool { paste != nil }

  mutating func append(_ more: [UInt8]) {
    bytes = isEmpty ? more : bytes[next...] + more
    next = 0
    if ready == 0, !isPasting { findKey() }
  }

  var first: UInt8? { ready > 0 ? bytes[next] : nil }

  mutating func popFirst() -> UInt8? {
    guard ready > 0 else { return nil }
    let byte = bytes[next]
    next += 1
    ready -= 1
    if ready == 0 { findKey() }
    return byte
  }

  /// Nothing came that makes a character of what has begun.
  mutating func dropIncomplete() {
    guard isIncomplete else { return }
    hasDropped = true
    next = bytes.count
  }

  private mutating func findKey() {
    while next < bytes.count {
      switch UTF8Prefix(bytes[next...]) {
      case .character(let length):
        ready = length
        return
      case .incomplete: return
      case .invalid(let length):
        hasDropped = true
        next += length
      }
    }
  }

  /// Forgets what was typed ahead, and the paste that may be going on.
  mutating func clear() { self = PromptInput() }

  /// Ctrl-C: a paste that is going on is dropped up to its end, since what follows it in the paste are not keys either; at
  /// the second time its end is no longer waited for.
  mutating func interrupt() {
    guard paste != nil else { return }
    if isPasteDropped { clear() } else { isPasteDropped = true }
  }

  /// The mark that begins a paste is what comes next.
  var isPasteNext: Bool { ready > 0 && bytes[next...].starts(with: Self.pasteBegin) }

  /// Takes the mark that comes next.
  mutating func takePasteMark() {
    guard isPasteNext else { return }
    next += Self.pasteBegin.count
    ready = 0
    pasteBegan()
  }

  /// A key that comes before what was typed and has not been handed out.
  mutating func putFirst(_ key: UInt8) {
    bytes.insert(key, at: next)
    ready = 1
  }

  /// The mark that begins a paste was read.
  mutating func pasteBegan() {
    paste = []
    isPasteCut = false
    isPasteDropped = false
  }

  /// Takes what has come of the paste; returns it when its end has come.
  mutating func takePaste() -> Paste? {
    guard var gathered = paste else { return nil }
    ready = 0
    let seen = max(0, gathered.count - Self.pasteEnd.count + 1)
    let before = gathered.count
    gathered += bytes[next...]
    if let end = Self.position(of: Self.pasteEnd, in: gathered, from: seen) {
      next += max(0, end + Self.pasteEnd.count - before)
      paste = nil
      findKey()
      if isPasteDropped { return nil }
      return Paste(text: Self.text(gathered[..<end]), isCut: isPasteCut)
    }
    bytes = []
    next = 0
    if gathered.count > TerminalLimits.pasteBytes {
      // The end may still be told by its mark, of which a part may be here already.
      isPasteCut = true
      let tail = gathered.suffix(Self.pasteEnd.count - 1)
      gathered = Array(gathered.prefix(TerminalLimits.pasteBytes - tail.count)) + tail
    }
    paste = gathered
    return nil
  }

  private static func position(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= mark.count else { return nil }
    for index in stride(from: start, through: bytes.count - mark.count, by: 1)
    where bytes[index] == mark[0] && bytes[index..<index + mark.count].elementsEqual(mark) {
      return index
    }
    return nil
  }

  /// What a terminal sends for a newline is CR. The newline at the end belongs to copying whole lines, not to the message.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var previous: Unicode.Scalar?
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x0D: text += "\n"
      case 0x0A: if previous != "\r" { text += "\n" }
      case 0x09: text += "\t"
      case 0..<0x20, 0x7F...0x9F: break
      default: text.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    while text.utf8.last == 0x0A { text.unicodeScalars.removeLast() }
    return text
  }
}
