// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
package import JackdawLoop

/// What the table lists: a command, or a group of commands.
package protocol JackdawCommand: ParsableCommand {
  /// All that the program knows of it beyond its words, its options and their help.
  static var declaration: CommandDeclaration { get }

  /// A group's subcommands, in the order of the help; of a command none. The configuration has the same ones, of a type that is not
  /// known: to find out that one is declared takes a search through everything that conforms to anything.
  static var subcommands: [any JackdawCommand.Type] { get }
}

extension JackdawCommand {
  package static var subcommands: [any JackdawCommand.Type] { [] }
}

/// One command: its words, its help and its completion are the type's declarations; what it does is `run`.
///
/// The same type serves the shell, a script line and the prompt.
package protocol ClientCommand: JackdawCommand {
  /// The options that every command has.
  var shared: SharedOptions { get }

  /// Whether `--timeout` limits the command as a whole, counted from its first use of the network. False for commands whose
  /// purpose is to wait; those limit each of their waits for the server.
  var isLimited: Bool { get }

  /// Whether it begins with something that the server is to answer within `--timeout`: in a script it is not begun while the server has
  /// many messages before that to deal with. Not so for commands that only wait, or that run another one.
  var asksAtOnce: Bool { get }

  /// It runs a program of the user's, whose stderr is that of the process in which the command was typed: no other process does it.
  var runsProgram: Bool { get }

  /// Does it. What it finds goes to the context; it returns when that is done and confirmed.
  /// - Throws: anything that ``CommandFailure/init(_:)`` knows how to say.
  @CommandActor func run(in context: CommandContext) async throws

  /// Does it here and now, if nothing has to be waited for: ten thousand lines of a script need no task of their own each.
  /// - Returns: false: nothing was done, and ``run(in:)`` is to do it.
  /// - Throws: as ``run(in:)``.
  @CommandActor func runIfReady(in context: CommandContext) throws -> Bool
}

extension ClientCommand {
  package var isLimited: Bool { true }
  package var asksAtOnce: Bool { isLimited }
  package var runsProgram: Bool { false }
  @CommandActor package func runIfReady(in context: CommandContext) throws -> Bool { false }
}

/// A command that is done at once, with what is known here: what it changes holds for the very next line, however soon that
/// comes.
package protocol ImmediateCommand: ClientCommand {
  /// Does it.
  /// - Throws: anything that ``CommandFailure/init(_:)`` knows how to say.
  @CommandActor func runAtOnce(in context: CommandContext) throws
}

extension ImmediateCommand {
  @CommandActor package func run(in context: CommandContext) async throws { try runAtOnce(in: context) }
}

/// Where commands run. Named here because the compiler overlooks, file order permitting, that a protocol's requirement
/// uses the import.
package typealias CommandActor = Client
