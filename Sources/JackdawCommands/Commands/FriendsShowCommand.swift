// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends show`: all that there is about one friend.
package struct FriendsShowCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an entry, their vCard, and the clients that are online.")
  package static let declaration = CommandDeclaration(
    arguments: [.name(.friend)],
    meanings: ["whois", "view", "details"],
    examples: [
      .init("friends show Bob", "Bob's entry, vCard and clients.")
    ])

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var address: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let address = try await context.address(address)
    let jid = address.bare
    let source = try await context.source { try await context.session() }
    // Asked beside the list.
    let blockList = EventLoop.main.start { try await source.blocked() }
    defer { blockList.cancel() }
    let friends = source.session.features[FriendManager.self]
    if source.isOnline { try await friends.loadWithChanges() }
    guard let known = friends.entry(of: address) else { throw FriendError(.notOnList, jid) }
    let privacy = try? context.disclosures(to: jid)
    let isBlocked = try await blockList.value.map { $0.entry(blocking: jid) != nil }
    guard source.isOnline else {
      return context.show(
        FriendDetailRow(
          item: known, nickname: source.session.features[UserNickname.self].name(of: jid),
          hasAsked: friends.hasAsked(jid),
          clients: [], privacy: privacy, isBlocked: isBlocked))
    }
    let session = try await context.reachableSession()
    // By now it may have gone from the list.
    guard let item = friends.entry(of: address) else { throw FriendError(.notOnList, jid) }
    let resources = session.features[PresenceBoard.self].resources(of: jid)
    let versions = session.features[SoftwareVersion.self]
    let group = RequestGroup(limit: SessionLimits.requestsAtLogin)
    let asked = resources.map { resource in
      group.add(resource.jid.description) { try await versions.software(of: resource.jid, timeout: context.timeout) }
    }
    let board = session.features[PresenceBoard.self]
    let seesThem = item.subscription == .to || item.subscription == .both
    let idleness =
      resources.isEmpty && seesThem && board.lastSeen(of: jid) == nil
      ? group.add("last activity") {
        try await session.features[LastActivity.self].idleness(of: jid, timeout: context.timeout)
      } : nil
    let card = group.add("vCard") { try await session.vCard(of: jid, timeout: context.timeout) }
    var unanswered: (any Error)?
    do {
      try await group.run()
    } catch {
      try Task.checkCancellation()
      // What they do not tell is left out; that they do not answer at all is told.
      unanswered = error.failures.first { !Inquiry.isAnswer($0.error) }?.error
    }
    let clients = zip(resources, asked).map { FriendDetailRow.Client(resource: $0, software: try? $1.value) }
    context.show(
      FriendDetailRow(
        item: item, nickname: session.features[UserNickname.self].name(of: jid),
        hasAsked: friends.hasAsked(jid), presence: isBlocked == true ? nil : board.summary(of: jid), clients: clients,
        card: (try? card.value).flatMap { $0 },
        awayFor: board.timeAway(of: jid) ?? (try? idleness?.value.seconds), privacy: privacy,
        isBlocked: isBlocked))
    if let unanswered { throw unanswered }
  }
}

/// One friend. JSON: a `friend` event without change, then what else is known.
struct FriendDetailRow: CommandRow {
  /// One of their clients that is online.
  struct Client: Sendable {
    var resource: PresenceBoard.Resource
    var software: Software?
  }

  static let event = FriendChanged.name
  var item: RosterItem
  /// What they call themselves, where that was heard.
  var nickname: String?
  /// They wait for our answer.
  var hasAsked: Bool
  /// The best resource's show; nil when it is not known.
  var presence: String?
  /// The best first.
  var clients: [Client]
  /// What they tell of themselves.
  var card: VCard?
  /// Seconds since their last client went, where somebody knows (XEP-0012, XEP-0203); nil while one is there.
  var awayFor: Int64?
  /// What they are told of what the user does with their messages; nil: that cannot be read.
  var privacy: [Disclosure: Bool]?
  /// Nothing of theirs gets here, by their address or their server; nil where that is not known.
  var isBlocked: Bool?

  var cells: [Cell] { lines.first ?? [] }

  var lines: [[Cell]] {
    var lines: [[Cell]] = []
    func add(_ heading: String, _ cells: Cell...) { lines.append([Cell(heading, .heading)] + cells) }
    add("address", Cell(item.jid.description, .jid))
    if let name = item.name { add("name", Cell(name, .name)) }
    if let nickname { add("nickname", Cell(nickname, .name)) }
    let asked = hasAsked ? ", waits for your answer" : ""
    add("friendship", Cell(FriendRow.words(item) + asked, item.subscription == .both ? .good : .plain))
    if !item.groups.isEmpty { add("groups", Cell(item.groups.joined(separator: ", "))) }
    if isBlocked == true {
      add("presence", Cell("blocked", .bad))
    } else if clients.isEmpty {
      let away = awayFor.map { ", last seen \(ElapsedTime(seconds: $0)) ago" } ?? ""
      add("presence", Cell(FriendRow.presenceCell(presence).text + away, .faint))
    }
    for client in clients {
      let resource = client.resource
      var words = [
        FriendRow.presenceCell(resource.show?.rawValue ?? "available").text, "priority \(resource.priority)",
      ]
      if let software = client.software { words.append(InfoRow.text(software)) }
      if let status = resource.status, !status.isEmpty { words.append(status) }
      add("client", Cell(([resource.jid.resource ?? ""] + words).joined(separator: ", ")))
    }
    if let privacy {
      let told = Disclosure.allCases.map { "\($0.rawValue) \(privacy[$0] == true ? "on" : "off")" }
      add("privacy", Cell(told.joined(separator: ", ")))
    }
    for line in card.map({ VCardSummary($0).lines }) ?? [] { add("vcard", Cell(line)) }
    return lines
  }

  private enum CodingKeys: String, CodingKey {
    case nickname, asks, clients, vcard, presence, awayFor = "away_for", privacy, blocked
  }

  private struct ClientObject: Encodable {
    var jid, show: String
    var status: String?
    var priority: Int8
    var name, version, system: String?
  }

  private struct PrivacyObject: Encodable {
    var receipts, markers, typing: Bool

    init(_ privacy: [Disclosure: Bool]) {
      receipts = privacy[.receipts] ?? false
      markers = privacy[.markers] ?? false
      typing = privacy[.typing] ?? false
    }
  }

  func encode(to encoder: any Encoder) throws {
    try FriendChanged(item: item, change: nil).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(nickname, forKey: .nickname)
    try container.encode(hasAsked, forKey: .asks)
    try container.encode(
      clients.map { client in
        ClientObject(
          jid: client.resource.jid.description, show: client.resource.show?.rawValue ?? "available",
          status: client.resource.status, priority: client.resource.priority, name: client.software?.name,
          version: client.software?.version, system: client.software?.system)
      }, forKey: .clients)
    try container.encode(card.map { VCardSummary($0) }, forKey: .vcard)
    try container.encode(awayFor, forKey: .awayFor)
    try container.encode(presence, forKey: .presence)
    try container.encode(privacy.map { PrivacyObject($0) }, forKey: .privacy)
    try container.encode(isBlocked, forKey: .blocked)
  }
}
