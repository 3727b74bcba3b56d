// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser

/// `account …`: the accounts of the configuration file.
package struct AccountCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [
    AccountAddCommand.self, AccountListCommand.self, AccountRemoveCommand.self, AccountCheckCommand.self,
    AccountRegisterCommand.self, AccountPasswordCommand.self, AccountLogoutCommand.self,
    AccountUnregisterCommand.self, AccountUseCommand.self,
  ]
  package static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manage the accounts; check that one works.",
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .commandWithArguments(AccountUseCommand.self), mayHoldPassword: true, picksConversation: true,
    meanings: ["accounts", "setup"])
  package init() {}
}
