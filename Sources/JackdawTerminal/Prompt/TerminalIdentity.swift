// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What a terminal answers when it is asked what it is: `ESC [ > kind ; version ; … c` (DA2, as DEC's VT220 has it).
struct TerminalIdentity: Equatable {
  /// The question. Terminals that do not know it say nothing.
  static let question = "\u{1B}[>c"

  var kind: Int
  var version: Int

  /// Whether it wraps its lines anew when the window gets another width; nil: it is not known as one that does or does not.
  var rewraps: Bool? {
    switch kind {
    // VTE (GNOME Terminal and others), tmux.
    case 65, 84: true
    // kitty; others that say 1 have smaller versions.
    case 1 where version >= 4_000: true
    // xterm, GNU screen.
    case 41, 83: false
    default: nil
    }
  }

  /// Takes the first answer out of what was typed; nil where there is none.
  static func take(from bytes: inout [UInt8]) -> TerminalIdentity? {
    let start = Array("\u{1B}[>".utf8)
    for begin in bytes.indices where bytes[begin...].starts(with: start) {
      guard let end = bytes[begin...].dropFirst(start.count).firstIndex(where: { !isParameter($0) }),
        bytes[end] == UInt8(ascii: "c")
      else { continue }
      let numbers = bytes[(begin + start.count)..<end].split(
        separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
      )
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
      bytes.removeSubrange(begin...end)
      return TerminalIdentity(kind: numbers.first ?? 0, version: numbers.dropFirst().first ?? 0)
    }
    return nil
  }

  private static func isParameter(_ byte: UInt8) -> Bool { 0x30...0x3B ~= byte }
}
