// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension StreamScanner {
  /// What was reached.
  enum Outcome {
    /// The end of the bytes.
    case input
    /// The end of the XML declaration.
    case declaration
    /// The end of the stream's opening tag.
    case header
    /// The end of a stanza.
    case stanza
    /// The end of the stream's closing tag.
    case closed
    /// The end of a child of a stanza's child, in a stanza that has become large; only where ``StreamScanner/allowsParts``.
    case part
    /// More than a limit allows to a stanza: ``StreamScanner/excess``. What follows is the rest of the stanza.
    case limit
    /// Something that is not allowed: ``failure``. No byte from here on matters.
    case failed
  }

  enum State {
    /// Nothing read yet.
    case start
    /// `<` was the first byte.
    case startMarkup
    /// In the XML declaration, or what pretends to be one.
    case declaration
    /// Before the stream's opening tag.
    case beforeHeader
    /// Between stanzas.
    case between
    /// In the text of a stanza.
    case text
    /// Behind a `<`.
    case markup
    /// In a start tag, outside a value.
    case startTag
    /// In an attribute's value.
    case value
    case endTag
    /// Behind `<!`.
    case exclamation
    /// Behind `<?`.
    case instruction
    case cdata
    /// Behind an opening tag of the stream that was closed in itself.
    case headerClosed
    /// Behind the stream's closing tag.
    case closed
  }
}
