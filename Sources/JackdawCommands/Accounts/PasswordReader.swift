// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Gets the password from where the settings say it is, or asks for it, once a run.
@Client package final class PasswordReader {
  private let source: PasswordSource?
  private let account: JID
  private let terminal: (any SecretAsking)?
  private let sharesInput: Bool
  private let deadline: ChildProcess.Deadline
  private let children: ChildGroup
  private var known: String?

  /// - Parameters:
  ///   - terminal: asks on the terminal; nil where there is none.
  ///   - sharesInput: stdin is a terminal, where a `password_command` may ask something. Else stdin is not its to read.
  ///   - children: what a `password_command` belongs to.
  ///   - timeout: a `password_command` may take as long, or ``CommandLimits/passwordCommand`` if that is longer.
  package init(
    source: PasswordSource?, account: JID, terminal: (any SecretAsking)?, sharesInput: Bool, timeout: Duration,
    clock: any LoopClock, children: ChildGroup
  ) {
    self.source = source
    self.account = account.bare
    self.terminal = terminal
    self.sharesInput = sharesInput
    deadline = ChildProcess.Deadline(max(CommandLimits.passwordCommand, timeout), by: clock)
    self.children = children
  }

  /// The password.
  /// - Throws: ``CommandFailure``: 77 when there is no way to one, 78 when the configured one does not work, 75 when the system cannot
  ///   start its program just now.
  package func password() async throws -> String {
    if let known { return known }
    let password = try await read()
    known = password
    return password
  }

  private func read() async throws -> String {
    switch source {
    case .inline(let password), .environment(let password):
      guard !password.isEmpty else {
        throw CommandFailure(.configuration, "no-password", "The configured password is empty.")
      }
      return password
    case .file(let path):
      return try await Self.password(in: PrivateFile(path: path))
    case .command(let words):
      return try await output(of: words)
    case nil:
      return try await ask()
    }
  }

  private func ask() async throws -> String {
    guard let terminal else {
      throw CommandFailure(
        .authentication, "no-password",
        "There is no password for \(account). Set password_command in the configuration, use --password-file, or set JACKDAW_PASSWORD."
      )
    }
    let password = try await terminal.askSecret("Password for \(account): ")
    guard !password.isEmpty else {
      throw CommandFailure(.authentication, "no-password", "No password was given for \(account).")
    }
    return password
  }

  /// The first line of a file that nobody else may read.
  /// - Throws: ``CommandFailure`` with code 78.
  static func password(in file: PrivateFile) async throws -> String {
    let found =
      file.mayBlock
      ? try await EventLoop.main.offload { try file.read(limit: CommandLimits.passwordBytes) }
      : try file.read(limit: CommandLimits.passwordBytes)
    guard let found else {
      throw CommandFailure(.configuration, "file", "The password file \(file.path) does not exist.")
    }
    if found.isOpenToOthers { throw file.openToOthers() }
    return try firstLine(found.bytes, of: "The password file \(file.path)")
  }

  private func output(of words: [String]) async throws -> String {
    let outcome: ChildProcess.Outcome
    do {
      outcome = try await ChildProcess.run(
        words, inheritInput: sharesInput, mayAsk: true, outputLimit: CommandLimits.passwordBytes, deadline: deadline,
        in: children)
    } catch let error as ChildProcessError {
      var failure = CommandFailure(error)
      failure.text = "The password_command does not work: \(error)"
      throw failure
    } catch let error as ChildProcessTimeout {
      throw CommandFailure(
        .configuration, "timeout",
        "The password_command '\(words[0])' gave no password within \(error.limit.inSeconds), and was stopped.")
    }
    guard outcome.status == 0 else {
      throw CommandFailure(
        .configuration, "program", "The password_command '\(words[0])' ended with code \(outcome.status).")
    }
    return try Self.firstLine(outcome.output, of: "The output of the password_command '\(words[0])'")
  }

  private static func firstLine(_ bytes: [UInt8], of origin: String) throws(CommandFailure) -> String {
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CommandFailure(.configuration, "no-password", "\(origin) is not UTF-8.")
    }
    guard !text.isEmpty else {
      throw CommandFailure(
        .configuration, "no-password", "\(origin) begins with an empty line instead of the password.")
    }
    return text
  }
}
