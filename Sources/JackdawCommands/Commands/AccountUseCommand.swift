// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `/account NAME`: which of several accounts lines are about.
package struct AccountUseCommand: ImmediateCommand {
  package static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Go on with another account.",
    discussion: """
      Lines are about it from now on, and go on in the conversation that was open there. '/account NAME' is the same. Without a name \
      the accounts are listed. A single command may name another account before whom it is about: '/send work:bob Hello'. In a \
      script '/to' finds nobody of another account from then on, unless it names that one: '/to home:bob'. Behind an '/account' that \
      failed, a script's commands that name no account are refused until another '/account' succeeds.
      """)
  package static let declaration = CommandDeclaration(
    place: .lines, arguments: [.name(.account)], picksConversation: true, meanings: ["switch", "select"],
    examples: [
      .init("account work", "Go on with the account that is called so."),
      .init("account", "List those of this run, and how they are."),
    ])

  @Argument(help: "Its name, or its address.")
  package var name: String?

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func runAtOnce(in context: CommandContext) throws {
    let lines = context.lines
    let accounts = lines.accounts.isEmpty ? [try context.account()] : lines.accounts
    guard let name else {
      for account in accounts {
        let row = UsedAccountRow(account, isUsed: accounts.count == 1 || account === lines.account)
        context.output.show(row, of: context.command, account: nil)
      }
      return
    }
    guard let account = accounts.first(where: { $0.name == name || $0.jid.bare.description == name }) else {
      let names = accounts.map(\.shownName).joined(separator: ", ")
      var failure = CommandFailure(.noUser, "item-not-found", "There is no account '\(name)' here: there is \(names).")
      // It is about none of them.
      failure.namesAccount = true
      throw failure
    }
    if context.origin == .script { lines.settle(on: account) } else { lines.use(account) }
    // What came there meanwhile is shown where it belongs, and read.
    guard context.origin == .prompt, let open = lines.conversation.shown,
      lines.recent.unread(in: account.conversation(of: open)) > 0
    else { return }
    try context.of(account).open(open)
  }
}

/// One of the accounts of a run.
struct UsedAccountRow: CommandRow {
  var name: String?
  var jid: String
  /// In the words of the `connection` event.
  var state: String
  /// Lines are about it.
  var isUsed: Bool

  @Client init(_ account: Account, isUsed: Bool) {
    name = account.name
    jid = account.jid.bare.description
    state = account.connectionState.rawValue
    self.isUsed = isUsed
  }

  init(name: String?, jid: String, state: String, isUsed: Bool) {
    (self.name, self.jid, self.state, self.isUsed) = (name, jid, state, isUsed)
  }

  var cells: [Cell] {
    let isOnline = ["online", "resumed"].contains(state)
    return [
      Cell(name ?? "", .name), Cell(jid, .jid), Cell(isOnline ? "online" : state, isOnline ? .online : .offline),
      Cell(isUsed ? "in use" : "", .faint),
    ]
  }

  private enum CodingKeys: String, CodingKey {
    case name, jid, state
    case isUsed = "used"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(jid, forKey: .jid)
    try container.encode(state, forKey: .state)
    try container.encode(isUsed, forKey: .isUsed)
  }
}
