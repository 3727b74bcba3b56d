// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What the program has to know of a command, or of a group of commands, beyond what the argument parser is told.
///
/// Word preparation, completion, help, the prompt and the manual page take it from here and know no command by name.
/// `CommandDeclarationTests` holds it against what the parser knows of the command.
package struct CommandDeclaration: Sendable {
  /// Where the command can be used. A group can be used where one of its subcommands can.
  package var place: CommandPlace
  /// The positional arguments in their order: each `@Argument` has one entry. What follows the last is completed as the last.
  package var arguments: [CommandArgument]
  /// What completes the value of each option that takes one, by the option as it is typed: `--group`. All of the command's own
  /// `@Option`s are here, so that it is known without the parser which words are values.
  package var options: [String: CommandWord]
  /// When the prompt does it.
  package var turn: PromptTurn
  /// Plain lines go to somebody else, or to nobody, once it has run: if it fails, nobody gets them.
  package var picksConversation: Bool
  /// What it does from the shell where several accounts are chosen.
  package var accounts: AccountUse
  /// It is not done in another process's session: it has none, or makes one of its own. Of a group: each of its subcommands.
  package var runsApart: Bool
  /// It needs no session: it is done in that of another process where one runs, but none is started for it.
  package var isLocal: Bool
  /// Somebody may type a password behind it: the line is kept out of the history.
  package var mayHoldPassword: Bool
  /// From the shell, what it shows goes through the user's pager where it goes to a terminal.
  package var isPaged: Bool
  /// A line of the command in which one of these stands, in any case, is kept out of the history.
  package var secretMarks: [String]
  /// The beginning of its name, or of its group's, does not do at the prompt: what it takes away does not come back.
  package var isTypedWhole: Bool
  /// From the shell it reads its text from stdin where none is given, or `-`, which behind `--` is text.
  package var readsText: Bool
  /// In lines too, long options at the very end are options behind its text, which nobody gets.
  package var takesOptionsLast: Bool
  /// Other words that can be typed for it in lines: `/msg`.
  package var aliases: [CommandSynonym]
  /// What it is called elsewhere: whoever types that is told of it.
  package var meanings: [CommandSynonym]
  /// It is of use in scripts alone: the prompt does not offer it.
  package var isOfScripts: Bool
  /// One to three lines of it, the simplest first. Of a group: none, as its subcommands have them.
  package var examples: [CommandExample]
  /// What a group stands for when no subcommand follows. Nil: it is no group.
  package var bare: BareGroup?

  /// A command.
  package init(
    place: CommandPlace = .everywhere, arguments: [CommandArgument] = [], options: [String: CommandWord] = [:],
    turn: PromptTurn = .inCommands, picksConversation: Bool = false, isPaged: Bool = false, secretMarks: [String] = [],
    isTypedWhole: Bool = false, readsText: Bool = false, takesOptionsLast: Bool = false, runsApart: Bool = false,
    isLocal: Bool = false,
    accounts: AccountUse = .one, isOfScripts: Bool = false,
    aliases: [CommandSynonym] = [],
    meanings: [CommandSynonym] = [],
    examples: [CommandExample] = []
  ) {
    self.place = place
    self.arguments = arguments
    self.options = options
    self.turn = turn
    self.picksConversation = picksConversation
    mayHoldPassword = false
    self.runsApart = runsApart
    self.isLocal = isLocal
    self.accounts = accounts
    self.isPaged = isPaged
    self.secretMarks = secretMarks
    self.isTypedWhole = isTypedWhole
    self.readsText = readsText
    self.takesOptionsLast = takesOptionsLast
    self.isOfScripts = isOfScripts
    self.aliases = aliases
    self.meanings = meanings
    self.examples = examples
  }

  /// A group of commands.
  package init(
    bare: BareGroup, mayHoldPassword: Bool = false, picksConversation: Bool = false, aliases: [CommandSynonym] = [],
    meanings: [CommandSynonym] = []
  ) {
    self.init(aliases: aliases, meanings: meanings)
    self.bare = bare
    self.mayHoldPassword = mayHoldPassword
    self.picksConversation = picksConversation
  }

  /// How many words come before free text: after them the first word that is no option begins the text, and nothing in it is
  /// taken for an option. Nil: the command has no free text.
  var wordsBeforeText: Int? {
    arguments.firstIndex { argument in
      switch argument {
      case .text, .line: true
      case .word, .name, .several: false
      }
    }
  }

  /// All that stands behind its name in a line is one text, as it was typed.
  var takesLine: Bool { if case .line = arguments.first { true } else { false } }

  /// Behind its own words it takes a command with all of that command's.
  var runsCommand: Bool { arguments.last == .text(.command) }

  /// The option that each further word before `--` is the value of; nil: only one word comes before text.
  var optionOfFurtherWords: String? {
    if case .several(_, let option) = arguments.first { option } else { nil }
  }

  /// How many words come before a name of several words; nil: the command has none.
  var wordsBeforeName: Int? {
    if case .name = arguments.last { arguments.count - 1 } else { nil }
  }

  /// What completes the argument at `position`.
  func word(at position: Int) -> CommandWord {
    switch arguments.dropFirst(position).first ?? arguments.last {
    case .word(let word), .name(let word), .several(let word, _), .text(let word), .line(let word): word
    case nil: .nothing
    }
  }
}

