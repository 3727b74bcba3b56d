// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Reads what `history --export json` writes (Docs/JSON.md), line by line: of each `message` event what the log keeps.
struct JSONHistoryReader {
  /// The account that is imported into.
  let own: JID
  let now: Timestamp
  /// The last message that has a number: what was exported together rises.
  private var last: (number: Int64, place: Timestamp)?

  init(own: JID, now: Timestamp) {
    self.own = own
    self.now = now
  }

  mutating func entry(_ line: String) -> ImportEntry {
    do throws(ImportProblem) {
      return try read(line)
    } catch {
      return .malformed(error)
    }
  }

  private mutating func read(_ line: String) throws(ImportProblem) -> ImportEntry {
    let object = try Self.object(line)
    func text(_ key: String) throws(ImportProblem) -> String? {
      switch object[key] {
      case nil, .null?: return nil
      case .string(let text)?: return text
      default: throw ImportProblem("has a '\(key)' that is not text")
      }
    }
    func address(_ key: String) throws(ImportProblem) -> JID? {
      guard let text = try text(key) else { return nil }
      guard let jid = try? JID(received: text) else { throw ImportProblem("has a '\(key)' that is not an address") }
      return jid
    }
    guard let event = try text("event") else { throw ImportProblem("has no 'event'") }
    guard event == MessageArrived.name else { return .leftOut }
    if let account = try address("account"), account.bare != own { return .otherAccount }
    guard let from = try address("from"), let to = try address("to") else { throw ImportProblem("has no addresses") }
    guard let body = try text("body") else { throw ImportProblem("has no 'body'") }
    let (written, shown) = (try text("delayed"), try text("time"))
    guard let stamp = written ?? shown, let time = Timestamp(stamp) else {
      throw ImportProblem("has no time")
    }
    guard let kind = Message.Kind(rawValue: try text("type") ?? "chat") else {
      throw ImportProblem("has an unknown 'type'")
    }
    let carbon = try text("carbon")
    let isOutgoing = object["outgoing"].map { $0 == .bool(true) } ?? (carbon == MessageArrived.Carbon.sent.rawValue)
    if object["account"] == nil, (isOutgoing ? from : to).bare != own { return .otherAccount }
    let other = isOutgoing ? to : from
    let conversation = try address("conversation")
    // One who was talked to privately in a room is a conversation by their full address.
    if kind == .groupchat || object["private"] == .bool(true) || conversation == other && other.resource != nil {
      return .room
    }
    let state = try text("state").flatMap { DeliveryState(name: $0) }
    // It is the other program's to send.
    let relations = try relations(object, text)
    let payload = MessagePayload(json: .object(object))?.bounded
    if kind == .error || body.isEmpty && relations.isEmpty && payload == nil || state == .waiting { return .leftOut }
    if let conversation, conversation != other.bare {
      throw ImportProblem("is of another conversation than its addresses say")
    }
    let message = ImportedMessage(
      id: try text("id"), from: from, to: to, isOutgoing: isOutgoing, kind: kind, text: body, time: time,
      state: carbon == nil ? state : nil, relations: relations, payload: payload)
    let arrived = try message.arrived(now: now)
    return .message(StagedMessage(arrived, place: place(number(object), time)))
  }

  /// What it says of earlier messages, by the bounds that hold for what arrives.
  private func relations(
    _ object: JSONObject, _ text: (String) throws(ImportProblem) -> String?
  ) throws(ImportProblem) -> [MessageRelation] {
    func id(_ key: String) throws(ImportProblem) -> String? {
      try text(key).flatMap { $0.isEmpty || $0.utf8.count > StanzaLimits.relatedIDBytes ? nil : $0 }
    }
    if let retracted = try id("retracts") { return [.retracts(retracted)] }
    if let target = try id("reacts_to"), case .array(let values)? = object["reactions"] {
      var reactions: [String] = []
      for case .string(let text) in values where MessageRelation.isReaction(text) { reactions.append(text) }
      return [.reacts(to: target, with: Array(reactions.prefix(StanzaLimits.reactions)))]
    }
    var relations: [MessageRelation] = []
    if let replaced = try id("replaces") { relations.append(.replaces(replaced)) }
    if let answered = try id("reply_to") { relations.append(.replies(to: answered, quote: try text("quoted"))) }
    return relations
  }

  /// What stands behind another message of the same log stays behind it, though it may have been written before.
  private mutating func place(_ number: Int64?, _ time: Timestamp) -> Timestamp {
    guard let number else { return time }
    let known = last.flatMap { number > $0.number ? $0.place : nil }
    let isPossible = time.milliseconds > Self.earliest && time <= now
    let place = known.map { isPossible ? max($0, time) : $0 } ?? time
    last = (number, place)
    return place
  }

  private func number(_ object: JSONObject) -> Int64? {
    guard case .number(let text)? = object["number"] else { return nil }
    return Int64(text)
  }

  private static func object(_ line: String) throws(ImportProblem) -> JSONObject {
    var reader = JSONReader(Array(line.utf8))
    let value: JSONValue
    do throws(JSONProblem) {
      value = try reader.value()
    } catch {
      throw ImportProblem(error.description)
    }
    guard case .object(let object) = value, !reader.skipToValue() else { throw ImportProblem("is not a JSON object") }
    return object
  }

  /// 1999-01-01: there was no XMPP before.
  private static let earliest: Int64 = 915_148_800_000
}
