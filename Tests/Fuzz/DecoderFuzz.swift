// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// Compiled together with the sources of JackdawXML, so that libFuzzer sees which of their branches were taken.

/// What a decoder made of some bytes.
private struct Outcome: Equatable {
  var elements: [Element] = []
  /// Whether a header or a closing tag came before so many elements.
  var marks: [Int] = []
  var error: DecodeError?
  var leftOver = 0
}

private func decode(_ pieces: [ArraySlice<UInt8>], limits: DecoderLimits) -> Outcome {
  let decoder = StanzaDecoder(limits: limits)
  var outcome = Outcome()
  do throws(DecodeError) {
    for piece in pieces {
      // A copy of the very size: reading behind its end is then found.
      try Array(piece).withUnsafeBufferPointer { bytes throws(DecodeError) in
        try decoder.feed(UnsafeRawBufferPointer(bytes)) { event in
          switch event {
          case .element(let element): outcome.elements.append(element)
          case .opened(let element):
            outcome.marks.append(outcome.elements.count)
            outcome.elements.append(element)
          case .closed: outcome.marks.append(-outcome.elements.count)
          }
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

/// The first byte says which header goes before and seeds the cutting; the others are the stream.
///
/// However they are cut, the outcome is the same, and each element is written so that it is read back as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let choice = start[0]
  let input = UnsafeBufferPointer(start: start + 1, count: count - 1)
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
  let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
  let stream = choice & 1 == 0 ? Array(header.utf8) + input : Array(input)

  var pieces: [ArraySlice<UInt8>] = []
  var state = UInt32(choice) &* 2_654_435_761 | 1
  var position = 0
  while position < stream.count {
    state = state &* 1_664_525 &+ 1_013_904_223
    let length = choice & 2 == 0 ? 1 : Int(state >> 24) % (choice & 4 == 0 ? 7 : 60)
    let end = min(stream.count, position + length)
    pieces.append(stream[position..<end])
    position = end
  }
  let whole = decode([stream[...]], limits: limits)
  let cut = decode(pieces, limits: limits)
  require(whole == cut, "cutting changed the outcome: \(whole) and \(cut)")
  for element in whole.elements { checkRoundTrip(element) }
  return 0
}

private func checkRoundTrip(_ element: Element) {
  var written: [UInt8] = []
  do throws(XMLWriteError) {
    try StanzaWriter.append(element, to: &written)
  } catch {
    fatalError("what was read cannot be written: \(error)")
  }
  require(String(decoding: written, as: UTF8.self) == element.description, "written in two ways: \(element)")
  do throws(DecodeError) {
    let again = try Element(parsing: element.description)
    require(again == element, "read back differently: \(element)")
  } catch {
    fatalError("what was written cannot be read: \(error) in \(element)")
  }
  require(Element("copy", "", [element]).firstChild == element, "copied differently: \(element)")
}

private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
