// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import Testing

@testable import JackdawStore

@Suite struct DatabaseFileTests {
  private func file(_ folder: TemporaryFolder, _ path: String = "", _ account: String = "a@b.example") throws
    -> DatabaseFile
  {
    DatabaseFile(directory: folder.path + path, account: try JID(account))
  }

  @Test(
    "Path traversal: no address leads out of the folder",
    arguments: [
      ("alice@example.org", "alice@example.org.sqlite3"),
      ("alice@example.org/phone", "alice@example.org.sqlite3"),
      ("Alice@Example.ORG", "alice@example.org.sqlite3"),
      ("example.org", "example.org.sqlite3"),
      (".hidden@example.org", "%2Ehidden@example.org.sqlite3"),
      ("-rf@example.org", "%2Drf@example.org.sqlite3"),
      ("..@example.org", "%2E.@example.org.sqlite3"),
      ("a%2fb@example.org", "a%252fb@example.org.sqlite3"),
      ("a#b;c$d~e@example.org", "a%23b%3Bc%24d%7Ee@example.org.sqlite3"),
      ("é@example.org", "%C3%A9@example.org.sqlite3"),
      ("a@[::1]", "a@%5B%3A%3A1%5D.sqlite3"),
    ])
  func pathTraversalIsImpossible(account: String, name: String) throws {
    #expect(DatabaseFile.name(for: try JID(account)) == name)
  }

  @Test("A file name is short however long the address") func aNameIsShortHoweverLongTheAddress() throws {
    let long = try ["a", "b"].map { last in
      DatabaseFile.name(for: try JID(String(repeating: "é", count: 500) + last + "@example.org"))
    }
    #expect(long[0] != long[1])
    for name in long { #expect(name.utf8.count <= StoreLimits.fileNameBytes && name.contains("~")) }
  }

  @Test(
    "Files and folders are private from the first moment, whatever the umask", arguments: [mode_t(0o022), 0o000, 0o077])
  func permissionsAreTightFromTheFirstMomentWhateverTheUmask(mask: mode_t) throws {
    let folder = TemporaryFolder()
    let file = try file(folder, "/made/deeper")
    let previous = umask(mask)
    defer { umask(previous) }
    let database = try Database(path: try file.prepare())
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    #expect(folder.mode(of: "made") == 0o700)
    #expect(folder.mode(of: "made/deeper") == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(folder.mode(of: "made/deeper/\(file.name)\(suffix)") == 0o600) }
  }

  @Test("An existing file is made private") func anExistingFileIsMadePrivate() throws {
    let folder = TemporaryFolder()
    let file = try file(folder)
    folder.write([], to: file.name)
    #expect(chmod("\(folder.path)/\(file.name)", 0o644) == 0)
    _ = try file.prepare()
    #expect(folder.mode(of: file.name) == 0o600)
  }

  @Test("Symbolic links are refused") func symbolicLinksAreRefused() throws {
    let folder = TemporaryFolder()
    let file = try file(folder)
    for target in ["elsewhere", "/etc/passwd"] {
      #expect(symlink(target, "\(folder.path)/\(file.name)") == 0)
      let error = #expect(throws: DatabaseError.self) { try file.prepare() }
      #expect(error?.code == .unsafeFile)
      unlink("\(folder.path)/\(file.name)")
    }
    #expect(folder.names == [], "no file was made at the link's other end")
  }

  @Test("A symbolic link that is made after the check is refused by SQLite")
  func aLinkPutThereAfterTheCheckIsRefusedBySQLite() throws {
    let folder = TemporaryFolder()
    let path = try file(folder).prepare()
    #expect(rename(path, path + ".moved") == 0 && symlink(path + ".moved", path) == 0)
    let error = #expect(throws: DatabaseError.self) { try Database(path: path) }
    #expect(error?.code.primary == .cannotOpen)
  }

  @Test("A folder may be reached by a symbolic link") func aFolderThatIsReachedByALinkIsAllowed() throws {
    let folder = TemporaryFolder()
    #expect(mkdir(folder.path + "/real", 0o700) == 0 && symlink("real", folder.path + "/link") == 0)
    let path = try file(folder, "/link").prepare()
    _ = try Database(path: path)
    #expect(path == "\(folder.path)/real/a@b.example.sqlite3")
  }

  @Test("A folder in the database's place and a file of another user are refused")
  func whatIsNotAFileOfOursIsRefused() throws {
    let folder = TemporaryFolder()
    let file = try file(folder)
    #expect(mkdir("\(folder.path)/\(file.name)", 0o700) == 0)
    #expect(#expect(throws: DatabaseError.self) { try file.prepare() }?.code == .unsafeFile)
    rmdir("\(folder.path)/\(file.name)")
    folder.write([], to: file.name)
    // Only root can give a file away; whoever else runs this has no file of another user's to try.
    guard chown("\(folder.path)/\(file.name)", 12345, 12345) == 0 else { return }
    #expect(#expect(throws: DatabaseError.self) { try file.prepare() }?.code == .foreignFile)
  }

  @Test(
    "A folder that cannot be used is reported with the reason",
    arguments: [
      ("/proc/jackdaw", DatabaseError.Code.cannotOpen), ("/sys/kernel", .readOnly),
      ("/etc/passwd/jackdaw", .cannotOpen),
      ("", .noFolder),
    ])
  func aFolderThatCannotBeUsedSaysWhy(directory: String, code: DatabaseError.Code) throws {
    let file = DatabaseFile(directory: directory, account: try JID("a@b.example"))
    let error = try #require(#expect(throws: DatabaseError.self) { try file.prepare() })
    #expect(error.code == code, "\(error)")
    #expect(error.description.contains(directory))
  }

  @Test("A file that is put aside replaces no other") func aFileSetAsideReplacesNoOther() throws {
    let folder = TemporaryFolder()
    let file = try file(folder)
    for number: UInt8 in 1...3 {
      folder.write([number], to: file.name)
      folder.write([number], to: file.name + "-wal")
      #expect(try file.setAside() == "\(folder.path)/\(file.name).corrupt-\(number)")
    }
    for number: UInt8 in 1...3 {
      #expect(folder.contents(of: "\(file.name).corrupt-\(number)") == [number])
      #expect(folder.contents(of: "\(file.name).corrupt-\(number)-wal") == [number])
    }
    #expect(folder.names.count == 6)
  }
}
