// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol
package import JackdawXML

/// What an entity is and can do: the answer to a request for information (XEP-0030 3, with forms of XEP-0128).
package struct DiscoveryInformation: Sendable, Equatable {
  /// The namespace of its query (XEP-0030 section 3).
  package static let namespace = "http://jabber.org/protocol/disco#info"

  /// One thing that the entity is.
  package struct Identity: Sendable, Hashable {
    /// Of the registry of categories: `client`, `server`, `conference` …
    package var category: String
    /// Within the category: `console`, `phone`, `im` …
    package var type: String
    /// From the network: to be shown through the escaper only.
    package var name: String?
    /// The language of the name, of `xml:lang`.
    package var language: String?

    package init(category: String, type: String, name: String? = nil, language: String? = nil) {
      self.category = category
      self.type = type
      self.name = name
      self.language = language
    }
  }

  /// In document order; an answer without any is not valid (XEP-0030 section 3.1).
  package var identities: [Identity]
  /// In the order in which they came, were one of them there twice.
  package var features: [String]
  /// Further information in forms of type `result`; those that cannot be read are left out.
  package var forms: [DataForm]

  package init(identities: [Identity] = [], features: [String] = [], forms: [DataForm] = []) {
    self.identities = identities
    self.features = features
    self.forms = forms
  }

  /// Whether it says that it can do `feature`. That it can be asked at all need not be said (XEP-0030 3.1).
  package func supports(_ feature: String) -> Bool {
    features.contains(feature) || feature == DiscoveryInformation.namespace
  }

  /// Whether it is a `category`, and of this type where one is given.
  package func has(category: String, type: String? = nil) -> Bool {
    identities.contains { $0.category == category && (type == nil || $0.type == type) }
  }

  /// Reads a `<query/>`. Identities without category or type and features without name are left out.
  /// - Throws: when it is none, or larger than ``FeatureLimits`` allow.
  package init(_ query: Element) throws(StanzaFormatError) {
    guard query.matches("query", DiscoveryInformation.namespace) else {
      throw StanzaFormatError(description: "An answer to service discovery holds something else.")
    }
    self.init()
    for child in query.children {
      if child.matches("identity", DiscoveryInformation.namespace) {
        if let identity = Identity(child) { identities.append(identity) }
      } else if child.matches("feature", DiscoveryInformation.namespace) {
        if let feature = child.attribute("var"), !feature.isEmpty { features.append(feature) }
      } else if child.matches("x", DataForm.namespace), let form = try? DataForm(child) {
        forms.append(form)
      }
      guard
        identities.count <= DiscoveryLimits.discoveryParts, forms.count <= DiscoveryLimits.discoveryParts,
        features.count <= DiscoveryLimits.discoveryFeatures
      else { throw StanzaFormatError(description: "An answer to service discovery is larger than makes sense.") }
    }
  }

  /// The `<query/>` to send.
  package func element(node: String? = nil) -> Element {
    Element(
      "query", DiscoveryInformation.namespace, ["node": node],
      identities.map(\.element)
        + features.map { Element("feature", DiscoveryInformation.namespace, ["var": $0]) }
        + forms.map(\.element))
  }
}

extension DiscoveryInformation.Identity {
  fileprivate init?(_ element: Element) {
    guard let category = element.attribute("category"), let type = element.attribute("type"), !category.isEmpty,
      !type.isEmpty
    else { return nil }
    self.init(
      category: category, type: type, name: element.attribute("name"), language: element.attribute("xml:lang"))
  }

  fileprivate var element: Element {
    Element(
      "identity", DiscoveryInformation.namespace,
      ["category": category, "type": type, "name": name, "xml:lang": language])
  }
}
