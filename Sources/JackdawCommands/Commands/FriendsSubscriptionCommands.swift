// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends cancel`: withdraws a request of ours.
package struct FriendsCancelCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Withdraw a request of yours that has not been answered.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.asked)],
    isTypedWhole: true, meanings: ["withdraw"],
    examples: [
      .init("friends cancel bob@example.org", "Withdraw your request to Bob.")
    ])

  @Argument(help: ArgumentHelp("Whom you asked.", valueName: "jid"))
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// What the server does not confirm is done another way; each step has its own limit.
  package var isLimited: Bool { false }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    try await changeFriends(
      addresses, context, outcome: "cancelled", says: { "Withdrew your request to \($0.nameAndAddress)." }
    ) {
      try await $0.cancel($1)
    }
  }
}

/// `friends unsubscribe`: stops seeing their presence.
package struct FriendsUnsubscribeCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unsubscribe", abstract: "Stop seeing their presence; the entry stays.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    isTypedWhole: true, meanings: ["unsubscribe", "unsub", "authorization"],
    examples: [
      .init("friends unsubscribe bob@example.org", "See no more whether Bob is online.")
    ])

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await changeFriends(
      addresses, context, outcome: "unsubscribed", says: { "You no longer see when \($0.name) is online." }
    ) {
      try await $0.unsubscribe($1)
    }
  }
}

/// `friends revoke`: stops showing them our presence.
package struct FriendsRevokeCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Stop showing them your presence; the entry stays.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    isTypedWhole: true, meanings: ["hide", "authorization"],
    examples: [
      .init("friends revoke bob@example.org", "Show Bob no more whether you are online.")
    ])

  @Argument(help: ArgumentHelp("From whom.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await changeFriends(
      addresses, context, outcome: "revoked", says: { "\($0.name) no longer sees when you are online." }
    ) {
      try await $0.revoke($1)
    }
  }
}

/// `friends approve`: grants a request to come.
package struct FriendsApproveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "approve", abstract: "Approve a request before it comes, where the server can.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend)],
    meanings: ["preapprove"],
    examples: [
      .init("friends approve bob@example.org", "Accept Bob's request before it comes.")
    ])

  @Argument(help: ArgumentHelp("Whose request.", valueName: "jid"), completion: .declared)
  package var addresses: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    try await changeFriends(
      addresses, context, outcome: "approved",
      says: { "If \($0.nameAndAddress) asks to be your friend, the answer is yes." }
    ) {
      try await $0.approve(beforehand: $1)
    }
  }
}
