// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawXML

/// Shows what goes over the wire: `--log-xml` and `-v`. Never sees a secret.
@Client package protocol StreamLog: AnyObject {
  /// A stanza, or another element that was written as a value.
  func sent(_ element: Element)
  /// UTF-8 that was written as it is: the stream's header and end, and the negotiation. SASL's part is to be masked.
  func sent(_ bytes: [UInt8])
  /// An element at the stream's top level, as it was decoded. SASL's part is to be masked.
  func received(_ element: Element)
  /// One sentence on what happens to the connection; shown even where the XML is not.
  func remark(_ text: String)
}

/// A ``StreamLog`` that gives each thing as one text, with what SASL carries masked.
@Client package final class TextStreamLog: StreamLog {
  private let showsXML: Bool
  private let output: @Client (String) -> Void

  /// - Parameter showsXML: false leaves the remarks only.
  package init(showsXML: Bool, output: @escaping @Client (String) -> Void) {
    self.showsXML = showsXML
    self.output = output
  }

  /// Shows a stanza of ours.
  package func sent(_ element: Element) {
    if showsXML { output("SENT \(Self.masked(element))") }
  }

  /// Shows what the negotiation sends.
  package func sent(_ bytes: [UInt8]) {
    guard showsXML else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    output("SENT \(Self.carriesSecret(text) ? Self.masked(text) : text)")
  }

  /// Shows what came.
  package func received(_ element: Element) {
    guard showsXML else { return }
    // Challenges and success carry salts and signatures, which help to guess a password offline.
    // With success may come a token that stands for the password.
    let isSASL = element.namespace == Namespace.sasl || element.namespace == Namespace.extensibleSASL
    if isSASL, ["challenge", "success", "continue", "task-data"].contains(element.name) {
      return output("RECV <\(element.name) xmlns='\(element.namespace)'>…</\(element.name)>")
    }
    // Servers send back what they refuse, the password with it.
    output("RECV \(Self.masked(element))")
  }

  /// Shows a remark, with and without XML.
  package func remark(_ text: String) { output(text) }

  private static func masked(_ stanza: Element) -> Element { StanzaSecrets.masked(RegistrationSecrets.masked(stanza)) }

  private static func carriesSecret(_ text: String) -> Bool {
    ["<auth", "<response", "<task-data"].contains(where: text.hasPrefix) || RegistrationSecrets.mayBe(in: text)
  }

  /// Keeps the tag and leaves out what is between the tags.
  private static func masked(_ text: String) -> String {
    guard let open = text.firstIndex(of: ">"), let close = text.lastIndex(of: "<"), open < close else { return text }
    return text[...open] + "…" + text[close...]
  }
}
