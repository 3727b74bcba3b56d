// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What messages say of earlier ones, as the log has it: in columns of the message that says it. It may come before the message that it
/// is about, when the archive is read backwards, so what becomes of that one is put together when it is read.
enum Relations {
  /// How long after a message a correction of it counts, in milliseconds; it stands as a number in the view that hides those that count.
  private static let correctable: Int64 = 86_400_000

  /// Relations as columns have them.
  struct Columns {
    private(set) var relation: String?
    private(set) var refers: String?
    private(set) var reactions: String?
    private(set) var replyTo: String?
    private(set) var quote: String?

    /// Before a quote that the body does not hold.
    static let quoteMark = "="

    init(_ relations: [MessageRelation]) {
      for relation in relations {
        switch relation {
        case .replaces(let id): (self.relation, refers) = ("replaces", id)
        case .retracts(let id): (self.relation, refers) = ("retracts", id)
        case .reacts(let id, let with):
          (self.relation, refers, reactions) = ("reacts", id, with.joined(separator: "\n"))
        case .replies(let id, let quote):
          (replyTo, self.quote) = (id, quote.map { Self.quoteMark + $0 })
        }
      }
    }
  }

  /// Notes what a message that was just kept says of others.
  static func keep(_ relations: [MessageRelation], of seq: Int64, _ database: Database) throws(DatabaseError) {
    let columns = Columns(relations)
    // What was removed, as it was retracted, is not kept as the quote of an answer.
    try database.run(
      """
      UPDATE message SET relation = ?1, reactions = ?3, reply_to = ?5,
        quote = CASE WHEN EXISTS (
          SELECT 1 FROM (
            SELECT namesake.seq AS number FROM message AS namesake INDEXED BY message_stanza
            WHERE namesake.stanza = ?5 AND namesake.seq > -1099511627776 ORDER BY namesake.seq DESC LIMIT ?7
          ) CROSS JOIN message AS original ON original.seq = number
          WHERE original.conversation = message.conversation
            AND (original.relation = 'emptied' OR (original.relation = 'replaces' AND original.body = '')))
          THEN NULL ELSE ?6 END,
        refers = ?2
      WHERE seq = ?4
      """, columns.relation, columns.refers, columns.reactions, seq, columns.replyTo, columns.quote,
      StoreLimits.alikeLookedAt)
    guard columns.refers != nil else { return }
    if columns.relation == "replaces" || columns.relation == "retracts" { try disown(seq, database) }
    try resolve(seq, database)
  }

  /// Others may have had the sender's nick in the room before, of whom the room says that they are somebody else (XEP-0421): what they said
  /// is not the sender's to correct or to take back (XEP-0308 4). Such a correction is a message like any other, and such a retraction is
  /// about nothing.
  private static func disown(_ seq: Int64, _ database: Database) throws(DatabaseError) {
    let own = try database.first(
      """
      SELECT payload FROM message WHERE seq = ? AND kind = 'groupchat' AND is_outgoing = 0
        AND relation IN ('replaces', 'retracts')
      """, seq
    ) { occupant($0.optionalText(0)) }
    guard let own, let own else { return }
    let earlier = try database.all(
      """
      SELECT earlier.payload FROM message CROSS JOIN message AS earlier INDEXED BY message_stanza
        ON earlier.stanza = message.refers AND earlier.conversation = message.conversation
          AND earlier.seq > -1099511627776 AND earlier.seq <> message.seq
          AND earlier.is_outgoing = 0 AND earlier.sender = message.sender
      WHERE message.seq = ?
      ORDER BY earlier.seq DESC LIMIT ?
      """, seq, StoreLimits.namesakesLookedAt
    ) { occupant($0.optionalText(0)) }
    guard !earlier.isEmpty, earlier.allSatisfy({ areOthers(own, $0) }) else { return }
    try database.run(
      """
      UPDATE message SET relation = CASE relation WHEN 'retracts' THEN relation END,
        refers = CASE relation WHEN 'retracts' THEN '' END WHERE seq = ?
      """, seq)
  }

  /// Who somebody in a room is by its word, whatever they are called; nil where it does not say.
  private static func occupant(_ payload: String?) -> String? { Payloads.payload(payload)?.occupant }

  private static func areOthers(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    return one != other
  }

