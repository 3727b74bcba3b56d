// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

/// Docs/JSON.md, line by line: each of its examples is what the program prints of a value, and there is an example of all that
/// the program prints.
@Client @Suite("Docs/JSON.md", .onLoop)
struct JSONPageTests {
  private static let page = "Docs/JSON.md"
  private static let time = Timestamp(milliseconds: 1_795_248_000_000)

  /// Commands without results of their own, to which the page says that they are silent or show events.
  private static let silent: Set<String> = [
    "run", "agent run", "agent stop", "listen", "close", "clear", "quit", "show", "reconnect", "sleep", "wait", "post",
    "set", "include", "expect", "if-online",
  ]

  // MARK: What the program prints

  static func events() throws -> [any ClientEvent] {
    let phone = try JID("bob@example.org/phone")
    let eve = try JID("eve@example.net")
    return [
      ConnectionChanged(state: .online),
      ConnectionChanged(state: .retrying, reason: "The server closed the stream.", retryIn: 1.75),
      MessageArrived(
        id: "7a1", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "Lunch?\nAt one"),
      MessageArrived(
        id: "7a2", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "Lunch?\nAt two",
        relations: [.replaces("7a1")]),
      MessageArrived(
        id: "7a3", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "",
        relations: [.reacts(to: "9c4", with: ["👍"])]),
      MessageArrived(
        id: "7a4", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "https://example.org/menu",
        payload: Self.menu),
      MessageArrived(
        id: "7a5", from: phone, to: try JID("alice@example.org"), kind: .chat,
        body: "I sent you an OMEMO encrypted message", payload: Self.encrypted),
      MessageArrived(
        id: "7a6", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "", payload: Self.invitation),
      MessageArrived(
        id: "7a7", from: phone, to: try JID("alice@example.org"), kind: .chat, body: "https://example.org/end.jpg",
        payload: Self.file),
      MessageArrived(
        id: "7a8", from: try JID("lunch@rooms.example.org/bob"), to: try JID("alice@example.org"), kind: .groupchat,
        body: "alice: at one?", payload: Self.mention),
      MessageStateChanged(id: "9c4", to: phone.bare, state: .server),
      TypingChanged(from: phone, state: .composing),
      PresenceChanged(from: phone, show: "away", status: "on the train", priority: 5),
      FriendChanged(item: try bob, change: .updated),
      FriendRequested(jid: eve, displayName: "Eve", message: "We met at the fair"),
      FriendshipEnded(jid: eve, .refused),
      BlockChanged(jid: eve, change: .blocked),
      CaughtUp(messages: 3),
      ArchiveRead(messages: 2_000, oldest: Timestamp("2026-10-01T12:00:00Z")),
      RoomChanged(try JID("lunch@rooms.example.org"), .joined, nick: "alice"),
      try renaming,
      try ScriptEvent(name: "x-lunch", topic: phone, text: "At one"),
    ]
  }

  private static var mention: MessagePayload {
    var payload = MessagePayload()
    payload.occupant = "b5c0"
    payload.isMention = true
    return payload
  }

  private static var renaming: OccupantChanged {
    get throws {
      var event = OccupantChanged(
        try JID("lunch@rooms.example.org"), .renamed, Occupant(nick: "bob", role: .participant))
      event.newNick = "bobby"
      return event
    }
  }

  private static var menu: MessagePayload {
    var payload = MessagePayload()
    payload.subject = "Lunch"
    payload.thread = "t1"
    payload.language = "en"
    payload.links = [MessagePayload.Link(url: "https://example.org/menu", description: "The menu")]
    return payload
  }

  private static var invitation: MessagePayload {
    var payload = MessagePayload()
    var invitation = MessageContent(.invitation)
    invitation.address = "lunch@rooms.example.org"
    invitation.text = "Join us"
    payload.content = invitation
    return payload
  }

  private static var file: MessagePayload {
    var payload = MessagePayload()
    payload.spoiler = "The end of the film"
    var file = MessageContent(.file)
    file.name = "end.jpg"
    file.type = "image/jpeg"
    file.url = "https://example.org/end.jpg"
    file.size = 12_345
    payload.content = file
    return payload
  }

  private static var encrypted: MessagePayload {
    var payload = MessagePayload()
    payload.encryption = "OMEMO"
    return payload
  }

