// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

extension DataForm {
  /// One field of a form (XEP-0004 3.2). Everything in a form that came in is the peer's words.
  package struct Field: Sendable, Equatable {
    /// The field types of XEP-0004 3.3.
    package enum Kind: String, Sendable, CaseIterable {
      case boolean, fixed, hidden
      case jidMulti = "jid-multi"
      case jidSingle = "jid-single"
      case listMulti = "list-multi"
      case listSingle = "list-single"
      case textMulti = "text-multi"
      case textPrivate = "text-private"
      case textSingle = "text-single"
    }

    /// One of the answers to choose from.
    package struct Option: Sendable, Equatable {
      /// What people are to read instead of the value; nil where there is none.
      package var label: String?
      /// What the answer holds when this is chosen.
      package var value: String

      package init(_ value: String, label: String? = nil) {
        self.value = value
        self.label = label
      }
    }

    /// The attribute `var`; fixed texts may have none.
    package var name: String?
    /// nil where the form does not say; that means `text-single` in questions, and the question's type in answers.
    package var kind: Kind?
    package var label: String?
    package var description: String?
    package var isRequired: Bool
    /// One text each; the lines of a `text-multi`.
    package var values: [String]
    package var options: [Option]
    /// The question is, or needs, a picture or a sound (XEP-0221).
    package private(set) var hasMedia = false

    package init(
      _ name: String?, _ kind: Kind? = nil, label: String? = nil, description: String? = nil, isRequired: Bool = false,
      values: [String] = [], options: [Option] = []
    ) {
      self.name = name
      self.kind = kind
      self.label = label
      self.description = description
      self.isRequired = isRequired
      self.values = values
      self.options = options
    }

    /// Reads a `<field/>`; an unknown type counts as `text-single`. Values are taken off `allowance`.
    init(_ element: Element, _ allowance: inout Int) throws(StanzaFormatError) {
      self.init(
        element.attribute("var"), element.attribute("type").map { Kind(rawValue: $0) ?? .textSingle },
        label: element.attribute("label"))
      hasMedia = element.child("media", "urn:xmpp:media-element") != nil
      for child in element.children where child.namespace == DataForm.namespace {
        switch child.name {
        case "desc": description = description ?? child.text
        case "required": isRequired = true
        case "value":
          try DataForm.spend(1, of: &allowance)
          values.append(child.text)
        case "option":
          try DataForm.spend(1, of: &allowance)
          guard let value = child.text(of: "value", DataForm.namespace) else { continue }
          options.append(Option(value, label: child.attribute("label")))
        default: break
        }
      }
    }

    var element: Element {
      var children: [Element] = []
      if let description { children.append(Element("desc", DataForm.namespace, text: description)) }
      if isRequired { children.append(Element("required", DataForm.namespace)) }
      children += values.map { Element("value", DataForm.namespace, text: $0) }
      children += options.map { option in
        Element(
          "option", DataForm.namespace, ["label": option.label],
          [Element("value", DataForm.namespace, text: option.value)])
      }
      return Element("field", DataForm.namespace, ["var": name, "type": kind?.rawValue, "label": label], children)
    }
  }
}
