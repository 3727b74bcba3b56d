// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Keeps the passwords of registration stanzas (XEP-0077) out of logs.
enum RegistrationSecrets {
  /// The stanza with what is in its registration query left out, if that may hold a secret: all that is sent in or sent
  /// back, and a form with a value in a field for secrets. Questions stay as they are.
  static func masked(_ stanza: Element) -> Element {
    guard stanza.name == "iq", let query = stanza.child("query", RegistrationForm.namespace), !query.children.isEmpty,
      !stanza.attribute("type", equals: "result") || hasSecret(query)
    else { return stanza }
    let children = stanza.children.map { child in
      child.matches("query", RegistrationForm.namespace) ? Element(child.name, child.namespace, text: "…") : child
    }
    var result = Element(stanza.name, stanza.namespace, children)
    for attribute in stanza.attributes {
      result = result.settingAttribute(attribute.name, namespace: attribute.namespace, attribute.value)
    }
    return result
  }

  private static func hasSecret(_ query: Element) -> Bool {
    query.children.contains { child in
      if child.matches("password", RegistrationForm.namespace) { return child.hasText }
      return child.matches("x", DataForm.namespace)
        && child.children.contains { field in
          field.attribute("type", equals: "text-private")
            && field.child("value", DataForm.namespace)?.hasText ?? false
        }
    }
  }

  /// Whether bytes that are sent before a log-in may be a form that is sent in.
  static func mayBe(in text: String) -> Bool {
    text.hasPrefix("<iq") && text.contains(RegistrationForm.namespace) && text.contains("password")
  }
}
