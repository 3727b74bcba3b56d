// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// The contact list as it was last stored, for whoever wants it at once and is not to change anything: the completion of a shell.
@Client package enum StoredFriends {
  /// Reads an account's. Makes no file, takes no step to a newer schema, and waits for nobody's lock.
  /// - Returns: the entries, in no order; none where they cannot be read.
  package static func read(directory: String, account: JID) -> [RosterItem] {
    guard let path = DatabaseFile(directory: directory, account: account).existingPath,
      let database = try? Database.readOnly(path, busyTimeout: 0)
    else { return [] }
    return (try? RosterTable.items(database)) ?? []
  }
}
