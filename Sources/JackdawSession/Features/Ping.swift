// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// XMPP Ping: is the other side there, and how far away?
@Client package final class Ping: Feature {
  package nonisolated static let namespace = "urn:xmpp:ping"
  /// XEP-0199, as the list of features shows it and service discovery announces it.
  package nonisolated static let about = FeatureDescription(
    "XEP-0199", "XMPP Ping", version: "2.0.1", discoFeatures: [namespace],
    scope: "asked of servers and clients, answered to our server and those who may see our presence")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onRequest(.get, "ping", Self.namespace) { $0.result() }
  }

  /// Asks `target` (nil: our server) and waits for the answer.
  ///
  /// A server that does not know the request says so (XEP-0199 4.2), which proves the round trip as well as a result
  /// does, so it counts as one; any other error is thrown. A client's may come from its server, and proves nothing.
  /// - Returns: the time from sending to answer.
  package func ping(_ target: JID? = nil, timeout: Duration? = nil) async throws(RequestError) -> Duration {
    let start = context.clock.now
    let request = IQ(kind: .get, to: target, payload: Element("ping", Self.namespace))
    do {
      _ = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
    } catch {
      guard target?.localpart == nil, error.stanzaError.map(Self.provesRoundTrip) == true else {
        throw error
      }
    }
    return context.clock.now - start
  }

  private static func provesRoundTrip(_ error: StanzaError) -> Bool {
    error.condition == "service-unavailable" || error.condition == "feature-not-implemented"
  }
}

extension IQTracker {
  /// Waits until our server has answered something that was written after everything so far. It handles the stanzas of
  /// a stream in order (RFC 6120 10.1), so it has them all then. An error answers as well as a result does.
  package func roundTrip(timeout: Duration) async throws(RequestError) {
    do {
      _ = try await request(IQ(kind: .get, payload: Element("ping", Ping.namespace)), timeout: .after(timeout))
    } catch  where error.stanzaError != nil {
    }
  }
}
