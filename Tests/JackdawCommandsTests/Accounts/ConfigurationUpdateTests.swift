// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands

@Suite("Changing one account of config.toml")
struct ConfigurationUpdateTests {
  private static let before = """
    default_account = "home" # the usual one

    # at home
    [accounts.home]
      jid = "me@home"   # mine
      ca_file = "~/ca.pem"
      password = "old"  # change me

    # at work
    [accounts.work]
    jid = "me@work"
    password_command = ["pass", "work"] # never here

    """

  private func updated(
    _ text: String = before, _ name: String = "home", home: String? = "/h",
    _ change: (inout Configuration.Account) -> Void
  ) async throws -> String {
    try await TestDirectory.with { directory in
      try directory.write(text, to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"), home: home)
      var account = try #require(try file.load()[name])
      change(&account)
      try file.update(account)
      #expect(try file.load()[name] == account)
      return try ConfigurationFileTests.text(directory)
    }
  }

  @Test("a password takes the place of the one before, and every other byte stays")
  func password() async throws {
    let after = try await updated { $0.password = .inline("n\"ew") }
    #expect(after == Self.before.replacing(#"password = "old""#, with: #"password = "n\"ew""#))
  }

  @Test("what is new stands at its place, with the table's indentation")
  func added() async throws {
    let after = try await updated {
      $0.server = "h:5"
      $0.tls = .direct
      $0.newPassword = "next"
    }
    let expected = Self.before.replacing(
      "# mine\n", with: "# mine\n  server = \"h:5\"\n  tls = \"direct\"\n"
    ).replacing("# change me\n", with: "# change me\n  new_password = \"next\"\n")
    #expect(after == expected)
  }

  @Test("another way to the password takes the line of the one before")
  func anotherWay() async throws {
    let after = try await updated(Self.before, "work") { $0.password = .file("/p") }
    #expect(
      after == Self.before.replacing(#"password_command = ["pass", "work"]"#, with: #"password_file = "/p""#))
  }

  @Test("what is no more is gone with its line alone")
  func removed() async throws {
    let after = try await updated { $0.password = nil }
    #expect(after == Self.before.replacing("  password = \"old\"  # change me\n", with: ""))
  }

  @Test("nothing is written where nothing changes")
  func unchanged() async throws { #expect(try await updated { _ in } == Self.before) }

  @Test(
    "is refused where a line cannot be exchanged alone, and the file stays",
    arguments: [
      "accounts.home = { jid = \"me@home\", password = \"old\" }\n",
      "[accounts.home]\njid = \"me@home\"\npassword = \"\"\"\nold\"\"\"\n",
      "[accounts.work]\njid = \"me@work\"\n",
    ])
  func refused(_ text: String) async throws {
    try await TestDirectory.with { directory in
      try directory.write(text, to: "config.toml")
      let file = ConfigurationFile(path: directory.file("config.toml"))
      var account = try Configuration.Account(JID("me@home"))
      account.name = "home"
      account.password = .inline("new")
      #expect { try file.update(account) } throws: { ($0 as? CommandFailure)?.code == .configuration }
      #expect(try ConfigurationFileTests.text(directory) == text)
    }
  }
}
