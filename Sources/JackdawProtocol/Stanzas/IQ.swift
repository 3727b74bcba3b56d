// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// An info/query stanza (RFC 6120 8.2.3).
package struct IQ: Sendable, Equatable {
  /// The types of RFC 6120 8.2.3; there is no default.
  package enum Kind: String, Sendable, CaseIterable { case get, set, result, error }
  /// The attribute `type`.
  package var kind: Kind
  package var id: String
  /// nil in what we send, which the server stamps, and in what our own account's server may leave out.
  package var from: JID?
  /// nil: our own account, at our server (RFC 6120 10.3.3).
  package var to: JID?
  /// The one child of a get or set; that of a result, if any; in an error the request's, where it was sent back.
  package var payload: Element?
  /// Present exactly when `kind` is `.error`.
  package var error: StanzaError?

  package init(
    kind: Kind, id: String = "", from: JID? = nil, to: JID? = nil, payload: Element? = nil, error: StanzaError? = nil
  ) {
    self.kind = kind
    self.id = id
    self.from = from
    self.to = to
    self.payload = payload
    self.error = error
  }

  /// Reads an `<iq/>` and holds it to RFC 6120 8.2.3: known type, an id, one child in get and set, at most one in
  /// result. An error without its `<error/>` is read as ``StanzaError/undefined``, so that it still ends the request.
  ///
  /// - Throws: ``StanzaFormatError``, with the answer that the RFC demands where one can be given.
  package init(_ element: Element) throws(StanzaFormatError) {
    guard element.matches("iq", Namespace.client) else { throw .not("iq") }
    guard let id = element.nonEmptyAttribute("id") else {
      throw StanzaFormatError(description: "An iq has no id.")
    }
    self.id = id
    from = try element.jid("from")
    // From here on the sender and the id are known, so that the sender can be told.
    let refusal = IQ(kind: .error, id: id, to: from, error: .badRequest)
    guard let kind = element.attribute("type").flatMap(Kind.init) else {
      throw StanzaFormatError(description: "An iq has no type, or one that does not exist.", answer: refusal)
    }
    self.kind = kind
    let isRequest = kind == .get || kind == .set
    do {
      to = try element.jid("to")
    } catch {
      throw StanzaFormatError(description: error.description, answer: isRequest ? refusal : nil)
    }
    var count = 0
    for child in element.children {
      if kind == .error, child.matches("error", Namespace.client) {
        error = error ?? StanzaError(child)
      } else {
        payload = payload ?? child
        count += 1
      }
    }
    switch kind {
    case .get, .set:
      guard count == 1 else {
        throw StanzaFormatError(description: "An iq of type \(kind.rawValue) has \(count) children.", answer: refusal)
      }
    case .result:
      guard count <= 1 else {
        throw StanzaFormatError(description: "An iq of type result has \(count) children.")
      }
    case .error:
      error = error ?? .undefined
    }
  }

  /// The stanza to send.
  package var element: Element {
    var children: [Element] = []
    if let payload { children.append(payload) }
    if kind == .error { children.append((error ?? .undefined).element) }
    return Element(
      "iq", Namespace.client,
      ["type": kind.rawValue, "id": id, "to": to?.description, "from": from?.description], children)
  }

  /// The answer of type result to this get or set.
  package func result(_ payload: Element? = nil) -> IQ {
    IQ(kind: .result, id: id, to: from, payload: payload)
  }

  /// The answer of type error to this get or set.
  package func failure(_ error: StanzaError) -> IQ {
    IQ(kind: .error, id: id, to: from, error: error)
  }
}
