// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension Element {
  /// What stands in an element: a piece of text, or a child.
  package enum Content: Sendable, Equatable {
    case text(String)
    case child(Element)
  }

  /// The texts and the element children in document order, as a text with marked words in it has to be read.
  package var contents: [Content] {
    var contents: [Content] = []
    var position = contentStart
    let end = end
    while position < end {
      let node = arena.nodes[position]
      if node.isElement {
        contents.append(.child(Element(arena: arena, index: position)))
        position += Int(node.extent)
      } else {
        contents.append(.text(arena.string(of: node)))
        position += 1
      }
    }
    return contents
  }
}
