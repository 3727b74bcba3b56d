// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What is stored of accounts on this machine, each as a whole, for those who take an account away.
@Client package struct StoredData {
  /// Where an account's is; nil: nothing is stored.
  package var path: @Client (JID) -> String?
  /// Whether a program that runs uses it.
  package var isInUse: @Client (JID) -> Bool
  /// Whether a program runs on it that has a session which remains online: a prompt, a script, a listener. Single commands are none.
  package var isAtWork: @Client (JID) -> Bool
  /// Deletes it. Throws when some of it is still there.
  package var delete: @Client (JID) throws -> Void
  /// Deletes the lines that were entered at the prompt, which all accounts share.
  package var deleteHistory: @Client () -> Void

  package init(
    path: @escaping @Client (JID) -> String?, isInUse: @escaping @Client (JID) -> Bool,
    isAtWork: @escaping @Client (JID) -> Bool, delete: @escaping @Client (JID) throws -> Void,
    deleteHistory: @escaping @Client () -> Void
  ) {
    self.path = path
    self.isInUse = isInUse
    self.isAtWork = isAtWork
    self.delete = delete
    self.deleteHistory = deleteHistory
  }
}
