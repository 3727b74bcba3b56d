// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a terminal answers when it is asked for the colour of its background: `ESC ] 11 ; rgb:RRRR/GGGG/BBBB ST` (xterm's OSC 11).
enum BackgroundReport {
  /// The question. Terminals that do not know it say nothing.
  static let question = "\u{1B}]11;?\u{1B}\\"

  private static let beginning = Array("\u{1B}]11;".utf8)
  /// Bytes of a colour: `rgba:` with four digits for each part has 24.
  private static let longest = 64

  /// What typed bytes hold of an answer.
  enum Finding: Equatable {
    case nothing
    /// It was taken out; nil: it names a colour in a way that is not known.
    case answer(RGB?)
    /// The last bytes may be the beginning of one, and were taken out.
    case beginning([UInt8])
  }

  /// Takes the first answer, or what may be the beginning of one, out of what was typed.
  static func take(from bytes: inout [UInt8]) -> Finding {
    for start in bytes.indices where bytes[start] == beginning[0] {
      let rest = bytes[start...]
      if rest.count < beginning.count, beginning.starts(with: rest) { return cut(&bytes, from: start) }
      guard rest.starts(with: beginning) else { continue }
      let content = rest.dropFirst(beginning.count)
      guard let end = content.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) else {
        if content.count <= longest { return cut(&bytes, from: start) }
        continue
      }
      // BEL, or ESC and a backslash.
      let isBell = bytes[end] == 0x07
      guard isBell || bytes[end] == 0x1B else { continue }
      if !isBell, end + 1 == bytes.endIndex { return cut(&bytes, from: start) }
      guard isBell || bytes[end + 1] == UInt8(ascii: "\\") else { continue }
      let color = RGB(report: String(decoding: content[..<end], as: UTF8.self))
      bytes.removeSubrange(start...(isBell ? end : end + 1))
      return .answer(color)
    }
    return .nothing
  }

  private static func cut(_ bytes: inout [UInt8], from start: Int) -> Finding {
    defer { bytes.removeSubrange(start...) }
    return .beginning(Array(bytes[start...]))
  }
}

extension RGB {
  /// A colour as X11 writes it: `rgb:` or `rgba:` and three parts of one to four hexadecimal digits; a fourth is not read.
  init?(report: String) {
    guard let prefix = ["rgb:", "rgba:"].first(where: { report.hasPrefix($0) }) else { return nil }
    let parts = report.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == prefix.count - 1 else { return nil }
    let bytes = parts.prefix(3).compactMap { part -> UInt8? in
      guard 1...4 ~= part.count, part.allSatisfy(\.isHexDigit), let value = Int(part, radix: 16) else { return nil }
      return UInt8(value * 255 / ((1 << (4 * part.count)) - 1))
    }
    guard bytes.count == 3 else { return nil }
    self.init(bytes[0], bytes[1], bytes[2])
  }

  /// Whether dark text can be read on it better than light text (WCAG 2.1, relative luminance).
  var isLight: Bool {
    let parts = linear
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.179
  }
}
