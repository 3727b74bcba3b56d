// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// Where the roster is kept between log-ins. Errors are the store's; the session goes on without the cache.
@Client package protocol RosterStore: AnyObject {
  /// The roster as last kept, nil when there is none.
  func loadRoster() throws -> RosterSnapshot?
  /// Keeps a whole roster in place of what was kept.
  func replaceRoster(_ snapshot: RosterSnapshot) throws
  /// Brings what was kept to a newer whole roster: all of it or nothing. `keep` is new or changed, `forget` is gone.
  /// - Parameter earlier: the version of the roster from which that differs so.
  /// - Returns: false: another one is kept, by another program, and nothing was changed.
  func changeRoster(from earlier: String?, keep: [RosterItem], forget: [JID], version: String?) throws -> Bool
  /// One push: `item` is new or changed.
  func keep(_ item: RosterItem, version: String?) throws
  /// One push: the entry is gone.
  func forget(_ jid: JID, version: String?) throws
  /// When what is kept was last what the server had; nil: nobody knows.
  func timeOfRoster() throws -> Timestamp?
  /// What is kept is what the server has. Nothing where there is no whole roster.
  func confirmRoster(at time: Timestamp) throws
}

/// What is remembered of an account's log-ins, against downgrades.
@Client package protocol LoginMemoryStore: AnyObject {
  /// The mechanism that last succeeded, nil at the first log-in.
  func loadMechanism() throws -> String?
  func keepMechanism(_ mechanism: String) throws
  /// The next log-in is a first one again, of an installation that the server does not know.
  func forgetMechanism() throws

  /// How the server knows this installation; nil: it does not.
  func loadInstallation() throws -> Installation?
  func keepInstallation(_ installation: Installation) throws
  /// The token is of no use any more; another one in its place stays.
  func forgetToken(_ token: LoginToken) throws

  /// The SCRAM keys of an earlier run; nil: there are none.
  func loadKeys() throws -> KeptKeys?
  /// - Parameter keys: nil: there are to be none.
  func keepKeys(_ keys: KeptKeys?) throws
  /// The keys are of no use any more; others in their place stay.
  func forgetKeys(_ keys: SCRAMKeys) throws

  /// Takes out what the last TLS connection left: nobody gets the same once more, another program neither.
  /// - Returns: nil where there is none, and where the store cannot be used at once. Nobody is told of that: it saves time, and
  ///   nothing else.
  func takeTicket() -> KeptTicket?
  /// Keeps a ticket in the place of what was kept: with what is written next, or at ``settleTicket()``. Where that fails nobody is told.
  func keepTicket(_ ticket: KeptTicket)
  /// What is to be kept is kept at once.
  func settleTicket()
  func forgetTicket() throws
}

extension LoginMemoryStore {
  /// Nothing that is kept lets anybody log in any more; how the server is to be logged in to stays known.
  /// - Returns: whether there were keys.
  package func forgetSecrets() throws -> Bool {
    try forgetTicket()
    if var installation = try loadInstallation(), installation.token != nil {
      installation.token = nil
      try keepInstallation(installation)
    }
    guard try loadKeys() != nil else { return false }
    try keepKeys(nil)
    return true
  }
}