  private static var bob: RosterItem {
    get throws { RosterItem(jid: try JID("bob@example.org"), name: "Bob", subscription: .both, groups: ["Work"]) }
  }

  static func rows() throws -> [(command: String, row: any CommandRow)] {
    let alice = try JID("alice@example.org")
    let bob = try JID("bob@example.org")
    let phone = try JID("bob@example.org/phone")
    let eve = try JID("eve@example.net")
    let rig = try ApplicationRig()
    let context = rig.context("block")
    let item = try Self.bob
    let resource = PresenceBoard.Resource(
      jid: phone, show: .away, status: "on the train", priority: 5, since: MonotonicTime(nanoseconds: 0))
    let home = Configuration.Account(name: "home", jid: alice)
    var findings = Inquiry.Findings(jid: phone)
    findings.nickname = "Bobby"
    findings.software = Software(name: "Jackdaw", version: "0.1.0")
    findings.time = LocalMoment(time: time, offset: 3_600)
    findings.idleness = Idleness(seconds: 903)
    findings.card = VCard([VCard.Property(.tel, uses: ["cell"], ["+1 555 0100"])])
    findings.information = DiscoveryInformation(
      identities: [.init(category: "client", type: "console", name: "Jackdaw")],
      features: ["urn:xmpp:time", "urn:xmpp:ping"],
      forms: [
        DataForm(
          kind: .result,
          fields: [
            .init("FORM_TYPE", .hidden, values: ["urn:xmpp:dataforms:softwareinfo"]), .init("os", values: ["Linux"]),
          ])
      ])
    let answer = IQ(kind: .result, id: "1", from: try JID("example.org"))
    func step(_ command: String, _ outcome: String) -> (String, any CommandRow) {
      ("friends \(command)", FriendStepRow(jid: bob, outcome: outcome, sentence: ""))
    }
    func waiting(_ id: String, _ body: String, _ relations: [MessageRelation] = [], correctedAs: String? = nil)
      -> OutboxRow
    {
      var fate = MessageFate()
      fate.correction = correctedAs
      let message = OutgoingMessage(
        id: id, to: bob, body: body, time: Timestamp(milliseconds: 1_795_247_940_000), relations: relations)
      return OutboxRow(item: OutboxItem(message: message, state: .waiting), fate: fate)
    }
    var said = MessageArrived(
      id: "7a1", from: phone, to: alice, kind: .chat, body: "Lunch?\nAt one",
      delayed: Timestamp(milliseconds: 1_795_161_540_000))
    let unread = LoggedMessage(number: 211, conversation: bob, event: said, isOutgoing: false, isUnread: true)
    said = MessageArrived(
      id: "9c4", from: alice, to: bob, kind: .chat, body: "At two", delayed: Timestamp(milliseconds: 1_795_161_600_000))
    var corrected = unread
    corrected.fate.correction = "Lunch?\nAt two"
    corrected.fate.reactions = [MessageFate.Reactions(from: alice, with: ["👍"])]
    let answer211 = LoggedMessage(number: 212, conversation: bob, event: said, isOutgoing: true, state: .server)
    let found = HistoryRow(answer211, part: .hit(beginsGroup: false))
    return [
      ("history show", HistoryRow(unread)), ("history show", found),
      ("history show", HistoryRow(corrected)),
      ("history show", HistoryRow(unread, part: .context(beginsGroup: true))),
      ("ids", IDRow(number: 1, message: answer211, now: Timestamp(milliseconds: 1_795_161_600_000))),
      ("unread", HistoryRow(unread)), ("back", HistoryRow(unread)), ("search", found), ("goto", found),
      ("to", HistoryRow(unread)), ("r", HistoryRow(unread)), ("chat", HistoryRow(unread)),
      ("chats", ChatRow(.init(conversation: bob, unread: 2, number: 1), name: "Bob", isOpen: false)),
      (
        "history show",
        ConversationRow(
          summary: ConversationSummary(conversation: bob, last: answer211, unread: 0, readThrough: 211), name: "Bob",
          time: "")
      ),
      (
        "history sync",
        SyncedRow(
          read: ArchiveRead(messages: 1_204, oldest: Timestamp("2024-03-01T09:30:00Z"), complete: true))
      ),
      (
        "history import",
        ImportedRow(
          messages: 120, conversations: 3, known: 5, rooms: 40, otherAccounts: 0, leftOut: 7, unreadable: 2,
          isTrial: false)
      ),
      (
        "history archive",
        ArchivePreferencesRow(
          preferences: ArchivePreferences.Preferences(policy: .roster, always: [], never: ["eve@example.net"]))
      ),
      ("history off", KeepingRow(jid: bob, isKept: false)), ("history on", KeepingRow(jid: bob, isKept: true)),
      ("history delete", DeletedRow(jid: bob, messages: 212)),
      ("status", UnreadRow(count: UnreadCount(messages: 3, conversations: 2))),
      ("friends list", FriendRow(item: item, presence: "away", status: "on the train", isBlocked: false)),
      ("friends list", FriendRow(item: item, presence: "unavailable", awayFor: 3_600)),
      (
        "friends show",
        FriendDetailRow(
          item: item, nickname: "Bobby", hasAsked: false, presence: "away",
          clients: [.init(resource: resource, software: Software(name: "Jackdaw", version: "0.1.0"))],
          privacy: [.receipts: true, .markers: true, .typing: false], isBlocked: false)
      ),
      (
        "friends requests",
        FriendRequestRow(request: FriendRequested(jid: eve, displayName: "Eve", message: "We met at the fair"))
      ),
      ("send", SentRow(id: "9c4", to: bob, state: .server)), ("reply", SentRow(id: "9c4", to: bob, state: .server)),
      ("correct", SentRow(id: "9c4", to: bob, state: .server)), ("react", SentRow(id: "9c4", to: bob, state: .server)),
      ("retract", SentRow(id: "9c4", to: bob, state: .server)),
      ("outbox list", waiting("9c4", "Lunch?", correctedAs: "Lunch at one?")),
      ("outbox list", waiting("9c5", "Lunch at one?", [.replaces("9c4")])),
      ("outbox cancel", WithdrawnRow(id: "9c4", to: bob, mayHaveArrived: false)),
      ("retract", WithdrawnRow(id: "9c4", to: bob, mayHaveArrived: false)),
      step("add", FriendManager.Added.requested.rawValue), step("accept", FriendManager.Added.friends.rawValue),
      step("add", FriendManager.Added.granted.rawValue),
      step("reject", "rejected"), step("remove", "removed"), step("cancel", "cancelled"),
      step("unsubscribe", "unsubscribed"), step("revoke", "revoked"), step("approve", "approved"),
      step("rename", "renamed"), step("group", "grouped"),
      ("friends export", FriendsExportedRow(file: "friends.csv", count: 12)),
      (
        "friends import",
        FriendsImportRow(line: 2, jid: bob, outcome: .added(.requested, SubscriptionState(ours: .pending)))
      ),
      ("friends invite", FriendsInviteRow(link: XMPPURI(alice, action: "subscribe"), isForced: false)),
      ("status", StatusRow(account: alice, .session(Presence(show: .away, status: "lunch")))),
      ("privacy", PrivacyRow(what: .typing, isAllowed: false, jid: bob, isOwn: true)),
      ("block", BlockRow(eve, .blocked, context)), ("unblock", BlockRow(eve, .unblocked, context)),
      ("blocked", BlockedRow(jid: eve)),
      ("vcard show", VCardRow(jid: bob, VCard.Property(.tel, uses: ["cell"], ["+1 555 0100"]))),
      (
        "vcard show",
        VCardRow(
          jid: bob,
          VCard.Photo(type: "image/png", size: 4_711, sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709"))
      ),
      ("vcard set", VCardChangeRow(try VCardEdit("email.home", "alice@example.org"))),
      ("ping", PingRow(jid: try JID("example.org"), time: .microseconds(712))),
      ("info", InfoRow(findings: findings)),
      ("xml", StanzaRow(stanza: answer.element)),
      ("chat", WelcomeRow(alice, friends: 3, online: [(jid: bob, name: "Bob")])),
      ("account use", UsedAccountRow(name: "work", jid: "alice@work.example", state: "online", isUsed: true)),
      (
        "agent status",
        AgentRow(
          process: 4_711, isAgent: true, program: "0.1.0", state: "online", commands: 1,
          accounts: ["alice@example.org", "alice@work.example"])
      ),
      (
        "agent start",
        AgentRow(
          process: 4_712, isAgent: true, program: "0.1.0", state: "online", commands: 0,
          accounts: ["alice@example.org"])
      ),
      ("account list", AccountRow(account: home, isDefault: true, change: nil)),
      ("account add", AccountRow(account: home, isDefault: true, change: "added")),
      ("account add", AccountRow(account: home, isDefault: true, change: "updated")),
      ("account remove", AccountRow(account: home, isDefault: false, change: "removed")),
      ("account register", AccountStepRow(alice, .registered, name: "home")),
      ("account password", AccountStepRow(alice, .passwordChanged)),
      ("account unregister", AccountStepRow(alice, .unregistered)),
      ("account logout", AccountStepRow(alice, .tokenRevoked)),
      ("account logout", AccountStepRow(alice, .tokenRemoved)),
      ("account logout", AccountStepRow(alice, .keysRemoved)),
      ("account check", CheckRow(.tls, "TLSv1.3, TLS_AES_256_GCM_SHA384, certificate verified")),
      ("help", HelpRow("/to JID", summary: ToCommand.configuration.abstract)),
    ]
  }

  static func failures() -> [(CommandFailure, account: String?)] {
    [
      (
        CommandFailure(
          .noUser, "item-not-found",
          "line 3: You have no friend 'bobb', and it is not an address (like ali@example.org).", command: "ping"),
        "alice@example.org"
      ),
      (CommandFailure(.usage, "usage", "There is no command 'frends'; did you mean 'friends'?"), nil),
    ]
  }

  // MARK: What the page says

  private static func documented() throws -> [String] {
    let text = try #require(SourceTree.text(page))
    var isJSON = false
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isJSON = line == "```json" } else if isJSON { lines.append(String(line)) }
    }
    return lines
  }

