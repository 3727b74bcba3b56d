// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Client state indication: tells the server whether anybody looks, so that it can hold back what can wait.
@Client package final class ClientState: Feature {
  package nonisolated static let namespace = "urn:xmpp:csi:0"
  /// XEP-0352, as the list of features shows it.
  package nonisolated static let about = FeatureDescription(
    "XEP-0352", "Client State Indication", version: "1.0.0", namespaces: [namespace],
    scope: "inactive on Ctrl-Z, long idleness and `/status away`, active on return, where the server offers it")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  /// Tells the server; does nothing where it does not offer this.
  package func activityChanged(isActive: Bool) {
    guard context.identity.streamFeatures?.child("csi", Self.namespace) != nil else { return }
    do {
      try context.stanzas.send(Element(isActive ? "active" : "inactive", Self.namespace))
    } catch {
      context.remark("The server could not be told whether anybody looks: \(error)")
    }
  }
}
