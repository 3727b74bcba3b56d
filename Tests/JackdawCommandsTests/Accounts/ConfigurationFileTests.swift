// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import Support
import Testing

@testable import JackdawCommands

@Suite("Changing config.toml", .serialized)
struct ConfigurationFileTests {
  static func account(_ name: String, password: PasswordSource? = nil) throws -> Configuration.Account {
    Configuration.Account(
      name: name, jid: try JID("me@\(name.contains(" ") ? "example.org" : name)"), password: password)
  }

  static func text(_ directory: TestDirectory) throws -> String {
    let contents = try PrivateFile(path: directory.file("config.toml")).read(limit: 1 << 20)
    return String(decoding: contents?.bytes ?? [], as: UTF8.self)
  }

  static func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("begins one, for nobody else to read: permissions (CWE-732)", arguments: [0o000, 0o022, 0o077] as [mode_t])
  func beginsOne(_ mask: mode_t) async throws {
    try await TestDirectory.with { directory in
      let before = umask(mask)
      defer { umask(before) }
      let path = directory.file("a/b/config.toml")
      let file = ConfigurationFile(path: path)
      #expect(try file.load() == Configuration())
      let account = try Self.account("example.org", password: .inline("se\"c\\r\u{1}\n\tet"))
      try file.add(account)
      #expect(Self.mode(path) == 0o600)
      #expect(Self.mode(directory.file("a")) == 0o700 && Self.mode(directory.file("a/b")) == 0o700)
      var loaded = try file.load()
      #expect(loaded.stamp != nil)
      loaded.stamp = nil
      #expect(loaded == Configuration(defaultAccounts: ["example.org"], accounts: [account]))
    }
  }

