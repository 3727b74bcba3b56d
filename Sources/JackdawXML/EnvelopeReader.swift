// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Picks out of a start tag of any size what it takes to know a stanza's kind and sender and to answer it (RFC 6120 8.1). It
/// holds no more than that, whatever else is in the tag. The scanner has seen that quotation marks and `>` stand where they
/// can.
struct EnvelopeReader {
  private enum State {
    case start
    case name
    case betweenAttributes
    case attribute
    case beforeValue
    case value
    case done
  }

  /// Longer than any name that matters here, prefix included.
  private static let longestName = 64
  /// Longer than any address (RFC 7622 3.1: three parts of 1,023 bytes), some of it written as entities.
  private static let longestValue = 8_192
  /// Room for each that is wanted once, and a declaration. More is in no well-formed tag.
  private static let longestTag = 6 * (longestValue + longestName)
  private static let wanted: Set<[UInt8]> = Set(["from", "to", "id", "type", "xmlns"].map { Array($0.utf8) })

  private var state = State.start
  private var name: [UInt8] = []
  private var attribute: [UInt8] = []
  private var quote: UInt8 = 0
  /// nil: this attribute is not wanted, or too long.
  private var value: [UInt8]?
  /// The attributes that are wanted, as they were written.
  private var attributes: [UInt8] = []

  /// The tag with what is wanted of it, closed in itself; nil where it is of no kind that matters here.
  var tag: [UInt8]? {
    guard state == .done, name.count <= Self.longestName else { return nil }
    return Array("<".utf8) + name + attributes + Array("/>".utf8)
  }

  /// The next bytes; those behind the tag do not matter.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      if state == .done { return }
      take(byte)
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .start:
      if byte == UInt8(ascii: "<") { state = .name }
    case .name:
      switch byte {
      case UInt8(ascii: ">"): state = .done
      case _ where Self.isBetween(byte): state = .betweenAttributes
      default: if name.count <= Self.longestName { name.append(byte) }
      }
    case .betweenAttributes:
      switch byte {
      case UInt8(ascii: ">"): state = .done
      case _ where Self.isBetween(byte): break
      default:
        attribute = [byte]
        state = .attribute
      }
    case .attribute:
      switch byte {
      case UInt8(ascii: ">"): state = .done
      case UInt8(ascii: "="): state = .beforeValue
      case _ where ByteSearch.isSpace(byte): break
      default: if attribute.count <= Self.longestName { attribute.append(byte) }
      }
    case .beforeValue:
      switch byte {
      case UInt8(ascii: ">"): state = .done
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        quote = byte
        value = isWanted ? [] : nil
        state = .value
      default: break
      }
    case .value:
      if byte == quote {
        keepAttribute()
        state = .betweenAttributes
      } else if let count = value?.count {
        if count < Self.longestValue { value?.append(byte) } else { value = nil }
      }
    case .done: break
    }
  }

  /// White space, or the slash of a tag that is closed in itself.
  private static func isBetween(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || ByteSearch.isSpace(byte) }

  private var isWanted: Bool {
    if Self.wanted.contains(attribute) { return true }
    // The declaration of the tag's own prefix.
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return attribute == Array("xmlns:".utf8) + name[..<colon]
  }

  private mutating func keepAttribute() {
    guard let value else { return }
    self.value = nil
    guard attributes.count + attribute.count + value.count + 4 <= Self.longestTag else { return }
    attributes.append(UInt8(ascii: " "))
    attributes += attribute
    attributes += [UInt8(ascii: "="), quote]
    attributes += value
    attributes.append(quote)
  }
}
