// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A child of the stream's element that was read to its end and not kept: it exceeds a limit that guards one stanza.
///
/// What others wrote must not end our stream: behind a server that counts stanzas, keeps them or archives them it would come
/// again at each log-in.
package struct LeftOutStanza: Sendable {
  /// Its own tag, without content: at least `from`, `to`, `id` and `type` where they are there and of a size that they can
  /// have. Nil where not even that can be read.
  package var envelope: Element?
  /// The limit, or the fault, for which it was left out.
  package var reason: DecodeError

  package init(envelope: Element?, reason: DecodeError) {
    self.envelope = envelope
    self.reason = reason
  }
}

/// A stanza that is being left out.
struct Omission {
  let reason: DecodeError
  /// As the parser had it before the limit.
  private let envelope: Element?
  /// Reads it where the limit is in the stanza's own tag.
  private var reader = EnvelopeReader()

  init(_ reason: DecodeError, envelope: Element?) {
    self.reason = reason
    self.envelope = envelope
  }

  /// Bytes of the stanza, from its first one on, each once.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    if envelope == nil { reader.read(bytes) }
  }

  /// The stanza has ended.
  /// - Parameter parse: makes an element of a tag that is closed in itself.
  consuming func finished(_ parse: ([UInt8]) -> Element?) -> LeftOutStanza {
    LeftOutStanza(envelope: envelope ?? reader.tag.flatMap(parse), reason: reason)
  }
}
