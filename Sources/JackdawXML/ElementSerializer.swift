// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Writes one element, walking its nodes in order: however deep it is, nothing recurs.
///
/// Names and namespaces are spoken of by their places in the element's table, which knows of each whether it can be written as it is.
struct ElementSerializer {
  /// Whether forbidden characters are replaced; otherwise they are an error.
  let replacesForbidden: Bool

  /// What stands before a name.
  private enum Prefix {
    case none, stream, xml

    func append(to output: inout [UInt8]) {
      switch self {
      case .none: return
      case .stream: output.append(exactly: "stream:")
      case .xml: output.append(exactly: ElementSerializer.xmlPrefix)
      }
    }
  }

  /// The default namespace in force.
  private enum DefaultNamespace {
    /// The one where the element is written.
    case surrounding
    case entry(UInt32)
  }

  /// An element whose end tag is to be written.
  private struct Open {
    var node: Int
    var end: Int
    /// The default namespace outside it.
    var outer: DefaultNamespace
    var prefix: Prefix
  }

  /// Bounded by how deep the element is nested.
  private var open: [Open] = []
  private var current = DefaultNamespace.surrounding
  private let surrounding: String

  /// The namespace of the `xml` prefix.
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of declarations, in which nothing may be (Namespaces in XML 1.0, 3).
  private static let xmlns = "http://www.w3.org/2000/xmlns/"
  private static let xmlPrefix = "xml:"

  /// - Parameter surrounding: the default namespace where the element is written.
  init(within surrounding: String, replacesForbidden: Bool) {
    self.surrounding = surrounding
    self.replacesForbidden = replacesForbidden
  }

  mutating func write(_ element: Element, to output: inout [UInt8]) throws(XMLWriteError) {
    let arena = element.arena
    let end = element.end
    var position = element.index
    while true {
      closeElements(before: position, arena, to: &output)
      if position == end { return }
      let node = arena.nodes[position]
      if node.isText {
        try write(arena.bytes(of: node), .text, to: &output)
        position += 1
      } else {
        position = try writeTag(node, at: position, arena, to: &output)
      }
    }
  }

  /// Writes a start tag and returns the node of what is within.
  private mutating func writeTag(
    _ node: Node, at position: Int, _ arena: Arena, to output: inout [UInt8]
  ) throws(XMLWriteError) -> Int {
    let names = arena.names
    let outer = current
    let prefix = prefix(of: node.namespace, names)
    output.append(UInt8(ascii: "<"))
    prefix.append(to: &output)
    try writeName(node.name, names, to: &output)
    if case .none = prefix, !isCurrent(node.namespace, names) {
      output.append(exactly: " xmlns='")
      try writeNamespace(node.namespace, names, to: &output)
      output.append(UInt8(ascii: "'"))
      current = .entry(node.namespace)
    }
    let contentStart = position + 1 + Int(node.count)
    // Namespaces that have a prefix in this tag.
    var declared: [UInt32] = []
    for place in position + 1..<contentStart {
      try writeAttribute(arena.nodes[place], arena, &declared, to: &output)
    }
    let end = position + Int(node.extent)
    if contentStart == end {
      output.append(UInt8(ascii: "/"))
      output.append(UInt8(ascii: ">"))
      current = outer
    } else {
      output.append(UInt8(ascii: ">"))
      if open.isEmpty { open.reserveCapacity(ElementBuilder.usualDepth) }
      open.append(Open(node: position, end: end, outer: outer, prefix: prefix))
    }
    return contentStart
  }

  private func prefix(of namespace: UInt32, _ names: NameTable) -> Prefix {
    // What has a prefix is the default namespace of nothing.
    if case .entry(namespace) = current { return .none }
    if names.entry(namespace, is: Namespace.streams) { return .stream }
    return names.entry(namespace, is: Self.xml) ? .xml : .none
  }

  private func isCurrent(_ namespace: UInt32, _ names: NameTable) -> Bool {
    switch current {
    case .surrounding: names.entry(namespace, is: surrounding)
    case .entry(let entry): entry == namespace || names.entry(namespace, is: names[entry])
    }
  }

