// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser

/// `rooms …`: group chat.
package struct RoomsCommand: JackdawCommand {
  package static let subcommands: [any JackdawCommand.Type] = [
    RoomsListCommand.self, RoomsFindCommand.self, RoomsJoinCommand.self, RoomsLeaveCommand.self,
    RoomsCreateCommand.self, RoomsWhoCommand.self, RoomsTopicCommand.self, RoomsNickCommand.self,
    RoomsInviteCommand.self, RoomsAcceptCommand.self, RoomsDeclineCommand.self, RoomsInvitationsCommand.self,
    RoomsNotifyCommand.self, RoomsPresenceCommand.self,
    RoomsKickCommand.self, RoomsMuteCommand.self, RoomsVoiceCommand.self, RoomsRoleCommand.self,
    RoomsBanCommand.self, RoomsUnbanCommand.self, RoomsAffiliationCommand.self, RoomsConfigCommand.self,
    RoomsModerateCommand.self, RoomsRegisterCommand.self, RoomsDestroyCommand.self,
  ]
  package static let configuration = CommandConfiguration(
    commandName: "rooms", abstract: "Rooms, for talking to many at once: yours, finding, entering, running them.",
    discussion: """
      A room is named by its address, or what it is called. In a line '.' is the one that you talk in; '/topic', '/nick', '/names', \
      '/invite', '/kick', '/ban' and '/part' are about that one, too.
      """,
    subcommands: subcommands)
  package static let declaration = CommandDeclaration(
    bare: .command(RoomsListCommand.self),
    meanings: [
      "room", "muc", "channel", "channels", "group", "groups", "bookmark", "bookmarks", "autojoin", "conference",
    ])
  package init() {}
}
