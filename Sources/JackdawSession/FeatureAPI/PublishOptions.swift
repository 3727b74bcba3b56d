// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// What a node has to be like for something to be published there (XEP-0060 7.1.5). A node that does not exist is made like
/// it; at one that is otherwise nothing is published.
package struct PublishOptions: Sendable, Equatable {
  /// FORM_TYPE of the data form (XEP-0060 section 7.1.5).
  package static let formType = "http://jabber.org/protocol/pubsub#publish-options"
  static let configurationType = "http://jabber.org/protocol/pubsub#node_config"

  /// Who may read (XEP-0060 4.5).
  package enum Access: String, Sendable {
    case open, presence, roster, whitelist
  }

  /// How many items a node keeps.
  package enum MaxItems: Sendable, Equatable {
    case count(Int)
    /// As many as the server keeps (XEP-0060 8.2.3): not every server knows the word.
    case most

    fileprivate var text: String {
      switch self {
      case .count(let count): String(count)
      case .most: "max"
      }
    }
  }

  /// Who may read the node; nil leaves it to the server.
  package var access: Access?
  /// Whether items are kept.
  package var persistsItems: Bool?
  /// How many items are kept.
  package var maxItems: MaxItems?
  /// Whether the last item is sent to those who come online: else it has to be asked for.
  package var sendsLastItem: Bool?

  package init(
    access: Access? = nil, persistsItems: Bool? = nil, maxItems: MaxItems? = nil, sendsLastItem: Bool? = nil
  ) {
    self.access = access
    self.persistsItems = persistsItems
    self.maxItems = maxItems
    self.sendsLastItem = sendsLastItem
  }

  /// For what nobody but our own devices may read (XEP-0223).
  package static let secret = PublishOptions(access: .whitelist, persistsItems: true)

  /// The fields of a form, named as in a node's configuration.
  private var fields: [DataForm.Field] {
    let values: [(String, String?)] = [
      ("pubsub#access_model", access?.rawValue),
      ("pubsub#persist_items", persistsItems.map { $0 ? "true" : "false" }),
      ("pubsub#max_items", maxItems?.text),
      ("pubsub#send_last_published_item", sendsLastItem.map { $0 ? "on_sub_and_presence" : "never" }),
    ]
    return values.compactMap { name, value in value.map { DataForm.Field(name, values: [$0]) } }
  }

  /// The form for a publication.
  var form: DataForm { form(Self.formType) }

  /// The form that configures a node so.
  var configuration: DataForm { form(Self.configurationType) }

  private func form(_ type: String) -> DataForm {
    DataForm(kind: .submit, fields: [DataForm.Field("FORM_TYPE", .hidden, values: [type])] + fields)
  }
}
