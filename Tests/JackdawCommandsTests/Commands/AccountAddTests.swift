// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands

/// The server of these takes the log-in unless a test has it say otherwise.
@Client @Suite("account add", .onLoop)
struct AccountAddTests {
  let accounts = AccountTests()

  private static let old = "# mine\n[accounts.home]\njid = \"me@example.org\" # me\npassword = \"old\"\n"

  @Test("asks for the password and writes it where only its owner can read it")
  func asks() async throws {
    try await TestDirectory.onLoop { directory in
      let typed = TypedSecrets(.success("s3cret"))
      let rig = try accounts.rig(directory, secrets: typed)
      #expect(try await rig.run("account", "add", "me@example.org/desk") == .success)
      #expect(typed.questions == ["Password for me@example.org (empty: ask each time): "])
      let account = try #require(try accounts.load(directory)["me@example.org"])
      #expect(account.password == .inline("s3cret") && account.jid.description == "me@example.org/desk")
      #expect(rig.output.lines == ["Added me@example.org/desk."])
      #expect(rig.output.rows(AccountRow.self).first?.isDefault == true)
      #expect(ConfigurationFileTests.mode(directory.file("config.toml")) == 0o600)
      #expect(rig.fixture.connector.plans.count == 1)
    }
  }

  @Test(
    "takes an address that was copied as a link",
    arguments: ["xmpp:me@example.org", "XMPP:me@example.org", "xmpp:m%65@example.org?message;body=Hi"])
  func link(_ word: String) async throws {
    try await TestDirectory.onLoop { directory in
      let rig = try accounts.rig(directory, secrets: TypedSecrets(.success("s3cret")))
      #expect(try await rig.run("account", "add", word) == .success)
      #expect(rig.output.lines == ["Added me@example.org."])
      #expect(try accounts.load(directory)["me@example.org"] != nil)
    }
  }

