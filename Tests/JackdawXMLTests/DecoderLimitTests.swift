// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawXML
import Testing

/// Limits of size and depth (RFC 6120 13.12). How much memory a flood takes is measured in a process of its own.
@Suite struct DecoderLimitTests {
  /// Why the stanza that `content` is was left out. It ends no stream.
  private func condition(_ content: String, limits: DecoderLimits = .standard) -> String? {
    let decoder = StanzaDecoder(limits: limits)
    var conditions: [String?] = []
    do throws(DecodeError) {
      try decoder.feed(Array((header + content + "<presence/>").utf8)) { event in
        switch event {
        case .element: conditions.append(nil)
        case .leftOut(let stanza): conditions.append(stanza.reason.condition)
        case .opened, .closed: break
        }
        return .more
      }
    } catch {
      return "ended with \(error.condition)"
    }
    return conditions.last == .some(nil) ? conditions.first ?? nil : "lost what came next"
  }

  @Test("A stanza of the greatest size passes, and one byte more does not", arguments: [1000, 100_000, 1_048_576])
  func aStanzaOfTheGreatestSizePassesAndOneByteMoreDoesNot(size: Int) throws {
    var limits = DecoderLimits()
    limits.stanzaBytes = size
    let stanza = "<m>" + String(repeating: "x", count: size - 7) + "</m>"
    #expect(try elements(stanza + stanza, limits: limits).count == 2)
    #expect(condition("<m>x" + stanza.dropFirst(3), limits: limits) == "policy-violation")
    #expect(decode(header + "<m>x" + stanza.dropFirst(3), limits: limits).events.last?.hasPrefix("left out <m") == true)
    // Cut in pieces it is the same.
    let bytes = Array(stanza.utf8)
    let pieces = stride(from: 0, to: size, by: 997).map { bytes[$0..<min(size, $0 + 997)] }
    #expect(decode([ArraySlice(header.utf8)] + pieces, limits: limits).events.count == 2)
  }

  @Test("White space between stanzas does not count towards a stanza's size")
  func whiteSpaceBetweenStanzasDoesNotCountAsOne() throws {
    var limits = DecoderLimits()
    limits.stanzaBytes = 100
    #expect(try elements(String(repeating: " ", count: 1000) + "<m/>", limits: limits).count == 1)
  }

