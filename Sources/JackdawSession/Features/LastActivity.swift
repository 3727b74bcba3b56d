// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Last activity: how long somebody has been idle or away, or a server been running.
///
/// How long we have been idle is told only to those who may see our presence, and only where somebody is there to be idle:
/// a script or a single command is not.
@Client package final class LastActivity: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0012", "Last Activity", version: "2.0", discoFeatures: [Idleness.namespace],
    scope: "asked; answered to those who may see our presence, while somebody sits at the prompt")

  /// Whether we tell; the user's to decide (XEP-0012 8).
  package var isTold = true

  private let context: FeatureContext
  private var lastAction: MonotonicTime?

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onRequest(.get, "query", Idleness.namespace) { [unowned self] in answer($0) }
  }

  /// The user did something just now.
  package func userActed() { lastAction = context.clock.now }

  /// How long `jid` has been idle (a full JID), away (somebody's bare JID) or running (a server).
  package func idleness(of jid: JID, timeout: Duration? = nil) async throws(RequestError) -> Idleness {
    let request = IQ(kind: .get, to: jid, payload: Element("query", Idleness.namespace))
    let answer = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
    guard let idleness = answer.payload.flatMap({ Idleness($0) }) else { throw .unexpectedPayload }
    return idleness
  }

  private func answer(_ request: IQ) -> IQ {
    guard isTold, let lastAction, context.links.maySeePresence(request.from) else {
      return request.failure(.serviceUnavailable)
    }
    return request.result(Idleness(seconds: (context.clock.now - lastAction).components.seconds).element)
  }
}

/// How long ago something was (XEP-0012 2).
package struct Idleness: Sendable, Hashable {
  /// XEP-0012 section 2.
  package static let namespace = "jabber:iq:last"

  /// Seconds since the last activity, log-out or start, whichever the asked JID stands for.
  package var seconds: Int64
  /// What somebody said when they left. From the network: to be shown through the escaper only.
  package var status: String?

  package init(seconds: Int64, status: String? = nil) {
    self.seconds = seconds
    self.status = status
  }

  /// Reads a `<query/>`; nil when it is none, or says no number of seconds.
  package init?(_ query: Element) {
    guard query.matches("query", Self.namespace), let seconds = query.attribute("seconds").flatMap({ Int64($0) }),
      seconds >= 0
    else { return nil }
    let text = query.text
    self.init(seconds: seconds, status: text.isEmpty ? nil : text)
  }

  /// The `<query/>` to send.
  package var element: Element { Element("query", Self.namespace, ["seconds": String(seconds)], text: status) }
}
