// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// Blocking: the server keeps from us what certain people send, and from them that we are there.
///
/// The list is fetched once a stream, from when on the server tells of each change, our own and those of our other devices.
@Client package final class Blocking: Feature {
  package nonisolated static let namespace = "urn:xmpp:blocking"
  package nonisolated static let about = FeatureDescription(
    "XEP-0191", "Blocking Command", version: "1.3", namespaces: [namespace],
    scope: "people, single devices and servers; list kept current")

  private enum Currency { case unknown, asked, current, notOffered }

  private let context: FeatureContext
  private var currency = Currency.unknown
  /// Nil before the first list of this session.
  private var list: Set<JID>?
  private let loading = WaitingList<Void>()
  private var hasFailedToKeep = false

  /// Other features may ask from then on who is blocked.
  package init(_ context: FeatureContext) {
    self.context = context
    context.links.blocks = self
  }

  package func install(in routes: RouteTable) {
    routes.onRequest(.set, "block", Self.namespace) { [unowned self] in pushed($0, .blocked) }
    routes.onRequest(.set, "unblock", Self.namespace) { [unowned self] in pushed($0, .unblocked) }
  }

  package nonisolated static var askedAtLogin: String { "whom you block" }

  package var loginTask: (@Client () async throws -> Void)? {
    { [weak self] in try await self?.load() }
  }

  package func streamLost() {
    // Until now the server told of each change.
    keep()
    // What is listed stays, so that it can be told what changed meanwhile.
    currency = .unknown
  }

  // MARK: Asking

  /// Everybody who is blocked, in order.
  /// - Throws: ``FeatureError`` with `.notOffered`; ``RequestError``; `CancellationError`.
  package func blocked() async throws -> [JID] {
    try await loadIfOffered()
    return known
  }

  /// Whether nothing of theirs gets here, by their address or their server, as far as that is known.
  package func isKnown(toBlock jid: JID) -> Bool { list?.entry(blocking: jid) != nil }

  /// Those of whom it is known, in order: everybody once the list is here, nobody before.
  package var known: [JID] { (list ?? []).sorted { $0.description < $1.description } }

  /// Who was blocked when the server last told, in this run or an earlier one, and when that was; nil where it never did.
  package func recall() -> BlockSnapshot? { try? context.stores.blocked?.loadBlocked() }

  /// Blocks people, single devices (full JIDs) or servers (domains), all in one.
  /// - Returns: those who were not blocked before.
  /// - Throws: ``FeatureError``: `.badInput` for our own address or server, and nothing is done then; `.notOffered`;
  ///   ``RequestError``; `CancellationError`.
  @discardableResult package func block(_ jids: [JID]) async throws -> Set<JID> {
    let own = context.identity.account
    if let jid = jids.first(where: { $0.bare == own || $0.bare == own.server }) {
      throw FeatureError(
        .badInput, "\(jid) is your own \(jid.bare == own ? "address" : "server"): it cannot be blocked.")
    }
    try await loadIfOffered()
    let new = Set(jids).subtracting(list ?? [])
    if !new.isEmpty {
      // What we send them afterwards does not get there, and not every server tells them that we are gone.
      context.links.audience?.hide(from: new)
      do {
        try await change(Self.command("block", new))
      } catch {
        context.links.audience?.show(to: new)
        throw error
      }
      apply(new, .blocked)
    }
    return new
  }

  /// Lets them through again. Those who are not blocked stay so.
  /// - Throws: ``FeatureError`` with `.notOffered`; ``RequestError``; `CancellationError`.
  package func unblock(_ jids: [JID]) async throws {
    try await loadIfOffered()
    let listed = Set(jids).intersection(list ?? [])
    // None at all would mean all of them.
    guard !listed.isEmpty else { return }
    try await change(Self.command("unblock", listed))
    apply(listed, .unblocked)
  }

  /// Lets everybody through again.
  /// - Returns: who was blocked, in order.
  /// - Throws: as ``unblock(_:)``.
  package func unblockAll() async throws -> [JID] {
    let all = try await blocked()
    // Whoever was blocked meanwhile goes with them.
    try await change(Self.command("unblock", []))
    apply(list ?? [], .unblocked)
    return all
  }

  private static func command(_ name: String, _ jids: Set<JID>) -> Element {
    Element(
      name, namespace, jids.map(\.description).sorted().map { Element("item", namespace, ["jid": $0]) })
  }

  private func change(_ command: Element) async throws(RequestError) {
    _ = try await context.requests.request(IQ(kind: .set, payload: command), timeout: .after(context.timeout))
  }

  // MARK: The list

  private func loadIfOffered() async throws {
    try await load()
    guard currency != .notOffered else {
      throw FeatureError(.notOffered, "\(context.identity.account.domain) cannot block anybody for you.")
    }
  }

  /// Makes sure that the list of this stream is here, if the server has any. Asks once, however many wait.
  /// - Parameter limit: how long is waited at most; nil: as long as any request may take.
  private func load(within limit: Duration? = nil) async throws {
    switch currency {
    case .current, .notOffered: return
    case .asked: break
    // Others wait for it, too.
    case .unknown: try PatienceOfCommand.$current.withValue(PatienceOfCommand.current?.ofOthers) { try ask() }
    }
    guard let limit else { return try await loading.waitForAnswer(on: context.clock) }
    try await loading.wait(for: limit, on: context.clock) { RequestError.late }
  }

  private func ask() throws(RequestError) {
    let request = IQ(kind: .get, id: context.freshID(), payload: Element("blocklist", Self.namespace))
    currency = .asked
    do throws(RequestError) {
      // A push in the bytes of the answer is newer than it.
      try context.requests.send(request, timeout: .after(context.timeout)) { [weak self] in self?.answered($0) }
    } catch {
      currency = .unknown
      throw error
    }
  }

  private func answered(_ outcome: RequestOutcome) {
    guard currency == .asked else { return }
    do throws(RequestError) {
      guard let answer = try outcome.get().payload, answer.matches("blocklist", Self.namespace) else {
        throw RequestError(.malformedReply, "The server's answer is not a block list.")
      }
      let now = Self.items(answer)
      let before = list ?? now
      list = now
      currency = .current
      keep()
      tell(now.subtracting(before), .blocked)
      tell(before.subtracting(now), .unblocked)
      loading.end(.success(()))
    } catch  where error.meansNotOffered {
      currency = .notOffered
      loading.end(.success(()))
    } catch {
      currency = .unknown
      loading.end(.failure(error))
    }
  }

  /// A change, told by the server: only our own account may, else anybody could unblock himself.
  private func pushed(_ request: IQ, _ change: BlockChanged.Change) -> IQ {
    guard context.identity.isOwnAccount(request.from) else {
      context.remark("Refused a change of the block list by \(request.from?.description ?? "nobody").")
      return request.failure(.serviceUnavailable)
    }
    guard let command = request.payload else { return request.failure(.badRequest) }
    // Without the list there is nothing to keep current: it comes newer than this.
    guard currency == .current, let list else { return request.result() }
    let isForAll = change == .unblocked && command.children.isEmpty
    apply(isForAll ? list : Self.items(command), change)
    return request.result()
  }

  private func apply(_ jids: Set<JID>, _ change: BlockChanged.Change) {
    let before = list ?? []
    switch change {
    case .blocked:
      list = before.union(jids)
      tell(jids.subtracting(before), change)
    case .unblocked:
      list = before.subtracting(jids)
      tell(jids.intersection(before), change)
    }
    keep()
  }

  /// Keeps the list for times without a connection, as far as it can be.
  private func keep() {
    guard currency == .current, let list, let store = context.stores.blocked else { return }
    do {
      try store.keepBlocked(BlockSnapshot(jids: list, time: context.calendar()))
    } catch {
      guard !hasFailedToKeep else { return }
      hasFailedToKeep = true
      context.remark("The block list cannot be kept: \(error)")
    }
  }

  private func tell(_ jids: Set<JID>, _ change: BlockChanged.Change) {
    for jid in jids.sorted(by: { $0.description < $1.description }) {
      context.events.post(BlockChanged(jid: jid, change: change))
    }
  }

  /// The addresses in a list; what is none is left out.
  private static func items(_ list: Element) -> Set<JID> {
    Set(list.children.filter { $0.matches("item", namespace) }.compactMap { try? $0.jid("jid") })
  }
}

extension Blocking: BlockDirectory {
  package func entries() async throws -> Set<JID> {
    do {
      try await load(within: min(context.timeout / 2, FeatureLimits.blockListPatience))
    } catch let error as RequestError where error.code == .timedOut {
      // As it was at the last log-in.
      guard let known = recall() else { throw error }
      return Set(known.jids)
    }
    return list ?? []
  }
}