  @Test("keeps remarks, order and all else")
  func keepsRemarks() async throws {
    try await TestDirectory.with { directory in
      let first = """
        # My accounts
        show_presence = false # quiet please

        # at home
        [accounts.home]
        jid = "me@home" # mine

        """
      try directory.write(first, to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.add(try Self.account("work", password: .command(["pass", "it's"])))
      let second = """
        # My accounts
        show_presence = false # quiet please
        default_account = "home"

        # at home
        [accounts.home]
        jid = "me@home" # mine

        [accounts.work]
        jid = "me@work"
        password_command = ["pass", "it's"]

        """
      #expect(try Self.text(directory) == second)
      try file.remove("work")
      #expect(
        try Self.text(directory)
          == String(second.prefix(upTo: try #require(second.firstRange(of: "\n[accounts.work]")).lowerBound)))
      try file.add(try Self.account("work"))
      try file.remove("home")
      // What people wrote stays, even above what is gone.
      let third = """
        # My accounts
        show_presence = false # quiet please

        # at home

        [accounts.work]
        jid = "me@work"

        """
      #expect(try Self.text(directory) == third)
      #expect(try file.load().accounts.map(\.name) == ["work"])
    }
  }

  @Test("takes what several write at the same time, all of it")
  func several() async throws {
    try await TestDirectory.with { directory in
      let path = directory.file("new/config.toml")
      let names = (1...12).map { "a\($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask { try ConfigurationFile(path: path).add(try Self.account(name)) }
        }
        try await group.waitForAll()
      }
      #expect(try ConfigurationFile(path: path).load().accounts.map(\.name) == names.sorted())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names.dropLast() { group.addTask { try ConfigurationFile(path: path).remove(name) } }
        try await group.waitForAll()
      }
      #expect(try ConfigurationFile(path: path).load().accounts.map(\.name) == ["a12"])
    }
  }

  @Test("makes none of several the default account that were without one")
  func keepsThemWithoutDefault() async throws {
    try await TestDirectory.with { directory in
      try directory.write(
        "[accounts.b]\njid = \"me@b\"\n[accounts.c]\njid = \"me@c\"\n", to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.add(try Self.account("a"))
      #expect(try file.load().accounts.map(\.name) == ["a", "b", "c"])
      #expect(try file.load().defaultAccounts.isEmpty)
      // With one it is plain which it was.
      try file.remove("a")
      try file.remove("b")
      try file.add(try Self.account("a"))
      #expect(try file.load().defaultAccounts == ["c"])
    }
  }

  @Test("leaves the remarks of the next account to it")
  func leavesTheRemarksOfTheNext() async throws {
    try await TestDirectory.with { directory in
      try directory.write(
        "[accounts.a]\njid = \"me@a\"\n\n# about b\n[accounts.b]\njid = \"me@b\"\n", to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.remove("a")
      #expect(try Self.text(directory) == "\n# about b\n[accounts.b]\njid = \"me@b\"\n")
    }
  }

  @Test(
    "changes and removes an account of any name that it has added",
    arguments: [#"a"b\c"#, "two\nlines", "'q'.\t]#"])
  func namesOfAnyKind(_ name: String) async throws {
    try await TestDirectory.with { directory in
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.add(try Self.account("home"))
      try file.add(Configuration.Account(name: name, jid: try JID("me@example.org"), password: .inline("old")))
      try file.setPassword("new", of: name)
      #expect(try file.load()[name]?.password == .inline("new"))
      try file.remove(name)
      #expect(try file.load().accounts.map(\.name) == ["home"])
    }
  }

  @Test("works on a file that another system's editor wrote")
  func worksWithCarriageReturns() async throws {
    try await TestDirectory.with { directory in
      try directory.write("# x\r\n[accounts.a]\r\njid = \"me@a\"\r\n", to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.add(try Self.account("b"))
      #expect(try file.load().accounts.map(\.name) == ["a", "b"])
      #expect(try file.load().defaultAccount == "a")
      try file.remove("a")
      #expect(try file.load().accounts.map(\.name) == ["b"])
    }
  }

  @Test("follows a link and replaces its target")
  func followsALink() async throws {
    try await TestDirectory.with { directory in
      try directory.write("# mine\n", to: "real.toml")
      #expect(symlink("real.toml", directory.file("config.toml")) == 0)
      try ConfigurationFile(path: directory.file("config.toml")).add(try Self.account("a"))
      var status = stat()
      #expect(lstat(directory.file("config.toml"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(try Self.text(directory).hasPrefix("# mine\n"))
    }
  }

  @Test("refuses what it cannot do well")
  func refuses() async throws {
    try await TestDirectory.with { directory in
      let file = ConfigurationFile(path: directory.file("config.toml"))
      try file.add(try Self.account("a"))
      #expect(
        throws: CommandFailure(
          .configuration, "conflict", "There is an account 'a' already, in \(file.path).")
      ) { try file.add(try Self.account("a")) }
      #expect(
        throws: CommandFailure(
          .configuration, "item-not-found", "There is no account 'b' in \(file.path).")
      ) { try file.remove("b") }
      // An account that is no table of its own: nothing is changed.
      let inline = "accounts = { a = { jid = \"me@a\" } }\n"
      try directory.write(inline, to: "config.toml")
      for change in [{ try file.remove("a") }, { try file.add(try Self.account("b")) }] as [() throws -> Void] {
        #expect { try change() } throws: { error in
          (error as? CommandFailure)?.code == .configuration && "\(error)".contains("edit it by hand")
        }
      }
      #expect(try Self.text(directory) == inline)
    }
  }

  @Test("says that a folder cannot be written")
  func saysThatAFolderCannotBeWritten() async throws {
    try await TestDirectory.with { directory in
      try directory.write("no folder", to: "file")
      #expect {
        try ConfigurationFile(path: directory.file("file/config.toml")).add(try Self.account("a"))
      } throws: { ($0 as? CommandFailure)?.code == .inputOutput }
    }
  }

  @Test("refuses to read a password that others can read", arguments: [0o644, 0o640, 0o604, 0o620] as [mode_t])
  func refusesAnOpenPassword(_ mode: mode_t) async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write("[accounts.a]\njid = \"me@a\"\npassword = \"x\"\n", to: "config.toml")
      let file = ConfigurationFile(path: path)
      _ = try file.load()
      #expect(chmod(path, mode) == 0)
      #expect { try file.load() } throws: { error in
        (error as? CommandFailure)?.condition == "permissions" && "\(error)".contains("chmod 600 \(path)")
      }
      // Without a password in it, it is nobody's secret.
      try directory.write("[accounts.a]\njid = \"me@a\"\n", to: "config.toml")
      #expect(chmod(path, mode & ~0o022) == 0)
      _ = try file.load()
    }
  }

  @Test(
    "runs no program that others may have written into it",
    arguments: [0o602, 0o622, 0o666] as [mode_t],
    ["[accounts.a]\njid = \"me@a\"\npassword_command = [\"pass\", \"me\"]\n", "notify = [\"tell\", \"me\"]\n"])
  func refusesAnotherOnesProgram(_ mode: mode_t, _ text: String) async throws {
    try await TestDirectory.with { directory in
      #expect(mkdir(directory.file("folder"), 0o700) == 0)
      let path = try directory.write(text, to: "folder/config.toml")
      let file = ConfigurationFile(path: path)
      #expect(chmod(path, 0o644) == 0)
      _ = try file.load()
      #expect(chmod(path, mode) == 0)
      #expect { try file.load() } throws: { error in
        (error as? CommandFailure)?.condition == "permissions" && "\(error)".contains("can change the file")
      }
      #expect(chmod(path, 0o600) == 0)
      #expect(chmod(directory.file("folder"), 0o777) == 0)
      #expect { try file.load() } throws: { "\($0)".contains("can change its folder") }
      #expect(chmod(directory.file("folder"), 0o1777) == 0)
      _ = try file.load()
      if geteuid() == 0 {
        #expect(chown(path, 65_534, 65_534) == 0)
        #expect { try file.load() } throws: { "\($0)".contains("the file belongs to somebody else") }
      }
    }
  }

  @Test("is not made where it would not be read again")
  func makesNoneInOthersFolder() async throws {
    try await TestDirectory.with { directory in
      #expect(mkdir(directory.file("folder"), 0o700) == 0)
      #expect(chmod(directory.file("folder"), 0o777) == 0)
      let file = ConfigurationFile(path: directory.file("folder/config.toml"))
      let account = Configuration.Account(name: "a", jid: try JID("me@a"))
      #expect { try file.add(account) } throws: { ($0 as? CommandFailure)?.condition == "permissions" }
      #expect(access(file.path, F_OK) != 0)
      #expect(chmod(directory.file("folder"), 0o700) == 0)
      try file.add(account)
      #expect(try file.load()["a"] != nil)
    }
  }

  @Test("may be changed by the user's own group, and by no other", .enabled(if: geteuid() == 0))
  func usersGroup() async throws {
    try await TestDirectory.with { directory in
      let path = try directory.write("[accounts.a]\njid = \"me@a\"\n", to: "config.toml")
      #expect(chmod(path, 0o664) == 0)
      #expect(chown(path, 0, 0) == 0)
      _ = try ConfigurationFile(path: path).load()
      #expect(chown(path, 0, 65_534) == 0)
      #expect { try ConfigurationFile(path: path).load() } throws: { "\($0)".contains("can change the file") }
    }
  }

  @Test(
    "lets nobody else say which server gets a password: permissions (CWE-732)",
    arguments: [0o602, 0o622, 0o666] as [mode_t],
    ["", "password_file = \"secret\"\n", "server = \"localhost\"\nca_file = \"ca.pem\"\n"])
  func refusesAnotherOnesServer(_ mode: mode_t, _ more: String) async throws {
    try await TestDirectory.with { directory in
      #expect(mkdir(directory.file("folder"), 0o700) == 0)
      let path = try directory.write("[accounts.a]\njid = \"me@a\"\n" + more, to: "folder/config.toml")
      let file = ConfigurationFile(path: path)
      #expect(chmod(path, 0o644) == 0)
      _ = try file.load()
      #expect(chmod(path, mode) == 0)
      #expect { try file.load() } throws: { error in
        (error as? CommandFailure)?.condition == "permissions"
          && "\(error)".contains("which server gets a password, and others on this machine can change the file")
      }
      #expect(chmod(path, 0o600) == 0)
      #expect(chmod(directory.file("folder"), 0o777) == 0)
      #expect { try file.load() } throws: { "\($0)".contains("can change its folder") }
      // What only says how things look is trusted with nothing.
      try directory.write("theme = \"dark\"\n", to: "folder/config.toml")
      _ = try file.load()
    }
  }

  @Test("is not done to a file that is not text, or no configuration")
  func isNotDoneToNoText() async throws {
    try await TestDirectory.with { directory in
      let path = directory.file("config.toml")
      _ = try await TestProcess.run(.init("sh", ["-c", "printf 'a = \"\\377\"' > \(path)"]))
      #expect { try ConfigurationFile(path: path).load() } throws: { "\($0)".contains("not UTF-8") }
      try directory.write(String(repeating: "#", count: CommandLimits.configurationBytes + 1), to: "config.toml")
      #expect { try ConfigurationFile(path: path).load() } throws: { "\($0)".contains("longer than") }
      #expect { try ConfigurationFile(path: directory.path).load() } throws: {
        ($0 as? CommandFailure)?.code == .configuration
      }
    }
  }
}
