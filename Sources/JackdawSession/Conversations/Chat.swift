// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol

/// One-to-one messages (RFC 6121 5): what of them is anybody's message, and what is not.
@Client package final class Chat: Feature {
  package nonisolated static let about = FeatureDescription(
    "RFC 6121 5", "One-to-one messages", scope: "chat and normal messages with ids, errors matched to what they answer")

  private let context: FeatureContext

  /// Made by the session, once.
  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.verify, of: [.error, .groupchat]) { [unowned self] in verify($0.message) }
  }

  /// Errors end here: they are never a message from somebody, and never answered (RFC 6120 8.3.1). The copy that our server
  /// makes of one has its type, and is for who unwraps copies to see.
  func verify(_ message: Message) -> StageVerdict {
    switch message.kind {
    case .error:
      if context.identity.isOwnAccount(message.from), Carbon.isHeld(by: message) {
        return .pass
      }
      if !context.delivery.bounced(message) { context.remark("Ignored an error for a message that was not sent.") }
      return .drop
    // It has passed whoever knows rooms.
    case .groupchat: return context.links.rooms == nil ? .drop : .pass
    case .normal, .chat, .headline: return .pass
    }
  }
}
