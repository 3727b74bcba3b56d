// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Writes one element, walking its nodes in order: however deep it is, nothing recurs.
struct ElementSerializer {
  /// Whether forbidden characters are replaced; otherwise they are an error.
  let replacesForbidden: Bool

  /// An element whose end tag is to be written.
  private struct Open {
    var node: Int
    var end: Int
    /// The default namespace outside it.
    var outer: String
    /// What stands before its name, with a colon, or "".
    var prefix: String
  }

  /// Bounded by how deep the element is nested.
  private var open: [Open] = []
  /// The default namespace in force.
  private var current = ""

  /// The namespace of the `xml` prefix.
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of declarations, in which nothing may be (Namespaces in XML 1.0, 3).
  private static let xmlns = "http://www.w3.org/2000/xmlns/"
  private static let xmlPrefix = "xml:"

  init(replacesForbidden: Bool) { self.replacesForbidden = replacesForbidden }

  mutating func write(
    _ element: Element, defaultNamespace: String, to output: inout [UInt8]
  ) throws(XMLWriteError) {
    current = defaultNamespace
    let arena = element.arena
    var position = element.index
    while true {
      closeElements(before: position, arena, to: &output)
      if position == element.end { return }
      let node = arena.nodes[position]
      if node.isText {
        try write(arena.bytes(of: node), .text, to: &output)
        position += 1
      } else {
        position = try writeTag(Element(arena: arena, index: position), to: &output)
      }
    }
  }

  /// Writes a start tag and returns the node of what is within.
  private mutating func writeTag(_ element: Element, to output: inout [UInt8]) throws(XMLWriteError) -> Int {
    let namespace = element.namespace
    let outer = current
    let prefix =
      namespace.isExactly(Namespace.streams) ? "stream:" : namespace.isExactly(Self.xml) ? Self.xmlPrefix : ""
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: prefix.utf8)
    try writeName(element.name, to: &output)
    if prefix.isEmpty, !namespace.isExactly(current) {
      output.append(contentsOf: " xmlns='".utf8)
      try writeNamespace(namespace, to: &output)
      output.append(UInt8(ascii: "'"))
      current = namespace
    }
    var declared: [String] = []
    for position in element.index + 1..<element.contentStart {
      try writeAttribute(element.arena, element.arena.nodes[position], &declared, to: &output)
    }
    if element.contentStart == element.end {
      output.append(contentsOf: "/>".utf8)
      current = outer
    } else {
      output.append(UInt8(ascii: ">"))
      open.append(Open(node: element.index, end: element.end, outer: outer, prefix: prefix))
    }
    return element.contentStart
  }

  private mutating func closeElements(before position: Int, _ arena: Arena, to output: inout [UInt8]) {
    while let last = open.last, last.end == position {
      output.append(contentsOf: "</".utf8)
      output.append(contentsOf: last.prefix.utf8)
      appendName(arena.names[arena.nodes[last.node].name], to: &output)
      output.append(UInt8(ascii: ">"))
      current = last.outer
      open.removeLast()
    }
  }

  private func writeAttribute(
    _ arena: Arena, _ node: Node, _ declared: inout [String], to output: inout [UInt8]
  ) throws(XMLWriteError) {
    let (name, namespace) = (arena.names[node.name], arena.names[node.namespace])
    output.append(UInt8(ascii: " "))
    if namespace.isEmpty {
      if !replacesForbidden, name.isExactly("xmlns") {
        throw XMLWriteError(description: "A namespace is not given as an attribute.")
      }
      if name.utf8.first == UInt8(ascii: "x"), name.hasPrefix(Self.xmlPrefix) {
        output.append(contentsOf: Self.xmlPrefix.utf8)
        try writeName(String(name.dropFirst(Self.xmlPrefix.count)), to: &output)
      } else {
        try writeName(name, to: &output)
      }
    } else if namespace.isExactly(Self.xml) {
      output.append(contentsOf: Self.xmlPrefix.utf8)
      try writeName(name, to: &output)
    } else {
      let known = declared.firstIndex { $0.isExactly(namespace) }
      let number = (known ?? declared.count) + 1
      if known == nil {
        declared.append(namespace)
        output.append(contentsOf: "xmlns:ns\(number)='".utf8)
        try writeNamespace(namespace, to: &output)
        output.append(contentsOf: "' ".utf8)
      }
      output.append(contentsOf: "ns\(number):".utf8)
      try writeName(name, to: &output)
    }
    output.append(contentsOf: "='".utf8)
    try write(arena.bytes(of: node), .attribute, to: &output)
    output.append(UInt8(ascii: "'"))
  }

  private func writeName(_ name: String, to output: inout [UInt8]) throws(XMLWriteError) {
    if !replacesForbidden, !XMLCharacters.isName(name) {
      throw XMLWriteError(description: "\"\(name)\" is not a name that XML allows.")
    }
    appendName(name, to: &output)
  }

  /// - Parameter name: it has passed where what is forbidden is an error, and holds nothing then that is escaped.
  private func appendName(_ name: String, to output: inout [UInt8]) {
    if replacesForbidden {
      XMLEscape.append(name, .attribute, to: &output)
    } else {
      output.append(contentsOf: name.utf8)
    }
  }

  private func writeNamespace(_ namespace: String, to output: inout [UInt8]) throws(XMLWriteError) {
    if !replacesForbidden, namespace.isExactly(Self.xmlns) {
      throw XMLWriteError(description: "Nothing may be in the namespace of namespace declarations.")
    }
    if !replacesForbidden, !StanzaWriter.canCarry(namespace) { throw Self.forbidden }
    XMLEscape.append(namespace, .attribute, to: &output)
  }

  private func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ place: XMLEscape.Place, to output: inout [UInt8]
  ) throws(XMLWriteError) {
    if XMLEscape.isPlain(bytes) { return output.append(contentsOf: bytes) }
    if !replacesForbidden, !XMLCharacters.areAllowed(bytes) { throw Self.forbidden }
    XMLEscape.append(bytes, place, to: &output)
  }

  private static let forbidden = XMLWriteError(description: "A text holds a character that XML cannot carry.")
}
