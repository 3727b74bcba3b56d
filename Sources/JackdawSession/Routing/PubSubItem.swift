// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// One item of a node (XEP-0060 2).
package struct PubSubItem: Sendable, Equatable {
  /// Unique within the node; nil where the service did not say, and to be made up by the service when it is published.
  package var id: String?
  /// nil where only the id is told, or there are several, which no item may have (XEP-0060 7.1.3.5).
  package var payload: Element?
  /// Who published it, where the service says so: its word, not the publisher's.
  package var publisher: JID?

  package init(id: String? = nil, payload: Element? = nil, publisher: JID? = nil) {
    self.id = id
    self.payload = payload
    self.publisher = publisher
  }

  /// Reads an `<item/>` of any of XEP-0060's namespaces. A publisher that is not an address counts as none.
  init(_ element: Element) {
    let payloads = Array(element.children.prefix(2))
    self.init(
      id: element.attribute("id").flatMap { $0.isEmpty ? nil : $0 }, payload: payloads.count == 1 ? payloads[0] : nil,
      publisher: element.attribute("publisher").flatMap { try? JID(received: $0) })
  }
}
