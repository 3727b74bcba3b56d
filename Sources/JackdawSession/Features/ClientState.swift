// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Client state indication: tells the server whether anybody looks, so that it can hold back what can wait.
@Client package final class ClientState: Feature {
  /// XEP-0352, as the list of features shows it.
  package nonisolated static let about = FeatureDescription(
    "XEP-0352", "Client State Indication", version: "1.0.0", namespaces: [Namespace.clientState],
    scope: "inactive on Ctrl-Z, long idleness and `/status away`, active on return, where the server offers it")

  private let context: FeatureContext
  /// What the server takes us for.
  private var told = ClientActivity.active

  package init(_ context: FeatureContext) { self.context = context }

  /// With the resource it may have been told (XEP-0386).
  package func streamBegan() { told = context.identity.activityAtLogin }
  package func streamResumed() { told = .active }

  /// Tells the server; does nothing where it knows, or does not offer this.
  package func activityChanged(isActive: Bool) {
    let activity: ClientActivity = isActive ? .active : .inactive
    guard activity != told, context.identity.streamFeatures?.child("csi", Namespace.clientState) != nil else { return }
    do {
      try context.stanzas.send(Element(isActive ? "active" : "inactive", Namespace.clientState))
      told = activity
    } catch {
      context.remark("The server could not be told whether anybody looks: \(error)")
    }
  }
}
