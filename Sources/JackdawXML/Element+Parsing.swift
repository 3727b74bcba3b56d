// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Element {
  /// Reads one element as it would stand in a client's stream: the namespace is `jabber:client` unless `xmlns` says
  /// otherwise, and the prefix `stream` is known. White space around it is ignored.
  /// - Throws: ``DecodeError`` when it is not exactly one element of allowed XML.
  package init(parsing text: String, limits: DecoderLimits = .standard) throws(DecodeError) {
    let decoder = StanzaDecoder(limits: limits)
    var elements: [Element] = []
    var isClosed = false
    var excess: DecodeError?
    let deliver = { (event: StreamEvent) -> DecoderVerdict in
      switch event {
      case .opened: return .more
      case .element(let element):
        elements.append(element)
        return elements.count > 1 ? .stop : .more
      case .leftOut(let stanza):
        excess = stanza.reason
        return .stop
      case .closed:
        isClosed = true
        return .stop
      }
    }
    for part in ["<stream:stream xmlns='\(Namespace.client)' xmlns:stream='\(Namespace.streams)'>", text] {
      try Array(part.utf8).withUnsafeBufferPointer { bytes throws(DecodeError) in
        try decoder.feed(UnsafeRawBufferPointer(bytes), deliver)
      }
    }
    if let excess { throw excess }
    guard let element = elements.first, elements.count == 1, !isClosed, !decoder.isWithinElement else {
      throw .notWellFormed("it is not exactly one element")
    }
    self = element
  }
}
