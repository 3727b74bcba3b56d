// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Avatars in vCards: our presence names the picture in our card, so that it does not vanish for our contacts while this is
/// our only client, and so that our other clients may go on to name it.
///
/// The card is fetched once a log-in, for its hash alone: the picture itself is not kept.
@Client package final class AvatarHash: Feature {
  package nonisolated static let namespace = "vcard-temp:x:update"
  package nonisolated static let about = FeatureDescription(
    "XEP-0153", "vCard-Based Avatars", version: "1.1.1", namespaces: [namespace],
    scope: "the hash of our own picture goes with our presence; pictures are neither shown nor set", isPartial: true)

  private let context: FeatureContext
  /// SHA-1 of the picture, in hexadecimal digits; nil where there is none, or none that we may name.
  private var hash: String?

  /// Names no picture before the first log-in.
  package init(_ context: FeatureContext) {
    self.context = context
    // Without any such element other clients of ours would have to stop naming the picture (XEP-0153 4.3).
    context.links.extendPresence { [weak self] in
      Element("x", Self.namespace, self?.hash.map { [Element("photo", Self.namespace, text: $0)] } ?? [])
    }
  }

  package func install(in routes: RouteTable) {
    routes.onPresence { [unowned self] in take($0) }
  }

  package nonisolated static var askedAtLogin: String { "your picture" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.load() }
  }

  package func streamLost() { hash = nil }

  /// Our first presence waits for this. Without the card it says that we do not know of a picture yet (XEP-0153 4.1).
  private func load() async throws(RequestError) {
    let card = try await context.requests.vCardTemp(
      of: nil, timeout: min(context.timeout, FeatureLimits.ownCardPatience))
    hash = card.flatMap { VCardTempCodec.card($0).photo?.sha1 }
  }

  /// XEP-0153 4.3: once another client of ours names another picture, or knows nothing of it and may have changed the card,
  /// ours is not to be believed. The next log-in finds out.
  private func take(_ presence: Presence) {
    guard hash != nil, presence.kind == .available, let from = presence.from, from.bare == context.identity.account,
      from != context.identity.bound
    else { return }
    guard let update = presence.payloads.first(where: { $0.matches("x", Self.namespace) }) else { return hash = nil }
    guard let photo = update.child("photo", Self.namespace) else { return }
    if trimmed(photo.text).lowercased() != hash { hash = nil }
  }
}
