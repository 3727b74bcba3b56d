// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser

/// The words of a shell's command line.
protocol ShellStart: ParsableCommand {
  /// The options of every command.
  var shared: SharedOptions { get }
  /// A script on stdin runs on after a failure.
  var keepGoing: Bool { get }
}

/// `jackdaw …`
struct ShellRoot<List: CommandList>: ShellStart {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: CommandTable.program,
      abstract: "Chat over XMPP: at a prompt, by scripts, from the shell.",
      discussion: """
        Without a command: a terminal on stdin opens the prompt, anything else on stdin is run as a script.
        """,
      version: Version.text,
      subcommands: CommandTable.usable(List.commands, in: .shell))
  }

  @Flag(help: RunCommand.keepGoingHelp) var keepGoing = false

  @OptionGroup(title: SharedOptions.title) var shared: SharedOptions
}

/// For the program's start alone, without what the parser makes of each command.
enum NoCommands: CommandList {
  static let commands: [any JackdawCommand.Type] = []
}

/// `/…` in a script or at the prompt.
struct LineRoot<List: CommandList>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "/", subcommands: CommandTable.usable(List.commands, in: .lines))
  }
}
