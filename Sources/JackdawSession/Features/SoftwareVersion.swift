// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Software version: which program of which version is at the other side.
@Client package final class SoftwareVersion: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0092", "Software Version", version: "1.1", discoFeatures: [Software.namespace],
    scope: "asked; answered to those who may see our presence, without the operating system")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onRequest(.get, "query", Software.namespace) { $0.result(Software.own.element) }
  }

  /// What software `jid` is.
  package func software(of jid: JID, timeout: Duration? = nil) async throws(RequestError) -> Software {
    let request = IQ(kind: .get, to: jid, payload: Element("query", Software.namespace))
    let answer = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
    guard let software = answer.payload.flatMap({ Software($0) }) else { throw .unexpectedPayload }
    return software
  }
}