  /// Some clients correct or retract a correction by its own id. That is noted as about the message that the correction corrects,
  /// whichever of the two is here first. Reactions, which are others' too, are put together when they are read.
  static func resolve(_ seq: Int64, _ database: Database) throws(DatabaseError) {
    let resolved = try database.first(
      """
      UPDATE message SET refers = ifnull((
        SELECT earlier.refers FROM (
          SELECT namesake.seq AS number FROM message AS namesake INDEXED BY message_stanza
          WHERE namesake.stanza = message.refers AND namesake.seq > -1099511627776 ORDER BY namesake.seq DESC LIMIT ?2
        ) CROSS JOIN message AS earlier ON earlier.seq = number
        WHERE earlier.conversation = message.conversation AND earlier.is_outgoing = message.is_outgoing
          -- In a room an id is its sender's; the room itself takes back what anybody said (XEP-0425).
          AND (message.kind <> 'groupchat' OR message.is_outgoing = 1
            OR message.sender IN (earlier.sender, message.conversation))
          AND earlier.relation = 'replaces' AND earlier.seq <> message.seq), refers)
      WHERE seq = ?1 AND relation IN ('replaces', 'retracts')
      RETURNING relation, conversation, stanza, refers, is_outgoing,
        CASE WHEN kind = 'groupchat' AND is_outgoing = 0 THEN sender END
      """, seq, StoreLimits.alikeLookedAt
    ) { row in
      (
        relation: row.text(0), conversation: row.text(1), id: row.optionalText(2), refers: row.text(3),
        isOutgoing: row.flag(4), occupant: row.optionalText(5)
      )
    }
    guard let resolved, resolved.relation == "replaces", let id = resolved.id, id != resolved.refers,
      seq > MessageTable.firstPlace
    else { return }
    try database.run(
      """
      UPDATE message SET refers = ?3 WHERE seq IN (
        SELECT later.seq FROM message AS later INDEXED BY message_refers
        WHERE later.conversation = ?1 AND later.refers = ?2 AND later.is_outgoing = ?4
          AND later.relation IN ('replaces', 'retracts') AND (?5 IS NULL OR later.sender = ?5) LIMIT ?6)
      """, resolved.conversation, id, resolved.refers, resolved.isOutgoing, resolved.occupant,
      StoreLimits.resolvedAtOnce)
  }

  /// - Parameter column: of the first of relation, refers, reactions, reply_to and quote.
  static func relations(in row: Row, at column: Int32) -> [MessageRelation] {
    var relations: [MessageRelation] = []
    if let name = row.optionalText(column), let id = row.optionalText(column + 1) {
      switch name {
      case "replaces": relations.append(.replaces(id))
      case "retracts": relations.append(.retracts(id))
      case "reacts":
        let reactions = row.optionalText(column + 2)?.split(separator: "\n").map(String.init)
        relations.append(.reacts(to: id, with: reactions ?? []))
      default: break
      }
    }
    if let id = row.optionalText(column + 3) {
      let quote = row.optionalText(column + 4)
      let isApart = quote?.hasPrefix(Columns.quoteMark) == true
      relations.append(.replies(to: id, quote: isApart ? quote.map { String($0.dropFirst()) } : nil))
    }
    return relations
  }

