// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Element {
  /// Builds an element. Children are copied into the new element's arena. Attributes whose value is nil are left out;
  /// of two with one name the later stays. `xml:lang` is given by that name.
  ///
  /// Names are not examined here: ``StanzaWriter`` refuses what XML cannot carry.
  package init(
    _ name: String, _ namespace: String, _ attributes: KeyValuePairs<String, String?> = [:], text: String? = nil,
    _ children: [Element] = []
  ) {
    var size = Size(nodes: 2 + attributes.count, bytes: text?.utf8.count ?? 0)
    for (_, value) in attributes { size.bytes += value?.utf8.count ?? 0 }
    for child in children { size.add(child, child.index..<child.end) }
    var builder = size.builder(name, namespace)
    for (place, attribute) in attributes.enumerated() {
      let isLast = !attributes.dropFirst(place + 1).contains { $0.key.isExactly(attribute.key) }
      if isLast { builder.attribute(attribute.key, attribute.value) }
    }
    if let text { builder.text(text) }
    for child in children { builder.append(child) }
    self = builder.build()
  }

  /// Builds an element without attributes and text of its own.
  package init(_ name: String, _ namespace: String, _ children: [Element]) {
    self.init(name, namespace, [:], children)
  }

  /// The same element with `children` behind its content.
  package func appending(_ children: [Element]) -> Element {
    var size = Size()
    size.add(self, index..<end)
    for child in children { size.add(child, child.index..<child.end) }
    var builder = size.builder(name, namespace)
    for attribute in attributes { builder.attribute(attribute.name, attribute.namespace, attribute.value) }
    builder.append(arena, contentStart..<end)
    for child in children { builder.append(child) }
    return builder.build()
  }

  /// The same element with `child` behind its content.
  package func appending(_ child: Element) -> Element { appending([child]) }

  /// The same element with the attribute set to `value`, or without it when `value` is nil.
  package func settingAttribute(_ name: String, namespace: String = "", _ value: String?) -> Element {
    var size = Size(nodes: 1, bytes: value?.utf8.count ?? 0)
    size.add(self, index..<end)
    var builder = size.builder(self.name, self.namespace)
    var isSet = false
    for attribute in attributes {
      let isIt = attribute.name.isExactly(name) && attribute.namespace.isExactly(namespace)
      builder.attribute(attribute.name, attribute.namespace, isIt ? value : attribute.value)
      isSet = isSet || isIt
    }
    if !isSet { builder.attribute(name, namespace, value) }
    builder.append(arena, contentStart..<end)
    return builder.build()
  }

  /// The same element with each child as `change` makes it; its texts stay between them.
  package func mappingChildren(_ change: (Element) -> Element) -> Element {
    var size = Size()
    size.add(self, index..<end)
    var builder = size.builder(name, namespace)
    for attribute in attributes { builder.attribute(attribute.name, attribute.namespace, attribute.value) }
    for content in contents {
      switch content {
      case .text(let text): builder.text(text)
      case .child(let child): builder.append(change(child))
      }
    }
    return builder.build()
  }

  /// What an element is about to hold, so that there is room for it at once.
  private struct Size {
    var nodes = 0
    var bytes = 0

    mutating func add(_ element: Element, _ range: Range<Int>) {
      nodes += range.count
      bytes += element.arena.byteRange(range).count
    }

    func builder(_ name: String, _ namespace: String) -> ElementBuilder {
      ElementBuilder(name, namespace, nodes: nodes, bytes: bytes)
    }
  }
}
