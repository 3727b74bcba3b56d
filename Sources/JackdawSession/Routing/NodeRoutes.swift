// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Which feature gets the events of which node (XEP-0163 4). Filled once at the start; two routes for one node are a bug
/// of ours and trap.
@Client package final class NodeRoutes {
  /// Whose node counts.
  package enum Publishers: Sendable {
    /// Our own account's alone: what is kept there is private, and anybody could send the like.
    case ownAccount
    /// Our own account's, and those of contacts whose presence we get.
    case contacts
  }

  /// Takes one event of the node that it was registered for.
  package typealias Handler = @Client (PubSubEvent) -> Void

  private var routes: [String: (publishers: Publishers, handler: Handler)] = [:]

  package init() {}

  /// Asks for the events of `node`: our capabilities say so, and servers send them then.
  package func on(_ node: String, of publishers: Publishers, _ handler: @escaping Handler) {
    precondition(routes.updateValue((publishers, handler), forKey: node) == nil, "two routes for the node \(node)")
  }

  /// What service discovery announces so that the events come (XEP-0060 9.2).
  var notifications: [String] { routes.keys.map { $0 + "+notify" } }

  func route(for node: String) -> (publishers: Publishers, handler: Handler)? { routes[node] }
}
