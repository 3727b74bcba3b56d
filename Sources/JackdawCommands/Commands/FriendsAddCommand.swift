// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends add`: entry and request in one.
package struct FriendsAddCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a friend: the entry and the request in one; accepts theirs if they have asked.",
    discussion: """
      A link such as 'xmpp:bob@example.org?roster;name=Bob' gives a name and groups too; what the options say counts \
      more.
      """)
  package static let declaration = CommandDeclaration(
    arguments: [.word(.requester)], options: ["--name": .nothing, "--group": .group, "--message": .nothing],
    meanings: ["add", "invite", "sub", "authorization", "subscribe", "befriend", "request"],
    examples: [
      .init("friends add bob@example.org", "Ask Bob to be your friend."),
      .init("friends add bob@example.org --name Bob --group Work", "With a name and a group."),
      .init("friends add bob@example.org --message 'We met in Rome. Al'", "Say who you are."),
    ])

  @Argument(help: ArgumentHelp("Whom to add: an address, or an xmpp: link.", valueName: "jid"))
  package var addresses: [String]

  @Option(help: ArgumentHelp("What you call them.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("A group to put them in; repeatable.", valueName: "group"))
  package var group: [String] = []

  @Option(help: ArgumentHelp("What they are told with the request: who you are.", valueName: "text"))
  package var message: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if name != nil, addresses.count > 1 {
      throw ValidationError("'--name' is for one address, and there are \(addresses.count)")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    // What is wrong with any of the words is told before anything is sent for one of them.
    let own = try context.account().jid.bare
    let addresses = try addresses.map { try context.spelledOut($0) }
    let known = try addresses.map { try Newcomer($0, own: own, in: context) }
    let message = try message.map { try OutgoingText.checked($0) }
    let session = try await context.reachableSession()
    let friends = session.features[FriendManager.self]
    var newcomers: [JID: Newcomer] = [:]
    var jids: [JID] = []
    for (word, newcomer) in zip(addresses, known) {
      let newcomer = try newcomer ?? Newcomer(jid: Newcomer.friend(word, among: friends.unsorted, at: own.domain))
      newcomers[newcomer.jid] = newcomers[newcomer.jid] ?? newcomer
      jids.append(newcomer.jid)
    }
    try await context.each(jids) { jid in
      let newcomer = newcomers[jid]
      let outcome = try await friends.add(
        jid, name: name ?? newcomer?.name, groups: group.isEmpty ? newcomer?.groups : group, saying: message)
      context.show(
        FriendStepRow(
          jid: jid, outcome: outcome.rawValue,
          sentence: Self.sentence(outcome, context.called(jid), friends.state(of: jid))))
    }
  }

  /// - Parameter state: where the friendship stands now.
  static func sentence(_ outcome: FriendManager.Added, _ person: CalledPerson, _ state: SubscriptionState) -> String {
    switch outcome {
    case .already:
      switch (state.ours, state.theirs) {
      case (.subscribed, .subscribed): "\(person.name) is already your friend."
      case (.subscribed, _): "You already see when \(person.name) is online. They see you as soon as they ask to."
      case (.pending, _): "\(person.name) already sees when you are online, and has yet to accept your request."
      case (.none, _): "\(person.name) already sees when you are online."
      }
    case .friends: "You and \(person.name) are friends."
    case .accepted: "Accepted \(person.nameAndAddress). They have yet to accept your request."
    case .granted: "\(person.name) lets you see when they are online."
    case .requested: "Asked \(person.nameAndAddress) to be your friend."
    }
  }
}

/// Somebody to add, as a word names them.
struct Newcomer {
  var jid: JID
  var name: String?
  /// Nil: nothing said of them.
  var groups: [String]?

  init(jid: JID) { self.jid = jid }

  /// - Returns: nil for what can only be the name of a friend.
  /// - Throws: ``CommandFailure`` or ``JIDError`` for what is no address, ``FriendError`` for our own.
  @Client init?(_ word: String, own: JID, in context: CommandContext) throws {
    if XMPPURI.isLikely(word) {
      let link = try Self.link(word)
      if let account = link.account?.folded, account != own {
        throw CommandFailure(.badInput, "jid-malformed", "The link '\(word)' is for \(account), and you are \(own).")
      }
      try Self.check(link, word)
      jid = link.jid.folded
      name = link.name
      groups = link.groups.isEmpty ? nil : link.groups
    } else {
      guard let address = try context.explainedJID(word) else { return nil }
      jid = address.bare
    }
    if jid == own { throw FriendError(.isOurselves, jid) }
  }

  private static func link(_ word: String) throws(CommandFailure) -> ContactLink {
    do throws(XMPPURIError) {
      return try ContactLink(XMPPURI(word))
    } catch {
      throw CommandFailure(.badInput, "jid-malformed", "'\(word)': \(error)")
    }
  }

  /// Whoever wrote the link chose the names in it.
  private static func check(_ link: ContactLink, _ word: String) throws(CommandFailure) {
    if let problem = ProposedName.problem(ofAddress: link.jid) {
      throw CommandFailure(.badInput, "jid-malformed", "'\(word)': \(link.jid) \(problem).")
    }
    for text in [link.name ?? ""] + link.groups {
      guard let problem = ProposedName.problem(of: text, for: link.jid) else { continue }
      throw CommandFailure(.badInput, "bad-input", "'\(word)': A name or a group in the link \(problem).")
    }
  }

  /// - Parameter server: the own one, where somebody with that name is most likely to be.
  static func friend(
    _ word: String, among friends: [RosterItem], at server: String
  ) throws(CommandFailure) -> JID {
    do throws(CommandFailure) {
      return try CommandContext.friend(word, among: friends)
    } catch  where error.code == .noUser {
      let hint = (try? JID("\(word)@\(server)").folded).map { " Did you mean \($0)?" } ?? ""
      throw CommandFailure(.badInput, "jid-malformed", "'\(word)' is neither an address nor a friend's name.\(hint)")
    }
  }
}
