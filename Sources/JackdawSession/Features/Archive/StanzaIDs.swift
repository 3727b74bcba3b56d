// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// What our account's archive calls the messages that come, so that they are known again when they are read from it.
///
/// A sender can write such an id too. It counts in our account's name alone, and only where our server says that it takes
/// away what others wrote in that name (``StanzaID/namespace``) and that it is the archive's id (XEP-0313 4.2 forbids to
/// take it for one elsewhere). The answer to both is asked for at log-in; what comes before it has no id.
@Client package final class StanzaIDs: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0359", "Unique and Stable Stanza IDs", version: "0.7.0", namespaces: [StanzaID.namespace],
    scope:
      "our own archive's ids on what comes and on copies, where the server vouches for them; origin ids read and written",
    isPartial: true)

  private let context: FeatureContext
  /// On this stream such an id of our account is the archive's, and nobody else's.
  private var serverVouches = false

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onMessage(.unwrap, holding: [StanzaID.namespace]) { [unowned self] inbound in
      // Rooms have archives of their own.
      if serverVouches, inbound.message.kind != .groupchat {
        inbound.archiveID = Self.claimedArchiveID(of: inbound.message, context)
      }
      return .pass
    }
  }

  package nonisolated static var askedAtLogin: String { "what your account can do" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.ask() }
  }

  package func streamLost() { serverVouches = false }

  private func ask() async throws(RequestError) {
    _ = try await context.links.ownAccount.value()
    // By now it may have been said on a stream that is gone.
    guard let account = context.links.ownAccount.answer else { return }
    serverVouches = Self.vouches(account)
  }

  private static func vouches(_ account: DiscoveryInformation) -> Bool {
    account.supports(StanzaID.namespace) && account.supports(MessageArchive.namespace)
  }

  /// Whether what messages of our account's stream are called (``claimedArchiveID(of:_:)``) is their id in the archive.
  static func areVouchedFor(in context: FeatureContext) -> Bool {
    context.links.ownAccount.answer.map(vouches) ?? false
  }

  /// What is said to be the archive's id of a message, whoever wrote that.
  static func claimedArchiveID(of message: Message, _ context: FeatureContext) -> String? {
    message.payloads.isEmpty ? nil : StanzaID.assigned(by: context.identity.account, in: message.payloads)
  }
}
