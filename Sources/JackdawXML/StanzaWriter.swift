// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Writes elements and stream tags as bytes. Everything is escaped.
package enum StanzaWriter {
  /// Appends `element` to `output`. `defaultNamespace` is the one that is in force where it is written
  /// (`jabber:client` within a stream).
  ///
  /// A namespace is declared as the default one where it changes. Two have their prefix in every stream and keep it:
  /// `xml`, and `stream` for the streams namespace, which servers expect on `stream:error` (RFC 6120 4.8.5).
  /// Attributes in a namespace get prefixes of their own, `ns1` and so on.
  /// - Throws: ``XMLWriteError`` when a text, name or attribute holds what XML cannot carry; `output` is then
  /// unchanged.
  package static func append(
    _ element: Element, defaultNamespace: String = Namespace.client, to output: inout [UInt8]
  ) throws(XMLWriteError) {
    let count = output.count
    do throws(XMLWriteError) {
      var serializer = ElementSerializer(within: defaultNamespace, replacesForbidden: false)
      try serializer.write(element, to: &output)
    } catch {
      output.removeSubrange(count...)
      throw error
    }
  }

  /// The XML declaration and a client's opening stream tag (RFC 6120 4.7). What XML cannot carry is written as U+FFFD.
  package static func streamHeader(to domain: String, from: String?, language: String?) -> [UInt8] {
    var output = Array("<?xml version='1.0'?><stream:stream".utf8)
    let attributes: KeyValuePairs = ["to": domain, "from": from, "version": "1.0", "xml:lang": language]
    for (name, value) in attributes {
      guard let value else { continue }
      output.append(contentsOf: " \(name)='".utf8)
      XMLEscape.append(value, .attribute, to: &output)
      output.append(UInt8(ascii: "'"))
    }
    output.append(contentsOf: " xmlns='\(Namespace.client)' xmlns:stream='\(Namespace.streams)'>".utf8)
    return output
  }

  /// `</stream:stream>`
  package static let streamEnd: [UInt8] = Array("</stream:stream>".utf8)

  /// A text as whoever gets it reads it: each line end is one line feed. A carriage return can be written (XML 1.0 2.11), but servers
  /// that write a stanza anew make a line end of it.
  package static func asRead(_ text: String) -> String {
    let carriageReturn = UInt8(ascii: "\r")
    guard text.holds(carriageReturn) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == carriageReturn {
        bytes.append(UInt8(ascii: "\n"))
      } else if byte != UInt8(ascii: "\n") || previous != carriageReturn {
        bytes.append(byte)
      }
      previous = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True when XML 1.0 can carry every character of `text` (no controls but TAB, LF, CR; no U+FFFE, U+FFFF).
  package static func canCarry(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(XMLCharacters.areAllowed)
      ?? text.unicodeScalars.allSatisfy(XMLCharacters.isAllowed)
  }
}

/// Something that XML cannot carry was to be written.
package struct XMLWriteError: Error, Sendable, CustomStringConvertible {
  /// One sentence for people.
  package var description: String

  /// An error with this sentence.
  package init(description: String) { self.description = description }
}

extension Element: CustomStringConvertible {
  /// The element as XML as it stands in a stream, for logs and tests; what XML cannot carry is shown as U+FFFD.
  package var description: String {
    var output: [UInt8] = []
    var serializer = ElementSerializer(within: Namespace.client, replacesForbidden: true)
    // It replaces instead of throwing.
    try? serializer.write(self, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
