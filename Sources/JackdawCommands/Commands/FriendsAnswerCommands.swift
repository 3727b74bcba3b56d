// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends accept`: yes, and may I see you too?
package struct FriendsAcceptCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept a request, and ask back.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.requester)],
    meanings: ["accept", "allow", "authorize", "confirm", "subscribed", "sub", "authorization"],
    examples: [
      .init("friends accept bob@example.org", "Accept his request, and ask back."),
      .init("friends accept --all", "Accept everybody who asks."),
    ])

  @Argument(help: ArgumentHelp("Whose request.", valueName: "jid"))
  package var addresses: [String] = []

  @Flag(help: "Everyone who has asked.")
  package var all = false

  @Flag(help: "Let them see you without asking to see them.")
  package var oneWay = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws { try validateChoice(addresses, all) }

  /// Thousands take their time; each step has its own limit.
  package var isLimited: Bool { !all }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    let session = try await context.reachableSession()
    let friends = session.features[FriendManager.self]
    let jids = try await answered(addresses, all, context, friends)
    try await context.each(jids) { jid in
      let outcome = try await friends.accept(
        jid, oneWay: oneWay, answerWithin: jids.count == 1 ? SessionLimits.answerPatience : nil)
      let person = context.called(jid)
      context.show(
        FriendStepRow(
          jid: jid, outcome: outcome.rawValue,
          sentence: oneWay && outcome == .accepted
            ? "Accepted \(person.nameAndAddress)." : FriendsAddCommand.sentence(outcome, person, friends.state(of: jid))
        ))
    }
  }
}

/// `friends reject`: no.
package struct FriendsRejectCommand: ClientCommand {
  package static let configuration = CommandConfiguration(commandName: "reject", abstract: "Refuse a request.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.requester)],
    isTypedWhole: true, meanings: ["reject", "deny", "refuse", "decline", "unsubscribed", "sub"],
    examples: [
      .init("friends reject mallory@example.org", "Refuse a request.")
    ])

  @Argument(help: ArgumentHelp("Whose request.", valueName: "jid"))
  package var addresses: [String] = []

  @Flag(help: "Everyone who has asked.")
  package var all = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  package func validate() throws { try validateChoice(addresses, all) }

  /// Thousands take their time; each step has its own limit.
  package var isLimited: Bool { !all }
  package var asksAtOnce: Bool { true }

  @Client package func run(in context: CommandContext) async throws {
    let session = try await context.reachableSession()
    let friends = session.features[FriendManager.self]
    let jids = try await answered(addresses, all, context, friends)
    try await context.each(jids) { jid in
      let person = context.called(jid)
      try await friends.reject(jid)
      context.show(FriendStepRow(jid: jid, outcome: "rejected", sentence: "Declined \(person.name)'s request."))
    }
  }
}

private func validateChoice(_ addresses: [String], _ all: Bool) throws {
  if all == !addresses.isEmpty { throw ValidationError("name somebody, or use '--all'") }
}

/// Whose requests are answered.
@Client private func answered(
  _ addresses: [String], _ all: Bool, _ context: CommandContext, _ friends: FriendManager
) async throws -> [JID] {
  guard all else { return try await context.addresses(addresses).map(\.bare) }
  let jids = friends.pendingRequests.map(\.jid)
  if jids.isEmpty { context.output.notice("Nobody is waiting for your answer.") }
  return jids
}
