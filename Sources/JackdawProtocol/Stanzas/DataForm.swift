// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// A data form (XEP-0004): questions, answers or results, field by field.
package struct DataForm: Sendable, Equatable {
  /// The namespace of XEP-0004.
  package static let namespace = "jabber:x:data"

  /// The form types of XEP-0004 3.1: `form` asks, `submit` answers, `result` tells.
  package enum Kind: String, Sendable, CaseIterable { case form, submit, cancel, result }
  /// What the form is for, its `type`.
  package var kind: Kind
  /// The peer's title in a form that came in, nil where it has none.
  package var title: String?
  /// What to do with the form, a paragraph each, in order.
  package var instructions: [String]
  /// The questions, answers or single results, in order; a table is in ``reported`` and ``items``.
  package var fields: [Field]
  /// The columns of a table of results.
  package var reported: [Field]
  /// The rows of a table of results.
  package var items: [[Field]]

  package init(
    kind: Kind, title: String? = nil, instructions: [String] = [], fields: [Field] = [], reported: [Field] = [],
    items: [[Field]] = []
  ) {
    self.kind = kind
    self.title = title
    self.instructions = instructions
    self.fields = fields
    self.reported = reported
    self.items = items
  }

  /// A form to send in, of a registered type (XEP-0068).
  package init(submitting formType: String, _ values: KeyValuePairs<String, [String]>) {
    self.init(
      kind: .submit,
      fields: [Field(Self.formTypeName, .hidden, values: [formType])] + values.map { Field($0.key, values: $0.value) })
  }

  private static let formTypeName = "FORM_TYPE"

  /// What the fields' names mean: the value of the field `FORM_TYPE`, which must be hidden unless the form is sent in
  /// (XEP-0068 3).
  package var formType: String? {
    guard let field = self[Self.formTypeName] else { return nil }
    let counts = field.kind == .hidden || (kind == .submit && field.kind == nil)
    return counts ? field.values.first : nil
  }

  /// The first field of this name.
  package subscript(name: String) -> Field? { fields.first { $0.name == name } }

  /// The first value of the field of this name.
  package func value(of name: String) -> String? { self[name]?.values.first }

  /// The field's value as a truth value (XML Schema's boolean), nil when it is neither.
  package func flag(_ name: String) -> Bool? {
    switch value(of: name) {
    case "1", "true": true
    case "0", "false": false
    default: nil
    }
  }

  /// Reads an `<x/>`. Fields of unknown type count as `text-single`.
  /// - Throws: when it is none, its type is unknown, or it is larger than ``StanzaLimits`` allow.
  package init(_ element: Element) throws(StanzaFormatError) {
    guard element.matches("x", Self.namespace) else { throw .not("data form") }
    guard let kind = element.attribute("type").flatMap(Kind.init) else {
      throw StanzaFormatError(description: "A data form has no type, or one that does not exist.")
    }
    self.init(kind: kind)
    var allowance = StanzaLimits.formValues
    for child in element.children where child.namespace == Self.namespace {
      switch child.name {
      case "title": title = title ?? child.text
      case "instructions":
        try Self.spend(1, of: &allowance)
        instructions.append(child.text)
      case "field":
        guard fields.count < StanzaLimits.formFields else { throw Self.tooLarge }
        fields.append(try Field(child, &allowance))
      case "reported": reported = try Self.fields(of: child, &allowance)
      case "item":
        guard items.count < StanzaLimits.formItems else { throw Self.tooLarge }
        items.append(try Self.fields(of: child, &allowance))
      default: break
      }
    }
  }

  /// The form as an element `x` of ``namespace`` (XEP-0004 3).
  package var element: Element {
    var children: [Element] = []
    if let title { children.append(Element("title", Self.namespace, text: title)) }
    children += instructions.map { Element("instructions", Self.namespace, text: $0) }
    children += fields.map(\.element)
    if !reported.isEmpty { children.append(Element("reported", Self.namespace, [:], reported.map(\.element))) }
    children += items.map { Element("item", Self.namespace, [:], $0.map(\.element)) }
    return Element("x", Self.namespace, ["type": kind.rawValue], children)
  }

  private static let tooLarge = StanzaFormatError(description: "A data form is larger than any that makes sense.")

  /// Takes values off what a form may still have.
  static func spend(_ count: Int, of allowance: inout Int) throws(StanzaFormatError) {
    guard count <= allowance else { throw tooLarge }
    allowance -= count
  }

  private static func fields(of parent: Element, _ allowance: inout Int) throws(StanzaFormatError) -> [Field] {
    var fields: [Field] = []
    for child in parent.children where child.matches("field", namespace) {
      guard fields.count < StanzaLimits.formFields else { throw tooLarge }
      try spend(1, of: &allowance)
      fields.append(try Field(child, &allowance))
    }
    return fields
  }
}
