// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
package import JackdawSession

/// `friends requests`: who asks to be a friend.
package struct FriendsRequestsCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "requests", abstract: "Show who asks to be your friend.")
  package static let declaration = CommandDeclaration(
    accounts: .each, meanings: ["pending", "asks", "sub-requests", "sub"],
    examples: [
      .init("friends requests", "Who asks to be your friend.")
    ])

  @Flag(help: "Ask for their vCards, which shows them that you are online.")
  package var cards = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let source =
      cards
      ? .online(try await context.reachableSession())
      : try await context.source { try await context.reachableSession() }
    let friends = source.session.features[FriendManager.self]
    if cards { try await friends.fetchCards() }
    let requests = friends.pendingRequests
    if requests.isEmpty { context.showNothing("Nobody is waiting for your answer.") }
    for request in requests {
      try await context.showNext(FriendRequestRow(request: request))
    }
  }
}

/// One open request. JSON: a `friend-request` event.
package struct FriendRequestRow: CommandRow {
  package static let event = FriendRequested.name
  /// The request as its event told of it.
  package var request: FriendRequested

  package var cells: [Cell] {
    var cells = [Cell(request.jid.description, .jid), Cell(request.displayName ?? "", .name)]
    if let message = request.message, !message.isEmpty { cells.append(Cell(message, .faint)) }
    return cells
  }

  package func encode(to encoder: any Encoder) throws { try request.encode(to: encoder) }
}
