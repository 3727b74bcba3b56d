// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// A room, `lunch@rooms.example.org`, in which bob is, and which may behave in ways that no room should.
@Client final class RoomServer {
  nonisolated static let address = "lunch@rooms.example.org"
  nonisolated static let features = ["http://jabber.org/protocol/muc", StanzaID.namespace, MessageArchive.namespace]

  /// What the room says that it can do.
  var features = ["http://jabber.org/protocol/muc"]
  /// What the account can do; it has no archive, if it does not say so.
  var accountFeatures: [String] = []
  /// What it answers to who wants to enter, in the place of letting them in.
  var refusal: StanzaError?
  /// Nicks that others have.
  var taken: Set<String> = ["bob"]
  /// It sends what is said to all who are there, and so to who said it.
  var reflects = true
  /// It is a channel of IRC behind a gateway as biboumi: each line is said for itself, and nothing but its text and what the sender's
  /// client calls it (XEP-0359) is handed on. Only what begins the message has its id.
  var isLineByLine = false
  /// What it answers to a ping through it (XEP-0410); nil: a result.
  var seatError: StanzaError?
  /// It gives what is said an id, and keeps it.
  var archive: [(id: String, from: String, stanza: String, body: String)] = []
  /// The archive has the ids that senders gave to their messages.
  var keepsIDs = true
  /// When all that it keeps was said.
  var archivedAt: Timestamp? = Timestamp("2026-11-20T10:00:00Z")
  /// It knows who is who by this, of nobody else than the user.
  var occupantID: String?
  /// It has told the user that they are in it.
  private(set) var nick: String?
  /// It does not exist any more, until somebody enters it.
  var hasEnded = false
  /// It is made by whoever enters it, and nobody else is in it; then it ends where the user takes another nick, as Prosody 0.12 has it.
  var isEmpty = false
  private(set) var queries: [Element] = []
  /// Presence that asked to enter.
  private(set) var entries: [Element] = []
  private var nextID = 1

  /// It does not know the user any more, and does not say so.
  func forgetUser() { nick = nil }

  func serve(_ fixture: SessionFixture) {
    fixture.answer = { [weak self] element in self?.answer(element) ?? [] }
  }

  private func answer(_ element: Element) -> [Element] {
    if let iq = try? IQ(element), let payload = iq.payload,
      iq.to?.description ?? "alice@example.org" == "alice@example.org"
    {
      var answer: IQ?
      if payload.namespace == ServiceDiscovery.information {
        answer = iq.result(DiscoveryInformation(features: accountFeatures).element())
      } else if payload.namespace == MessageArchive.namespace {
        answer = try? IQ(ArchiveServer.end(of: iq, isComplete: true, last: nil))
      }
      answer?.from = iq.to
      if let answer { return [answer.element] }
    }
    guard let to = try? element.jid("to"), to.bare.description == Self.address else {
      return SessionFixture.manners(element)
    }
    if hasEnded {
      guard element.child("x", RoomPresence.namespace) != nil else { return ended(element, to) }
      (hasEnded, nick) = (false, nil)
    }
    switch element.name {
    case "presence": return presence(element, to)
    case "message": return said(element)
    default: return request(element, to)
    }
  }

  /// What every stanza to a room gets that is not there.
  private func ended(_ element: Element, _ to: JID) -> [Element] {
    let error = StanzaError(kind: .cancel, condition: "item-not-found")
    let id = element.attribute("id")
    switch element.name {
    case "presence": return [Presence(kind: .error, id: id, from: to, error: error).element]
    case "message": return [Message(kind: .error, id: id, from: to.bare, to: nil, body: nil, error: error).element]
    default:
      guard var answer = (try? IQ(element))?.failure(error) else { return [] }
      answer.from = to
      return [answer.element]
    }
  }

  private func presence(_ element: Element, _ to: JID) -> [Element] {
    let wanted = to.resource ?? ""
    if element.attribute("type", equals: "unavailable") {
      defer { nick = nil }
      return [Self.presence(nick ?? wanted, codes: [110], type: "unavailable", role: "none")]
    }
    if element.child("x", RoomPresence.namespace) != nil { entries.append(element) }
    if taken.contains(wanted) { return [error(of: element, to, StanzaError(kind: .cancel, condition: "conflict"))] }
    if let refusal { return [error(of: element, to, refusal)] }
    if let old = nick, old != wanted {
      nick = wanted
      hasEnded = isEmpty
      return [
        Self.presence(old, codes: [303, 110], type: "unavailable", newNick: wanted),
        Self.presence(wanted, codes: [110], occupantID: occupantID),
      ]
    }
    nick = wanted
    guard !isEmpty else { return [Self.presence(wanted, codes: [110, 201]), topic("", from: nil)] }
    return [Self.presence("bob"), Self.presence(wanted, codes: [110], occupantID: occupantID), topic("Food")]
  }

