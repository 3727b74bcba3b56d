// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser

/// `friends …`: the contact list and everything that befalls a friendship.
package struct FriendsCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [
    FriendsListCommand.self, FriendsShowCommand.self, FriendsAddCommand.self, FriendsRemoveCommand.self,
    FriendsRequestsCommand.self,
    FriendsAcceptCommand.self, FriendsRejectCommand.self, FriendsCancelCommand.self, FriendsUnsubscribeCommand.self,
    FriendsRevokeCommand.self, FriendsApproveCommand.self, FriendsRenameCommand.self, FriendsGroupCommand.self,
    FriendsExportCommand.self, FriendsImportCommand.self, FriendsInviteCommand.self,
  ]
  package static let configuration = CommandConfiguration(
    commandName: "friends", abstract: "The contact list: who is on it, who asks, adding and removing.",
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .command(FriendsListCommand.self),
    aliases: ["roster"],
    meanings: ["contacts", "contact", "buddies", "buddy", "friend"])
  package init() {}
}
