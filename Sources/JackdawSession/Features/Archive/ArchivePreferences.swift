// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What the server is to keep in our archive.
@Client package final class ArchivePreferences: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0441", "Message Archive Management Preferences", version: "0.2.0", namespaces: [MessageArchive.namespace],
    scope: "the default for all conversations read and set; what the lists of exceptions hold stays as it is",
    isPartial: true)

  /// Which messages are kept where no exception says otherwise.
  package enum Policy: String, Sendable, CaseIterable {
    case always
    case never
    /// Those to and from people on the contact list.
    case roster
  }

  /// What is asked of the archive.
  package struct Preferences: Sendable, Equatable {
    /// Where there is no exception.
    package var policy: Policy
    /// Those whose messages are kept all the same.
    package var always: [String]
    /// Those whose messages are not.
    package var never: [String]

    package init(policy: Policy, always: [String], never: [String]) {
      self.policy = policy
      self.always = always
      self.never = never
    }
  }

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {}

  /// Asks what is kept.
  /// - Throws: ``FeatureError`` with `.notOffered` where the server lets nobody choose; ``RequestError``.
  package func read() async throws -> Preferences {
    try await ask(IQ(kind: .get, payload: Element("prefs", MessageArchive.namespace)))
  }

  /// Has the server keep other messages from now on. What it has stays there.
  /// - Returns: what it keeps now, by its own word.
  /// - Throws: as ``read()``.
  package func set(_ policy: Policy) async throws -> Preferences {
    var preferences = try await read()
    preferences.policy = policy
    return try await ask(IQ(kind: .set, payload: Self.element(preferences)))
  }

  private func ask(_ request: IQ) async throws -> Preferences {
    let answer: IQ
    do throws(RequestError) {
      answer = try await context.requests.request(request, timeout: .after(context.timeout))
    } catch {
      guard error.meansNotOffered else { throw error }
      throw FeatureError(
        .notOffered, "Your server does not let you choose what it keeps.", stanzaError: error.stanzaError)
    }
    guard let preferences = answer.payload.flatMap(Self.preferences) else { throw RequestError.unexpectedPayload }
    return preferences
  }

  static func preferences(_ element: Element) -> Preferences? {
    guard element.matches("prefs", MessageArchive.namespace),
      let policy = element.attribute("default").flatMap(Policy.init)
    else { return nil }
    // As they are: one that is not an address by our rules is not ours to take away.
    func list(_ name: String) -> [String] {
      element.child(name, MessageArchive.namespace)?.children
        .filter { $0.matches("jid", MessageArchive.namespace) }
        .map(\.text) ?? []
    }
    return Preferences(policy: policy, always: list("always"), never: list("never"))
  }

  static func element(_ preferences: Preferences) -> Element {
    func list(_ name: String, _ jids: [String]) -> Element {
      Element(
        name, MessageArchive.namespace,
        jids.map { Element("jid", MessageArchive.namespace, text: $0) })
    }
    return Element(
      "prefs", MessageArchive.namespace, ["default": preferences.policy.rawValue],
      [list("always", preferences.always), list("never", preferences.never)])
  }
}