  @Test("has an example of each event, row and failure, and no other")
  func examples() throws {
    let account = "alice@example.org"
    var printed = Set(try Self.events().map { try Self.line($0.jsonLine(at: Self.time, account: account)) })
    for (command, row) in try Self.rows() + RoomRowExamples.rows() {
      printed.insert(try Self.line(row.jsonLine(of: command, at: Self.time, account: account)))
    }
    for (failure, account) in Self.failures() {
      printed.insert(try Self.line(failure.jsonLine(at: Self.time, account: account)))
    }
    let documented = try Self.documented()
    #expect(Set(documented).count == documented.count, "an example is there twice")
    for line in printed.subtracting(documented).sorted() { Issue.record("printed, and not in \(Self.page): \(line)") }
    for line in Set(documented).subtracting(printed).sorted() {
      Issue.record("in \(Self.page), and not printed: \(line)")
    }
  }

  private static func line(_ bytes: [UInt8]) -> String { String(decoding: bytes.dropLast(), as: UTF8.self) }

  @Test("knows every event, each under its own heading")
  func everyEvent() throws {
    let text = try #require(SourceTree.text(Self.page))
    let written = Set(try Self.events().map { Swift.type(of: $0).name })
    #expect(written == Set(EventCatalogue.names + [ScriptEvent.name]))
    for name in EventCatalogue.names { #expect(text.contains("\n### \(name)\n"), "\(name)") }
  }

  @Test("knows every command, and every kind of row")
  func everyCommand() throws {
    let rows = try Self.rows() + RoomRowExamples.rows()
    let table = CommandTable.standard
    let names = Set((table.leaves(for: .shell) + table.leaves(for: .lines)).map { table.name(of: $0) })
    #expect(Set(rows.map(\.command)).union(Self.silent) == names)
    #expect(Set(rows.map(\.command)).isDisjoint(with: Self.silent))
    let declaration = /struct (\w+): CommandRow\b/
    let files = ["*", "*/*"].flatMap { SourceTree.files("Sources/JackdawCommands/\($0)/*.swift") }
    let types = files.flatMap { file in
      (SourceTree.text(file) ?? "").matches(of: declaration).map { String($0.output.1) }
    }
    #expect(types.count > 10)
    #expect(Set(rows.map { "\(Swift.type(of: $0.row))" }) == Set(types))
  }

  @Test("names every word that a key can have")
  func everyWord() throws {
    let text = try #require(SourceTree.text(Self.page))
    let words =
      CheckRow.Step.allCases.map(\.rawValue) + StatusCommand.Shown.allCases.map(\.rawValue)
      + SendCommand.Wait.allCases.map(\.rawValue) + MessageContent.Kind.allCases.map(\.rawValue)
    for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
  }
}
