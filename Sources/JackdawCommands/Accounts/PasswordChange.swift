// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// A password on its way to be changed, in each entry of the account that holds one in the configuration file.
///
/// Before the server is asked both are there, so that whoever is killed before the answer, or never gets one, is not locked out.
struct PasswordChange {
  let file: ConfigurationFile
  private let account: JID

  init(of account: JID, in file: ConfigurationFile) {
    self.account = account.bare
    self.file = file
  }

  /// Writes down that the password may become `password`.
  /// - Parameter known: what it is by now.
  /// - Returns: whether there is an entry that holds a password.
  @discardableResult func propose(_ password: String, knowing known: String) throws(CommandFailure) -> Bool {
    try rewrite { entry, old in (entry.newPassword == known ? known : old, password) }
  }

  /// The server has this one now.
  func settle(on password: String) throws(CommandFailure) {
    try rewrite { _, _ in (password, nil) }
  }

  /// The server took `password` in a log-in: of two the other one goes.
  func proved(_ password: String) throws(CommandFailure) {
    try rewrite { entry, old in (entry.newPassword == password ? password : old, nil) }
  }

  @discardableResult private func rewrite(
    _ change: (_ entry: Configuration.Account, _ old: String) -> (password: String, new: String?)
  ) throws(CommandFailure) -> Bool {
    var isThere = false
    for entry in try file.load().accounts where entry.jid.bare == account {
      guard case .inline(let old) = entry.password else { continue }
      isThere = true
      let (password, new) = change(entry, old)
      try file.setPassword(password, new: new, of: entry.name)
    }
    return isThere
  }
}
