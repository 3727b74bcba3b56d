// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `account remove`: takes one out of the configuration file.
package struct AccountRemoveCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take an account out of the configuration file; the server keeps it.")
  package static let declaration = CommandDeclaration(place: .shell, arguments: [.word(.nothing)])

  @Argument(help: "Its name, as 'account list' shows it.")
  package var name: String

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let file = context.application.settings.configurationFile
    let account = try file.load()[name]
    try file.remove(name)
    guard let account else { return }
    try context.application.forgetLogins(of: account.jid)
    context.show(AccountRow(account: account, isDefault: false, change: "removed"))
  }
}
