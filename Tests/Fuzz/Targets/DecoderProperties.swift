// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// However a stream is cut, the decoder says the same of it, and each element is written so that it is read back as it was.
enum DecoderProperties {
  /// The first byte has the choices, the second says how many of the next are the sizes of the pieces; then comes the stream.
  static func check(_ input: inout FuzzInput) throws {
    let choice = input.byte()
    let sizes = (0..<input.number(below: 8)).map { _ in Int(input.byte()) }
    let content = input.rest()
    let stream = choice & 1 == 0 ? Array(Self.header.utf8) + content : content
    let limits = choice & 2 == 0 ? Self.tight : .standard
    let leavesOutFaults = choice & 4 != 0

    let whole = decode([stream], limits, leavesOutFaults)
    let cut = decode(pieces(of: stream, sizes), limits, leavesOutFaults)
    try require(whole == cut, "cutting changed the outcome:\n\(whole)\n\(cut)")
    for element in whole.elements { try checkRoundTrip(element) }
  }

  private static let header =
    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"

  /// So small that a few bytes meet them.
  private static let tight: DecoderLimits = {
    var limits = DecoderLimits()
    limits.distinctNames = 32
    limits.depth = 8
    limits.attributes = 6
    limits.attributeBytes = 40
    limits.nameBytes = 20
    limits.headerBytes = 400
    limits.stanzaBytes = 300
    limits.nodes = 40
    limits.namespacesInScope = 8
    limits.leftOutBytes = 1000
    return limits
  }()

  /// The bytes in pieces of these sizes, again and again; without sizes byte by byte.
  private static func pieces(of stream: [UInt8], _ sizes: [Int]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var position = 0
    var turn = 0
    while position < stream.count {
      let size = sizes.isEmpty ? 1 : max(1, sizes[turn % sizes.count])
      let end = min(stream.count, position + size)
      // An array of its own: reading behind its end is then found.
      pieces.append(Array(stream[position..<end]))
      position = end
      turn += 1
    }
    return pieces
  }

  /// What a decoder made of some bytes.
  fileprivate struct Outcome: Equatable {
    var elements: [Element] = []
    /// What else was told, and after how many elements.
    var marks: [String] = []
    var error: DecodeError?
    var leftOver = 0
  }

  private static func decode(_ pieces: [[UInt8]], _ limits: DecoderLimits, _ leavesOutFaults: Bool) -> Outcome {
    let decoder = StanzaDecoder(limits: limits)
    decoder.leavesOutFaults = leavesOutFaults
    var outcome = Outcome()
    do throws(DecodeError) {
      for piece in pieces {
        try piece.withUnsafeBufferPointer { bytes throws(DecodeError) in
          try decoder.feed(UnsafeRawBufferPointer(bytes)) { event in
            outcome.take(event)
            return .more
          }
        }
      }
      outcome.leftOver = decoder.restart()
    } catch {
      outcome.error = error
    }
    return outcome
  }

  static func checkRoundTrip(_ element: Element) throws {
    var written: [UInt8] = []
    do throws(XMLWriteError) {
      try StanzaWriter.append(element, to: &written)
    } catch {
      throw PropertyFailure(description: "what was read cannot be written: \(error)")
    }
    try require(String(decoding: written, as: UTF8.self) == element.description, "written in two ways: \(element)")
    let again: Element
    do throws(DecodeError) {
      again = try Element(parsing: element.description)
    } catch {
      throw PropertyFailure(description: "what was written cannot be read: \(error) in \(element)")
    }
    try require(again == element, "read back differently: \(element)")
    try require(Element("copy", "", [element]).firstChild == element, "copied differently: \(element)")
  }
}

extension DecoderProperties.Outcome {
  fileprivate mutating func take(_ event: StreamEvent) {
    switch event {
    case .element(let element): elements.append(element)
    case .opened(let element):
      marks.append("\(elements.count): opened")
      elements.append(element)
    case .leftOut(let stanza):
      marks.append("\(elements.count): left out, \(stanza.reason)")
      if let envelope = stanza.envelope { elements.append(envelope) }
    case .closed: marks.append("\(elements.count): closed")
    }
  }
}
