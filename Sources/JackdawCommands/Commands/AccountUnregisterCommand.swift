// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// `account unregister`: removes the account from its server, for good.
package struct AccountUnregisterCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Remove the account from its server, for good, and from the configuration file.",
    discussion: """
      Contacts, stored messages and all else that the server keeps for it go with it; somebody else may take the address \
      then. It has to be confirmed by typing the address, or by --yes.
      """)
  package static let declaration = CommandDeclaration(
    isTypedWhole: true, runsApart: true, meanings: ["unregister"],
    examples: [
      .init("account unregister", "Delete the account at its server, after a question.")
    ])

  @Flag(help: "Do it without asking.")
  package var yes = false

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let application = context.application
    let account = try context.account().jid.bare
    if !yes { try await confirm(account, application) }
    let file = application.settings.configurationFile
    let entries = try file.load().accounts.filter { $0.jid.bare == account }
    try await context.session().removeAccount()
    do {
      for entry in entries { try file.remove(entry.name) }
      try application.forgetLogins(of: account)
    } catch {
      let failure = CommandFailure(error)
      throw CommandFailure(
        failure.code, failure.condition, "\(account) is removed from its server, but: \(failure.text)")
    }
    context.show(AccountStepRow(account, .unregistered))
    // Nobody is left to be logged in as, where it was the only one, or the last.
    let isLast = try context.lines.accounts.isEmpty || !entries.isEmpty && file.load().accounts.isEmpty
    if context.origin == .prompt, isLast { context.lines.leave() }
  }

  @Client private func confirm(_ account: JID, _ application: Application) async throws {
    guard let terminal = application.secrets else {
      throw CommandFailure(
        .usage, "not-confirmed",
        "This deletes \(account) for good. Confirm it with --yes, as there is no terminal to ask on."
      )
    }
    let answer = try await terminal.askLine(
      "This removes \(account) and all that its server keeps for it, for good. Type the address to confirm: ")
    guard let typed = try? JID(answer.filter { !$0.isWhitespace }), typed.folded == account else {
      throw CommandFailure(.badInput, "not-confirmed", "That is not \(account). Nothing was done.")
    }
  }
}
