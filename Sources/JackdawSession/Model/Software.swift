// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A program and its version (XEP-0092 3). What came in is the peer's words, to be shown through the escaper only.
package struct Software: Sendable, Hashable {
  /// XEP-0092 section 2.
  package static let namespace = "jabber:iq:version"

  /// This program.
  package static let own = Software(name: "Jackdaw", version: "0.1.0")

  package var name: String
  /// The version of the software as its makers write it; from the network, unescaped.
  package var version: String
  /// The operating system, where the other side tells it; from the network, unescaped.
  package var system: String?

  package init(name: String, version: String, system: String? = nil) {
    self.name = name
    self.version = version
    self.system = system
  }

  /// Reads a `<query/>`; nil when it is none or names no program. A missing version counts as an empty one.
  package init?(_ query: Element) {
    guard query.matches("query", Self.namespace), let name = query.text(of: "name", Self.namespace), !name.isEmpty
    else { return nil }
    self.init(
      name: name, version: query.text(of: "version", Self.namespace) ?? "",
      system: query.text(of: "os", Self.namespace).flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The `<query/>` to send.
  package var element: Element {
    let system = system.map { [Element("os", Self.namespace, text: $0)] } ?? []
    return Element(
      "query", Self.namespace,
      [Element("name", Self.namespace, text: name), Element("version", Self.namespace, text: version)] + system)
  }
}
