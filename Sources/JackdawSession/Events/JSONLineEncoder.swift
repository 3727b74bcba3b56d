// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Writes a value as one line of JSON (RFC 8259): an object whose keys stand in the order in which the value gives them,
/// after some that are given first.
///
/// - Every key is there: what is nil is `null`, with `encodeIfPresent` too.
/// - Text is never altered, but whatever a terminal could take for a command or that could change the order or the
///   visibility of other text (controls, line separators, format characters) is escaped; a parser gives it back as it was.
/// - Numbers are written without exponents; what JSON has no number for (infinite, not a number) is `null`.
/// - The keys of a dictionary come in no particular order.
package enum JSONLineEncoder {
  /// The line, with its line feed.
  /// - Parameter leading: keys that come first, and their values.
  /// - Throws: `EncodingError` when `value` is not an object or has a key that is one of the leading; what the value throws.
  package static func line(
    of value: some Encodable, after leading: KeyValuePairs<String, String?> = [:]
  ) throws -> [UInt8] {
    let writer = JSONWriter(leading: leading)
    try value.encode(to: writer.rootEncoder)
    return writer.finish()
  }
}
