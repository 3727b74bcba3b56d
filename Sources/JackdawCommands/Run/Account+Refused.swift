// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What a user is told of a password that was not typed, and that the server refuses.
extension Account {
  /// An error of a log-in; where the server refused a password that comes from somewhere, with where that is: nobody else can say
  /// what is to be put right.
  func explained(_ error: any Error) -> any Error {
    guard var refusal = error as? ConnectionError, refusal.advice == nil, CommandFailure(refusal).isWrongPassword,
      let advice = passwordAdvice
    else { return error }
    refusal.advice = advice
    return refusal
  }

  /// nil: it is typed, or nothing is left of where it came from.
  private var passwordAdvice: String? {
    switch settings.password {
    case .inline:
      "'jackdaw account add \(jid.bare)' replaces the one in \(settings.configurationFile.path)."
    case .file(let path):
      PasswordSource.file(toKeep: path) == nil ? nil : "The password came from \(path)."
    case .command(let words): "The password came from '\(words.first ?? "")'."
    case .environment: "The password came from JACKDAW_PASSWORD."
    case nil: nil
    }
  }
}
