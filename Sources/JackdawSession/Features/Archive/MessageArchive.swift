// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
import JackdawXML

/// The account's own archive: what was said while we were not there, and on other devices, read page by page.
///
/// Whatever calls itself a result puts words into the mouths of others, and ours: it counts only while the query is open
/// whose unguessable id it carries, and only from our own account. Everything else is dropped whole and counted; nothing of
/// it, and no result of a query either, comes to the later stages of a message.
@Client package final class MessageArchive: Feature, MessageHistory {
  package nonisolated static let namespace = "urn:xmpp:mam:2"
  package nonisolated static let about = FeatureDescription(
    "XEP-0313", "Message Archive Management", version: "1.1.3",
    namespaces: [namespace, ResultSetRequest.namespace, Forwarded.namespace],
    scope: "the own account's archive and those of rooms read page by page, by time, person and id",
    isPartial: true)

  /// What an archive sends is no message.
  package nonisolated static var before: [any Feature.Type] {
    [Chat.self, MessageCarbons.self, StanzaIDs.self, DelayedDelivery.self, PersonalEvents.self]
  }

  /// What has come for a query, while it is open.
  private struct Harvest {
    let limit: Int
    /// Whose archive it is; nil: our own account's.
    let archive: JID?
    var messages: [ArchivedMessage] = []
    /// Results, those included that could not be read.
    var count = 0
    /// Messages of our own account's that exceed a limit and may be results, of this query or of another.
    var leftOut = 0
  }

  private let context: FeatureContext
  private var open: [String: Harvest] = [:]

  package private(set) var loginTime: Timestamp?

  /// Results that were dropped: of no open query, or from somebody who may not send any.
  package private(set) var refusedCount = 0

  /// Queries whose results are waited for.
  var openCount: Int { open.count }

  /// Made by the session, once.
  package init(_ context: FeatureContext) {
    self.context = context
    context.intake.history = self
  }

  package nonisolated static var askedAtLogin: String { "its time" }

  package var loginTask: (@Client () async throws -> Void)? {
    guard loginTime == nil, context.intake.isNewHere else { return nil }
    return { [weak self] in await self?.askTime() }
  }

  /// By XEP-0202. What is told in whole seconds is of no use: a message of that second may have been read on another device.
  private func askTime() async {
    let question = IQ(
      kind: .get, to: context.identity.account.server, payload: Element("time", LocalMoment.namespace))
    let limit = min(context.timeout, ArchiveLimits.clockPatience)
    let answer = try? await context.requests.request(question, timeout: .after(limit))
    guard let time = answer?.payload.flatMap({ LocalMoment($0) })?.time, time.milliseconds % 1000 != 0 else { return }
    loginTime = time
  }

  package func install(in routes: RouteTable) {
    routes.onMessage(.verify, holding: [Self.namespace]) { [unowned self] in take($0.message) }
    routes.onLeftOut { [unowned self] in leaveOut($0) }
  }

  /// Whether our account's server keeps an archive. Asked once a stream, however many want to know.
  package func isOffered() async throws(RequestError) -> Bool {
    try await context.links.ownAccount.value().supports(Self.namespace)
  }

  package var mayBeOffered: Bool { context.links.ownAccount.answer?.supports(Self.namespace) ?? true }
  package var vouchesForIDs: Bool { StanzaIDs.areVouchedFor(in: context) }
  package func claimedID(of message: Message) -> String? { StanzaIDs.claimedArchiveID(of: message, context) }

  // MARK: Reading

  /// One page, oldest first.
  ///
  /// What cannot be read as a message is left out, with a remark.
  /// - Throws: ``FeatureError``: `.notFound` when the archive has no message (any more) of the id in
  ///   ``ArchiveQuery/after``, and `.notOffered` where there is no archive; ``RequestError``, also when the answer is
  ///   larger than what was asked for; with the code `cancelled` when the task is.
  package func page(_ query: ArchiveQuery) async throws -> ArchivePage {
    try await fetch(query).page
  }

  /// Walks through all that matches `query`, oldest first, page after page of ``ArchiveQuery/limit`` each.
  /// - Parameters:
  ///   - query: where to begin; ``ArchiveQuery/takesNewest`` and ``ArchiveQuery/before`` do not count.
  ///   - each: is given each page when it is here; what it throws ends the walk.
  /// - Returns: why it ended; never `limit`.
  /// - Throws: as ``page(_:)``; what was given by then stays given.
  @discardableResult package func pages(
    _ query: ArchiveQuery, each: (ArchivePage) async throws -> Void
  ) async throws -> ArchiveEnd {
    var query = query
    (query.takesNewest, query.before) = (false, nil)
    var visited: Set<String> = []
    var barren = 0
    if let after = query.after { visited.insert(after) }
    while barren < ArchiveLimits.barrenPages {
      let (page, count) = try await fetch(query)
      try await each(page)
      if page.isComplete { return .complete }
      // Each page brings something, and leads to where no page has led before: so there is an end, whatever the server does.
      guard count > 0, let last = page.last, visited.insert(last).inserted else { return .stuck }
      query.after = last
      barren = page.messages.isEmpty ? barren + 1 : 0
    }
    return .stuck
  }

  /// Walks back through what matches `query`, from the newest on, page after page; each page is oldest first.
  /// - Parameters:
  ///   - query: ``ArchiveQuery/after`` does not count.
  ///   - limit: looks at no more messages than these, those included that cannot be read.
  ///   - each: is given each page when it is here, and says whether it wants the one before it.
  /// - Returns: why it ended; `limit` also where `each` wanted no more.
  /// - Throws: as ``page(_:)``; what was given by then stays given.
  @discardableResult package func pagesBackwards(
    _ query: ArchiveQuery, upTo limit: Int, each: ([ArchivedMessage]) -> Bool
  ) async throws -> ArchiveEnd {
    var query = query
    (query.takesNewest, query.after) = (true, nil)
    let size = query.boundedLimit
    var left = limit
    var visited: Set<String> = []
    while left > 0 {
      query.limit = min(size, left)
      let (page, count) = try await fetch(query)
      guard each(page.messages) else { return .limit }
      if page.isComplete { return .complete }
      guard count > 0, let first = page.first, visited.insert(first).inserted else { return .stuck }
      left -= count
      query.before = first
    }
    return .limit
  }

  /// One page, and how many results made it.
  private func fetch(_ query: ArchiveQuery) async throws -> (page: ArchivePage, count: Int) {
    // One id for the request and for its results: these count only as long as the request waits for its answer.
    let id = context.freshID()
    open[id] = Harvest(limit: query.boundedLimit, archive: query.archive)
    defer { open[id] = nil }
    let request = IQ(kind: .set, id: id, to: query.archive, payload: query.element(id: id))
    let answer: IQ
    do throws(RequestError) {
      answer = try await context.requests.request(request, timeout: .after(context.timeout))
    } catch {
      throw Self.meaning(of: error, query)
    }
    guard let fin = answer.payload, fin.matches("fin", Self.namespace), let harvest = open[id] else {
      throw RequestError.unexpectedPayload
    }
    guard harvest.count <= harvest.limit else {
      throw RequestError(.malformedReply, "The archive gave more than was asked for.")
    }
    let isComplete = fin.attribute("complete", equals: "true") || fin.attribute("complete", equals: "1")
    // Of a page that cannot be read the archive says where it ends: what is behind it is read.
    let count =
      harvest.count + (harvest.count < harvest.limit ? min(harvest.leftOut, harvest.limit - harvest.count) : 0)
    let set = count == 0 ? nil : ResultSetAnswer(in: fin)
    let last = count == 0 ? nil : set?.last ?? harvest.messages.last?.archiveID
    let first = count == 0 ? nil : set?.first ?? harvest.messages.first?.archiveID
    let page = ArchivePage(
      messages: harvest.messages, isComplete: isComplete, last: last, first: first, isWhole: harvest.leftOut == 0)
    return (page, count)
  }

  private static func meaning(of error: RequestError, _ query: ArchiveQuery) -> any Error {
    if query.after != nil || query.before != nil, error.stanzaError?.condition == "item-not-found" {
      return FeatureError(
        .notFound, "The archive no longer has the message to continue from.",
        stanzaError: error.stanzaError)
    }
    if error.meansNotOffered {
      return FeatureError(.notOffered, "The server keeps no archive for you.", stanzaError: error.stanzaError)
    }
    return error
  }

  // MARK: Results

  private struct Refusal: Error { let reason: String }

  /// Takes a message that calls itself a result out of the way of messages, whether it counts or not.
  private func take(_ message: Message) -> StageVerdict {
    guard message.payloads.contains(where: { Self.isResult($0) }) else { return .pass }
    do throws(Refusal) {
      try gather(message)
    } catch {
      refusedCount += 1
      let sender = message.from?.description ?? "nobody"
      context.remark("Ignored an archive's result from \(sender): \(error.reason)")
    }
    return .drop
  }

  /// A message is left out whose content nobody knows.
  private func leaveOut(_ envelope: Element) {
    let sender = try? envelope.jid("from")
    for (id, harvest) in open {
      let isOf = harvest.archive.map { $0 == sender } ?? context.identity.isOwnAccount(sender)
      if isOf { open[id]?.leftOut += 1 }
    }
  }

  private func gather(_ message: Message) throws(Refusal) {
    let results = message.payloads.filter { Self.isResult($0) }
    guard results.count == 1 else { throw Refusal(reason: "there are several in one") }
    guard let id = results[0].attribute("queryid"), var harvest = open[id], context.requests.isTracked(id) else {
      throw Refusal(reason: "no such query is open")
    }
    // CVE-2019-16237 and its like: anybody else could say anything in anybody's name.
    let isAsked = harvest.archive.map { $0 == message.from } ?? context.identity.isOwnAccount(message.from)
    guard isAsked else { throw Refusal(reason: "another archive was asked") }
    harvest.count += 1
    // What is too much is not kept, and fails the query.
    if harvest.count <= harvest.limit {
      do throws(Refusal) {
        harvest.messages.append(try archived(in: results[0], of: harvest.archive))
      } catch {
        context.remark("Left out a message of the archive: \(error.reason)")
      }
    }
    open[id] = harvest
  }

  private func archived(in result: Element, of archive: JID?) throws(Refusal) -> ArchivedMessage {
    guard let id = result.attribute("id"), !id.isEmpty else { throw Refusal(reason: "it has no id") }
    let forwarded: Forwarded
    do throws(StanzaFormatError) {
      forwarded = try Forwarded(in: result)
    } catch {
      throw Refusal(reason: error.description)
    }
    guard let stamp = forwarded.stamp else { throw Refusal(reason: "it has no time") }
    var message = forwarded.message
    let account = context.identity.account
    // RFC 6120 10.3.1: what goes to nobody goes to the own account.
    if message.to == nil { message.to = account }
    guard let from = message.from else { throw Refusal(reason: "it lacks a sender") }
    if let archive {
      guard from.bare == archive else { throw Refusal(reason: "it is of another room") }
    } else if from.bare != account, message.to?.bare != account {
      throw Refusal(reason: "we neither sent nor got it")
    }
    return ArchivedMessage(
      archiveID: id, stamp: stamp.clamped(notAfter: context.calendar()), message: message)
  }

  private static func isResult(_ element: Element) -> Bool { element.matches("result", namespace) }
}
