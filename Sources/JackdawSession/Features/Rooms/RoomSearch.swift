// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Finds rooms: those of a service, by its list or, where it searches itself, by that.
@Client package final class RoomSearch: Feature {
  nonisolated static let namespace = "urn:xmpp:channel-search:0:search"
  private nonisolated static let parameters = "urn:xmpp:channel-search:0:search-params"
  /// By address: the one order in which no room is left out between two pages (XEP-0433 5.1).
  private nonisolated static let order = "{urn:xmpp:channel-search:0:order}address"

  package nonisolated static let about = FeatureDescription(
    "XEP-0433", "Extended Channel Search", version: "0.1.0", namespaces: [namespace, parameters],
    scope: "rooms of a service by words, or all of them; elsewhere its list is read and searched here")

  private let context: FeatureContext

  /// Made by the session, once.
  package init(_ context: FeatureContext) { self.context = context }

  // MARK: Services

  /// The services for rooms that our server has (XEP-0045 6.1).
  /// - Throws: ``RequestError`` where the server does not tell what it has.
  package func services() async throws(RequestError) -> [JID] {
    let query = Element("query", DiscoveryItem.namespace)
    let answer = try await ask(context.identity.account.server, query)
    let candidates = Self.items(answer).map(\.jid).filter { $0.localpart == nil && $0.isBare }
    let group = RequestGroup()
    var services: Set<JID> = []
    for jid in candidates.prefix(FeatureLimits.roomServices) {
      group.add(jid.description) { [context] in
        let information = try await context.requests.information(of: jid, node: nil, timeout: context.timeout)
        if Self.isRoomService(information) { services.insert(jid) }
      }
    }
    // One that does not answer is of no use for finding rooms.
    try? await group.run()
    return candidates.filter(services.contains)
  }

  private static func isRoomService(_ information: DiscoveryInformation) -> Bool {
    information.has(category: "conference", type: "text") && information.supports("http://jabber.org/protocol/muc")
  }

  // MARK: Rooms

  /// Rooms of a service in which each of `words` is found, the service's own order.
  ///
  /// - Parameter limit: no more of them than this; what each says of itself is asked for, a few at a time.
  /// - Throws: ``FeatureError`` with `.notFound` where the address is none of a service for rooms; ``RequestError``;
  ///   `CancellationError`.
  package func rooms(of service: JID, matching words: [String], limit: Int) async throws -> [FoundRoom] {
    let information = try await context.requests.information(of: service, node: nil, timeout: context.timeout)
    let searches = information.supports(Self.namespace)
    guard searches || information.has(category: "conference") else {
      throw FeatureError(.notFound, "\(service) has no rooms.")
    }
    if searches {
      let rooms = try await pages { part throws(RequestError) in try await found(at: service, words, part) }
      return Array(rooms.prefix(limit))
    }
    let isPaged = information.supports(ResultSetRequest.namespace)
    let all = try await pages { part throws(RequestError) in
      try await listed(at: service, isPaged ? part : nil)
    }
    return try await described(all, matching: words, limit: limit)
  }

  /// Reads a list page by page, until it is complete, goes in circles, or exceeds what is read of one.
  private func pages(
    _ page: @Client (ResultSetRequest) async throws(RequestError) -> (rooms: [FoundRoom], last: String?)
  ) async throws(RequestError) -> [FoundRoom] {
    var rooms: [FoundRoom] = []
    var seen: Set<JID> = []
    var request = ResultSetRequest(limit: FeatureLimits.roomPage)
    var places: Set<String> = []
    while rooms.count < FeatureLimits.foundRooms {
      let (next, last) = try await page(request)
      let new = next.filter { seen.insert($0.jid).inserted }
      rooms += new.prefix(FeatureLimits.foundRooms - rooms.count)
      guard let last, !new.isEmpty, places.insert(last).inserted else { break }
      request.start = .after(last)
    }
    return rooms
  }

  private func listed(
    at service: JID, _ part: ResultSetRequest?
  ) async throws(RequestError) -> (rooms: [FoundRoom], last: String?) {
    let query = Element("query", DiscoveryItem.namespace, part.map { [$0.element] } ?? [])
    let answer = try await ask(service, query)
    guard let answer, answer.matches("query", DiscoveryItem.namespace) else { throw .unexpectedPayload }
    let rooms = Self.items(answer).compactMap { FoundRoom($0) }
    return (rooms, part.flatMap { _ in ResultSetAnswer(in: answer)?.last })
  }

  private func found(
    at service: JID, _ words: [String], _ part: ResultSetRequest
  ) async throws(RequestError) -> (rooms: [FoundRoom], last: String?) {
    var form = DataForm(submitting: Self.parameters, ["key": [Self.order]])
    form.fields.append(
      words.isEmpty
        ? DataForm.Field("all", values: ["true"]) : DataForm.Field("q", values: [words.joined(separator: " ")]))
    let answer = try await ask(service, Element("search", Self.namespace, [part.element, form.element]))
    guard let answer, answer.matches("result", Self.namespace) else { throw .unexpectedPayload }
    return (answer.children.compactMap { FoundRoom(found: $0) }, ResultSetAnswer(in: answer)?.last)
  }

  /// What each of the rooms says of itself, as far as it is wanted. The words may be in that alone, so that others are asked too, up to
  /// ``FeatureLimits/describedRooms``.
  private func described(_ rooms: [FoundRoom], matching words: [String], limit: Int) async throws -> [FoundRoom] {
    let byName = rooms.filter { $0.matches(words) }
    let others = words.isEmpty ? [] : rooms.filter { !$0.matches(words) }
    var found: [FoundRoom] = []
    let candidates = (byName.prefix(limit) + others).prefix(max(FeatureLimits.describedRooms, limit))
    var described: [JID: FoundRoom] = [:]
    let group = RequestGroup(limit: FeatureLimits.describedAtOnce)
    for room in candidates {
      group.add(room.jid.description) { [context] in
        let information = try await context.requests.information(of: room.jid, node: nil, timeout: context.timeout)
        described[room.jid, default: room].take(information)
      }
    }
    do {
      try await group.run()
    } catch {
      // One that does not answer is shown as it is listed.
      try Task.checkCancellation()
    }
    for room in rooms where found.count < limit {
      let room = described[room.jid] ?? room
      if room.matches(words) { found.append(room) }
    }
    return found
  }

  private func ask(_ jid: JID, _ payload: Element) async throws(RequestError) -> Element? {
    try await context.requests.request(
      IQ(kind: .get, to: jid, payload: payload), timeout: .after(context.timeout)
    ).payload
  }

  private static func items(_ query: Element?) -> [DiscoveryItem] {
    query?.children.compactMap { DiscoveryItem($0) } ?? []
  }
}
