// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Flexible offline message retrieval, its one part that Jackdaw needs: keep what is stored for us where it is.
///
/// Some servers (ejabberd) tell who asks to be a friend only to a resource of priority 0 or more, and flood such a
/// resource with the stored messages, which a single command cannot take. One that knows this XEP keeps them once it
/// has been asked about them.
@Client package final class OfflineMessages: Feature {
  package nonisolated static let node = "http://jabber.org/protocol/offline"
  /// XEP-0013, as the list of features shows it.
  package nonisolated static let about = FeatureDescription(
    "XEP-0013", "Flexible Offline Message Retrieval", version: "1.2.1", namespaces: [node],
    scope: "stored messages are kept on the server while a single command looks at requests; none is read one by one",
    isPartial: true)

  private let context: FeatureContext
  private var areKept: Bool?

  package init(_ context: FeatureContext) { self.context = context }

  package func streamLost() { areKept = nil }

  /// Asks the server to keep the stored messages when we come online. To be called before the first presence.
  /// - Returns: whether it will; false from a server that does not know how, or does not say.
  package func keep() async throws(RequestError) -> Bool {
    if let areKept { return areKept }
    let query = Element("query", ServiceDiscovery.information, ["node": Self.node])
    let patience = min(context.timeout / 2, FeatureLimits.keepingPatience)
    do {
      let answer = try await context.requests.request(IQ(kind: .get, payload: query), timeout: .after(patience))
      let identity = answer.payload?.child("identity", ServiceDiscovery.information)
      areKept = identity?.attribute("category") == "automation"
    } catch  where error.stanzaError != nil || error.code == .timedOut {
      areKept = false
    }
    return areKept ?? false
  }
}
