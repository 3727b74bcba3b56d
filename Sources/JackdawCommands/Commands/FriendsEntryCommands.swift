// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `friends rename`: the name that we give.
package struct FriendsRenameCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give an entry a name; an empty one takes it away.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend), .text(.nothing)],
    meanings: ["rename", "name", "setname"],
    examples: [
      .init("friends rename bob@example.org Bob Smith", "Call an entry Bob Smith."),
      .init("friends rename bob@example.org ''", "Take its name away."),
    ])

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var address: String

  @Argument(help: "The name.")
  package var name: [String]

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let words = name.joined(separator: " ")
    let name = words.allSatisfy(\.isWhitespace) ? "" : words
    try await changeFriends(
      [address], context, concernsRequests: false, outcome: "renamed",
      says: { name.isEmpty ? "\($0.jid) has no name now." : "\($0.jid) is now called '\(name)'." }
    ) {
      try await $0.rename($1, to: name)
    }
  }
}

/// `friends group`: the whole set of groups.
package struct FriendsGroupCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Put an entry in exactly these groups; none takes it out of all.")
  package static let declaration = CommandDeclaration(
    arguments: [.word(.friend), .word(.group)],
    meanings: ["group", "groups", "move"],
    examples: [
      .init("friends group Bob Work Chess", "Put Bob in exactly these two groups."),
      .init("friends group Bob", "Take him out of all groups."),
    ])

  @Argument(help: ArgumentHelp("Whom.", valueName: "jid"), completion: .declared)
  package var address: String

  @Argument(help: ArgumentHelp("The groups.", valueName: "group"))
  package var groups: [String] = []

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let named = groups.filter { !$0.allSatisfy(\.isWhitespace) }
    // As where a variable of a script is empty: that is not meant to take anybody out of all groups.
    guard groups.isEmpty || !named.isEmpty else {
      throw CommandFailure(
        .usage, "usage", "The name of the group is empty. To take somebody out of all groups, name none.")
    }
    let groups = RosterItem.proper(named)
    try await changeFriends(
      [address], context, concernsRequests: false, outcome: "grouped",
      says: {
        groups.isEmpty ? "\($0.name) is in no group now." : "\($0.name) is now in \(groups.joined(separator: ", "))."
      }
    ) { try await $0.group($1, in: groups) }
  }
}
