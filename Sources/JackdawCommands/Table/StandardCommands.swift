// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The commands of a program.
protocol CommandList: SendableMetatype {
  /// Each command and group once, in the order of the help.
  static var commands: [any JackdawCommand.Type] { get }
}

/// The commands that there are.
enum StandardCommands: CommandList {
  static let commands: [any JackdawCommand.Type] = [
    ChatCommand.self, RunCommand.self, SendCommand.self, ListenCommand.self, FriendsCommand.self, RoomsCommand.self,
    StatusCommand.self,
    HistoryCommand.self, UnreadCommand.self,
    BlockCommand.self, UnblockCommand.self, BlockedCommand.self, PrivacyCommand.self, VCardCommand.self,
    OutboxCommand.self,
    PingCommand.self, InfoCommand.self,
    XMLCommand.self, AccountCommand.self, AgentCommand.self, ToCommand.self, LastWriterCommand.self, ChatsCommand.self,
    BackCommand.self,
    SearchCommand.self, GotoCommand.self, ReplyCommand.self, CorrectCommand.self, ReactCommand.self,
    RetractCommand.self, IDsCommand.self, CloseCommand.self, ClearCommand.self, QuitCommand.self, HelpCommand.self,
    ShowCommand.self, ReconnectCommand.self, SleepCommand.self, WaitCommand.self, PostCommand.self, SetCommand.self,
    IncludeCommand.self, ExpectCommand.self, IfOnlineCommand.self,
  ]
}
