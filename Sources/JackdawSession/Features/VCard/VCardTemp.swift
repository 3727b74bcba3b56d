// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// vCards in the format that every client knows: those of others are read, our own is read and changed.
@Client package final class VCardTemp: Feature {
  package nonisolated static let namespace = "vcard-temp"
  package nonisolated static let about = FeatureDescription(
    "XEP-0054", "vcard-temp", version: "1.3.0", namespaces: [namespace],
    scope: "any card read, the own one changed field by field; of a picture size, type and hash are told")

  private let context: FeatureContext

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    context.links.requesterCard = { [requests = context.requests] jid, patience throws(RequestError) in
      try await requests.vCardTemp(of: jid, timeout: patience).map { RequesterCard(VCardTempCodec.card($0)) }
    }
  }

  /// Asks for the card of `jid`; nil: our own.
  /// - Returns: nil when there is none. A server does not tell that from an account that does not exist (XEP-0054 3.3).
  /// - Throws: ``RequestError``
  package func card(of jid: JID? = nil, timeout: Duration? = nil) async throws(RequestError) -> VCard? {
    let timeout = timeout ?? context.timeout
    guard let element = try await context.requests.vCardTemp(of: jid, timeout: timeout) else { return nil }
    let card = VCardTempCodec.card(element)
    return card.isEmpty ? nil : card
  }

  /// Changes one field of our own card and leaves all the rest of it as it is.
  ///
  /// It is fetched for that: another device may have changed it. There is no way to change a part of it at the server.
  /// - Throws: ``FeatureError`` with `.notOffered` where the server keeps no cards; ``RequestError``.
  package func change(_ edit: VCardEdit) async throws {
    let own = try await context.requests.vCardTemp(of: nil, timeout: context.timeout)
    let card = VCardTempCodec.applying(edit, to: own ?? Element("vCard", Self.namespace))
    do {
      _ = try await context.requests.request(IQ(kind: .set, payload: card), timeout: .after(context.timeout))
    } catch {
      guard error.meansNotOffered else { throw error }
      throw FeatureError(
        .notOffered, "\(context.identity.account.domain) keeps no vCards.", stanzaError: error.stanzaError)
    }
  }
}

extension IQTracker {
  /// The card of `jid`, or with nil our own, as it came; nil when there is none (XEP-0054 3).
  func vCardTemp(of jid: JID?, timeout: Duration) async throws(RequestError) -> Element? {
    let request = IQ(kind: .get, to: jid?.bare, payload: Element("vCard", VCardTemp.namespace))
    let answer: IQ
    do {
      answer = try await self.request(request, timeout: .after(timeout))
    } catch {
      if error.stanzaError?.condition == "item-not-found" || error.meansNotOffered { return nil }
      throw error
    }
    guard let card = answer.payload else { return nil }
    guard card.matches("vCard", VCardTemp.namespace) else {
      throw RequestError(.malformedReply, "The answer is not a vCard.")
    }
    return card
  }
}

extension RequesterCard {
  fileprivate init(_ card: VCard) {
    let name = card.properties.first { $0.field == .fn } ?? card.properties.first { $0.field == .nickname }
    self.init(name: name?.parts.first.flatMap { $0.isEmpty ? nil : $0 }, photo: card.photo?.sha1)
  }
}
