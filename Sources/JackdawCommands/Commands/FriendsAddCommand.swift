// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends add`: entry and request in one.
package struct FriendsAddCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a friend: the entry and the request in one; accepts theirs if they have asked.")
  package static let completion = CommandCompletion(.requester, options: ["--group": .group])

  @Argument(help: ArgumentHelp("Whom to add.", valueName: "jid"))
  package var addresses: [String]

  @Option(help: ArgumentHelp("What you call them.", valueName: "name"))
  package var name: String?

  @Option(help: ArgumentHelp("A group to put them in; repeatable.", valueName: "group"))
  package var group: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws {
    if name != nil, addresses.count > 1 {
      throw ValidationError("'--name' is for one address, and there are \(addresses.count)")
    }
  }

  @Client package func run(in context: CommandContext) async throws {
    let jids = try addresses.map { try Self.newFriend($0, context) }
    let session = try await context.reachableSession()
    let friends = session.features[FriendManager.self]
    try await context.each(jids) { jid in
      let outcome = try await friends.add(jid, name: name, groups: group.isEmpty ? nil : group)
      context.show(FriendStepRow(jid: jid, outcome: outcome.rawValue, sentence: Self.sentence(outcome, jid)))
    }
  }

  /// Whom to add: an address, since a name is what friends have. Ourselves are refused before anything is sent.
  @Client private static func newFriend(_ word: String, _ context: CommandContext) throws -> JID {
    let jid = try (CommandContext.jid(word) ?? JID(word)).bare
    guard jid.localpart != nil || word.contains(".") else {
      throw CommandFailure(.badInput, "jid-malformed", "'\(word)' is no address: \(word)@example.org is meant?")
    }
    if jid == (try context.application.settings.account().bare) { throw FriendError(.isOurselves, jid) }
    return jid
  }

  static func sentence(_ outcome: FriendManager.Added, _ jid: JID) -> String {
    switch outcome {
    case .already: "\(jid) is your friend already"
    case .friends: "\(jid) and you are friends now"
    case .accepted: "\(jid) is accepted; your own request waits for their answer"
    case .requested: "\(jid) is asked"
    }
  }
}