  @Test("The header is limited together with all that stands before it")
  func theHeaderHasALimitWithAllThatStandsBeforeIt() {
    #expect(decode("<a b='" + String(repeating: "x", count: 16_376) + "'>").events.count == 1)
    #expect(decode("<a b='" + String(repeating: "x", count: 16_377) + "'>").error?.condition == "policy-violation")
    #expect(decode(String(repeating: " ", count: 16_382) + "<a>").error?.condition == "policy-violation")
    let declaration = "<?xml version='1.0'" + String(repeating: " ", count: 16_380) + "?><a>"
    #expect(decode(declaration).error?.condition == "policy-violation")
    #expect(
      decode("<?xml version='1.0'?>" + String(repeating: " ", count: 16_380) + "<a>").error?.condition
        == "policy-violation")
  }

  @Test("The depth of elements is limited") func depthIsLimited() throws {
    for depth in [255, 256, 257, 100_000] {
      let open = String(repeating: "<a>", count: depth - 1)
      let close = String(repeating: "</a>", count: depth - 1)
      #expect(condition(open + "<b/>" + close) == (depth > 256 ? "policy-violation" : nil))
      #expect(condition(open + "<b></b>" + close) == (depth > 256 ? "policy-violation" : nil))
    }
  }

  @Test("The number of attributes is limited, including namespace declarations")
  func attributesAreLimitedDeclarationsIncluded() {
    for count in [128, 129, 60_000] {
      let attributes = (0..<count).map { " a\($0)=''" }.joined()
      let declarations = (0..<count).map { " xmlns:a\($0)='u'" }.joined()
      #expect(condition("<a\(attributes)/>") == (count > 128 ? "policy-violation" : nil))
      #expect(condition("<a\(declarations)/>") == (count > 128 ? "policy-violation" : nil))
    }
  }

  @Test("The length of an attribute is limited") func theLengthOfAnAttributeIsLimited() {
    for (count, isTooLong) in [(262_144, false), (262_146, true), (5_000_000, true)] {
      let value = String(repeating: "x", count: count)
      #expect(condition("<a b='\(value)'/>") == (isTooLong ? "policy-violation" : nil))
      #expect(condition("<a b=\"\(value)\"/>") == (isTooLong ? "policy-violation" : nil))
      // What is no XML ends the stream, within the limit and behind it.
      #expect(condition("<a b='\(value.dropLast())\u{1}'/>") == "ended with not-well-formed")
    }
  }

  @Test("The length of a name is limited") func theLengthOfANameIsLimited() {
    for (count, isTooLong) in [(1024, false), (1025, true), (50_001, true), (500_000, true)] {
      let name = String(repeating: "n", count: count)
      let expected = isTooLong ? "policy-violation" : nil
      #expect(condition("<\(name)/>") == expected)
      #expect(condition("<a \(name)=''/>") == expected)
      #expect(condition("<a xmlns:\(name)='u'/>") == expected)
      if count < 262_144 { #expect(condition("<a xmlns='\(name)'/>") == expected) }
    }
  }

  @Test("The number of new names in a stanza is limited") func theNumberOfNewNamesInAStanzaIsLimited() {
    for (count, isTooMany) in [(1000, false), (1025, true), (50_000, true)] {
      let expected = isTooMany ? "policy-violation" : nil
      #expect(condition("<m>" + (0..<count).map { "<a\($0)/>" }.joined() + "</m>") == expected)
      #expect(condition("<m>" + (0..<count).map { "<a b\($0)=''/>" }.joined() + "</m>") == expected)
      #expect(condition("<m>" + (0..<count).map { "<a xmlns='\($0)'/>" }.joined() + "</m>") == expected)
      #expect(condition("<m>" + (0..<count).map { "<a xmlns:b\($0)='u'/>" }.joined() + "</m>") == expected)
    }
  }

  @Test("The names that a stanza may bring do not depend on those before it")
  func whatAStanzaMayBringDoesNotDependOnThoseBeforeIt() {
    var limits = DecoderLimits()
    limits.distinctNames = 16
    // 15 new names each, more than once around the table; then one stanza too many names.
    let stanzas = (0..<20).map { stanza in "<m>" + (0..<15).map { "<a\(stanza)x\($0)/>" }.joined() + "</m>" }
    let result = decode(
      header + stanzas.joined() + "<m>" + (0..<18).map { "<b\($0)/>" }.joined() + "</m>", limits: limits)
    #expect(result.events.count == 22)
    #expect(result.events.last?.hasPrefix("left out <m") == true)
  }

  @Test("The number of namespaces in scope is limited") func namespacesInScopeAreLimited() {
    func nested(_ count: Int) -> String {
      let tag = "<a" + (0..<100).map { " xmlns:p\($0)='u'" }.joined() + ">"
      return String(repeating: tag, count: count / 100) + String(repeating: "</a>", count: count / 100)
    }
    #expect(condition(nested(500)) == nil)
    #expect(condition(nested(600)) == "policy-violation")
    #expect(condition(String(repeating: nested(500), count: 3)) == nil)
  }

  @Test("Elements, attributes and texts are limited together")
  func elementsAttributesAndTextsAreLimitedTogether() throws {
    #expect(condition("<m>" + String(repeating: "<a/>", count: 131_071) + "</m>") == nil)
    #expect(condition("<m>" + String(repeating: "<a/>", count: 131_072) + "</m>") == "policy-violation")
    #expect(condition("<m>" + String(repeating: "<a/>x", count: 65_600) + "</m>") == "policy-violation")
    #expect(condition("<m>" + String(repeating: "<a b=''/>", count: 65_600) + "</m>") == "policy-violation")
  }
}

