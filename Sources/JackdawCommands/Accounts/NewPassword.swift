// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// A password that is to be, typed twice since nobody sees what is typed.
@Client struct NewPassword {
  private let account: JID
  private let terminal: (any SecretAsking)?

  init(for account: JID, terminal: (any SecretAsking)?) {
    self.account = account.bare
    self.terminal = terminal
  }

  /// - Parameter hint: how else it can be given, where there is no terminal.
  /// - Throws: ``CommandFailure``: 77 without a terminal, 65 when none is typed or it is typed differently each time, 130
  ///   at Ctrl-C.
  func ask(otherwise hint: String) async throws(CommandFailure) -> String {
    guard let terminal else {
      throw CommandFailure(.authentication, "no-password", "There is no new password for \(account): \(hint).")
    }
    var question = "New password for \(account): "
    for _ in 0..<CommandLimits.passwordTries {
      let password = try await terminal.askSecret(question)
      guard !password.isEmpty else {
        throw CommandFailure(.badInput, "no-password", "No new password was given. Nothing was done.")
      }
      if try await terminal.askSecret("Again: ") == password { return password }
      question = "They do not match. New password for \(account): "
    }
    throw CommandFailure(
      .badInput, "not-confirmed", "The two passwords do not match. Nothing was done.")
  }
}
