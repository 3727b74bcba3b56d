// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Everything that making an account needs to know beforehand (XEP-0077 3.1).
package struct RegistrationRequest: Sendable {
  /// The account to be.
  package var account: JID
  package var password: String
  /// What else the server may ask for, by the names of its form's fields: `email` …
  package var fields: [String: String]
  /// Somebody can be asked for what ``fields`` do not answer: where the server asks for more, the stream ends with its questions.
  package var canAsk: Bool
  /// For the requests: unguessable.
  package var id: String
  /// `xml:lang` of our stream, in which the server may put its questions.
  package var language: String?

  package init(
    account: JID, password: String, fields: [String: String] = [:], canAsk: Bool = false, id: String,
    language: String? = nil
  ) {
    self.account = account
    self.password = password
    self.fields = fields
    self.canAsk = canAsk
    self.id = id
    self.language = language
  }
}

extension RegistrationRequest: CustomReflectable {
  /// Without the password, so that no dump or failed expectation shows it.
  package var customMirror: Mirror { Mirror(self, children: ["account": account, "fields": fields.keys.sorted()]) }
}
