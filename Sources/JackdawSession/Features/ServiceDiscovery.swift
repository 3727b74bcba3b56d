// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Service discovery: what we are and can do, told to whoever asks; what others are and can do, asked.
@Client package final class ServiceDiscovery: Feature {
  package nonisolated static let information = DiscoveryInformation.namespace
  /// The namespace of lists of items (XEP-0030 section 4).
  package nonisolated static let items = DiscoveryItem.namespace
  package nonisolated static let about = FeatureDescription(
    "XEP-0030", "Service Discovery", version: "2.5.0", discoFeatures: [information, items],
    scope: "information and items asked and answered; the one node is that of our capabilities")

  private let context: FeatureContext
  /// What our server is and can do, as it says on this stream.
  private let ownServer: DiscoveryQuestion

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    ownServer = DiscoveryQuestion { () throws(RequestError) in
      let information = try await context.requests.information(
        of: context.identity.account.server, node: nil, timeout: context.timeout)
      if let hash = context.serverHash { context.links.capabilities.learn(information, as: hash) }
      return information
    }
  }

  package func install(in routes: RouteTable) {
    routes.onRequest(.get, "query", Self.information) { [unowned self] in informed($0) }
    routes.onRequest(.get, "query", Self.items) { request in
      // We have no items, which is no error (XEP-0030 4.1); a node that does not exist is one.
      Self.node(of: request) == nil ? request.result(Element("query", Self.items)) : Self.notFound(request)
    }
  }

  package func streamLost() {
    ownServer.forget()
    context.links.ownAccount.forget()
  }

  package nonisolated static var askedAtLogin: String { "what it can do" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in
      do {
        _ = try await self?.server()
      } catch let error as RequestError where error.meansNotOffered {
        // A server that tells nothing of itself is no failure: nothing is taken for granted then.
      }
    }
  }

  // MARK: Asked

  /// What `jid` is and can do.
  /// - Parameter node: a part of it.
  package func information(
    of jid: JID, node: String? = nil, timeout: Duration? = nil
  ) async throws(RequestError) -> DiscoveryInformation {
    try await context.requests.information(of: jid, node: node, timeout: timeout ?? context.timeout)
  }

  /// What belongs to `jid`. Items whose address is none are left out.
  package func items(
    of jid: JID, node: String? = nil, timeout: Duration? = nil
  ) async throws(RequestError) -> [DiscoveryItem] {
    let request = IQ(kind: .get, to: jid, payload: Element("query", Self.items, ["node": node]))
    let answer = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
    guard let query = answer.payload, query.matches("query", Self.items) else { throw .unexpectedPayload }
    return query.children.compactMap { DiscoveryItem($0) }
  }

  /// What our server is and can do. Asked when it is first wanted, once a stream, however many want it, and not at all
  /// when the server announced what is known already (XEP-0115 6.3).
  package func server() async throws(RequestError) -> DiscoveryInformation {
    if let known = context.knownServer { return known }
    return try await ownServer.value()
  }

  // MARK: Answered

  private func informed(_ request: IQ) -> IQ {
    let node = Self.node(of: request)
    // XEP-0030 3.2: the node is mirrored. XEP-0115 6.2: what we announce can be asked for by its hash.
    guard node == nil || node == context.links.ownCapabilities?.discoveryNode else { return Self.notFound(request) }
    return request.result(context.links.ownInformation.element(node: node))
  }

  private static func node(of request: IQ) -> String? {
    request.payload?.attribute("node").flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func notFound(_ request: IQ) -> IQ {
    request.failure(StanzaError(kind: .cancel, condition: "item-not-found"))
  }
}

extension FeatureContext {
  /// What our server is and can do, where it announced that in its stream's features (XEP-0115 6.3) and it is known from
  /// an earlier log-in; nil: it would have to be asked.
  var knownServer: DiscoveryInformation? { serverHash.flatMap { links.capabilities.information(for: $0) } }

  fileprivate var serverHash: CapabilityHash? {
    identity.streamFeatures?.child("c", Capabilities.namespace).flatMap { Capabilities($0) }?.hash
  }
}
