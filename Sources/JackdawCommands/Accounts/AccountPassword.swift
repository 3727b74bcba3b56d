// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The password of an account that is to be written into the configuration file: where it comes from, and whether it is right.
@Client struct AccountPassword {
  /// The entry that there is already.
  private let known: Configuration.Account?
  private let application: Application

  init(of known: Configuration.Account?, application: Application) {
    self.known = known
    self.application = application
  }

  /// By options and environment; the settings of this command have no account of the configuration.
  private var given: PasswordSource? {
    switch application.settings.password {
    case .file(let path): PasswordSource.file(toKeep: path) ?? .file(path)
    case .environment(let password): .inline(password)
    case .inline, .command, nil: nil
    }
  }

  /// Where the password comes from; nil: it is to be typed.
  /// - Parameter command: what `--password-command` says.
  /// - Throws: ``CommandFailure`` with code 64 or 65 for a program that is none; 78 where a password in the environment would take the
  ///   place of a program or a file that the account has.
  func source(command: String?) throws(CommandFailure) -> PasswordSource? {
    if let command {
      let words: [String]
      do {
        words = try ShellWords.split(command)
      } catch {
        throw CommandFailure(error)
      }
      if words.isEmpty { throw CommandFailure(.usage, "usage", "'--password-command' needs a program to run.") }
      return .command(words)
    }
    switch (given, known?.password) {
    case (.inline, .command), (.inline, .file):
      throw CommandFailure(
        .configuration, "conflict",
        "JACKDAW_PASSWORD would replace the \(Self.key(known?.password)) of '\(known?.name ?? "")'. To replace it, run 'jackdaw account remove' first."
      )
    case (let given?, _): return given
    case (nil, let known?):
      // One that is written in the file is what is to be replaced.
      if case .inline = known, application.secrets != nil { return nil }
      return known
    case (nil, nil): return nil
    }
  }

  /// What is to be written down of where the password comes from: itself, where that is a descriptor of this process.
  /// - Throws: ``CommandFailure`` with code 78 where it holds none.
  func kept(_ source: PasswordSource?) async throws -> PasswordSource? {
    guard case .file(let path) = source, PasswordSource.file(toKeep: path) == nil else { return source }
    return .inline(try await PasswordReader.password(in: PrivateFile(path: path)))
  }

  /// The account with its password, without a look whether it is right.
  /// - Throws: ``CommandFailure`` of the asking.
  func completed(_ account: Configuration.Account) async throws -> Configuration.Account {
    guard account.password == nil, let typed = try await typed(account) else { return account }
    return typed
  }

  /// The account once a log-in with its password has succeeded. A wrong one that was typed is asked for again.
  /// - Throws: ``CommandFailure``; `CancellationError`.
  func checked(_ account: Configuration.Account) async throws -> Configuration.Account {
    if account.password != nil {
      try await logIn(account)
      return proved(account)
    }
    for attempt in 1... {
      guard let typed = try await typed(account) else { break }
      do {
        try await logIn(typed)
        return proved(typed)
      } catch let failure as CommandFailure
        where failure.isWrongPassword && attempt < CommandLimits.passwordTries
      {
        application.output.notice("Wrong user name or password.")
        // The question is written by another way.
        application.output.settle()
      }
    }
    guard account.store != .keys else {
      throw CommandFailure(
        .authentication, "no-password",
        "'--store keys' needs the password once, to log in: give it on a terminal, by --password-file, or in JACKDAW_PASSWORD."
      )
    }
    application.output.notice(
      "Not checked: no password is stored for \(account.jid.bare), so it is asked for at each log-in.")
    return account
  }

  /// - Returns: nil where the password is not to be stored.
  private func typed(_ account: Configuration.Account) async throws -> Configuration.Account? {
    guard let terminal = application.secrets else { return nil }
    let known = known?.password
    let hint =
      switch account.store {
      case .keys: "it is not stored"
      case .some(.none): "it is not stored; empty: do not check"
      case .password, nil: known == nil ? "empty: ask each time" : "empty: keep the one that is there"
      }
    let password = try await terminal.askSecret("Password for \(account.jid.bare) (\(hint)): ")
    guard !password.isEmpty || known != nil else { return nil }
    var account = account
    account.password = password.isEmpty ? known : .inline(password)
    return account
  }

  private func logIn(_ account: Configuration.Account) async throws {
    do {
      let password = try await PasswordReader(
        source: account.password, account: account.jid, terminal: nil, sharesInput: application.isInputTerminal,
        timeout: application.settings.timeout, clock: application.clock, children: application.children
      ).password()
      try await application.tryLogin(to: account, password: password)
    } catch {
      var failure = CommandFailure(error)
      guard failure.code != .interrupted else { throw failure }
      failure.text += failure.text.hasSuffix(".") ? " " : ". "
      // Keys come of a log-in alone: '--store keys' with '--no-check' is refused.
      failure.text +=
        account.store == .keys
        ? "Nothing was stored." : "Nothing was stored; --no-check stores the account without logging in."
      throw failure
    }
  }

  /// The one that works is the one that counts.
  private func proved(_ account: Configuration.Account) -> Configuration.Account {
    var account = account
    account.newPassword = nil
    return account
  }

  private static func key(_ source: PasswordSource?) -> String {
    if case .command = source { "password_command" } else { "password_file" }
  }
}
