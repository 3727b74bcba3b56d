// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// One capability of the client: an XEP or a part of RFC 6121. It is one file (or one room) and one line in
/// ``FeatureList``; it gets what it needs in a ``FeatureContext`` and never sees the session.
@Client package protocol Feature: AnyObject {
  /// What `Docs/XEPS.md`, `Docs/jackdaw.doap` and the answer to service discovery are computed from.
  nonisolated static var about: FeatureDescription { get }

  init(_ context: FeatureContext)

  /// Says which stanzas the feature wants. Called once, before the first connection.
  func install(in routes: RouteTable)

  /// What the feature asks the server at each log-in of a session that remains online; all features' run side by side.
  var loginTask: (@Client () async throws -> Void)? { get }

  /// What ``loginTask`` asks about, as users call it.
  nonisolated static var askedAtLogin: String { get }

  /// The features whose handlers run after this one's. Those that are not in the list are ignored.
  nonisolated static var before: [any Feature.Type] { get }

  /// The features without which this one does nothing.
  nonisolated static var needs: [any Feature.Type] { get }

  /// What the server is asked to switch on as it binds the resource, by namespaces of an `<enable/>` each, for a session that remains online
  /// (XEP-0386); `SessionIdentity.switchedOn` says what it did.
  nonisolated static var switchedOnAtBind: [String] { get }

  /// There is a new stream: nothing is known to the server of what was asked before.
  func streamBegan()

  /// The stream before went on (XEP-0198 5): nothing needs to be asked again.
  func streamResumed()

  /// The stream is gone for good: what the server told on it does not hold any more. Another may begin.
  func streamLost()

  /// The session is about to be left, and its stream stands: the last that the feature has to say. Others wait for it, so it has to
  /// bound itself.
  func leaving() async

  /// The session is over for good; the stream, if there was one, has been lost.
  func sessionEnded()

  /// Somebody looks, or nobody does any more.
  func activityChanged(isActive: Bool)
}

extension Feature {
  package func install(in routes: RouteTable) {}
  package var loginTask: (@Client () async throws -> Void)? { nil }
  package nonisolated static var askedAtLogin: String { about.title }
  package nonisolated static var before: [any Feature.Type] { [] }
  package nonisolated static var needs: [any Feature.Type] { [] }
  package nonisolated static var switchedOnAtBind: [String] { [] }
  package func streamBegan() {}
  package func streamResumed() {}
  package func streamLost() {}
  package func leaving() async {}
  package func sessionEnded() {}
  package func activityChanged(isActive: Bool) {}
}

/// What a feature is, for people and for other clients.
package struct FeatureDescription: Sendable {
  /// `XEP-0199`, or the RFC and its section.
  package var specification: String
  /// The specification's name: "XMPP Ping".
  package var title: String
  /// The version of the XEP that was implemented; nil for an RFC.
  package var version: String?
  /// What service discovery announces for it (XEP-0030).
  package var discoFeatures: [String]
  /// The namespaces, and the names of nodes, of what the feature sends and understands without announcing it.
  package var namespaces: [String]
  /// One sentence: what of it is done, what is not.
  package var scope: String
  /// Parts of the specification that would concern us are not done.
  package var isPartial: Bool

  package init(
    _ specification: String, _ title: String, version: String? = nil, discoFeatures: [String] = [],
    namespaces: [String] = [], scope: String, isPartial: Bool = false
  ) {
    self.specification = specification
    self.title = title
    self.version = version
    self.discoFeatures = discoFeatures
    self.namespaces = namespaces
    self.scope = scope
    self.isPartial = isPartial
  }
}
