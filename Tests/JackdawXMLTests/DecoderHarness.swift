// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// What a decoder said about some bytes, comparable whatever way they were cut.
struct Decoding: Equatable, CustomStringConvertible {
  var events: [String] = []
  var error: DecodeError?
  /// What `restart()` returned at the end.
  var leftOver = 0

  var description: String { "\(events) \(error.map(String.init(describing:)) ?? "no error") left \(leftOver)" }
}

extension StanzaDecoder {
  func feed(_ bytes: some Collection<UInt8>, _ deliver: (StreamEvent) -> DecoderVerdict) throws(DecodeError) {
    let copy = Array(bytes)
    try copy.withUnsafeBufferPointer { pointer throws(DecodeError) in
      try feed(UnsafeRawBufferPointer(pointer), deliver)
    }
  }
}

/// Feeds the pieces one after the other until an error.
func decode(_ pieces: [some Collection<UInt8>], limits: DecoderLimits = .standard) -> Decoding {
  let decoder = StanzaDecoder(limits: limits)
  var result = Decoding()
  do throws(DecodeError) {
    for piece in pieces {
      try decoder.feed(piece) { event in
        result.events.append(text(of: event))
        return .more
      }
    }
  } catch {
    result.error = error
    return result
  }
  result.leftOver = decoder.restart()
  return result
}

func decode(_ text: String, limits: DecoderLimits = .standard) -> Decoding {
  decode([Array(text.utf8)], limits: limits)
}

func text(of event: StreamEvent) -> String {
  switch event {
  case .opened(let element): "opened \(element)"
  case .element(let element): "\(element)"
  case .leftOut(let stanza):
    "left out \(stanza.envelope.map(String.init(describing:)) ?? "something"): \(stanza.reason.description)"
  case .closed: "closed"
  }
}

/// A client's stream as the server opens it.
let header =
  "<?xml version='1.0'?><stream:stream from='example.org' id='1' version='1.0' xml:lang='en' xmlns='jabber:client'"
  + " xmlns:stream='http://etherx.jabber.org/streams'>"

/// The stanzas in a stream's content.
func elements(_ content: String, limits: DecoderLimits = .standard) throws(DecodeError) -> [Element] {
  let decoder = StanzaDecoder(limits: limits)
  var found: [Element] = []
  try decoder.feed(Array((header + content).utf8)) { event in
    if case .element(let element) = event { found.append(element) }
    return .more
  }
  return found
}
