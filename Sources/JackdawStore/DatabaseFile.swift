// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawProtocol

/// Where an account's database is, and how it comes to be there without anybody else being able to read it.
package struct DatabaseFile: Sendable, Equatable {
  /// The folder, as it was given; empty: there is none, so that the file cannot be.
  package var directory: String
  /// The name in the folder.
  package var name: String

  /// The database of `account`, whose resource does not count, in `directory`. Nothing is made or opened yet.
  package init(directory: String, account: JID) {
    self.directory = directory
    name = Self.name(for: account)
  }

  /// The file's name for an account: its bare JID with everything but lower-case ASCII letters, digits and a few marks
  /// percent-encoded, so that two accounts never share a name, none is a path, hidden or an option. Long ones end in a hash.
  package static func name(for account: JID) -> String {
    var name = ""
    for byte in account.bare.description.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"),
        UInt8(ascii: "_"), UInt8(ascii: "+"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !name.isEmpty, UInt8(ascii: "-") where !name.isEmpty:
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    if name.utf8.count > StoreLimits.fileNameBytes {
      let hash = String(fingerprint(name), radix: 16)
      // "~" is in no name that was not shortened.
      name = name.prefix(StoreLimits.hashedFileNameBytes) + "~" + hash
    }
    return name + ".sqlite3"
  }

  /// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). The accounts are the user's own: nobody looks for collisions.
  private static func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Makes sure that the file exists, is a file of ours, and that nobody else can read it: mode 0600 from the first moment,
  /// in a folder of mode 0700 if that had to be made. SQLite gives `-wal` and `-shm` the mode of the file.
  /// - Returns: its path without symbolic links.
  /// - Throws: ``DatabaseError`` with `.cannotOpen`, `.readOnly`, `.full`, `.unsafeFile`, `.foreignFile` or `.noFolder`.
  func prepare() throws(DatabaseError) -> String {
    let path = try prepareFolder()
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
      return path
    }
    guard errno == EEXIST else { throw Self.failure("cannot make '\(path)'") }
    // Looked at, not opened: closing a descriptor of a file drops every lock that this process has on it.
    var status = stat()
    guard lstat(path, &status) == 0 else { throw Self.failure("cannot open '\(path)'") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(code: .unsafeFile, message: "'\(path)' is not a file, or only a link to one")
    }
    guard status.st_uid == geteuid() else {
      throw DatabaseError(code: .foreignFile, message: "'\(path)' belongs to another user")
    }
    if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw Self.failure("cannot make '\(path)' private") }
    // Where the whole disk is read-only SQLite says of its log, which it can neither make nor find, no more than that it cannot open a file.
    if access(path, W_OK) != 0, errno == EROFS { throw Self.failure("cannot write to '\(path)'") }
    return path
  }

  /// Something has its name.
  var exists: Bool {
    var status = stat()
    return !directory.isEmpty && lstat(directory + "/" + name, &status) == 0
  }

  /// Whether anybody on the machine can put another file in this one's place (CWE-732). In a folder like /tmp nobody can.
  var isFolderOpen: Bool {
    var status = stat()
    return !directory.isEmpty && stat(directory, &status) == 0 && status.st_mode & (S_IWOTH | S_ISVTX) == S_IWOTH
  }

  /// Makes sure that the folder is there.
  /// - Returns: the database's path without symbolic links.
  func prepareFolder() throws(DatabaseError) -> String {
    guard !directory.isEmpty else {
      throw DatabaseError(code: .noFolder, message: "HOME is not set, and no --data-dir is given")
    }
    try Self.makeDirectory(directory)
    guard let resolved = realpath(directory, nil) else { throw Self.failure("cannot open the folder '\(directory)'") }
    defer { free(resolved) }
    return String(cString: resolved) + "/" + name
  }

  /// Gives a damaged database another name, so that a new one can take its place.
  /// - Returns: the path that it has now.
  func setAside() throws(DatabaseError) -> String {
    let path = directory + "/" + name
    for number in 1...StoreLimits.corruptFilesKept {
      let aside = "\(path).corrupt-\(number)"
      // A link first: unlike renaming, it never takes the place of another file.
      guard link(path, aside) == 0 else {
        if errno == EEXIST { continue }
        throw Self.failure("cannot rename '\(path)'")
      }
      guard unlink(path) == 0 else { throw Self.failure("cannot rename '\(path)'") }
      // What is not in the file yet is in its log. A log left under the old name would be taken for the new file's.
      for suffix in ["-wal", "-shm"] where rename(path + suffix, aside + suffix) != 0 && errno != ENOENT {
        throw Self.failure("cannot rename '\(path)\(suffix)'")
      }
      return aside
    }
    throw DatabaseError(
      code: .cannotOpen, message: "there are \(StoreLimits.corruptFilesKept) damaged databases beside '\(path)'")
  }

  /// Makes a folder and those above it that are missing, each of mode 0700.
  private static func makeDirectory(_ directory: String) throws(DatabaseError) {
    var end = directory.startIndex
    while end < directory.endIndex {
      let next = directory.index(after: end)
      end = directory[next...].firstIndex(of: "/") ?? directory.endIndex
      let part = String(directory[..<end])
      if mkdir(part, 0o700) == 0 || errno == EEXIST { continue }
      let reason = errno
      // A folder above may be there and not be ours to make another in.
      var status = stat()
      if stat(part, &status) == 0 { continue }
      errno = reason
      throw failure("cannot make the folder '\(part)'")
    }
  }

  private static func failure(_ what: String) -> DatabaseError {
    let code: DatabaseError.Code =
      switch errno {
      case EROFS, EACCES, EPERM: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .cannotOpen
      }
    return DatabaseError(code: code, message: "\(what): \(String(cString: strerror(errno)))")
  }
}
