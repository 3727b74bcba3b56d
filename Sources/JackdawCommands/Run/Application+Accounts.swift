// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The accounts that a run works with.
extension Application {
  /// The account that was chosen.
  /// - Throws: ``CommandFailure`` with code 78 where none was.
  package func account() throws(CommandFailure) -> Account {
    if let chosen { return chosen }
    let account = account(of: try settings.account())
    chosen = account
    return account
  }

  private func account(of jid: JID) -> Account {
    if let known = accounts.first(where: { $0.jid == jid }) { return known }
    if let known = shared.first(where: { $0.jid.bare == jid.bare }) { return known }
    let account = Account(jid, settings: settings, parts: parts, children: children)
    accounts.append(account)
    return account
  }

  /// Those that were chosen, the first of them first.
  /// - Throws: as ``account()``.
  func chosenAccounts() throws(CommandFailure) -> [Account] {
    let first = try account()
    return [first]
      + settings.otherAccounts.map { entry in
        if let known = (accounts + shared).first(where: { $0.jid.bare == entry.jid.bare }) { return known }
        let account = candidate(entry)
        accounts.append(account)
        return account
      }
  }

  /// The prompt is for all accounts that are configured, where none was chosen.
  /// - Throws: ``CommandFailure`` with code 64 where options were given that are for one.
  func chooseAllAccounts() throws(CommandFailure) { settings = try settings.withAllAccounts() }

  /// Those whose sessions other processes' commands may go through.
  var hosting: [Account] { accounts.filter { $0.live != nil } }

  /// An account that is not configured, to be tried.
  func candidate(_ entry: Configuration.Account) -> Account {
    Account(entry.jid, settings: settings.using(entry), parts: parts, children: children)
  }

  /// From now on this is the account that was chosen.
  func use(_ account: Account, as entry: Configuration.Account) {
    settings = settings.using(entry)
    accounts.append(account)
  }
}
