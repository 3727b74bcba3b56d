// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawStore

@Client @Suite(.onLoop) struct LoginTableTests {
  private let store = AccountStore.inMemory().login

  @Test("Before the first log-in no mechanism is remembered") func theFirstLogInRemembersNothing() throws {
    #expect(try store.loadMechanism() == nil)
  }

  @Test("The last mechanism is remembered") func theLastMechanismIsRemembered() throws {
    for mechanism in ["PLAIN", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1"] {
      try store.keepMechanism(mechanism)
      #expect(try store.loadMechanism() == mechanism)
    }
  }

  @Test("The ID of this installation is kept until the next first log-in")
  func howTheServerKnowsThisInstallationIsKeptUntilALogInIsTheFirstAgain() throws {
    #expect(try store.loadInstallation() == nil)
    var installation = Installation.fresh()
    try store.keepInstallation(installation)
    #expect(try store.loadInstallation() == installation)
    let expiry = try #require(Timestamp("2027-01-01T00:00:00Z"))
    installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x", expiry: expiry)
    try store.keepInstallation(installation)
    #expect(try store.loadInstallation() == installation)
    try store.keepMechanism("SCRAM-SHA-1")
    try store.forgetMechanism()
    #expect(try store.loadInstallation() == nil)
    #expect(try store.loadMechanism() == nil)
  }

