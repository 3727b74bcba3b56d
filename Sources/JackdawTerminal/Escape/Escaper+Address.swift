// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

extension Escaper {
  /// An address, made so that no other looks like it: as ``name(_:)``, and where one part (the localpart, a label of the
  /// domain) mixes scripts, as `bоb` with a Cyrillic о does, its letters beyond ASCII are spelled out (UTS 39 5.1).
  package static func address(_ jid: JID) -> String {
    let text = jid.description
    if isPlainASCII(text.utf8) { return text }
    let local = jid.localpart.map { part($0) + "@" } ?? ""
    return local + host(jid.domain) + (jid.resource.map { "/" + name($0) } ?? "")
  }

  /// An address that came as text; what does not parse is escaped as a name.
  package static func address(_ text: String) -> String {
    if let jid = try? JID(received: text) { return address(jid) }
    return name(text)
  }

  /// What somebody is called, cut where it is long: an address that mixes scripts as ``address(_:)`` makes it, behind what one of several
  /// accounts is called too (`work:bob@example.org`), or somebody in a room (`Bob in tea@rooms.example.org`); all else, and names that the
  /// user gave among it, stays what it is.
  static func called(_ text: String, within length: Int) -> String {
    let plain = line(text.clipped(to: length))
    guard text.utf8.contains(UInt8(ascii: "@")), !isPlainASCII(text.utf8) else { return plain }
    // The room first: a nick may be written as an address which goes on to the end.
    let starts = [
      text.ranges(of: " in ").last?.upperBound, text.startIndex, text.firstIndex(of: ":").map(text.index(after:)),
    ]
    for start in starts.compactMap({ $0 }) {
      guard let jid = try? JID(received: String(text[start...])), isMixed(jid) else { continue }
      return (line(String(text[..<start])) + address(jid)).clipped(to: length)
    }
    return plain
  }

  /// The program's own words, in which an address that mixes scripts is as ``address(_:)`` makes it. All else in them stays what it is.
  static func spellingAddresses(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")), text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var spelled = ""
    var rest = text[...]
    while let first = rest.first {
      guard !endsAddress(first) else {
        spelled.append(rest.removeFirst())
        continue
      }
      let word = rest.prefix { !endsAddress($0) }
      rest = rest[word.endIndex...]
      // A sentence may end with it.
      var core = word
      while let last = core.last, ".:!?…".contains(last) { core.removeLast() }
      if core.utf8.contains(UInt8(ascii: "@")), let jid = try? JID(received: String(core)), isMixed(jid) {
        spelled += address(jid) + word[core.endIndex...]
      } else {
        spelled += word
      }
    }
    return spelled
  }

  private static func endsAddress(_ character: Character) -> Bool {
    character.isWhitespace || "'\"()[]<>,;“”‘’".contains(character)
  }

  /// Whether somebody might take `jid` for another address because it mixes scripts.
  package static func isMixed(_ jid: JID) -> Bool {
    if let local = jid.localpart, mixesScripts(local) { return true }
    return jid.domain.utf8.contains { $0 >= 0x80 } && jid.domain.split(separator: ".").contains { mixesScripts($0) }
  }

  private static func host(_ domain: String) -> String {
    guard domain.utf8.contains(where: { $0 >= 0x80 }) else { return name(domain) }
    return domain.split(separator: ".", omittingEmptySubsequences: false).map { part(String($0)) }
      .joined(separator: ".")
  }

  private static func part(_ text: String) -> String {
    let safe = name(text)
    guard mixesScripts(safe) else { return safe }
    var spelled = ""
    for scalar in safe.unicodeScalars {
      if scalar.isASCII {
        spelled.unicodeScalars.append(scalar)
      } else {
        spelled += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return spelled
  }

  /// Whether the letters of `text` are of more than one script. The scripts of East Asia count as one and go with Latin.
  static func mixesScripts(_ text: some StringProtocol) -> Bool {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return false }
    var seen: UInt32?
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
      guard let script = script(of: scalar) else { continue }
      guard let known = seen, known != script else {
        seen = script
        continue
      }
      guard known <= ScriptTable.lastThatMixes && script <= ScriptTable.lastThatMixes else { return true }
    }
    return false
  }

  private static func script(of scalar: Unicode.Scalar) -> UInt32? {
    let ranges = ScriptTable.ranges
    var low = 0
    var high = ranges.count / 3
    while low < high {
      let middle = (low + high) / 2
      if scalar.value > ranges[middle * 3 + 1] { low = middle + 1 } else { high = middle }
    }
    guard low * 3 < ranges.count, ranges[low * 3] <= scalar.value else { return nil }
    return ranges[low * 3 + 2]
  }
}
