// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// The parts of a body that stand there only for clients that do not know another element of the message (XEP-0428).
///
/// Offsets count Unicode code points (XEP-0426). One inside a grapheme cluster splits it (XEP-0426 2.1): the rest of an emoji is shown as
/// what is left of it. A range that makes no sense – with one end only, no numbers, negative, reversed, empty, or not within the body –
/// is ignored, and the others count: too much is shown rather than too little.
package struct Fallback: Sendable, Hashable {
  /// XEP-0428.
  package static let namespace = "urn:xmpp:fallback:0"

  /// Code points of the body, in order, none of them twice. Bounded by the elements of a stanza.
  package let ranges: [Range<Int>]

  /// - Parameters:
  ///   - namespaces: of the elements in whose place the parts stand.
  ///   - payloads: a message's.
  ///   - body: its text, as it came.
  package init(for namespaces: Set<String>, in payloads: [Element], of body: String) {
    let length = body.unicodeScalars.count
    var ranges: [Range<Int>] = []
    for payload in payloads where payload.matches("fallback", Self.namespace) {
      guard let replaced = payload.attribute("for"), namespaces.contains(replaced) else { continue }
      // Without children it is for all texts of the message; with those of the subject alone, for none of the body.
      if payload.children.allSatisfy({ $0.namespace != Self.namespace }) { ranges.append(0..<length) }
      for part in payload.children where part.matches("body", Self.namespace) {
        if let range = Self.range(of: part, within: length) { ranges.append(range) }
      }
    }
    self.ranges = Self.merged(ranges)
  }

  private static func range(of part: Element, within length: Int) -> Range<Int>? {
    switch (part.attribute("start"), part.attribute("end")) {
    case (nil, nil): return 0..<length
    case (let start?, let end?):
      guard let start = Int(start), let end = Int(end), 0 <= start, start < end, end <= length else { return nil }
      return start..<end
    default: return nil
    }
  }

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// - Parameter body: the same as the parts were counted in.
  /// - Returns: what is left of it, and what the parts say, one behind the other.
  package func split(_ body: String) -> (rest: String, fallback: String) {
    var (rest, fallback) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    let scalars = body.unicodeScalars
    var (place, index) = (0, scalars.startIndex)
    for range in ranges {
      let start = scalars.index(index, offsetBy: range.lowerBound - place)
      let end = scalars.index(start, offsetBy: range.count)
      rest.append(contentsOf: scalars[index..<start])
      fallback.append(contentsOf: scalars[start..<end])
      (place, index) = (range.upperBound, end)
    }
    rest.append(contentsOf: scalars[index...])
    return (String(rest), String(fallback))
  }
}
