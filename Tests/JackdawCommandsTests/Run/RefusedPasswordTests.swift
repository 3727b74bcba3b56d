// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A password that a server refuses", .onLoop)
struct RefusedPasswordTests {
  /// What a session of the account asks for its password with, once the first one was refused and `change` was made.
  private func second(
    _ source: PasswordSource?, _ rig: ApplicationRig, _ change: @Client () throws -> Void = {}
  ) async throws -> String? {
    var entry = Configuration.Account(name: "me", jid: try JID("alice@example.org"))
    entry.password = source
    let account = rig.application.candidate(entry)
    let configuration = try await account.configuration()
    #expect(configuration.password == "old")
    let live = account.makeLive(configuration, as: .interactive(nil))
    #expect(try await configuration.askPassword?() == "old", "nobody has refused it")
    try change()
    live.session.onPasswordRefused?()
    return try await configuration.askPassword?()
  }

  @Test("is typed again")
  func typed() async throws {
    let rig = try ApplicationRig(secrets: TypedSecrets(.success("old"), .success("new")))
    #expect(try await second(nil, rig) == "new")
  }

  @Test("is looked for where it is by now, in a file of its own and in the configuration")
  func stored() async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write("old\n", to: "password")
      let written = try await second(.file(path), ApplicationRig()) {
        _ = try directory.write("new\n", to: "password")
      }
      #expect(written == "new")
      let rig = try ApplicationRig(environment: ["JACKDAW_CONFIG": directory.file("config.toml")])
      let changed = try await second(.inline("old"), rig) {
        _ = try directory.write("[accounts.me]\njid = \"alice@example.org\"\npassword = \"new\"\n", to: "config.toml")
      }
      #expect(changed == "new")
      #expect(try await second(.inline("old"), ApplicationRig()) == "old", "it is nowhere else")
    }
  }

  @Test("is looked for without a question in a file of its own and in the configuration, and nowhere else")
  func looked() async throws {
    for (kind, changed) in [("inline", "newest"), ("file", "new"), ("command", nil)] {
      try await TestDirectory.onLoop { directory in
        let path = try directory.write("old\n", to: "password")
        let rig = try ApplicationRig(environment: ["JACKDAW_CONFIG": directory.file("config.toml")])
        var entry = Configuration.Account(name: "me", jid: try JID("alice@example.org"))
        entry.password = kind == "inline" ? .inline("old") : kind == "file" ? .file(path) : .command(["cat", path])
        // It does not outlive its account.
        let account = rig.application.candidate(entry)
        let configuration = try await account.configuration()
        #expect(configuration.password == "old")
        _ = try directory.write("new\n", to: "password")
        _ = try directory.write(
          "[accounts.me]\njid = \"alice@example.org\"\npassword = \"newest\"\n", to: "config.toml")
        let found = await configuration.lookForPassword?()
        #expect(found == changed)
        #expect(try await account.password.text() == changed ?? "old")
      }
    }
  }

  @Test("ends a 'listen' that had begun with its own code, so that no service manager starts it again")
  func listening() async throws {
    let rig = try ApplicationRig()
    let run = try await rig.start("listen")
    rig.fixture.script.password = "another"
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(run.value == .authentication)
    #expect(rig.output.failures.map(\.condition) == ["not-authorized"])
    #expect(rig.output.failures.first?.text.hasPrefix("The connection was lost: Wrong user name or password.") == true)
  }

  @Test("that came from a descriptor, of which nothing is left, is typed, or is tried again where nobody can be asked")
  func readOnce() async throws {
    for (secrets, then) in [(nil, "old"), (TypedSecrets(.success("new")), "new")] {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      #expect(write(ends[1], "old\n", 4) == 4)
      close(ends[1])
      #expect(try await second(.file("/dev/fd/\(ends[0])"), ApplicationRig(secrets: secrets)) == then)
      close(ends[0])
    }
  }

  @Test("is said to be wrong with where it came from, or with what replaces it")
  func named() async throws {
    try await TestDirectory.onLoop { directory in
      let path = try directory.write("old\n", to: "password")
      try directory.write(
        "[accounts.me]\njid = \"alice@example.org\"\npassword = \"old\"\n", to: "config.toml")
      let file = directory.file("config.toml")
      let configured = ["JACKDAW_CONFIG": file, "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""]
      let advice: [(environment: [String: String], text: String)] = [
        (configured, "'jackdaw account add alice@example.org' replaces the one in \(file)."),
        (["JACKDAW_PASSWORD": "", "JACKDAW_PASSWORD_FILE": path], "The password came from \(path)."),
        (["JACKDAW_PASSWORD": "old"], "The password came from JACKDAW_PASSWORD."),
      ]
      for row in advice {
        let account = try #require(ApplicationRig(environment: row.environment).application.chosenAccounts().first)
        let text = try await account.configuration().adviceIfRefused
        #expect(text == row.text)
      }
      #expect(try await fileDescriptor() == nil, "nothing is left of it")
    }
  }

  /// What is advised of a password that came from a descriptor.
  @Client private func fileDescriptor() async throws -> String? {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    write(ends[1], "old\n", 4)
    close(ends[1])
    let rig = try ApplicationRig(environment: ["JACKDAW_PASSWORD": "", "JACKDAW_PASSWORD_FILE": "/dev/fd/\(ends[0])"])
    return try await rig.application.chosenAccounts().first?.configuration().adviceIfRefused
  }
}
