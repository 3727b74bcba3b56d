// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One answer that may be larger than a stanza may be, and that is taken in parts as it comes.
///
/// It is an IQ with one payload, whose children are cut up: each part is a stanza of its own, with the tags of the IQ and of
/// the payload and with some of its children; the last part is the stanza that the decoder delivers at the end. So never
/// more than a part of it is held, and what the ``DecoderLimits`` say of one stanza holds for each part.
package struct StanzaParts {
  /// The `id` of the answer.
  package let id: String
  /// Takes a part. False: this is not what is awaited, and the limits of one stanza hold for the rest of it.
  package let take: (Element) -> Bool

  /// - Parameters:
  ///   - id: nobody else can know it.
  ///   - take: called as the parts come, within ``StanzaDecoder/feed(_:_:)``; must not feed the decoder.
  package init(id: String, take: @escaping (Element) -> Bool) {
    self.id = id
    self.take = take
  }
}
