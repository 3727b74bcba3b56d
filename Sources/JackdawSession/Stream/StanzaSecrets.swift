// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Keeps the passwords of rooms out of logs, which stand in what enters and configures them, in bookmarks and in invitations (XEP-0045,
/// XEP-0048, XEP-0249, XEP-0402), and what else a form has as a secret (XEP-0004 3.3).
enum StanzaSecrets {
  private static let mask = "…"

  /// The stanza with each secret left out, and all else as it is.
  static func masked(_ element: Element) -> Element {
    guard holdsSecret(element) else { return element }
    if isPassword(element) { return emptied(element) }
    let isField = isSecretField(element)
    let inner = element.mappingChildren { child in
      isField && child.matches("value", DataForm.namespace) ? emptied(child) : masked(child)
    }
    return hasPassword(inner) ? inner.settingAttribute("password", mask) : inner
  }

  private static func holdsSecret(_ element: Element) -> Bool {
    isPassword(element) || hasPassword(element) || isSecretField(element)
      || element.children.contains(where: holdsSecret)
  }

  private static func isPassword(_ element: Element) -> Bool { element.name == "password" && element.hasText }

  private static func hasPassword(_ element: Element) -> Bool { !(element.attribute("password") ?? "").isEmpty }

  /// An answer need not say of what type it is.
  private static func isSecretField(_ element: Element) -> Bool {
    guard element.matches("field", DataForm.namespace), element.child("value", DataForm.namespace)?.hasText ?? false
    else { return false }
    let name = element.attribute("var") ?? ""
    return element.attribute("type", equals: "text-private") || name.hasSuffix("secret") || name.hasSuffix("password")
  }

  private static func emptied(_ element: Element) -> Element {
    guard element.hasText else { return element }
    var result = Element(element.name, element.namespace, text: mask)
    for attribute in element.attributes {
      result = result.settingAttribute(attribute.name, namespace: attribute.namespace, attribute.value)
    }
    return result
  }
}
