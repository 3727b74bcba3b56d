// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession
package import JackdawXML

/// `xml`: a stanza written by hand.
package struct XMLCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "xml", abstract: "Send a hand-written stanza; the answer to an iq is printed.",
    discussion: """
      An answer of type error is printed like any other, and its condition decides the exit code. \
      The stanza is one message, presence or iq, in the namespace jabber:client unless it says otherwise. An id is added where \
      it has none. At the prompt and in scripts it is put in quotes: /xml "<presence to='bob@example.org'/>"
      """)
  /// What a hand-written stanza may give a password or a token by: elements of SASL and of registration (XEP-0077), with a prefix
  /// or without, and fields of forms.
  package static let declaration = CommandDeclaration(
    arguments: [.text(.nothing)],
    secretMarks: [
      "password", "passphrase", "secret", "token", "<auth", ":auth", "response", "<digest", ":digest", "preauth",
    ],
    meanings: ["raw", "stanza", "rawxml", "quote"],
    examples: [
      .init("xml \"<iq type='get'><ping xmlns='urn:xmpp:ping'/></iq>\"", "Ask the server for a ping, by hand.")
    ])

  @Argument(help: "The stanza.")
  package var stanza: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    var element = try Self.parse(stanza.joined(separator: " "))
    let session = try await context.session()
    if element.attribute("id")?.isEmpty ?? true {
      element = element.settingAttribute("id", StanzaIDSource().next())
    }
    if Self.isRequest(element) { return try await request(element, session, context) }
    try session.requests.send(element)
    // The next command, or the end of the process, must not overtake it.
    try await session.requests.roundTrip(timeout: context.timeout)
  }

  @Client private func request(_ element: Element, _ session: Session, _ context: CommandContext) async throws {
    do {
      let answer = try await session.requests.answer(to: element, timeout: .after(context.timeout))
      context.show(StanzaRow(stanza: answer.element))
    } catch {
      // An error is an answer too: it is shown like any other, and told by the exit code.
      if let refusal = error.stanzaError {
        let to = try element.attribute("to").map { try JID($0) }
        let answer = IQ(
          kind: .error, id: element.attribute("id") ?? "", from: to, to: session.identity.bound,
          payload: error.returned, error: refusal)
        context.show(StanzaRow(stanza: answer.element))
      }
      throw error
    }
  }

  /// Reads a stanza.
  /// - Throws: ``CommandFailure`` with code 65 for what is none.
  static func parse(_ text: String) throws(CommandFailure) -> Element {
    let element: Element
    do {
      element = try Element(parsing: text)
    } catch {
      throw CommandFailure(.badInput, "bad-input", "this is not XML that can be sent: \(error)")
    }
    guard element.namespace == Namespace.client, ["message", "presence", "iq"].contains(element.name) else {
      throw CommandFailure(.badInput, "bad-input", "a stanza is a message, a presence or an iq, not '\(element.name)'")
    }
    guard element.name != "iq" || element.attribute("type").flatMap(IQ.Kind.init) != nil else {
      throw CommandFailure(.badInput, "bad-input", "an iq has a type: get, set, result or error")
    }
    return element
  }

  private static func isRequest(_ element: Element) -> Bool {
    element.name == "iq" && ["get", "set"].contains(element.attribute("type"))
  }
}

/// A stanza as XML.
package struct StanzaRow: CommandRow {
  /// The answer as it came; its text is the XML.
  package var stanza: Element
  package var cells: [Cell] { [Cell(stanza.description)] }

  private enum CodingKeys: String, CodingKey { case xml }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stanza.description, forKey: .xml)
  }
}
