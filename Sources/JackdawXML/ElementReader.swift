// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Reads elements out of text that comes in pieces, as they would stand in a client's stream: the namespace is `jabber:client`
/// unless `xmlns` says otherwise, and the prefix `stream` is known.
package final class ElementReader {
  private let decoder: StanzaDecoder
  private var hasBegun = false

  /// - Parameter limits: those of each element.
  package init(limits: DecoderLimits = .standard) { decoder = StanzaDecoder(limits: limits) }

  /// An element has begun and not ended.
  package var isWithinElement: Bool { hasBegun && decoder.isWithinElement }

  /// Reads on.
  /// - Returns: the elements that end in `text`, in their order.
  /// - Throws: ``DecodeError`` for what is no allowed XML, or more than the limits allow. Nothing more is to be read then.
  package func feed(_ text: String) throws(DecodeError) -> [Element] {
    var elements: [Element] = []
    var excess: DecodeError?
    var isClosed = false
    let deliver = { (event: StreamEvent) -> DecoderVerdict in
      switch event {
      case .opened: return .more
      case .element(let element):
        elements.append(element)
        return .more
      case .leftOut(let stanza):
        excess = stanza.reason
        return .stop
      case .closed:
        isClosed = true
        return .stop
      }
    }
    if !hasBegun {
      hasBegun = true
      try feed("<stream:stream xmlns='\(Namespace.client)' xmlns:stream='\(Namespace.streams)'>", deliver)
    }
    try feed(text, deliver)
    if let excess { throw excess }
    guard !isClosed else { throw .notWellFormed("an element ends that has not begun") }
    return elements
  }

  private func feed(_ text: String, _ deliver: (StreamEvent) -> DecoderVerdict) throws(DecodeError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(DecodeError) in
      try decoder.feed(UnsafeRawBufferPointer(bytes), deliver)
    }
  }
}
