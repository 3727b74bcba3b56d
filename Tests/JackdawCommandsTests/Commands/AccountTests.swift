// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

@Client @Suite("account", .onLoop)
struct AccountTests {
  /// A rig whose configuration is a file in `directory`.
  func rig(
    _ directory: TestDirectory, words: [String] = [], environment: [String: String] = [:],
    secrets: (any SecretAsking)? = nil
  ) throws -> ApplicationRig {
    let own = ["JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""]
    return try ApplicationRig(words: words, environment: own.merging(environment) { $1 }, secrets: secrets)
  }

  func load(_ directory: TestDirectory) throws -> Configuration {
    try ConfigurationFile(path: directory.file("config.toml")).load()
  }

  @Test("list shows the accounts and which is the default")
  func list() async throws {
    try await TestDirectory.onLoop { directory in
      #expect(try await rig(directory).run("account", "list") == .success)
      try directory.write(
        "default_account = \"b\"\n[accounts.b]\njid = \"me@b\"\n[accounts.a]\njid = \"me@a\"\n", to: "config.toml")
      let rig = try rig(directory)
      #expect(try await rig.run("account", "list") == .success)
      #expect(rig.output.lines == ["a|me@a", "b|me@b|default"])
    }
  }

  @Test("remove takes one away, and what is remembered of its log-ins")
  func remove() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write("[accounts.a]\njid = \"me@a/x\"\n\n# keep\n[accounts.b]\njid = \"me@b\"\n", to: "config.toml")
      let rig = try rig(directory)
      for account in ["me@a", "me@b"] { try rig.logins[JID(account)].keepMechanism("SCRAM-SHA-1") }
      #expect(try await rig.run("account", "remove", "a") == .success)
      #expect(try rig.logins[JID("me@a")].loadMechanism() == nil)
      #expect(rig.output.lines == ["Removed me@a/x, the account 'a'."])
      #expect(try ConfigurationFileTests.text(directory) == "\n# keep\n[accounts.b]\njid = \"me@b\"\n")
      #expect(try await rig.run("account", "remove", "a") == .configuration)
      #expect(try rig.logins[JID("me@b")].loadMechanism() == "SCRAM-SHA-1")
    }
  }

  @Test("remove takes the address of an account that is not in the file, where something is stored of it")
  func removeUnnamed() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write("[accounts.a]\njid = \"me@a/x\"\n", to: "config.toml")
      let rig = try rig(directory)
      rig.stored.accounts = [try JID("me@a"), try JID("me@b")]
      for account in ["me@a", "me@b", "me@c"] { try rig.logins[JID(account)].keepMechanism("SCRAM-SHA-1") }
      #expect(try await rig.run("account", "remove", "me@b") == .success)
      #expect(rig.output.lines == ["Removed me@b."])
      // One that has another name there, and one of which nothing is stored.
      for address in ["me@a", "me@c"] { #expect(try await rig.run("account", "remove", address) == .configuration) }
      let known = try ["me@a", "me@b", "me@c"].map { try rig.logins[JID($0)].loadMechanism() }
      #expect(known == ["SCRAM-SHA-1", nil, "SCRAM-SHA-1"])
      #expect(try ConfigurationFileTests.text(directory) == "[accounts.a]\njid = \"me@a/x\"\n")
    }
  }

  @Test("list says of no row that it is about the first of several accounts that are in use")
  func listOfSeveral() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(
        "default_account = [\"b\", \"a\"]\n[accounts.b]\njid = \"me@b\"\n[accounts.a]\njid = \"me@a\"\n",
        to: "config.toml")
      let rig = try rig(directory)
      #expect(try await rig.run("account", "list") == .success)
      #expect(rig.output.lines == ["a|me@a|default", "b|me@b|default"])
      #expect(rig.output.rowAccounts == [nil, nil])
    }
  }

  @Test("remove forgets nothing of an address that another entry has too")
  func removeOneOfTwo() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(
        "[accounts.a]\njid = \"me@a/x\"\n[accounts.b]\njid = \"me@a/y\"\n", to: "config.toml")
      let rig = try rig(directory)
      try rig.logins[JID("me@a")].keepMechanism("SCRAM-SHA-1")
      #expect(try await rig.run("account", "remove", "a") == .success)
      #expect(try rig.logins[JID("me@a")].loadMechanism() == "SCRAM-SHA-1")
    }
  }

  /// What there is when an account is taken out of the configuration.
  private struct Removal {
    var words: [String] = []
    var answer: String?
    var isInUse = false
    var others = ["me@b"]
    var code = ExitCode.success
    var isDeleted = false
    var hasHistory = true
  }

  @Test(
    "remove deletes what is stored here where that is wanted, and nobody uses it",
    arguments: [
      Removal(), Removal(answer: ""), Removal(answer: "n"), Removal(answer: " Y ", isDeleted: true),
      Removal(answer: "yes", others: [], isDeleted: true, hasHistory: false),
      Removal(words: ["--purge"], isDeleted: true), Removal(words: ["--no-purge"], answer: "y"),
      Removal(words: ["--purge"], isInUse: true, code: .tryAgain), Removal(isInUse: true),
      Removal(words: ["--purge"], others: ["me@a/other"], code: .usage), Removal(answer: "y", others: ["me@a/other"]),
    ])
  private func removeWhatIsStored(_ removal: Removal) async throws {
    try await TestDirectory.onLoop { directory in
      let others = removal.others.map { "\n[accounts.b]\njid = \"\($0)\"\n" }.joined()
      try directory.write("[accounts.a]\njid = \"me@a/x\"\n" + others, to: "config.toml")
      let rig = try ApplicationRig(
        environment: ["JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""],
        isTerminal: removal.answer != nil, secrets: removal.answer.map { TypedSecrets(.success($0)) })
      rig.stored.accounts = [try JID("me@a"), try JID("me@b")]
      rig.stored.isInUse = removal.isInUse
      let request = ["account", "remove", "a"] + removal.words
      #expect(await rig.application.run(try CommandTable.standard.parse(shell: request)) == removal.code)
      #expect(rig.stored.accounts.map(\.description) == (removal.isDeleted ? ["me@b"] : ["me@a", "me@b"]))
      #expect(rig.stored.hasHistory == removal.hasHistory)
      // What is not done is not done by half.
      let text = try ConfigurationFileTests.text(directory)
      #expect(text.contains("[accounts.a]") == (removal.code != .success))
      let isTold = rig.output.notices.contains("What is stored of me@a on this machine stays in /data/me@a.")
      #expect(isTold == (removal.code == .success && !removal.isDeleted))
    }
  }

  @Test("remove says that the account is out of the file where what is stored of it cannot be deleted")
  func removeOfWhatCannotBeDeleted() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write("[accounts.a]\njid = \"me@a\"\n", to: "config.toml")
      let rig = try rig(directory)
      rig.stored.accounts = [try JID("me@a")]
      rig.stored.failure = CommandFailure(.inputOutput, "not-stored", "The disk is broken.")
      #expect(try await rig.run("account", "remove", "a", "--purge") == .inputOutput)
      #expect(try load(directory).accounts.isEmpty)
      #expect(
        rig.output.failures.map(\.text) == [
          "'a' is taken out of \(directory.file("config.toml")), but not all that is stored of it is deleted: The disk is broken."
        ])
    }
  }

  @Test("password asks for the old one first where keys stand for it in the log-in, and before there is a connection")
  func passwordBesideKeys() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write("[accounts.a]\njid = \"me@a\"\nstore = \"keys\"\n", to: "config.toml")
      let typed = TypedSecrets(.success("old"))
      let rig = try ApplicationRig(
        environment: ["JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""],
        isTerminal: true, secrets: typed)
      let key = [UInt8](repeating: 1, count: 32)
      let keys = SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 4_096, clientKey: key, serverKey: key)
      try rig.logins[JID("me@a")].keepKeys(KeptKeys(keys: #require(keys), origin: nil))
      #expect(try await rig.run("account", "password") == .interrupted)
      #expect(typed.questions == ["Password for me@a: ", "New password for me@a: "])
      #expect(rig.fixture.connector.records.isEmpty)
    }
  }

  @Test("register writes the file's name where the password is in one, whoever named it")
  func registerKeepsTheFile() {
    #expect(AccountRegisterCommand.kept(.file("/p")) == .file("/p"))
    #expect(AccountRegisterCommand.kept(.file("/dev/fd/3")) == nil)
    #expect(AccountRegisterCommand.kept(.environment("x")) == nil && AccountRegisterCommand.kept(nil) == nil)
  }

  @Test("register says of what is no address that it is none, and not that '--jid' was wrong")
  func registerWithoutAnAddress() async throws {
    try await TestDirectory.onLoop { directory in
      for (word, text) in [
        ("example.org", "'example.org' is a server. Did you mean somebody like you@example.org?"),
        ("m e@x", "'m e@x' is not an address: it has a space before the '@', which is not allowed there."),
      ] {
        let words = ["account", "register", word]
        let rig = try rig(directory, words: words)
        #expect(await rig.application.run(try CommandTable.standard.parse(shell: words)) == .badInput)
        #expect(rig.output.failures.map(\.text) == [text])
      }
    }
  }

  @Test("register without a password and a terminal says in a sentence where one can be given")
  func registerWithoutAPassword() async throws {
    try await TestDirectory.onLoop { directory in
      let words = ["account", "register", "me@example.org"]
      let rig = try rig(directory, words: words)
      #expect(await rig.application.run(try CommandTable.standard.parse(shell: words)) == .authentication)
      #expect(rig.output.failures.first?.text.hasSuffix("use --password-file, or set JACKDAW_PASSWORD.") == true)
    }
  }

  @Test("check shows each step")
  func check() async throws {
    let rig = try ApplicationRig(words: ["--server", "localhost"])
    #expect(try await rig.run("--server", "localhost", "account", "check") == .success)
    let rows = rig.output.rows(CheckRow.self)
    #expect(rows.map(\.step) == CheckRow.Step.allCases)
    #expect(
      rows.prefix(6).map(\.finding) == [
        "skipped: the account names localhost", FakeConnector.address,
        "TLSv1.3, TLS_AES_256_GCM_SHA384, certificate verified",
        "SCRAM-SHA-256", "alice@example.org/here, 4 round trips after TLS", "none beyond the core",
      ])
  }

  @Test("check without a named server says what DNS knows")
  func checkNames() async throws {
    let rig = try ApplicationRig()
    #expect(try await rig.run("account", "check") == .success)
    let rows = rig.output.rows(CheckRow.self)
    #expect(rows.map(\.step) == CheckRow.Step.allCases)
    #expect(rows.first?.finding == "example.org port 5222")
  }

  @Test("several addresses are one step, which a failure comes after")
  func checkAddresses() {
    var rows: [CheckRow] = []
    let steps = CheckSteps { rows.append($0) }
    steps.succeeded(CheckRow(.dns, "a port 1"))
    for address in ["::1 port 1", "127.0.0.1 port 1", "::1 port 1"] { steps.connected(address) }
    #expect(rows.map(\.step) == [.dns] && steps.next == .tcp)
    steps.ended()
    #expect(rows.map(\.finding) == ["a port 1", "::1 port 1, 127.0.0.1 port 1"] && steps.next == .tls)
    steps.succeeded(CheckRow(.tls, "TLSv1.3"))
    #expect(rows.map(\.step) == [.dns, .tcp] && steps.next == .sasl)
    steps.ended()
    #expect(rows.map(\.step) == [.dns, .tcp, .tls] && steps.next == .sasl)
  }

  @Test("check shows no TLS of an address that is left as nothing is said behind it")
  func checkLeavesTLS() {
    var rows: [CheckRow] = []
    let steps = CheckSteps { rows.append($0) }
    for address in ["::1 port 1", "127.0.0.1 port 1"] {
      steps.connected(address)
      steps.succeeded(CheckRow(.tls, address))
    }
    #expect(rows.isEmpty && steps.next == .sasl)
    steps.connected("127.0.0.2 port 1")
    steps.ended()
    #expect(rows.map(\.step) == [.tcp] && steps.next == .tls)
    steps.succeeded(CheckRow(.tls, "TLSv1.3"))
    steps.succeeded(CheckRow(.sasl, "PLAIN"))
    steps.succeeded(CheckRow(.bind, "here"))
    #expect(rows.map(\.step) == [.tcp, .tls, .sasl, .bind] && rows[1].finding == "TLSv1.3")
  }

  @Test("check shows each step once where the log-in is done once more")
  func checkBeginsAnew() {
    var rows: [CheckRow] = []
    let steps = CheckSteps { rows.append($0) }
    for address in ["::1 port 1", "127.0.0.1 port 1"] {
      steps.succeeded(CheckRow(.dns, "a port 1"))
      steps.connected(address)
      steps.succeeded(CheckRow(.tls, address))
      steps.succeeded(CheckRow(.sasl, address))
    }
    steps.succeeded(CheckRow(.bind, "here"))
    #expect(rows.map(\.step) == [.dns, .tcp, .tls, .sasl, .bind])
    #expect(rows.map(\.finding) == ["a port 1"] + Array(repeating: "127.0.0.1 port 1", count: 3) + ["here"])
  }

  @Test("check names the step at which the log-in fails that is done once more")
  func checkFailsAnew() {
    var rows: [CheckRow] = []
    let steps = CheckSteps { rows.append($0) }
    steps.succeeded(CheckRow(.dns, "a port 1"))
    steps.connected("::1 port 1")
    steps.succeeded(CheckRow(.tls, "TLSv1.3"))
    steps.succeeded(CheckRow(.dns, "a port 1"))
    steps.ended()
    #expect(rows.map(\.step) == [.dns] && steps.next == .tcp)
    steps.connected("::1 port 1")
    steps.ended()
    #expect(rows.map(\.step) == [.dns, .tcp] && steps.next == .tls)
  }

  @Test(
    "check says at which step it failed, with the failure's code",
    arguments: [
      (TransportError(.unresolved, "no such name"), "dns: no such name.", ExitCode.noHost),
      (TransportError(.unreachable, "nobody"), "tcp: nobody.", .noHost),
      (TransportError(.certificate, "expired"), "tls: expired.", .unsafe),
      (TransportError(.caFile, "no such file"), "tls: no such file.", .configuration),
      (TransportError(.timedOut, "silence"), "tcp: silence.", .tryAgain),
    ])
  func checkFails(_ error: TransportError, _ text: String, _ code: ExitCode) async throws {
    let rig = try ApplicationRig()
    rig.fixture.connector.outcome = { _ in .fails(error) }
    #expect(try await rig.run("account", "check") == code)
    #expect(rig.output.failures.map(\.text) == [text] && rig.output.failures.first?.command == "account check")
  }

  @Test("check with a wrong password fails at SASL")
  func checkPassword() async throws {
    let rig = try ApplicationRig()
    rig.fixture.script.password = "another"
    #expect(try await rig.run("account", "check") == .authentication)
    #expect(rig.output.failures.first?.text.hasPrefix("sasl: ") == true)
    #expect(rig.output.rows(CheckRow.self).map(\.step) == [.dns, .tcp, .tls])
    // What the user can do about it does not bring the server's own words with it.
    let stored = try ApplicationRig()
    stored.fixture.script.password = "another"
    stored.fixture.session.configuration.adviceIfRefused = try stored.application.account().password.advice
    #expect(try await stored.run("account", "check") == .authentication)
    #expect(
      stored.output.failures.last?.text
        == "sasl: Wrong user name or password. The password came from JACKDAW_PASSWORD.")
  }

  @Test("check names 'bind', and not the log-in before it, where the server binds no resource")
  func checkBind() async throws {
    let rig = try ApplicationRig()
    rig.fixture.edit = { _, reply in
      guard reply.contains("</bind></iq>") else { return .says(reply) }
      return .says(
        reply.replacing(/<iq type='result'(.*?)>.*<\/iq>/) {
          "<iq type='error'\($0.1)><error type='wait'>"
            + "<resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
        })
    }
    #expect(try await rig.run("account", "check") == .unavailable)
    #expect(rig.output.rows(CheckRow.self).map(\.step) == [.dns, .tcp, .tls, .sasl])
    #expect(
      rig.output.failures.map(\.text) == [
        "bind: The server refused to open a session for this device. The server is too busy or has no room left."
      ])
  }
}
