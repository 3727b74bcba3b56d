// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// What is stored of an account, as a whole: whether there is any, who uses it, and its end.
extension DatabaseFile {
  /// Where it is; nil: nothing is stored.
  package var existingPath: String? {
    guard !directory.isEmpty else { return nil }
    let path = directory + "/" + name
    return access(path, F_OK) == 0 ? path : nil
  }

  /// Whether a program runs that uses it.
  @Client package var isInUse: Bool {
    !directory.isEmpty && Instances.anyRuns(on: directory + "/" + name)
  }

  /// Whether a program runs that uses it and is no single command.
  @Client package var isAtWork: Bool { Instances.anyLongRunning(on: directory + "/" + name) }

  /// Deletes the database, what SQLite keeps beside it, and what was set aside as damaged. Nothing is there: nothing is done.
  /// - Throws: ``DatabaseError`` when some of it is still there.
  package func delete() throws(DatabaseError) {
    guard !directory.isEmpty else { return }
    // The database last: as long as it is there, so is the question.
    for name in parts() + [name] where unlink(directory + "/" + name) != 0 && errno != ENOENT {
      throw DatabaseError(
        code: .readOnly, message: "cannot delete '\(directory)/\(name)': \(String(cString: strerror(errno)))")
    }
  }

  /// The names of the files beside the database that belong to it.
  private func parts() -> [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var parts: [String] = []
    while let entry = readdir(folder) {
      let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let belongs = ["-wal", "-shm", StoreLimits.lockSuffix].contains { found == name + $0 }
      if belongs || found.hasPrefix(name + ".corrupt-") { parts.append(found) }
    }
    return parts
  }
}
