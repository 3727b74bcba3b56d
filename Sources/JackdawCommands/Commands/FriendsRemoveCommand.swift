// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends remove`: the entry and both subscriptions.
package struct FriendsRemoveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a friend: the entry and both subscriptions.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    isTypedWhole: true, meanings: ["delete", "del", "remove", "rm", "unfriend", "defriend", "unfollow"],
    examples: [
      .init("friends remove bob@example.org", "You and Bob are no longer friends.")
    ])

  @Argument(help: ArgumentHelp("Whom to remove.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// What the server does not confirm is done another way; each step has its own limit.
  package var isLimited: Bool { false }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    try await changeFriends(addresses, context, outcome: "removed", says: { "Removed \($0.nameAndAddress)." }) {
      friends, jid in
      try await friends.remove(jid)
    }
  }
}

/// Does one change of a friendship for each of `words`, and shows what was done.
/// - Parameter concernsRequests: the change needs to know who has asked, which the server tells only to those who are online: with
///   many friends it has much to tell then.
@Client func changeFriends(
  _ words: [String], _ context: CommandContext, concernsRequests: Bool = true, outcome: String,
  says sentence: @escaping (CalledPerson) -> String,
  _ change: @escaping @Client (FriendManager, JID) async throws -> Void
) async throws {
  let jids = try await context.addresses(words)
  let session = try await concernsRequests ? context.reachableSession() : context.session()
  let friends = session.features[FriendManager.self]
  try await friends.load()
  try await context.each(jids.map { friends.entry(of: $0)?.jid ?? $0.bare }) { jid in
    // Afterwards they may have no name any more.
    let person = context.called(jid)
    try await change(friends, jid)
    context.show(FriendStepRow(jid: jid, outcome: outcome, sentence: sentence(person)))
  }
}
