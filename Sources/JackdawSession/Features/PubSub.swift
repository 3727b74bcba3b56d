// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Publish-subscribe, as far as personal data needs it: nodes of our own account and of others are read, those of ours
/// written.
@Client package final class PubSub: Feature, NodeAccess {
  package nonisolated static let namespace = "http://jabber.org/protocol/pubsub"
  nonisolated static let ownerNamespace = "http://jabber.org/protocol/pubsub#owner"
  nonisolated static let errorNamespace = "http://jabber.org/protocol/pubsub#errors"
  package nonisolated static let about = FeatureDescription(
    "XEP-0060", "Publish-Subscribe", version: "1.30.0",
    namespaces: [namespace, ownerNamespace, PublishOptions.formType],
    scope: "items read, published with options, retracted; nodes configured and deleted; no explicit subscriptions",
    isPartial: true)

  private let context: FeatureContext
  /// What services can do, as far as it was asked on this stream; by nil our own account.
  /// Bounded by the services that we ask.
  private var services: [JID?: DiscoveryInformation] = [:]

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    context.links.nodeAccess = self
  }

  package func streamLost() { services = [:] }

  // MARK: Reading

  /// Items of a node, newest last as a rule.
  /// - Parameters:
  ///   - service: whose node it is; nil: our own account's.
  ///   - ids: only these; none: the newest ones.
  ///   - newest: no more than so many; nil: as many as the service gives.
  package func items(
    of node: String, at service: JID? = nil, ids: [String] = [], newest: Int? = nil
  ) async throws(RequestError) -> [PubSubItem] {
    let items = Element(
      "items", Self.namespace, ["node": node, "max_items": newest.map { String($0) }],
      ids.map { Element("item", Self.namespace, ["id": $0]) })
    let answer = try await request(.get, service, Element("pubsub", Self.namespace, [items]))
    guard let list = answer?.child("items", Self.namespace) else { throw .unexpectedPayload }
    return list.children.filter { $0.matches("item", Self.namespace) }.map { PubSubItem($0) }
  }

  // MARK: Writing

  /// Publishes an item at a node, which is made when there is none (XEP-0163 3).
  ///
  /// With `options` the item is never published at a node that is otherwise, so that what is private stays so: a
  /// service that cannot check them is not given it, and a node of ours that is otherwise is changed first.
  /// - Parameter service: whose node it is; nil: our own account's.
  /// - Returns: the item's id, as far as the service says it.
  /// - Throws: ``RequestError``; with the condition `feature-not-implemented` where options cannot be checked.
  @discardableResult package func publish(
    _ item: PubSubItem, to node: String, at service: JID? = nil, options: PublishOptions? = nil
  ) async throws(RequestError) -> String? {
    guard let options else { return try await publish(item, node, service, form: nil) }
    guard try await information(of: service).supports(PublishOptions.formType) else {
      throw RequestError(
        .refused, "The server cannot keep this private, so it was not given to it.",
        stanzaError: StanzaError(kind: .cancel, condition: "feature-not-implemented"))
    }
    do {
      return try await publish(item, node, service, form: options.form)
    } catch  where error.isUnmetPrecondition {
      try await configure(node, at: service, options)
      return try await publish(item, node, service, form: options.form)
    }
  }

  /// Takes an item back.
  /// - Parameter notifies: whether those who see the node are told.
  package func retract(
    _ id: String, from node: String, at service: JID? = nil, notifies: Bool = true
  ) async throws(RequestError) {
    let retract = Element(
      "retract", Self.namespace, ["node": node, "notify": notifies ? "true" : nil],
      [Element("item", Self.namespace, ["id": id])])
    _ = try await request(.set, service, Element("pubsub", Self.namespace, [retract]))
  }

  /// Makes a node of ours so.
  package func configure(
    _ node: String, at service: JID? = nil, _ options: PublishOptions
  ) async throws(RequestError) {
    let configure = Element("configure", Self.ownerNamespace, ["node": node], [options.configuration.element])
    _ = try await request(.set, service, Element("pubsub", Self.ownerNamespace, [configure]))
  }

  /// Deletes a node of ours with all its items.
  package func delete(_ node: String, at service: JID? = nil) async throws(RequestError) {
    let delete = Element("delete", Self.ownerNamespace, ["node": node])
    _ = try await request(.set, service, Element("pubsub", Self.ownerNamespace, [delete]))
  }

  private func publish(
    _ item: PubSubItem, _ node: String, _ service: JID?, form: DataForm?
  ) async throws(RequestError) -> String? {
    var parts = [Element("publish", Self.namespace, ["node": node], [item.element])]
    if let form { parts.append(Element("publish-options", Self.namespace, [form.element])) }
    let answer = try await request(.set, service, Element("pubsub", Self.namespace, parts))
    let published = answer?.child("publish", Self.namespace)?.child("item", Self.namespace)
    return published.flatMap { PubSubItem($0).id } ?? item.id
  }

  private func information(of service: JID?) async throws(RequestError) -> DiscoveryInformation {
    if let known = services[service] { return known }
    let information = try await context.requests.information(
      of: service ?? context.identity.account, node: nil, timeout: context.timeout)
    services[service] = information
    return information
  }

  /// - Returns: the answer's payload; a service may leave it out.
  private func request(
    _ kind: IQ.Kind, _ service: JID?, _ payload: Element
  ) async throws(RequestError) -> Element? {
    let request = IQ(kind: kind, to: service, payload: payload)
    return try await context.requests.request(request, timeout: .after(context.timeout)).payload
  }
}

extension RequestError {
  /// The node is not as the options ask (XEP-0060 7.1.5).
  fileprivate var isUnmetPrecondition: Bool {
    guard let stanzaError, stanzaError.condition == "conflict" else { return false }
    return stanzaError.application?.matches("precondition-not-met", PubSub.errorNamespace) == true
  }
}

extension PubSubItem {
  /// The `<item/>` to publish.
  var element: Element {
    Element("item", PubSub.namespace, ["id": id], payload.map { [$0] } ?? [])
  }
}
