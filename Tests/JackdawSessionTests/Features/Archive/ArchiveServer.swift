// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// A server that keeps an archive of messages with the ids `a1`, `a2` …, one a minute, and may lie about it.
@Client final class ArchiveServer {
  /// What the account announces; nil: it is not to be asked.
  var features: [String]? = [MessageArchive.namespace, StanzaID.namespace]
  /// Bodies, oldest first.
  var bodies: [String] = []
  /// What each message holds beside its body.
  var payload: @Client (String) -> String = { _ in "" }
  /// What its clock shows; nil: it does not say.
  var time: Timestamp?
  /// What the server gives at most in one page.
  var pageSize = Int.max
  /// Answers a query in place of the archive: what is said before the end, and the end.
  var lie: (@Client (IQ, Element) -> [Element])?
  /// The queries that came.
  private(set) var queries: [Element] = []
  private(set) var informationCount = 0

  /// Is from now on what the fixture's session talks to.
  func serve(_ fixture: SessionFixture) {
    fixture.answer = { [weak self] element in self?.answer(element) ?? [] }
  }

  private func answer(_ element: Element) -> [Element] {
    guard let iq = try? IQ(element), let payload = iq.payload else { return SessionFixture.manners(element) }
    if payload.namespace == ServiceDiscovery.information, iq.to?.localpart != nil {
      informationCount += 1
      guard let features else { return SessionFixture.manners(element) }
      var answer = iq.result(DiscoveryInformation(features: features).element())
      answer.from = iq.to
      return [answer.element]
    }
    if payload.namespace == LocalMoment.namespace, let time {
      return [iq.result(LocalMoment(time: time, offset: 3600).element).element]
    }
    guard payload.matches("query", MessageArchive.namespace) else { return SessionFixture.manners(element) }
    queries.append(payload)
    if let lie { return lie(iq, payload) }
    let set = payload.child("set", ResultSetRequest.namespace)
    let limit = min(set?.text(of: "max", ResultSetRequest.namespace).flatMap { Int($0) } ?? 0, pageSize)
    var range = 0..<bodies.count
    if let start = Self.field("start", of: payload).flatMap({ Timestamp($0) }) {
      range =
        (bodies.indices.first { Self.start + Int64($0) * 60_000 >= start.milliseconds } ?? bodies.count)..<bodies.count
    }
    if let after = set?.text(of: "after", ResultSetRequest.namespace) {
      guard let index = Int(after.dropFirst()), bodies.indices.contains(index - 1) else {
        return [iq.failure(StanzaError(kind: .cancel, condition: "item-not-found")).element]
      }
      range = max(index, range.lowerBound)..<bodies.count
    }
    if let before = set?.text(of: "before", ResultSetRequest.namespace), !before.isEmpty {
      guard let index = Int(before.dropFirst()), bodies.indices.contains(index - 1) else {
        return [iq.failure(StanzaError(kind: .cancel, condition: "item-not-found")).element]
      }
      range = min(range.lowerBound, index - 1)..<index - 1
    }
    let isLastPage = set?.child("before", ResultSetRequest.namespace) != nil
    let part = isLastPage ? range.suffix(limit) : range.prefix(limit)
    return part.map { Self.result(iq.id, "a\($0 + 1)", Self.message(bodies[$0], minute: $0, self.payload(bodies[$0]))) }
      + [
        Self.end(
          of: iq, isComplete: part.count == range.count, first: part.first.map { "a\($0 + 1)" },
          last: part.last.map { "a\($0 + 1)" })
      ]
  }

  /// A field of the form in a query.
  static func field(_ name: String, of query: Element) -> String? {
    query.child("x", "jabber:x:data").flatMap { try? DataForm($0) }?[name]?.values.first
  }

  /// 2026-11-20 10:00 UTC.
  static let start: Int64 = 1_795_168_800_000

  /// A `<message/>` from bob within its `<forwarded/>`.
  static func message(_ body: String, minute: Int = 0, _ payload: String = "") -> String {
    let stamp = Timestamp(milliseconds: start + Int64(minute) * 60_000)
    return "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>"
      + "<message xmlns='jabber:client' from='bob@example.net/x' to='alice@example.org' type='chat' id='m\(minute)'>"
      + "<body>\(body)</body>\(payload)</message></forwarded>"
  }

  /// What is sent for one archived message.
  static func result(_ query: String, _ id: String, _ content: String, from: String? = nil) -> Element {
    let sender = from.map { " from='\($0)'" } ?? ""
    let xml =
      "<message\(sender) to='alice@example.org/here'><result xmlns='urn:xmpp:mam:2' queryid='\(query)' id='\(id)'>"
      + "\(content)</result></message>"
    // A server may keep what a client does not take.
    var limits = DecoderLimits()
    limits.attributes = 1_000
    guard let element = try? Element(parsing: xml, limits: limits) else {
      preconditionFailure("a test's XML is none: \(xml)")
    }
    return element
  }

  static func end(of iq: IQ, isComplete: Bool, first: String? = nil, last: String?) -> Element {
    let parts =
      (first.map { [Element("first", ResultSetRequest.namespace, text: $0)] } ?? [])
      + (last.map { [Element("last", ResultSetRequest.namespace, text: $0)] } ?? [])
    return iq.result(
      Element(
        "fin", MessageArchive.namespace, ["complete": isComplete ? "true" : nil],
        [Element("set", ResultSetRequest.namespace, parts)])
    ).element
  }
}
