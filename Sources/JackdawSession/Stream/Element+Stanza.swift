// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

extension Element {
  /// What counts (XEP-0198 4): a message, a presence, an IQ.
  var isStanza: Bool {
    namespace == Namespace.client && (name == "message" || name == "presence" || name == "iq")
  }

  /// The id of an IQ that will be answered; nil of anything else.
  var requestID: String? {
    guard matches("iq", Namespace.client), attribute("type", equals: "get") || attribute("type", equals: "set")
    else { return nil }
    return attribute("id")
  }
}
