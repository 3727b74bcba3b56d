// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the decoder found in the stream of bytes.
package enum StreamEvent: Sendable {
  /// The stream's opening tag: an element without children. `<stream:stream>` in the peer's words.
  case opened(Element)
  /// One whole child of the stream element.
  case element(Element)
  /// One child of the stream element that was left out. Kept apart, so that the others are small.
  indirect case leftOut(LeftOutStanza)
  /// The stream's closing tag.
  case closed
}

/// What the receiver of an event wants next.
package enum DecoderVerdict: Sendable {
  case more
  /// Deliver nothing further from these bytes (the stream is to be restarted, or the connection is being dropped).
  case stop
}

/// Turns bytes into stream events, whatever way they are cut into pieces.
///
/// An event is delivered with its last byte. Only children of the stream's element are stanzas, whatever they contain;
/// white space between them is taken as a sign of life and ignored. Whatever RFC 6120 11 forbids ends the stream. What
/// exceeds the ``DecoderLimits`` within a stanza costs that stanza: it is read to its end by the scanner alone, which looks at
/// characters and at where tags end, and delivered as a ``LeftOutStanza``. The first character may not be a byte order mark: RFC 6120 11.6 has it
/// read as the character U+FEFF, which cannot stand before the opening tag.
///
/// `deliver` may call ``restart()`` and may let go of the decoder. It must not call ``feed(_:_:)``.
package final class StanzaDecoder {
  private let state: UnsafeMutablePointer<DecoderState>

  /// A decoder that expects a stream header.
  package init(limits: DecoderLimits = .standard) {
    state = .allocate(capacity: 1)
    state.initialize(to: DecoderState(limits: limits))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Decodes `bytes`, calling `deliver` for each event, in order, before it returns.
  ///
  /// Returns when all bytes are taken, or when `deliver` said `.stop` or called ``restart()``. After `.stop` bytes are
  /// only counted, until ``restart()``.
  /// - Throws: ``DecodeError`` at what is wrong, and again at each later call: after an error nothing is delivered.
  package func feed(
    _ bytes: UnsafeRawBufferPointer, _ deliver: (StreamEvent) -> DecoderVerdict
  ) throws(DecodeError) {
    guard let start = bytes.baseAddress else { return }
    precondition(!state.pointee.isFeeding, "deliver must not feed the decoder")
    state.pointee.isFeeding = true
    defer { state.pointee.isFeeding = false }
    let generation = state.pointee.generation
    state.pointee.undelivered += bytes.count
    var position = 0
    while !state.pointee.isStopped {
      let event = try state.pointee.next(
        start.assumingMemoryBound(to: UInt8.self), &position, bytes.count)
      guard let event else { return }
      state.pointee.undelivered = bytes.count - position
      // Nothing of the state is held while this runs, and libxml2 is not on the stack.
      let verdict: DecoderVerdict
      switch event {
      case .part(let part):
        let isWanted = parts?.id == part.attribute("id") && parts?.take(part) == true
        if state.pointee.generation != generation { return }
        state.pointee.partTaken(isWanted)
        continue
      case .event(let event):
        verdict = deliver(event)
      }
      if state.pointee.generation != generation { return }
      if verdict == .stop { state.pointee.isStopped = true }
    }
  }

  /// Forgets everything and expects a new stream header (after STARTTLS and after SASL, RFC 6120 4.3.3).
  /// - Returns: how many bytes had been fed and not been part of a delivered event, white space included:
  ///   anything but 0 after `<proceed/>` is an injection (CVE-2011-0411 and its kind).
  package func restart() -> Int {
    parts = nil
    return state.pointee.restart()
  }

  /// An answer that is taken in parts, should it be large; nil: none is.
  package var parts: StanzaParts? {
    didSet { state.pointee.allowsParts = parts != nil }
  }

  /// Whether a stanza is left out, as one that exceeds a limit is, though its XML is wrong, where its end is certain all the same:
  /// names and entities that are not right, and not characters, quotation marks or what XMPP forbids.
  package var leavesOutFaults: Bool {
    get { state.pointee.leavesOutFaults }
    set { state.pointee.leavesOutFaults = newValue }
  }

  /// After an error: whether it is within a stanza, and of a kind after which the stanza's end cannot be known.
  package var losesStanza: Bool { state.pointee.losesStanza }

  /// Whether something has begun that has not ended: a tag or a stanza.
  var isWithinElement: Bool { state.pointee.isWithinElement }
}
