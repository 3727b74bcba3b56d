// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// A room's configuration as a form, filled in by the names that people use.
@Suite("The configuration of a room") struct RoomConfigurationTests {
  private let configuration = RoomConfiguration(
    DataForm(
      kind: .form, title: "Tea",
      fields: [
        .init("FORM_TYPE", .hidden, values: ["http://jabber.org/protocol/muc#roomconfig"]),
        .init(nil, .fixed, values: ["Access"]),
        .init("muc#roomconfig_roomname", .textSingle),
        .init("muc#roomconfig_membersonly", .boolean, values: ["0"]),
        .init(
          "muc#roomconfig_whois", .listSingle, values: ["moderators"],
          options: [.init("moderators", label: "Moderators only"), .init("anyone", label: "Anyone")]),
        .init(
          "muc#roomconfig_presencebroadcast", .listMulti, values: ["moderator"],
          options: [.init("moderator"), .init("visitor")]),
        .init("muc#roomconfig_roomadmins", .jidMulti, values: ["a@b.example"]),
        .init("muc#roomconfig_roomsecret", .textPrivate),
        .init("{http://prosody.im/protocol/muc}roomconfig_allowmemberinvites", .boolean),
        .init("mam", .boolean, values: ["1"]),
        .init("lang", .textSingle), .init("muc#roomconfig_lang", .textSingle),
        .init("muc#roomconfig_", nil, values: ["x"]), .init("", .textSingle), .init(nil, .textSingle),
      ]))

  private func filled(_ changes: (String, String)...) throws -> [String: [String]] {
    let form = try configuration.filled(with: changes.map { (name: $0.0, value: $0.1) })
    #expect(form.kind == .submit && form.formType == "http://jabber.org/protocol/muc#roomconfig")
    return Dictionary(uniqueKeysWithValues: form.fields.map { ($0.name ?? "", $0.values) })
  }