  @Test("takes the rest from options and environment, and nothing from the account that is there")
  func takesOptions() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(
        "[accounts.first]\njid = \"a@first\"\nserver = \"x:1\"\nca_file = \"/ca\"\npassword_file = \"/first\"\n",
        to: "config.toml")
      let plain = try accounts.rig(directory)
      #expect(
        try await plain.run("account", "add", "me@work", "--name", "work", "--password-command", "echo 'a b'")
          == .success)
      let work = try #require(try accounts.load(directory)["work"])
      #expect(
        work.server == nil && work.caFile == nil && work.tls == nil && work.password == .command(["echo", "a b"]))
      let words = ["account", "add", "me@full", "--server", "h:5", "--tls", "direct", "--password-file", "/p"]
      let full = try accounts.rig(
        directory, words: words, environment: ["JACKDAW_CA_FILE": "ca.pem", "JACKDAW_SERVER": "other"])
      #expect(await full.application.run(try CommandTable.standard.parse(shell: words + ["--no-check"])) == .success)
      let account = try #require(try accounts.load(directory)["me@full"])
      #expect(account.server == "h:5" && account.tls == .direct && account.password == .file("/p"))
      // It is read from other folders than this one.
      #expect(account.caFile?.hasPrefix("/") == true && account.caFile?.hasSuffix("/ca.pem") == true)
      #expect(try accounts.load(directory).defaultAccount == "first")
      #expect(full.fixture.connector.plans.isEmpty)
    }
  }

  @Test("keeps the password itself of a descriptor that no later process has, as of <(pass show xmpp)")
  func descriptor() async throws {
    try await TestDirectory.onLoop { directory in
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0 && write(ends[1], "s3cret\n", 7) == 7)
      close(ends[1])
      defer { close(ends[0]) }
      let words = ["account", "add", "me@example.org", "--password-file", "/dev/fd/\(ends[0])"]
      let rig = try accounts.rig(directory, words: words)
      #expect(await rig.application.run(try CommandTable.standard.parse(shell: words)) == .success)
      #expect(try accounts.load(directory)["me@example.org"]?.password == .inline("s3cret"))
    }
  }

  @Test(
    "without a terminal takes the environment's password, or leaves it to be asked for and says that it was not checked"
  )
  func withoutATerminal() async throws {
    try await TestDirectory.onLoop { directory in
      let rig = try accounts.rig(
        directory, words: ["account", "add", "me@x"], environment: ["JACKDAW_PASSWORD": "env"])
      #expect(try await rig.run("account", "add", "me@example.org") == .success)
      #expect(try accounts.load(directory)["me@example.org"]?.password == .inline("env"))
      let second = try accounts.rig(directory)
      #expect(try await second.run("account", "add", "you@example.org") == .success)
      let stored = try #require(try accounts.load(directory)["you@example.org"])
      #expect(stored.password == nil && second.output.notices.first?.hasPrefix("Not checked") == true)
    }
  }

  @Test("asks again for a wrong password, and stores nothing where none is given")
  func wrongPassword() async throws {
    try await TestDirectory.onLoop { directory in
      let typed = TypedSecrets(.success("a"), .failure(.interrupted))
      let rig = try accounts.rig(directory, secrets: typed)
      rig.fixture.script.password = "another"
      #expect(try await rig.run("account", "add", "me@example.org") == .interrupted)
      #expect(typed.questions.count == 2)
      #expect(rig.output.notices == ["Wrong user name or password."])
      #expect(try accounts.load(directory).accounts.isEmpty)
    }
  }

  @Test("stores nothing where the server cannot be reached, names --no-check, and does so with it")
  func unreachable() async throws {
    try await TestDirectory.onLoop { directory in
      let words = ["account", "add", "me@example.org"]
      let rig = try accounts.rig(directory, words: words, environment: ["JACKDAW_PASSWORD": "p"])
      rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
      #expect(try await rig.run("account", "add", "me@example.org") == .noHost)
      #expect(rig.output.failures.first?.text.contains("--no-check") == true)
      #expect(try accounts.load(directory).accounts.isEmpty)
      #expect(try await rig.run("account", "add", "me@example.org", "--no-check") == .success)
      #expect(try accounts.load(directory)["me@example.org"]?.password == .inline("p"))
    }
  }

  @Test("does not name --no-check where keys are to be kept, which come of a log-in alone")
  func unreachableForKeys() async throws {
    try await TestDirectory.onLoop { directory in
      let words = ["account", "add", "me@example.org", "--store", "keys"]
      let rig = try accounts.rig(directory, words: words, environment: ["JACKDAW_PASSWORD": "p"])
      rig.fixture.connector.outcome = { _ in .fails(TransportError(.unreachable, "nobody there")) }
      #expect(try await rig.run("account", "add", "me@example.org", "--store", "keys") == .noHost)
      let text = try #require(rig.output.failures.first?.text)
      #expect(text.hasSuffix("Nothing was stored."), "\(text)")
    }
  }

  @Test("of an address that is there changes its password and what is given, under the name that it has")
  func updates() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(Self.old, to: "config.toml")
      let rig = try accounts.rig(
        directory, words: ["--tls", "direct", "account", "add", "me@example.org"],
        secrets: TypedSecrets(.success("new")))
      #expect(try await rig.run("account", "add", "me@example.org") == .success)
      #expect(
        try ConfigurationFileTests.text(directory)
          == "# mine\n[accounts.home]\njid = \"me@example.org\" # me\ntls = \"direct\"\npassword = \"new\"\n")
      #expect(rig.output.lines == ["Updated me@example.org, the account 'home'."])
      let kept = try accounts.rig(directory, secrets: TypedSecrets(.success("")))
      #expect(try await kept.run("account", "add", "me@example.org") == .success)
      #expect(try accounts.load(directory)["home"]?.password == .inline("new"))
    }
  }

  @Test("of an address that is there leaves it as it is where the new password is wrong")
  func doesNotUpdate() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(Self.old, to: "config.toml")
      let rig = try accounts.rig(
        directory, words: ["account", "add", "me@example.org"], environment: ["JACKDAW_PASSWORD": "wrong"])
      rig.fixture.script.password = "another"
      #expect(try await rig.run("account", "add", "me@example.org") == .authentication)
      #expect(try ConfigurationFileTests.text(directory) == Self.old)
    }
  }

  @Test("does not put a typed password or one of the environment in the place of a program")
  func keepsTheProgram() async throws {
    try await TestDirectory.onLoop { directory in
      let text = "[accounts.home]\njid = \"me@example.org\"\npassword_command = [\"echo\", \"secret\"]\n"
      try directory.write(text, to: "config.toml")
      let typed = TypedSecrets(.success("typed"))
      let rig = try accounts.rig(directory, secrets: typed)
      #expect(try await rig.run("account", "add", "me@example.org") == .success)
      #expect(typed.questions.isEmpty && rig.fixture.connector.plans.count == 1)
      #expect(try ConfigurationFileTests.text(directory) == text)
      let environment = try accounts.rig(
        directory, words: ["account", "add", "me@example.org"], environment: ["JACKDAW_PASSWORD": "env"])
      #expect(try await environment.run("account", "add", "me@example.org") == .configuration)
      #expect(environment.output.failures.first?.text.contains("password_command") == true)
      #expect(try ConfigurationFileTests.text(directory) == text)
      let given = try accounts.rig(directory)
      #expect(try await given.run("account", "add", "me@example.org", "--password-command", "echo other") == .success)
      #expect(try accounts.load(directory)["home"]?.password == .command(["echo", "other"]))
    }
  }

  @Test(
    "refuses what is no account",
    arguments: [
      (["example.org"], ExitCode.badInput), (["@@"], .badInput), (["me@x", "--name", "taken"], .configuration),
      (["me@x", "--password-command", "'"], .badInput), (["me@x", "--password-command", " "], .usage),
    ])
  func refuses(_ words: [String], _ code: ExitCode) async throws {
    try await TestDirectory.onLoop { directory in
      let text = "[accounts.taken]\njid = \"a@b\"\n"
      try directory.write(text, to: "config.toml")
      let rig = try accounts.rig(directory)
      let application = rig.application
      #expect(await application.run(try CommandTable.standard.parse(shell: ["account", "add"] + words)) == code)
      #expect(try ConfigurationFileTests.text(directory) == text)
    }
  }
}
