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
      it has none. At the prompt and in scripts it is put in quotes: /xml "<presence to='bob@example.org'/>" \
      From the shell, stdin is read where none is given, or '-': any number of stanzas, which are sent one by one once all of them have \
      been read and are right.
      """)
  /// What a hand-written stanza may give a password or a token by: elements of SASL and of registration (XEP-0077), with a prefix
  /// or without, and fields of forms.
  package static let declaration = CommandDeclaration(
    arguments: [.text(.nothing)],
    secretMarks: [
      "password", "passphrase", "secret", "token", "<auth", ":auth", "response", "task-data", "<digest", ":digest",
      "preauth",
    ],
    readsText: true,
    meanings: ["raw", "stanza", "rawxml", "quote", "iq"],
    examples: [
      .init("xml \"<iq type='get'><ping xmlns='urn:xmpp:ping'/></iq>\"", "Ask the server for a ping, by hand.")
    ])

  @Argument(help: "The stanza; without it stdin has them.")
  package var stanza: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    guard stanza.isEmpty else { return try await send(Self.parse(stanza.joined(separator: " ")), context) }
    guard context.origin == .shell else {
      throw CommandFailure(.usage, "usage", "There is no stanza to send.")
    }
    let stanzas = try await read(context)
    var last: CommandFailure?
    for (line, element) in stanzas {
      do {
        try await send(element, context)
      } catch {
        let failure = CommandFailure(error).located(stanzas.count > 1 ? "line \(line)" : nil)
        // Without an answer the next one would fare no better.
        guard (error as? RequestError)?.stanzaError != nil else { throw failure }
        context.fail(failure)
        last = failure
        last?.isShown = true
      }
    }
    if let last { throw last }
  }

  /// All stanzas of stdin, each with the line on which it ends.
  /// - Throws: ``CommandFailure`` with code 65 for what is none, before any is sent.
  @Client private func read(_ context: CommandContext) async throws(CommandFailure) -> [(line: Int, stanza: Element)] {
    let application = context.application
    if application.isInputTerminal { context.output.notice("Type the stanzas; Ctrl-D on an empty line ends them.") }
    let reader = ElementReader()
    var stanzas: [(line: Int, stanza: Element)] = []
    var bytes = 0
    var number = 0
    while let line = try await application.input.nextLine() {
      number += 1
      bytes += line.utf8.count
      guard bytes <= CommandLimits.stanzaBytes else {
        throw CommandFailure(
          .badInput, "bad-input", "line \(number): There is more than \(CommandLimits.stanzaBytes >> 20) MB of stanzas."
        )
      }
      do throws(CommandFailure) {
        for element in try Self.elements(of: line + "\n", reader) {
          stanzas.append((number, try Self.checked(element)))
        }
      } catch {
        throw error.located("line \(number)")
      }
    }
    guard !reader.isWithinElement else {
      throw CommandFailure(.badInput, "bad-input", "line \(number): The last stanza does not end.")
    }
    guard !stanzas.isEmpty else { throw CommandFailure(.badInput, "bad-input", "There is no stanza to send on stdin.") }
    return stanzas
  }

  private static func elements(of text: String, _ reader: ElementReader) throws(CommandFailure) -> [Element] {
    do throws(DecodeError) {
      return try reader.feed(text)
    } catch {
      throw CommandFailure(.badInput, "bad-input", "This is not XML that can be sent: \(error)")
    }
  }

  @Client private func send(_ stanza: Element, _ context: CommandContext) async throws {
    var element = stanza
    let session = try await context.session()
    if element.attribute("id")?.isEmpty ?? true {
      element = element.settingAttribute("id", StanzaIDSource().next())
    }
    if Self.isRequest(element) { return try await request(element, session, context) }
    if element.name == "message" {
      let to = element.attribute("to").flatMap { try? JID(received: $0) }
      try context.messageGoes(to: to ?? session.identity.account, in: session)
    }
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
        let to = try element.attribute("to").map { try JID(received: $0) }
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
      throw CommandFailure(.badInput, "bad-input", "This is not XML that can be sent: \(error)")
    }
    return try checked(element)
  }

  /// - Throws: ``CommandFailure`` with code 65 for an element that is no stanza.
  private static func checked(_ element: Element) throws(CommandFailure) -> Element {
    guard element.namespace == Namespace.client, ["message", "presence", "iq"].contains(element.name) else {
      throw CommandFailure(.badInput, "bad-input", "A stanza is a message, a presence or an iq, not '\(element.name)'.")
    }
    guard element.name != "iq" || element.attribute("type").flatMap(IQ.Kind.init) != nil else {
      throw CommandFailure(.badInput, "bad-input", "An iq needs the type get, set, result or error.")
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
