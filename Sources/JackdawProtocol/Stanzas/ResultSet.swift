// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// Which part of a long list is wanted (XEP-0059 2), whether it is read from its beginning or from its end.
package struct ResultSetRequest: Sendable, Hashable {
  /// The namespace of XEP-0059.
  package static let namespace = "http://jabber.org/protocol/rsm"

  /// Where the part begins.
  package enum Start: Sendable, Hashable {
    /// With the first item.
    case first
    /// With the one behind this id.
    case after(String)
    /// So late that it is the last part.
    case lastPage
    /// So late that it ends in front of this id.
    case before(String)
  }

  /// No more items than these.
  package var limit: Int
  package var start: Start

  package init(limit: Int, start: Start = .first) {
    self.limit = limit
    self.start = start
  }

  /// The element `set` that goes with a request.
  package var element: Element {
    var children = [Element("max", Self.namespace, text: String(limit))]
    switch start {
    case .first: break
    case .after(let id): children.append(Element("after", Self.namespace, text: id))
    case .before(let id): children.append(Element("before", Self.namespace, text: id))
    case .lastPage: children.append(Element("before", Self.namespace))
    }
    return Element("set", Self.namespace, children)
  }
}

/// What the answer says of the part that it gives (XEP-0059 2). Its counts are hints that nobody here needs.
package struct ResultSetAnswer: Sendable, Hashable {
  /// The id of the first item; nil in an empty part.
  package var first: String?
  /// The id of the last item; nil in an empty part.
  package var last: String?

  /// Reads the `<set/>` in `parent`; nil without one.
  package init?(in parent: Element) {
    guard let set = parent.child("set", ResultSetRequest.namespace) else { return nil }
    first = set.text(of: "first", ResultSetRequest.namespace).flatMap { $0.isEmpty ? nil : $0 }
    last = set.text(of: "last", ResultSetRequest.namespace).flatMap { $0.isEmpty ? nil : $0 }
  }
}