  @Test("has names that people can type, whole where a short one would stand for two")
  func names() {
    #expect(
      configuration.settings.map(configuration.name) == [
        "roomname", "membersonly", "whois", "presencebroadcast", "roomadmins", "roomsecret", "allowmemberinvites",
        "mam", "lang", "muc#roomconfig_lang", "muc#roomconfig_",
      ])
    for name in ["roomname", "ROOMNAME", "muc#roomconfig_roomname", "MUC#roomconfig_roomname"] {
      #expect(configuration.setting(name)?.name == "muc#roomconfig_roomname")
    }
    #expect(configuration.setting("FORM_TYPE") == nil)
    #expect(configuration.setting("") == nil)
  }

  @Test("goes back as it came, but for what is changed, what only explains, and what has no value")
  func unchanged() throws {
    let fields = try filled()
    #expect(
      fields.keys.sorted() == [
        "FORM_TYPE", "mam", "muc#roomconfig_", "muc#roomconfig_membersonly", "muc#roomconfig_presencebroadcast",
        "muc#roomconfig_roomadmins", "muc#roomconfig_whois",
      ])
  }

  @Test("names what a room has left as it was, but nothing that was so already, and no password")
  func ignored() throws {
    func ignored(_ changes: (String, String)..., now: RoomConfiguration? = nil) throws -> [String?] {
      try configuration.ignored(changes.map { (name: $0.0, value: $0.1) }, now: now ?? configuration).map(\.name)
    }
    #expect(
      try ignored(("roomname", "Tea"), ("WHOIS", "anyone"), ("roomsecret", "s"))
        == ["muc#roomconfig_roomname", "muc#roomconfig_whois"])
    #expect(
      try ignored(
        ("membersonly", "no"), ("allowmemberinvites", "no"), ("roomname", ""), ("muc#roomconfig_", "x"),
        ("roomadmins", "A@b.example"))
        == [])
    let fields = [
      DataForm.Field("muc#roomconfig_roomname", .textSingle, values: ["Tea and more"]),
      DataForm.Field("muc#roomconfig_membersonly", .boolean, values: ["false"]),
    ]
    let now = RoomConfiguration(DataForm(kind: .form, fields: fields))
    #expect(
      try ignored(("roomname", "Tea"), ("membersonly", "yes"), ("mam", "no"), now: now) == [
        "muc#roomconfig_membersonly"
      ])
  }

  nonisolated static let changes: [(name: String, value: String, field: String, values: [String])] = [
    ("roomname", "Tea = drink, or 'not'", "muc#roomconfig_roomname", ["Tea = drink, or 'not'"]),
    ("roomname", "", "muc#roomconfig_roomname", [""]),
    ("membersonly", "yes", "muc#roomconfig_membersonly", ["1"]),
    ("membersonly", "OFF", "muc#roomconfig_membersonly", ["0"]),
    ("whois", "anyone", "muc#roomconfig_whois", ["anyone"]),
    ("whois", "ANYONE", "muc#roomconfig_whois", ["anyone"]),
    ("whois", "moderators only", "muc#roomconfig_whois", ["moderators"]),
    ("presencebroadcast", "visitor, moderator", "muc#roomconfig_presencebroadcast", ["visitor", "moderator"]),
    ("presencebroadcast", "", "muc#roomconfig_presencebroadcast", []),
    ("roomadmins", "A@B.example,c@d.example", "muc#roomconfig_roomadmins", ["a@b.example", "c@d.example"]),
    ("allowmemberinvites", "1", "{http://prosody.im/protocol/muc}roomconfig_allowmemberinvites", ["1"]),
    ("muc#roomconfig_lang", "de", "muc#roomconfig_lang", ["de"]),
    ("lang", "de", "lang", ["de"]),
  ]

  @Test("takes values as people write them", arguments: changes.indices)
  func changed(_ index: Int) throws {
    let (name, value, field, values) = Self.changes[index]
    #expect(try filled((name, value))[field] == values)
  }

  @Test(
    "asks for a password that is given, and for none once it is taken away, unless that is said otherwise",
    arguments: [
      ([("roomsecret", "s")], "1"), ([("roomsecret", "")], "0"), ([("roomname", "Tea")], "0"),
      ([("roomsecret", "s"), ("passwordprotectedroom", "no")], "0"),
      ([("passwordprotectedroom", "yes"), ("roomsecret", "")], "1"),
    ])
  func protected(changes: [(String, String)], isProtected: String) throws {
    let configuration = RoomConfiguration(
      DataForm(
        kind: .form,
        fields: [
          .init("muc#roomconfig_roomname", .textSingle),
          .init("muc#roomconfig_passwordprotectedroom", .boolean, values: ["0"]),
          .init("muc#roomconfig_roomsecret", .textPrivate),
        ]))
    let form = try configuration.filled(with: changes.map { (name: $0.0, value: $0.1) })
    #expect(form.fields.first { $0.name == "muc#roomconfig_passwordprotectedroom" }?.values == [isProtected])
    // A room without such a setting is told of none.
    #expect(try filled(("roomsecret", "s"))["muc#roomconfig_passwordprotectedroom"] == nil)
  }

  @Test(
    "refuses what no setting is called, and what a setting cannot be",
    arguments: [
      ("nonsense", "1", "has no setting 'nonsense'. It has: roomname, membersonly"), ("FORM_TYPE", "x", "no setting"),
      ("membersonly", "maybe", "yes or no, not 'maybe'"),
      ("whois", "nobody", "one of moderators, anyone, not 'nobody'"),
      ("presencebroadcast", "visitor,x", "not 'x'"), ("roomadmins", "@", "addresses"),
    ])
  func refused(name: String, value: String, sentence: String) {
    let error = #expect(throws: FeatureError.self) { try filled((name, value)) }
    #expect(error?.code == .badInput && error?.description.contains(sentence) == true, "\(error as Any)")
  }
}
