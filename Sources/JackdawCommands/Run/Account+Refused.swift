// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

extension Account {
  /// Of a password that was not typed, where it comes from, or what replaces it: nobody else can say what is to be put right once the server
  /// refuses it, as when it was changed elsewhere.
  /// - Returns: nil: it is typed, or nothing is left of where it came from.
  var passwordAdvice: String? {
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
