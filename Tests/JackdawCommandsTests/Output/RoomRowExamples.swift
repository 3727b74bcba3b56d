// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

@testable import JackdawCommands

/// Rows of the `rooms` commands, one of each kind, for Docs/JSON.md.
@Client enum RoomRowExamples {
  static func rows() throws -> [(command: String, row: any CommandRow)] {
    let tea = try JID("tea@rooms.example.org")
    var record = RoomRecord(tea, nick: "Al")
    (record.name, record.isBookmarked, record.autojoin, record.notify) = ("Tea", true, true, .always)
    var row = RoomRow(record, nil, unread: 2, mentions: 1)
    (row.nick, row.occupants, row.subject) = ("Al", 12, "Green or black?")
    var found = FoundRoom(jid: tea, name: "Tea")
    (found.occupants, found.topic, found.description) = (12, "Green or black?", "All about tea")
    var bob = Occupant(nick: "Bob", role: .moderator, affiliation: .admin)
    (bob.jid, bob.show, bob.id) = (try JID("bob@example.org/phone"), .away, "dd72603d")
    let whois = DataForm.Field(
      "muc#roomconfig_whois", .listSingle, label: "Who may see addresses", values: ["moderators"],
      options: [.init("moderators"), .init("anyone")])
    func step(_ command: String, _ outcome: String, who: String? = nil) -> (command: String, row: any CommandRow) {
      ("rooms \(command)", RoomStepRow(tea, outcome, who: who, ""))
    }
    return [
      ("rooms list", row),
      (
        "rooms list", RoomMemberRow(room: tea, member: RoomMember(jid: try JID("bob@example.org"), affiliation: .admin))
      ),
      ("rooms find", FoundRoomRow(room: found)),
      ("rooms who", RoomOccupantRow(room: tea, nick: "Bob", occupant: bob)),
      ("rooms topic", RoomTopicRow(room: tea, text: "Green or black?", nick: "Bob")),
      ("rooms config", RoomSettingRow(room: tea, name: "whois", setting: whois)),
      step("join", "joined", who: "Al"), step("leave", "left"), step("create", "created", who: "Al"),
      step("topic", "topic"), step("nick", "renamed", who: "Al"), step("invite", "invited", who: "bob@example.org"),
      step("accept", "joined", who: "Al"), step("decline", "declined", who: "bob@example.org"),
      step("notify", "notify"), step("presence", "presence"), step("kick", "kicked", who: "Bob"),
      step("mute", "muted", who: "Bob"),
      step("voice", "voiced", who: "Bob"), step("role", "role", who: "Bob"),
      step("ban", "banned", who: "bob@example.org"), step("unban", "unbanned", who: "bob@example.org"),
      step("affiliation", "affiliation", who: "bob@example.org"), step("config", "configured"),
      step("moderate", "moderated", who: "s1"), step("register", "registered", who: "Al"),
      step("register", "already", who: "Al"), step("register", "unregistered"), step("destroy", "destroyed"),
      (
        "rooms invitations",
        RoomInvitationRow(
          OpenInvitation(
            room: tea, inviter: try JID("bob@example.org"), reason: "Cake",
            sent: Timestamp("2026-11-21T07:59:00.000Z"), number: 1),
          by: CalledPerson(jid: try JID("bob@example.org"), contactName: "Bob"))
      ),
    ]
  }
}