  private func error(of element: Element, _ from: JID, _ error: StanzaError) -> Element {
    Presence(kind: .error, id: element.attribute("id"), from: from, error: error).element
  }

  func topic(_ text: String, from nick: String? = "bob") -> Element {
    let from = nick.map { "\(Self.address)/\($0)" } ?? Self.address
    return Self.xml("<message from='\(from)' type='groupchat'><subject>\(text)</subject></message>")
  }

  private func said(_ element: Element) -> [Element] {
    guard let nick else {
      return [
        Message(
          kind: .error, id: element.attribute("id"), from: try? JID(Self.address), to: nil, body: nil,
          error: StanzaError(kind: .modify, condition: "not-acceptable")
        ).element
      ]
    }
    guard element.attribute("type", equals: "groupchat"), let message = try? Message(element) else { return [] }
    return (isLineByLine ? lines(of: message) : [message]).compactMap { handOn($0, by: nick) }
  }

  private func lines(of message: Message) -> [Message] {
    (message.body ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { place, line in
      Message(
        kind: .groupchat, id: place == 0 && !line.isEmpty ? message.id : "line\(nextID + place)", to: nil,
        body: String(line), originID: message.originID)
    }
  }

  private func handOn(_ message: Message, by nick: String) -> Element? {
    archive.append((id: "r\(nextID)", from: nick, stanza: message.id ?? "", body: message.body ?? ""))
    nextID += 1
    guard reflects, message.body?.isEmpty != true || !isLineByLine else { return nil }
    var reflection = message
    reflection.from = try? JID(received: "\(Self.address)/\(nick)")
    reflection.to = nil
    if features.contains(StanzaID.namespace), let by = try? JID(Self.address) {
      reflection.payloads.append(StanzaID(id: archive[archive.count - 1].id, by: by).element)
    }
    if let occupantID {
      reflection.payloads.append(Element("occupant-id", RoomPresence.occupantIDNamespace, ["id": occupantID]))
    }
    return reflection.element
  }

  private func request(_ element: Element, _ to: JID) -> [Element] {
    guard let iq = try? IQ(element), let payload = iq.payload else { return [] }
    var answer: IQ
    switch payload.namespace {
    case ServiceDiscovery.information:
      answer = iq.result(
        DiscoveryInformation(
          identities: [.init(category: "conference", type: "text")], features: features
        ).element())
    case Ping.namespace: answer = seatError.map { iq.failure($0) } ?? iq.result()
    case MessageArchive.namespace: return page(iq, payload)
    default: answer = iq.failure(.serviceUnavailable)
    }
    answer.from = iq.to
    return [answer.element]
  }

  private func page(_ iq: IQ, _ query: Element) -> [Element] {
    queries.append(query)
    let set = query.child("set", ResultSetRequest.namespace)
    var messages = archive[...]
    if let after = set?.text(of: "after", ResultSetRequest.namespace) {
      let place = archive.firstIndex { $0.id == after }
      messages = place.map { archive[($0 + 1)...] } ?? []
    }
    if set?.child("before", ResultSetRequest.namespace) != nil,
      let most = set?.text(of: "max", ResultSetRequest.namespace).flatMap({ Int($0) })
    {
      messages = messages.suffix(most)
    }
    let results = messages.map { message -> Element in
      let id = keepsIDs ? " id='\(message.stanza)'" : ""
      let content =
        "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(archivedAt?.description ?? "")'/>"
        + "<message xmlns='jabber:client' from='\(Self.address)/\(message.from)' type='groupchat'\(id)>"
        + "<body>\(message.body)</body></message></forwarded>"
      return Self.xml(
        "<message from='\(Self.address)' to='alice@example.org/here'><result xmlns='urn:xmpp:mam:2' queryid='\(iq.id)' "
          + "id='\(message.id)'>\(content)</result></message>")
    }
    var end = ArchiveServer.end(of: iq, isComplete: true, first: messages.first?.id, last: messages.last?.id)
    if var answer = try? IQ(end) {
      answer.from = iq.to
      end = answer.element
    }
    return results + [end]
  }

  /// What a room says of an occupant.
  static func presence(
    _ nick: String, codes: [Int] = [], type: String? = nil, role: String = "participant", affiliation: String = "none",
    newNick: String? = nil, more: String = "", occupantID: String? = nil
  ) -> Element {
    let kind = type.map { " type='\($0)'" } ?? ""
    let renamed = newNick.map { " nick='\($0)'" } ?? ""
    let statuses = codes.map { "<status code='\($0)'/>" }.joined()
    let id = occupantID.map { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\($0)'/>" } ?? ""
    return xml(
      "<presence from='\(address)/\(nick)'\(kind)><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<item role='\(role)' affiliation='\(affiliation)'\(renamed)>\(more)</item>\(statuses)</x>\(id)</presence>")
  }

  static func xml(_ text: String) -> Element {
    guard let element = try? Element(parsing: text) else { preconditionFailure("a test's XML is none: \(text)") }
    return element
  }
}
