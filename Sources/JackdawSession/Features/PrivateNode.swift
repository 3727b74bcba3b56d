// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// A node of our own account in which our devices keep an item for each of many things, and which nobody else may read (XEP-0223).
@Client final class PrivateNode {
  /// The node, and the namespace of its payloads.
  let name: String
  /// How many items are asked for, the newest, and kept by a server that has no word for "as many as you can".
  private let limit: Int
  /// What it means for the user when the node cannot be made to keep many items.
  private let shortfall: String
  private let context: FeatureContext
  /// The server takes the node's whole configuration with an item; nil: that is not known yet on this stream.
  private var takesConfiguration: Bool?

  init(_ name: String, limit: Int, shortfall: String, _ context: FeatureContext) {
    self.name = name
    self.limit = limit
    self.shortfall = shortfall
    self.context = context
  }

  /// What the server said of itself does not hold any more.
  func streamLost() { takesConfiguration = nil }

  /// The newest items, no more than the limit; nil where there is no node, so that nothing was ever published.
  func items() async throws(RequestError) -> [PubSubItem]? {
    guard let nodes = context.links.nodeAccess else { return nil }
    do {
      return try await nodes.items(of: name, at: nil, ids: [], newest: limit).suffix(limit)
    } catch  where error.stanzaError?.condition == "item-not-found" {
      return nil
    }
  }

  /// Publishes an item. A node that keeps one item only, as some servers make it, is changed.
  func publish(_ item: PubSubItem) async throws(RequestError) {
    guard let nodes = context.links.nodeAccess else { return }
    if takesConfiguration != false {
      do {
        try await nodes.publish(item, to: name, at: nil, options: .manyItems)
        takesConfiguration = true
        return
      } catch  where error.stanzaError != nil && takesConfiguration == nil {
        // ejabberd 23.01 takes neither 'max_items' nor 'send_last_published_item' with an item.
      }
    }
    try await nodes.publish(item, to: name, at: nil, options: .secret)
    guard takesConfiguration == nil else { return }
    takesConfiguration = false
    do throws(RequestError) {
      do {
        try await nodes.configure(name, at: nil, .manyItems)
      } catch  where error.stanzaError != nil {
        var options = PublishOptions.manyItems
        options.maxItems = .count(limit)
        try await nodes.configure(name, at: nil, options)
      }
    } catch {
      context.remark("\(shortfall): \(error)")
    }
  }

  /// Takes an item back, which our other devices are told. One that is not there is no error.
  func retract(_ id: String) async throws(RequestError) {
    do {
      try await context.links.nodeAccess?.retract(id, from: name, at: nil, notifies: true)
    } catch  where error.stanzaError?.condition == "item-not-found" {
      return
    }
  }
}

extension PublishOptions {
  /// Our own devices' alone, an item for each thing; all of them are asked for at the log-in (XEP-0402, XEP-0490 4.2).
  fileprivate static let manyItems = PublishOptions(
    access: .whitelist, persistsItems: true, maxItems: .most, sendsLastItem: false)
}
