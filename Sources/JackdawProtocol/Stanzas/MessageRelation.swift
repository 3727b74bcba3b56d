// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// What a message says of an earlier one, which it names by the id that its sender gave it (in chats of two, the attribute `id`).
///
/// Anyone can name any id: a correction or retraction counts only for messages of the same sender in the same conversation.
package enum MessageRelation: Sendable, Hashable {
  /// It stands in the place of the sender's earlier message (XEP-0308).
  case replaces(String)
  /// The sender's earlier message is to be seen no more (XEP-0424).
  case retracts(String)
  /// It answers an earlier message (XEP-0461). The quote is what it repeats of that one for clients that know no replies
  /// (XEP-0428), as its sender has it: it is no part of the body; nil: nothing.
  case replies(to: String, quote: String?)
  /// All of the sender's reactions to an earlier message (XEP-0444): they take the place of those before. None: they are taken back.
  case reacts(to: String, with: [String])

  /// The namespaces of the elements that say it, as they are announced (XEP-0030).
  package enum Namespace {
    /// XEP-0308.
    package static let correction = "urn:xmpp:message-correct:0"
    /// XEP-0424.
    package static let retraction = "urn:xmpp:message-retract:1"
    /// XEP-0461.
    package static let reply = "urn:xmpp:reply:0"
    /// XEP-0444.
    package static let reactions = "urn:xmpp:reactions:0"
    /// XEP-0424 before its version 0.4.
    static let oldRetraction = "urn:xmpp:message-retract:0"
    /// XEP-0425 before its version 0.3: what a room says, if it is the room that says it.
    static let oldModeration = "urn:xmpp:message-moderate:0"
    /// XEP-0422.
    static let fastening = "urn:xmpp:fasten:0"
    /// Those of payloads that take a message back.
    package static let retractions = [retraction, fastening]
  }

  /// What a message corrects.
  /// - Parameter payloads: a message's, of which the first one counts.
  package static func correction(in payloads: [Element]) -> MessageRelation? {
    first(in: payloads) { $0.matches("replace", Namespace.correction) ? id(of: $0).map { .replaces($0) } : nil }
  }

  /// What a message retracts, as today's clients say it and as those before did.
  /// - Parameter payloads: a message's, of which the first one counts.
  package static func retraction(in payloads: [Element]) -> MessageRelation? {
    first(in: payloads) { payload in
      let says =
        payload.matches("retract", Namespace.retraction)
        || payload.matches("apply-to", Namespace.fastening)
          && (payload.child("retract", Namespace.oldRetraction) != nil
            || payload.child("moderated", Namespace.oldModeration)?.child("retract", Namespace.oldRetraction) != nil)
      return says ? id(of: payload).map { .retracts($0) } : nil
    }
  }

  /// What a message answers, without a quote: which part of the body that is, a ``Fallback`` says.
  /// - Parameter payloads: a message's, of which the first one counts.
  package static func reply(in payloads: [Element]) -> MessageRelation? {
    first(in: payloads) { payload in
      payload.matches("reply", Namespace.reply) ? id(of: payload).map { .replies(to: $0, quote: nil) } : nil
    }
  }

  /// What a message reacts to, and how. What is no reaction among them does not count; more than
  /// ``StanzaLimits/reactions`` are cut off.
  /// - Parameter payloads: a message's, of which the first one counts.
  package static func reactions(in payloads: [Element]) -> MessageRelation? {
    first(in: payloads) { payload in
      guard payload.matches("reactions", Namespace.reactions), let id = id(of: payload) else { return nil }
      var found: [String] = []
      for child in payload.children where found.count < StanzaLimits.reactions {
        guard child.matches("reaction", Namespace.reactions) else { continue }
        let text = child.text
        if isReaction(text), !found.contains(text) { found.append(text) }
      }
      return .reacts(to: id, with: found)
    }
  }

  private static func first(in payloads: [Element], _ read: (Element) -> MessageRelation?) -> MessageRelation? {
    for payload in payloads {
      if let relation = read(payload) { return relation }
    }
    return nil
  }

  /// The id of a message that an element has, or is about; nil where it has none, or one that nobody can have meant.
  package static func id(of element: Element) -> String? {
    element.nonEmptyAttribute("id").flatMap { $0.utf8.count <= StanzaLimits.relatedIDBytes ? $0 : nil }
  }

  /// Whether a text is an emoji, or as short a word as servers' and clients' own pictures have: no white space and no control.
  package static func isReaction(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= StanzaLimits.reactionBytes else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
  }
}