  /// Takes the quote out of the body of a reply that was kept with it. What is kept today has it apart.
  /// - Parameter column: as for ``relations(in:at:)``.
  static func separate(_ body: inout String, _ relations: inout [MessageRelation], in row: Row, at column: Int32) {
    guard let quote = row.optionalText(column + 4), !quote.hasPrefix(Columns.quoteMark) else { return }
    let bounds = quote.split(separator: "-").compactMap { Int($0) }
    guard bounds.count == 2, bounds[0] < bounds[1], bounds[1] <= body.unicodeScalars.count else { return }
    let scalars = body.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: bounds[0])
    let end = scalars.index(start, offsetBy: bounds[1] - bounds[0])
    let (head, quoted, tail) = (String(scalars[..<start]), String(scalars[start..<end]), String(scalars[end...]))
    body = head + tail
    for case (let place, .replies(let id, _)) in relations.enumerated() {
      relations[place] = .replies(to: id, quote: quoted)
    }
  }

  /// Removes what answers repeat of messages whose texts are removed.
  static func removeQuotes(of numbers: [Int64], _ database: Database) throws(DatabaseError) {
    let said = try database.all(
      """
      SELECT conversation, min(seq), json_group_array(stanza) FROM message
      WHERE seq IN (SELECT value FROM json_each(?)) AND stanza IS NOT NULL GROUP BY conversation
      """, "[\(numbers.map { "\($0)" }.joined(separator: ","))]"
    ) { (conversation: $0.text(0), first: $0.integer(1), ids: $0.text(2)) }
    for said in said { try removeQuotes(of: said.ids, in: said.conversation, behind: said.first, database) }
  }

  /// - Parameter ids: a list of JSON. All of them are looked for in one go: each would be looked for in the whole conversation.
  private static func removeQuotes(
    of ids: String, in conversation: String, behind number: Int64, _ database: Database
  ) throws(DatabaseError) {
    let answers = try database.all(
      """
      SELECT seq, body, relation, refers, reactions, reply_to, quote FROM message
      WHERE conversation = ?1 AND seq > ?2 AND quote IS NOT NULL AND reply_to IN (SELECT value FROM json_each(?3))
      """, conversation, number, ids
    ) { row in
      var body = row.text(1)
      var relations: [MessageRelation] = []
      separate(&body, &relations, in: row, at: 2)
      return (number: row.integer(0), body: body, bodyHadIt: body != row.text(1))
    }
    for answer in answers {
      let isIndexed = answer.bodyHadIt ? try TextIndex.holds(answer.number, database) : false
      if isIndexed { try TextIndex.take(answer.number, database) }
      try database.run("UPDATE message SET quote = NULL, body = ? WHERE seq = ?", answer.body, answer.number)
      if isIndexed { try TextIndex.add(answer.number, database) }
    }
  }

  /// Adds to messages what was said of them later.
  static func annotate(_ messages: inout [LoggedMessage], _ database: Database) throws(DatabaseError) {
    let hasSome = try database.first("SELECT EXISTS (SELECT 1 FROM message WHERE refers IS NOT NULL)") { $0.flag(0) }
    guard hasSome == true else { return }
    // Many messages may have one id, of which as much is said. Bounded by what is said of these.
    var known: [JID: [String: [Remark]]] = [:]
    for index in messages.indices {
      // What is said of a correction is noted at what it corrects.
      guard let id = messages[index].event.id else { continue }
      let conversation = messages[index].conversation
      let remarks: [Remark]
      if let before = known[conversation]?[id] {
        remarks = before
      } else {
        remarks = try Self.remarks(on: id, in: conversation, database)
        known[conversation, default: [:]][id] = remarks
      }
      try annotate(&messages[index], id, remarks, database)
    }
  }

  private static func annotate(
    _ message: inout LoggedMessage, _ id: String, _ remarks: [Remark], _ database: Database
  ) throws(DatabaseError) {
    var remarks = remarks
    guard !remarks.isEmpty else { return }
    // What is said of a correction by its own id is said of the message.
    let corrections = Set(remarks.filter { $0.relation == "replaces" && $0.counts(for: message) }.compactMap(\.id))
    let ofItself = remarks.count
    for correction in corrections where correction != id {
      remarks += try Self.remarks(on: correction, in: message.conversation, database)
        .filter { $0.relation != "replaces" }
    }
    if remarks.count > ofItself { remarks.sort { ($0.written, $0.number) < ($1.written, $1.number) } }
    var reactions = Reactions()
    for remark in remarks where remark.counts(for: message) {
      switch remark.relation {
      case "replaces":
        message.fate.correction = remark.encryption == nil ? remark.body : ""
        message.fate.correctionEncryption = remark.encryption
      case "retracts": message.fate.isRetracted = true
      default:
        guard let jid = try? JID(received: remark.sender) else { continue }
        // What another device of ours said in a room comes from there.
        let isOfOccupant = jid.bare == message.conversation.bare && message.isInRoom
        let sender = isOfOccupant ? jid : jid.bare
        reactions.take(
          MessageFate.Reactions(from: sender, with: remark.reactions, isOwn: remark.isOutgoing), of: remark.occupant)
      }
    }
    message.fate.reactions += reactions.all
  }

  /// What is said of a message by its id, in the order in which it was written; of ours what did not fail.
  private static func remarks(
    on id: String, in conversation: JID, _ database: Database
  ) throws(DatabaseError) -> [Remark] {
    try database.all(
      """
      SELECT relation, is_outgoing, written, body, reactions, sender,
        CASE WHEN relation IN ('replaces', 'retracts') OR kind = 'groupchat' THEN payload END, seq, stanza
      -- SQLite would look through the whole conversation, for each message of it.
      FROM message INDEXED BY message_refers
      WHERE conversation = ? AND refers = ? AND seq > -1099511627776 AND (is_outgoing = 0 OR state IS NOT 'failed')
      ORDER BY written, seq
      """, conversation.description, id
    ) { row in
      let payload = Payloads.payload(row.optionalText(6))
      return Remark(
        number: row.integer(7), id: row.optionalText(8), relation: row.text(0), isOutgoing: row.flag(1),
        written: row.integer(2), body: row.text(3),
        reactions: row.optionalText(4)?.split(separator: "\n").map(String.init) ?? [], sender: row.text(5),
        occupant: payload?.occupant, encryption: payload?.encryption)
    }
  }

  private struct Remark {
    var number: Int64
    var id: String?
    var relation: String
    var isOutgoing: Bool
    var written: Int64
    var body: String
    var reactions: [String]
    var sender: String
    /// Of one in a room, who that is by its word (XEP-0421).
    var occupant: String?
    var encryption: String?

    /// Whether its sender may say that of a message: anybody reacts, but only who wrote it corrects or retracts it.
    func counts(for message: LoggedMessage) -> Bool {
      guard relation == "replaces" || relation == "retracts" else { return true }
      var isTheirs = isOutgoing == message.isOutgoing
      // In a room there are many others, and the room itself, which takes back what anybody said (XEP-0425).
      if message.event.kind == .groupchat, !isOutgoing {
        isTheirs =
          isTheirs && sender == message.event.from.description
          && !Relations.areOthers(occupant, message.event.payload?.occupant)
        if relation == "retracts", sender == message.conversation.description { isTheirs = true }
      }
      guard relation == "replaces" else { return isTheirs }
      return isTheirs && abs(written - (message.event.delayed?.milliseconds ?? 0)) <= Relations.correctable
    }
  }
}