/// What a command does where several accounts are chosen.
package enum AccountUse: Sendable {
  /// It works with one.
  case one
  /// It is done for one after the other.
  case each
  /// It works with all of them at once.
  case all
}

/// Where a command can be used.
package enum CommandPlace: Sendable {
  case everywhere
  /// From the shell only: it makes no sense within a session.
  case shell
  /// At the prompt and in scripts only.
  case lines
}

/// A positional argument, and what Tab offers for it at the prompt.
package enum CommandArgument: Sendable, Equatable {
  /// One word, or several of a kind.
  case word(CommandWord)
  /// A name, which may have several words: all that are left and are no options are one argument. Only the last can be so.
  case name(CommandWord)
  /// One word before free text; where `--` stands, all words before it, each but the first as the value of the option. Only the
  /// first argument can be so.
  case several(CommandWord, option: String)
  /// Free text: all words that are left, quoted as in a shell.
  case text(CommandWord)
  /// All that is left of the line, as it was typed: an apostrophe is one. Only the first argument of a command of lines can be so.
  case line(CommandWord)
}

/// What Tab offers for a word of a command at the prompt. Shells complete by the generated scripts, which ask the program for
/// friends, rooms and accounts (``ShellCompletion``).
package enum CommandWord: Sendable, Equatable {
  /// The address or the name of somebody on the contact list.
  case friend
  /// Somebody who asks to be a friend.
  case requester
  /// Somebody who was asked to be a friend.
  case asked
  case blocked
  /// The address or the name of a room that the user is in or has bookmarked.
  case room
  /// What somebody is called in the room that stands before it.
  case occupant
  /// A room that the user was invited into.
  case invitation
  /// The name of an account of the configuration.
  case account
  /// A group of the contact list.
  case group
  /// The name of an event.
  case event
  case command
  /// The id of a message that waits in the outbox.
  case waitingMessage
  /// The number of a text that was folded on the screen.
  case foldedText
  /// The number of a message of the log, which is below zero where the archive had it: `-4` is no option there.
  case loggedMessage
  case words([String])
  /// A path: shells complete it, the prompt does not.
  case file
  /// What nobody knows but who types it.
  case nothing
}

/// When the prompt does a command that was entered.
package enum PromptTurn: Sendable {
  /// After the commands and the messages entered before it: a slow answer holds the next command up, but no message.
  case inCommands
  /// After the messages entered before it, as it is one.
  case inMessages
  /// At once, beside all others.
  case atOnce
}

/// What a group stands for when no subcommand follows it.
package enum BareGroup: Sendable {
  /// Nothing: whoever types it is told the subcommands.
  case listing
  /// The subcommand, with the options that are given.
  case command(any ClientCommand.Type)
  /// The subcommand, whose arguments may follow too: a word that is no subcommand's name is the first of them.
  case commandWithArguments(any ClientCommand.Type)

  /// The subcommand that it stands for.
  var command: (any ClientCommand.Type)? {
    switch self {
    case .listing: nil
    case .command(let command), .commandWithArguments(let command): command
    }
  }
}
