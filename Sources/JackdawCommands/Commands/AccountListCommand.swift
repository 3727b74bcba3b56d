// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop
import JackdawProtocol

/// `account list`.
package struct AccountListCommand: ClientCommand {
  package static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the accounts.")
  package static let declaration = CommandDeclaration(
    runsApart: true, meanings: ["ls", "show", "whoami"],
    examples: [
      .init("account list", "The accounts of the configuration file.")
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  @Client package func run(in context: CommandContext) async throws {
    let configuration = try context.application.settings.configurationFile.load()
    for account in configuration.accounts {
      let isDefault = configuration.defaultAccounts.contains(account.name) || configuration.accounts.count == 1
      context.showEntry(AccountRow(account: account, isDefault: isDefault, change: nil))
    }
  }
}

extension CommandContext {
  /// Shows a row that names its account itself: where several are in use it is no more about the first of them than about the others.
  func showEntry(_ row: AccountRow) {
    output.show(row, of: command, account: application.settings.namesAccounts ? nil : accountJID)
  }
}

/// One account of the configuration.
package struct AccountRow: CommandRow {
  /// As the configuration file has it; only its name and JID are shown.
  package var account: Configuration.Account
  /// True for the account that is used when none is named. JSON: `default`.
  package var isDefault: Bool
  /// What was just done to it, `added`, `updated` or `removed`; nil in a list.
  package var change: String?

  package var cells: [Cell] {
    if let change { return [Cell("\(change.prefix(1).uppercased())\(change.dropFirst()) \(title).")] }
    let cells = [Cell(account.name, .name), Cell(account.jid.description, .jid)]
    return isDefault ? cells + [Cell("default", .faint)] : cells
  }

  private var title: String {
    account.name == account.jid.bare.description ? "\(account.jid)" : "\(account.jid), the account '\(account.name)'"
  }

  private enum CodingKeys: String, CodingKey {
    case name, jid, change
    case isDefault = "default"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(account.name, forKey: .name)
    try container.encode(account.jid.description, forKey: .jid)
    try container.encode(isDefault, forKey: .isDefault)
    try container.encode(change, forKey: .change)
  }
}
