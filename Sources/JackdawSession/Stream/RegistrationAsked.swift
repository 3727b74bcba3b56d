// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The server wants to know more before it makes an account: what to ask whoever wants it.
package struct RegistrationAsked: Error, Sendable {
  /// The server's words and questions.
  package var form: RegistrationForm

  package init(_ form: RegistrationForm) { self.form = form }
}
