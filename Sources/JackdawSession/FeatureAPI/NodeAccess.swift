// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Nodes of our own account, read and written (XEP-0060, XEP-0163).
@Client package protocol NodeAccess: AnyObject {
  /// Items of a node, newest last as a rule.
  /// - Parameters:
  ///   - service: whose node it is; nil: our own account's.
  ///   - ids: only these; none: the newest ones.
  ///   - newest: no more than so many; nil: as many as the service gives.
  func items(
    of node: String, at service: JID?, ids: [String], newest: Int?
  ) async throws(RequestError) -> [PubSubItem]

  /// Publishes an item at a node, which is made when there is none. With `options` never at one that is otherwise.
  /// - Returns: the item's id, as far as the service says it.
  /// - Throws: ``RequestError``; with the condition `feature-not-implemented` where options cannot be checked.
  @discardableResult func publish(
    _ item: PubSubItem, to node: String, at service: JID?, options: PublishOptions?
  ) async throws(RequestError) -> String?

  /// Takes an item back.
  /// - Parameter notifies: whether those who see the node are told.
  func retract(_ id: String, from node: String, at service: JID?, notifies: Bool) async throws(RequestError)

  /// Makes a node of ours so.
  func configure(_ node: String, at service: JID?, _ options: PublishOptions) async throws(RequestError)
}
