// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Files that somebody offers with a message (XEP-0447, and XEP-0385 before it), and stickers (XEP-0449): what they are and where.
@Client package final class SharedFiles: Feature {
  nonisolated static let sharing = "urn:xmpp:sfs:0"
  private nonisolated static let metadata = "urn:xmpp:file:metadata:0"
  private nonisolated static let links = "http://jabber.org/protocol/url-data"
  private nonisolated static let reference = "urn:xmpp:reference:0"
  private nonisolated static let media = "urn:xmpp:sims:1"
  private nonisolated static let transfer = "urn:xmpp:jingle:apps:file-transfer:5"
  private nonisolated static let stickers = "urn:xmpp:stickers:0"

  package nonisolated static let about = FeatureDescription(
    "XEP-0447", "Stateless File Sharing", version: "0.3.0",
    namespaces: [sharing, metadata, links, reference, media, transfer, stickers],
    scope: "files of messages are described, also as in XEP-0385, and stickers (XEP-0449); nothing is fetched or sent",
    isPartial: true)

  package init(_ context: FeatureContext) {}

  package func install(in routes: RouteTable) {
    routes.onMessage(.interpret, holding: [Self.sharing, Self.reference, Self.stickers]) { inbound in
      guard let file = Self.file(in: inbound.message.payloads) else { return .pass }
      inbound.carry(file)
      return .pass
    }
  }

  /// The first one.
  static func file(in payloads: [Element]) -> MessageContent? {
    var file: MessageContent?
    var isSticker = false
    for payload in payloads {
      if payload.matches("sticker", stickers) { isSticker = true }
      guard file == nil else { continue }
      if payload.matches("file-sharing", sharing) {
        file = described(payload, metadata)
        let sources = payload.child("sources", sharing)
        file?.url = link(sources?.child("url-data", links)?.attribute("target"))
      } else if payload.matches("reference", reference), let shared = payload.child("media-sharing", media) {
        file = described(shared, transfer)
        let sources = shared.child("sources", media)
        file?.url = link(sources?.child("reference", reference)?.attribute("uri"))
      }
    }
    guard isSticker else { return file }
    var sticker = file ?? MessageContent(.sticker)
    sticker.kind = .sticker
    return sticker
  }

  private static func described(_ sharing: Element, _ namespace: String) -> MessageContent {
    var file = MessageContent(.file)
    guard let description = sharing.child("file", namespace) else { return file }
    file.name = description.text(of: "name", namespace).nonEmpty
    file.type = description.text(of: "media-type", namespace).nonEmpty
    file.text = description.text(of: "desc", namespace).nonEmpty
    file.size = description.text(of: "size", namespace).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    return file
  }

  private static func link(_ url: String?) -> String? {
    url.nonEmpty.flatMap { $0.utf8.count <= PayloadLimits.linkBytes ? $0 : nil }
  }
}