  @Test("Keys are stored until they are forgotten") func keysAreKeptUntilTheyAreForgotten() throws {
    #expect(try store.loadKeys() == nil)
    #expect(try !store.forgetSecrets())
    let keys = try #require(
      SCRAMKeys(
        hashName: "SHA-256", salt: [0, 255, 7], iterations: 10_000, clientKey: Array(0..<32), serverKey: Array(32..<64))
    )
    for origin in ["1.2.3", nil] {
      try store.keepKeys(KeptKeys(keys: keys, origin: origin))
      #expect(try store.loadKeys() == KeptKeys(keys: keys, origin: origin))
    }
    var installation = Installation.fresh()
    installation.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x", expiry: nil)
    try store.keepInstallation(installation)
    try store.keepMechanism("SCRAM-SHA-256")
    #expect(try store.forgetSecrets())
    #expect(try store.loadKeys() == nil)
    installation.token = nil
    #expect(try store.loadInstallation() == installation)
    #expect(try store.loadMechanism() == "SCRAM-SHA-256", "against downgrades")
    try store.keepKeys(KeptKeys(keys: keys, origin: nil))
    try store.forgetMechanism()
    #expect(try store.loadKeys() == nil)
  }

  @Test("a secret that fits no more is deleted, and not the one that has taken its place")
  func onlyWhatFailedIsForgotten() throws {
    func keys(_ first: UInt8) throws -> SCRAMKeys {
      try #require(
        SCRAMKeys(
          hashName: "SHA-256", salt: [1], iterations: 4_096, clientKey: Array(first..<first + 32),
          serverKey: Array(32..<64)))
    }
    try store.keepKeys(KeptKeys(keys: keys(1), origin: nil))
    try store.forgetKeys(keys(2))
    #expect(try store.loadKeys()?.keys == keys(1))
    try store.forgetKeys(keys(1))
    #expect(try store.loadKeys() == nil)
    let expiry = try #require(Timestamp("2027-01-01T00:00:00Z"))
    func token(_ secret: String) -> LoginToken {
      LoginToken(mechanism: "HT-SHA-256-EXPR", secret: secret, expiry: expiry)
    }
    var installation = Installation.fresh()
    installation.token = token("secret-token:new")
    try store.keepInstallation(installation)
    try store.forgetToken(token("secret-token:old"))
    #expect(try store.loadInstallation() == installation)
    try store.forgetToken(token("secret-token:new"))
    installation.token = nil
    #expect(try store.loadInstallation() == installation)
  }

  @Test("The ID of an installation is a random UUID") func anInstallationIsARandomUUID() {
    let agents = (0..<100).map { _ in Installation.fresh().agent }
    #expect(Set(agents).count == 100)
    for agent in agents {
      #expect(
        agent.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil, "\(agent)")
    }
  }

  private func ticket(_ secret: [UInt8]) -> KeptTicket {
    KeptTicket(
      scope: "chat.example", session: secret, expiry: Timestamp(milliseconds: 5_000),
      verifiedUntil: Timestamp(milliseconds: 6_000))
  }

  /// Two programs of one account, each with its own connection to the file.
  private func programs(
    in folder: TemporaryFolder, busyTimeout: Duration = .seconds(1),
    warn: @escaping @Client (StoreWarning) -> Void = { _ in }
  ) throws -> [AccountStore] {
    let file = DatabaseFile(directory: folder.path, account: try JID("a@b.example"))
    return (0..<2).map { _ in
      AccountStore(
        database: AccountDatabase(file: file, busyTimeout: Int32(busyTimeout / .milliseconds(1)), warn: warn))
    }
  }

  @Test("A ticket is taken by one program only") func aTicketIsTakenByOneProgramOnly() throws {
    let stores = try programs(in: TemporaryFolder())
    for taker in stores {
      stores[0].login.keepTicket(ticket([1, 2]))
      stores[0].login.settleTicket()
      #expect(taker.login.takeTicket() == ticket([1, 2]))
      for store in stores { #expect(store.login.takeTicket() == nil) }
    }
    try stores[0].login.keepMechanism("PLAIN")
    stores[0].login.keepTicket(ticket([3]))
    stores[0].login.settleTicket()
    try stores[1].login.forgetMechanism()
    #expect(stores[0].login.takeTicket() == nil)
  }

  /// A transaction of its own would cost a command more than the ticket saves.
  @Test("A ticket is stored with the next write") func aTicketGoesWithWhatIsWrittenNext() throws {
    let stores = try programs(in: TemporaryFolder())
    stores[0].login.keepTicket(ticket([1]))
    #expect(stores[1].login.takeTicket() == nil)
    try stores[0].roster.replaceRoster(RosterSnapshot(version: "1", items: []))
    #expect(stores[1].login.takeTicket() == ticket([1]))
    // Once: it is not written again by the next one.
    try stores[0].roster.replaceRoster(RosterSnapshot(version: "2", items: []))
    #expect(stores[1].login.takeTicket() == nil)
    // Until then the program itself has it.
    stores[0].login.keepTicket(ticket([2]))
    #expect(stores[0].login.takeTicket() == ticket([2]))
    try stores[0].roster.replaceRoster(RosterSnapshot(version: "3", items: []))
    #expect(stores[1].login.takeTicket() == nil)
  }

  @Test("A write does not fail because of the ticket") func whatIsWrittenDoesNotFailWithTheTicket() throws {
    let database = AccountDatabase(file: nil, busyTimeout: 0) { _ in }
    let store = AccountStore(database: database)
    try database.perform { database throws(DatabaseError) in try database.execute("DROP TABLE tls_ticket") }
    store.login.keepTicket(ticket([1]))
    try store.roster.replaceRoster(RosterSnapshot(version: "1", items: []))
    #expect(try store.roster.loadRoster()?.version == "1")
    #expect(store.login.takeTicket() == nil)
  }

  /// It saves time, and so it is not waited for.
  @Test("Where the database is locked a log-in does not wait for a ticket")
  func aTicketIsDoneWithoutWhereTheDatabaseIsLocked() throws {
    var warnings: [StoreWarning] = []
    let folder = TemporaryFolder()
    let patience = Duration.seconds(60)
    let stores = try programs(in: folder, busyTimeout: patience) { warnings.append($0) }
    stores[0].login.keepTicket(ticket([1]))
    stores[0].login.settleTicket()
    _ = try stores[1].login.loadMechanism()
    let other = try Database(path: "\(folder.path)/a@b.example.sqlite3")
    try other.run("BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    #expect(stores[1].login.takeTicket() == nil)
    stores[1].login.keepTicket(ticket([2]))
    stores[1].login.settleTicket()
    #expect(ContinuousClock.now - start < patience / 2)
    try other.run("ROLLBACK")
    #expect(warnings.isEmpty)
    #expect(stores[0].login.takeTicket() == ticket([1]))
    // Others wait as before.
    try stores[1].login.keepMechanism("PLAIN")
  }
}
