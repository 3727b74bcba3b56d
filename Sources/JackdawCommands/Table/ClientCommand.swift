// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
package import JackdawLoop

/// One command: its words, its help and its completion are the type's declarations; what it does is `run`.
///
/// The same type serves the shell, a script line and the prompt.
package protocol ClientCommand: ParsableCommand {
  /// The options that every command has.
  var shared: SharedOptions { get }

  /// Where the command can be used.
  static var place: CommandPlace { get }

  /// How many words come before free text (`send JID TEXT…`): after them the first word that is no option begins the text,
  /// and nothing in it is taken for an option. Nil: the command has no free text.
  static var wordsBeforeText: Int? { get }

  /// What Tab offers for the command's words.
  static var completion: CommandCompletion { get }

  /// Whether `--timeout` limits the command as a whole, counted from its first use of the network. False for commands whose
  /// purpose is to wait; those limit each of their waits for the server.
  var isLimited: Bool { get }

  /// Does it. What it finds goes to the context; it returns when that is done and confirmed.
  /// - Throws: anything that ``CommandFailure/init(_:)`` knows how to say.
  @CommandActor func run(in context: CommandContext) async throws
}

extension ClientCommand {
  package static var place: CommandPlace { .everywhere }
  package static var wordsBeforeText: Int? { nil }
  package static var completion: CommandCompletion { CommandCompletion() }
  package var isLimited: Bool { true }
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

/// Where a command can be used.
package enum CommandPlace: Sendable {
  case everywhere
  /// From the shell only: it makes no sense within a session.
  case shell
  /// At the prompt and in scripts only.
  case lines
}

/// What Tab offers for a command's words at the prompt. Shells complete by the generated scripts.
package struct CommandCompletion: Sendable, Equatable {
  /// One kind of words.
  package enum Subject: Sendable, Equatable {
    case friend, requester, asked, blocked, group, event, command, waitingMessage
    case words([String])
  }

  /// By position; the last serves for all that follow. Empty: nothing is offered.
  package var arguments: [Subject]
  /// By the option whose value is typed: `--group`.
  package var options: [String: Subject]

  package init(_ arguments: Subject..., options: [String: Subject] = [:]) {
    self.arguments = arguments
    self.options = options
  }
}
