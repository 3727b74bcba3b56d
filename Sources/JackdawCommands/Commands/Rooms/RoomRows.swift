// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// One of the user's rooms.
package struct RoomRow: CommandRow {
  /// What is kept of it.
  package var record: RoomRecord
  /// What the user is called in it; nil: they are not in it.
  package var nick: String?
  /// How many are in it; nil: the user is not.
  package var occupants: Int?
  /// What it is about; nil: that is not known.
  package var subject: String?
  /// Messages that nobody has read.
  package var unread: Int
  /// Those among them that name the user.
  package var mentions: Int

  /// - Parameter room: nil: the user is not in it.
  @Client package init(_ record: RoomRecord, _ room: Room?, unread: Int, mentions: Int) {
    self.record = record
    self.unread = unread
    self.mentions = mentions
    guard let room, room.isInside else { return }
    nick = room.nick
    occupants = room.occupantCount
    subject = room.topic?.text
  }

  package var cells: [Cell] {
    var cells = [
      Cell(record.name ?? record.jid.localpart ?? "", .name), Cell(record.jid.description, .jid),
      nick.map { Cell("you are \($0)", .online) } ?? Cell("not in it", .offline),
    ]
    cells.append(Cell(occupants.map { $0 == 1 ? "1 person" : "\($0) people" } ?? "", .number))
    let names = mentions > 0 ? ", \(mentions) to you" : ""
    cells.append(Cell(unread > 0 ? "\(unread) unread\(names)" : "", .unread))
    if let subject, !subject.isEmpty { cells.append(Cell(subject, .faint)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey {
    case room, name, inside, nick, occupants, topic, unread, bookmarked, autojoin, notify, mentions
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(record.jid.description, forKey: .room)
    try container.encode(record.name, forKey: .name)
    try container.encode(nick != nil, forKey: .inside)
    try container.encode(nick ?? record.nick, forKey: .nick)
    try container.encode(occupants, forKey: .occupants)
    try container.encode(subject, forKey: .topic)
    try container.encode(unread, forKey: .unread)
    try container.encode(record.isBookmarked, forKey: .bookmarked)
    try container.encode(record.autojoin, forKey: .autojoin)
    try container.encode(record.notify, forKey: .notify)
    try container.encode(mentions, forKey: .mentions)
  }
}

/// Somebody who is something to a room.
package struct RoomMemberRow: CommandRow {
  /// The room's bare address.
  package var room: JID
  package var member: RoomMember

  package var cells: [Cell] {
    var cells = [Cell(member.jid.description, .jid), Cell(member.nick ?? "", .name)]
    if let reason = member.reason { cells.append(Cell(reason, .faint)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey { case room, jid, affiliation, nick, reason }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(member.jid.description, forKey: .jid)
    try container.encode(member.affiliation, forKey: .affiliation)
    try container.encode(member.nick, forKey: .nick)
    try container.encode(member.reason, forKey: .reason)
  }
}

/// A room that was found.
package struct FoundRoomRow: CommandRow {
  package var room: FoundRoom

  package var cells: [Cell] {
    var cells = [
      Cell(room.name ?? room.jid.localpart ?? "", .name), Cell(room.jid.description, .jid),
      Cell(room.occupants.map { $0 == 1 ? "1 person" : "\($0) people" } ?? "", .number),
    ]
    let locks = [room.isProtected ? "password" : nil, room.isMembersOnly ? "members only" : nil].compactMap(\.self)
    cells.append(Cell(locks.joined(separator: ", "), .busy))
    if let words = room.topic ?? room.description { cells.append(Cell(words, .faint)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey {
    case room, name, occupants, topic, description, password
    case membersOnly = "members_only"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.jid.description, forKey: .room)
    try container.encode(room.name, forKey: .name)
    try container.encode(room.occupants, forKey: .occupants)
    try container.encode(room.topic, forKey: .topic)
    try container.encode(room.description, forKey: .description)
    try container.encode(room.isProtected, forKey: .password)
    try container.encode(room.isMembersOnly, forKey: .membersOnly)
  }
}

/// Somebody in a room.
package struct RoomOccupantRow: CommandRow {
  /// The room's bare address.
  package var room: JID
  /// What they are called there. From the network.
  package var nick: String
  /// All that the room tells to those who are in it; nil: the user is not.
  package var occupant: Occupant?

  package var cells: [Cell] {
    guard let occupant else { return [Cell(nick, .name)] }
    let words = [
      occupant.affiliation == .none ? nil : occupant.affiliation.rawValue,
      occupant.role == .participant ? nil : occupant.role.rawValue,
    ]
    var cells = [
      Cell(nick, .name), FriendRow.presenceCell(occupant.show?.rawValue ?? "available"),
      Cell(words.compactMap(\.self).joined(separator: ", "), .faint),
    ]
    if let jid = occupant.jid { cells.append(Cell(jid.bare.description, .jid)) }
    return cells
  }

  private enum CodingKeys: String, CodingKey { case room, nick, role, affiliation, jid, show, id }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(nick, forKey: .nick)
    try container.encode(occupant?.role, forKey: .role)
    try container.encode(occupant?.affiliation, forKey: .affiliation)
    try container.encode(occupant?.jid?.description, forKey: .jid)
    try container.encode(occupant?.show?.rawValue, forKey: .show)
    try container.encode(occupant?.id, forKey: .id)
  }
}

/// What a room is about.
package struct RoomTopicRow: CommandRow {
  /// The room's bare address.
  package var room: JID
  /// Empty: nothing.
  package var text: String
  /// Who set it; nil: the room does not say.
  package var nick: String?

  package var cells: [Cell] {
    text.isEmpty ? [Cell("no topic", .faint)] : [Cell(text)] + (nick.map { [Cell("set by \($0)", .faint)] } ?? [])
  }

  private enum CodingKeys: String, CodingKey { case room, topic, nick }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(text, forKey: .topic)
    try container.encode(nick, forKey: .nick)
  }
}

/// A setting of a room.
package struct RoomSettingRow: CommandRow {
  /// The room's bare address.
  package var room: JID
  /// What people call it.
  package var name: String
  package var setting: DataForm.Field

  package var cells: [Cell] {
    var cells = [Cell(name, .name), Cell(shown)]
    let choices = setting.options.map(\.value)
    cells.append(Cell(choices.isEmpty ? "" : "(\(choices.joined(separator: ", ")))", .faint))
    if let label = setting.label, !label.isEmpty { cells.append(Cell(label, .faint)) }
    return cells
  }

  /// Its value in words.
  var shown: String {
    if RoomConfiguration.isSecret(setting) { return setting.values.allSatisfy(\.isEmpty) ? "" : "(not shown)" }
    guard setting.kind == .boolean else { return setting.values.joined(separator: ", ") }
    return isOn ? "yes" : "no"
  }

  private var isOn: Bool { ["1", "true"].contains(setting.values.first) }

  private enum CodingKeys: String, CodingKey { case room, name, field, type, values, options, label }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(room.description, forKey: .room)
    try container.encode(name, forKey: .name)
    try container.encode(setting.name, forKey: .field)
    try container.encode((setting.kind ?? .textSingle).rawValue, forKey: .type)
    try container.encode(RoomConfiguration.isSecret(setting) ? nil : setting.values, forKey: .values)
    try container.encode(setting.options.map(\.value), forKey: .options)
    try container.encode(setting.label, forKey: .label)
  }
}