/// What floods cost, measured in processes of their own. A sanitizer keeps what is freed, so there it would say
/// nothing.
@Suite(.enabled(if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil))
struct DecoderMemoryTests {
  @Test("Floods of distinct names take no memory") func floodsOfDistinctNamesTakeNoMemory() async {
    await #expect(processExitsWith: .success) {
      try flood(header, limit: 8_000_000) { number in
        let name = "a-name-of-some-length-\(number)"
        return "<\(name) xmlns:\(name)='urn:\(name)' \(name)=''><x xmlns='urn:x:\(name)'/></\(name)>"
      }
    }
  }

  @Test("Endless white space takes no memory") func endlessWhiteSpaceTakesNoMemory() async {
    await #expect(processExitsWith: .success) {
      let space = String(repeating: " \n", count: 1000)
      try flood(header, limit: 1_000_000) { _ in space }
    }
  }

  @Test(
    "What never ends is cut and takes little memory",
    arguments: [
      "<m>", "<m a='", "<m ", "<m><![CDATA[", "<m><a ", "<m a='1'", "</", "<m>&", "<m", "<m><b>x</b>",
    ])
  func whatNeverEndsIsCutAndTakesLittleMemory(start: String) async {
    await #expect(processExitsWith: .success) { [start] in
      let letters = String(repeating: "x", count: 4096)
      try floodUntilError(header + start, limit: 12_000_000) { _ in letters }
    }
  }

  @Test("Stanzas with too many names take no memory") func stanzasWithMoreNamesThanAreTakenTakeNoMemory() async {
    await #expect(processExitsWith: .success) {
      try flood(header, limit: 8_000_000) { number in
        "<m>" + (0..<1200).map { "<name-\(number)-\($0)/>" }.joined() + "</m>"
      }
    }
  }

  @Test("Stanzas that consist of elements take a few times their size")
  func stanzasThatAreAllElementsTakeAFewTimesTheirSize() async {
    await #expect(processExitsWith: .success) {
      for element in ["<a/>", "<a b='c'>d"] {
        let elements = String(repeating: element, count: 1024)
        try floodUntilError(header + "<m>", limit: 16_000_000) { _ in elements }
      }
    }
  }

  @Test("Big stanzas one after the other take the memory of one")
  func bigStanzasOneAfterTheOtherTakeTheMemoryOfOne() async {
    await #expect(processExitsWith: .success) {
      let stanza = "<m>" + String(repeating: "<a/>x", count: 60_000) + "</m>"
      try flood(header, limit: 16_000_000) { _ in stanza }
    }
  }
}

/// Feeds piece after piece, 16 million bytes, and ends the process when it takes more than `limit` more memory after any 16 kB
/// of them.
private func flood(_ start: String, limit: Int, _ piece: (Int) -> String) throws {
  var limits = DecoderLimits()
  limits.leftOutBytes = 12_000_000
  let decoder = StanzaDecoder(limits: limits)
  try decoder.feed(Array(start.utf8)) { _ in .more }
  let before = residentBytes()
  var (fed, measured) = (0, 0)
  for number in 0... {
    let bytes = Array(piece(number).utf8)
    try decoder.feed(bytes) { _ in .more }
    fed += bytes.count
    guard fed - measured >= 16_384 else { continue }
    measured = fed
    require(residentBytes() - before < limit, "\(residentBytes() - before) bytes after \(fed)")
    if fed > 16_000_000 { return }
  }
}

private func floodUntilError(_ start: String, limit: Int, _ piece: (Int) -> String) throws {
  do {
    try flood(start, limit: limit, piece)
  } catch let error as DecodeError {
    require(error.condition == "policy-violation", "\(error)")
    return
  }
  require(false, "never refused")
}

/// The memory that this process has in use. The pages of its own program and libraries are left out: they come and go as the
/// system likes.
private func residentBytes() -> Int {
  let file = open("/proc/self/statm", O_RDONLY)
  defer { close(file) }
  let text = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
    let count = read(file, buffer.baseAddress, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
  let pages = text.split(separator: " ").compactMap { Int($0) }
  guard pages.count > 2 else { return .max / 2 }
  return (pages[1] - pages[2]) * 4096
}

private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
