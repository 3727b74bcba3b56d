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
    Database.stored(directory, account).flatMap { try? RosterTable.items($0) } ?? []
  }
}

/// The rooms as they were last stored, as ``StoredFriends`` reads contacts.
@Client package enum StoredRooms {
  /// Reads an account's, as ``StoredFriends/read(directory:account:)``.
  package static func read(directory: String, account: JID) -> [RoomRecord] {
    Database.stored(directory, account).flatMap { try? RoomTable.rooms($0) } ?? []
  }
}

extension Database {
  fileprivate static func stored(_ directory: String, _ account: JID) -> Database? {
    DatabaseFile(directory: directory, account: account).existingPath.flatMap {
      try? Database.readOnly($0, busyTimeout: 0)
    }
  }
}
