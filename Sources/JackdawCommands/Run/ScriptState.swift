// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// What the commands of a script share beyond what all lines share: its variables, and how it runs more than its own lines.
@Client package final class ScriptState {
  /// What `${NAME}` and `$?` stand for in the next line.
  package var variables: ScriptVariables
  /// The line that runs has said itself what `$?` is from now on.
  private(set) var hasSettledCode = false
  /// A command runs that may fail.
  private(set) var isTried = false
  private let command: @Client ([String]) async throws(CommandFailure) -> Void
  private let file: @Client (String) async throws(CommandFailure) -> Void

  /// - Parameters:
  ///   - command: runs the words of a command as a line of the script would.
  ///   - file: runs the lines of a file.
  package init(
    variables: ScriptVariables, command: @escaping @Client ([String]) async throws(CommandFailure) -> Void,
    file: @escaping @Client (String) async throws(CommandFailure) -> Void
  ) {
    self.variables = variables
    self.command = command
    self.file = file
  }

  /// Runs a command that stands behind another one in its line, with its slash or without.
  /// - Parameter mayFail: whoever runs it wants to know how it ends: it ends with its first failure, whatever the script does.
  package func run(_ words: [String], mayFail: Bool = false) async throws(CommandFailure) {
    let before = isTried
    isTried = before || mayFail
    defer { isTried = before }
    try await command(CommandTable.withoutSlash(words))
  }

  /// Runs the lines of a file, as if they stood in the script.
  package func include(_ file: String) async throws(CommandFailure) {
    try await self.file(file)
    hasSettledCode = true
  }

  /// `$?` is this, whatever becomes of the line.
  package func settle(_ code: ExitCode) {
    variables.lastCode = code
    hasSettledCode = true
  }

  func lineBegins() { hasSettledCode = false }

  func lineEnded(_ code: ExitCode) {
    if !hasSettledCode { variables.lastCode = code }
  }
}

extension CommandContext {
  /// What the script has that the command stands in.
  /// - Throws: ``CommandFailure`` with code 64 at the prompt, which has none.
  package func script() throws(CommandFailure) -> ScriptState {
    if let script = lines.script { return script }
    throw CommandFailure(.usage, "usage", "'/\(command)' is for scripts; '/help scripts' tells of them.")
  }
}
