// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One thing that happened, as one line of which nothing is broken or coloured: most of what is written to files and pipes. It is not put
/// together where it can go out piece by piece.
package struct PlainEntry {
  /// May be empty.
  private let time: String
  private let name: String
  private let separator: String
  private let line: String

  /// - Parameter line: safe to show.
  init(time: String, label: EntryLayout.Label, line: String) {
    self.time = time
    (name, separator) = (label.text, label.separator)
    self.line = line
  }

  /// Gives what it consists of, with its last newline.
  func forEachPiece(_ body: (String) -> Void) {
    if !time.isEmpty {
      body(time)
      body(" ")
    }
    body(name)
    body(separator)
    body(line)
    body("\n")
  }

  /// All of it.
  var text: String {
    let room = time.utf8.count + name.utf8.count + separator.utf8.count + line.utf8.count + 2
    // To append six times to a text costs four times as much.
    return String(unsafeUninitializedCapacity: room) { bytes in
      var end = 0
      forEachPiece { end += UnsafeMutableBufferPointer(rebasing: bytes[end...]).initialize(fromContentsOf: $0.utf8) }
      return end
    }
  }
}
