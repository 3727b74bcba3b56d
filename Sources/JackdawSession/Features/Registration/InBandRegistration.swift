// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// In-band registration: accounts made, changed and removed over XMPP itself.
///
/// An account is made before there is a session: see `Session+Registration.swift`. This is what somebody who is logged in
/// does with the account: nothing of it can go over a connection that is not under verified TLS, as there is no session
/// without.
@Client package final class InBandRegistration: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0077", "In-Band Registration", version: "2.4", namespaces: [RegistrationForm.namespace],
    scope:
      "accounts on the own server are made, get other passwords and are removed, with data forms; no CAPTCHAs, and "
      + "no registration with other services", isPartial: true)

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  /// Changes the account's password (XEP-0077 3.3). A server that wants more answers with a form; what can be filled in
  /// of it is the name and both passwords.
  /// - Throws: ``FeatureError``; `RegistrationFormError` for a form that asks for more; `StringPreparationError` for a
  ///   password that no server takes; ``RequestError`` for what has nothing to do with the password.
  package func changePassword(from old: String, to new: String) async throws {
    let password = try SASLprep.prepare(new)
    guard !password.isEmpty else { throw FeatureError(.badInput, "A password cannot be empty.") }
    let values = ["username": username, "password": password, "old_password": try SASLprep.prepare(old)]
    let request = Element(
      "query", RegistrationForm.namespace,
      ["username", "password"].map { Element($0, RegistrationForm.namespace, text: values[$0]) })
    try await send(request, values) { "\(server) does not change the password: \($0.meaning)" }
  }

  /// Asks the server to remove the account and all that it keeps for it (XEP-0077 3.2). It ends the connection afterwards;
  /// some servers do so before they have answered, and then ``RequestError`` does not tell whether it is removed.
  /// - Throws: as ``changePassword(from:to:)``.
  package func removeAccount(password: String) async throws {
    let values = ["username": username, "password": try SASLprep.prepare(password)]
    let request = Element("query", RegistrationForm.namespace, [Element("remove", RegistrationForm.namespace)])
    try await send(request, values) { "\(server) does not remove the account: \($0.meaning)" }
  }

  private var server: String { context.identity.account.domain }
  private var username: String { context.identity.account.localpart ?? "" }

  /// Sends `query`, and once more as a filled form if that is what the server answers with.
  private func send(
    _ query: Element, _ values: [String: String], refusal: (StanzaError) -> String
  ) async throws {
    do {
      try await send(query)
    } catch {
      guard let wanted = Self.form(in: error) else { throw explained(error, refusal) }
      let filled = try wanted.filled(with: values)
      do {
        try await send(filled)
      } catch {
        throw explained(error, refusal)
      }
    }
  }

  private func send(_ query: Element) async throws(RequestError) {
    // To the server by its name: ejabberd knows the request nowhere else.
    let request = IQ(kind: .set, to: context.identity.account.server, payload: query)
    _ = try await context.requests.request(request, timeout: .after(context.timeout))
  }

  private static func form(in error: RequestError) -> RegistrationForm? {
    guard let query = error.returned, let form = try? RegistrationForm(query), form.form != nil else { return nil }
    return form
  }

  private func explained(_ error: RequestError, _ refusal: (StanzaError) -> String) -> any Error {
    guard let stanza = error.stanzaError else { return error }
    if error.meansNotOffered {
      return FeatureError(
        .notOffered, "\(server) does not offer this to chat programs: ask whoever runs it, or see its web page.",
        stanzaError: stanza)
    }
    return FeatureError(.refused, Sentence.joined(refusal(stanza), stanza.text), stanzaError: stanza)
  }
}
