// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension StreamScanner {
  /// Skips text and whole tags within a stanza in which there is nothing to look at: nearly all that there are. It stops where
  /// there is, and before the tag that ends the stanza.
  ///
  /// What it does the rest of the scanner does as well, tag by tag and value by value.
  @inline(__always)
  mutating func skipPlain(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ end: Int, _ search: inout MarkupSearch
  ) {
    if allowsParts { return }
    var at = position
    var depth = depth
    let length = plainTagBytes
    while true {
      let tag = search.text(at, end)
      guard end &- tag > 1, bytes[tag] == UInt8(ascii: "<") else { break }
      let first = bytes[tag &+ 1]
      if first == UInt8(ascii: "/") {
        let tagEnd = search.tag(tag &+ 2, end)
        guard tagEnd < end, bytes[tagEnd] == UInt8(ascii: ">"), depth > 2 else { break }
        depth &-= 1
        at = tagEnd &+ 1
      } else {
        guard first != UInt8(ascii: "!"), first != UInt8(ascii: "?"), depth <= limits.depth,
          let tagEnd = search.endOfPlainTag(tag &+ 1, end, length: length)
        else { break }
        if bytes[tagEnd &- 1] != UInt8(ascii: "/") { depth &+= 1 }
        at = tagEnd &+ 1
      }
      tagEnd = at
    }
    position = at
    self.depth = depth
  }
}