  private mutating func closeElements(before position: Int, _ arena: Arena, to output: inout [UInt8]) {
    while let last = open.last, last.end == position {
      output.append(UInt8(ascii: "<"))
      output.append(UInt8(ascii: "/"))
      last.prefix.append(to: &output)
      appendName(arena.nodes[last.node].name, arena.names, to: &output)
      output.append(UInt8(ascii: ">"))
      current = last.outer
      open.removeLast()
    }
  }

  private func writeAttribute(
    _ node: Node, _ arena: Arena, _ declared: inout [UInt32], to output: inout [UInt8]
  ) throws(XMLWriteError) {
    let names = arena.names
    output.append(UInt8(ascii: " "))
    if node.namespace == NameList.none {
      try writeUnprefixed(node.name, names, to: &output)
    } else if names.entry(node.namespace, is: Self.xml) {
      output.append(exactly: Self.xmlPrefix)
      try writeName(node.name, names, to: &output)
    } else {
      let known = declared.firstIndex { $0 == node.namespace || names.entry($0, is: names[node.namespace]) }
      let number = (known ?? declared.count) + 1
      if known == nil {
        declared.append(node.namespace)
        output.append(exactly: "xmlns:ns\(number)='")
        try writeNamespace(node.namespace, names, to: &output)
        output.append(exactly: "' ")
      }
      output.append(exactly: "ns\(number):")
      try writeName(node.name, names, to: &output)
    }
    output.append(UInt8(ascii: "="))
    output.append(UInt8(ascii: "'"))
    try write(arena.bytes(of: node), .attribute, to: &output)
    output.append(UInt8(ascii: "'"))
  }

  /// The name of an attribute in no namespace, which may be one of the `xml` prefix.
  private func writeUnprefixed(_ index: UInt32, _ names: NameTable, to output: inout [UInt8]) throws(XMLWriteError) {
    if names.isPlainName(index), !names.entry(index, is: "xmlns") { return names.append(index, to: &output) }
    let name = names[index]
    if !replacesForbidden, name.isExactly("xmlns") {
      throw XMLWriteError(description: "A namespace is not given as an attribute.")
    }
    if name.hasPrefix(Self.xmlPrefix) {
      output.append(exactly: Self.xmlPrefix)
      try writeName(String(name.dropFirst(Self.xmlPrefix.count)), to: &output)
    } else {
      try writeName(name, to: &output)
    }
  }

  private func writeName(_ index: UInt32, _ names: NameTable, to output: inout [UInt8]) throws(XMLWriteError) {
    if names.isPlainName(index) { return names.append(index, to: &output) }
    try writeName(names[index], to: &output)
  }

  private func writeName(_ name: String, to output: inout [UInt8]) throws(XMLWriteError) {
    if !replacesForbidden, !XMLCharacters.isName(name) {
      throw XMLWriteError(description: "\"\(name)\" is not a name that XML allows.")
    }
    appendName(name, to: &output)
  }

  private func appendName(_ index: UInt32, _ names: NameTable, to output: inout [UInt8]) {
    if names.isPlainName(index) { names.append(index, to: &output) } else { appendName(names[index], to: &output) }
  }

  /// - Parameter name: it has passed where what is forbidden is an error, and holds nothing then that is escaped.
  private func appendName(_ name: String, to output: inout [UInt8]) {
    if replacesForbidden {
      XMLEscape.append(name, .attribute, to: &output)
    } else {
      output.append(exactly: name)
    }
  }

  private func writeNamespace(_ index: UInt32, _ names: NameTable, to output: inout [UInt8]) throws(XMLWriteError) {
    if !replacesForbidden, names.entry(index, is: Self.xmlns) {
      throw XMLWriteError(description: "Nothing may be in the namespace of namespace declarations.")
    }
    if names.isPlainText(index) { return names.append(index, to: &output) }
    if !replacesForbidden, !StanzaWriter.canCarry(names[index]) { throw Self.forbidden }
    XMLEscape.append(names[index], .attribute, to: &output)
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
