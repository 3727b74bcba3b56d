// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Replies (XEP-0461): which message another one answers.
@Client package final class MessageReplies: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0461", "Message Replies", version: "0.2.1", discoFeatures: [MessageRelation.Namespace.reply],
    scope: "sent with a quote for others, and kept; shown with what they answer, and not with their quote")

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [MessageRelation.Namespace.reply]) { inbound in
      guard inbound.message.body != nil,
        case .replies(let id, _)? = MessageRelation.reply(in: inbound.message.payloads)
      else { return .pass }
      inbound.relations.append(.replies(to: id, quote: inbound.quotedText))
      return .pass
    }
    routes.onSending(.prepare) { [unowned self] message in
      nameAuthor(in: &message)
      return nil
    }
  }

  /// A reply says whose message it answers (XEP-0461 3.1), as far as the log knows that.
  private func nameAuthor(in message: inout Message) {
    guard let place = message.payloads.firstIndex(where: { $0.matches("reply", MessageRelation.Namespace.reply) }),
      let conversation = message.to?.bare, let log = context.stores.log,
      let id = message.payloads[place].attribute("id"),
      // The store has reported its error. Nobody needs the author to know the message by its id.
      let number = (try? log.number(ofID: id, in: conversation)) ?? nil,
      let original = (try? log.message(number)) ?? nil
    else { return }
    // In a room it is who said it there; that the user did is not told by an address that the room may hide.
    let author: JID? =
      message.kind == .groupchat
      ? (original.isOutgoing ? nil : original.event.from)
      : (original.isOutgoing ? context.identity.account : conversation)
    message.payloads[place] = Element(
      "reply", MessageRelation.Namespace.reply, ["id": id, "to": author?.description])
  }
}
