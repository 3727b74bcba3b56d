// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// Servers that do wrong what XEP-0480 asks of them. One that has not proved itself gets nothing; after that the log-in can do without.
@Suite("A log-in with an upgrade that comes to nothing")
struct UpgradeFaultTests {
  private static let nonce = "fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
  private static let challenge = sasl("challenge", Say.base64("r=\(nonce),s=QSXCR+Q6sek8bf92,i=4096"))
  private static let signature = "v=dsprQ5R2AGYt1kn4bQRwTAE0PTU="
  private static let task = "UPGR-SCRAM-SHA-256"
  private static let salt = taskData()

  private static func sasl(_ name: String, _ content: String) -> String {
    "<\(name) xmlns='urn:xmpp:sasl:2'>\(content)</\(name)>"
  }

  private static func proceed(_ tasks: String..., signature: String? = UpgradeFaultTests.signature) -> String {
    let data = signature.map { "<additional-data>\(Say.base64($0))</additional-data>" } ?? ""
    return sasl("continue", data + "<tasks>\(tasks.map { "<task>\($0)</task>" }.joined())</tasks>")
  }

  private static func taskData(
    _ attributes: String = " iterations='4096'", _ salt: String = "W22ZaJ0SNY7soEsUEjb6gQ==",
    _ namespace: String = "urn:xmpp:scram-upgrade:0"
  ) -> String { sasl("task-data", "<salt xmlns='\(namespace)'\(attributes)>\(salt)</salt>") }

  private static func failure(_ condition: String) -> String {
    sasl("failure", "<\(condition) xmlns='\(Namespace.sasl)'/><text>No room.</text>")
  }

  private func begun(_ tasks: [String] = [Self.task]) throws -> StreamDriver {
    let features =
      "<stream:features><authentication xmlns='urn:xmpp:sasl:2'><mechanism>SCRAM-SHA-1</mechanism>"
      + tasks.map { "<upgrade xmlns='urn:xmpp:sasl:upgrade:0'>\($0)</upgrade>" }.joined()
      + "</authentication></stream:features>"
    return try StreamDriver.authenticating(
      features, request: StreamDriver.request("user@example.org", password: "pencil"))
  }

  private func proved(_ tasks: [String] = [Self.task]) throws -> StreamDriver {
    let driver = try begun(tasks)
    driver.server(Self.challenge)
    return driver
  }

  private func hasGivenAnything(_ driver: StreamDriver) -> Bool {
    driver.sent.contains { $0.contains("<next") || $0.contains("<hash") }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
    var sentence: String
    init(_ name: String, _ words: String..., sentence: String) {
      (testDescription, self.words, self.sentence) = (name, words, sentence)
    }
  }

  // MARK: Before the server has proved itself

  static let unproved: [Fault] = [
    Fault("no signature", proceed(task, signature: nil), sentence: "without its signature"),
    Fault("a wrong signature", proceed(task, signature: "v=dsprQ5R2AGYt1kn4bQRwTAE0PTT="), sentence: "not base 64"),
    Fault(
      "another signature", proceed(task, signature: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="), sentence: "signature is wrong"),
    Fault("half of the signature", proceed(task, signature: "v=dsprQ5R2AGYt"), sentence: "signature is wrong"),
    Fault(
      "no base 64",
      sasl("continue", "<additional-data>?</additional-data><tasks><task>\(task)</task></tasks>"),
      sentence: "not base 64"),
    Fault(
      "a task that was not asked for, and no signature", proceed("TOTP", signature: nil),
      sentence: "without its signature"),
    Fault(
      "the signature twice", sasl("challenge", Say.base64(signature)), proceed(task), sentence: "signature twice"),
    Fault("a salt in its place", salt, sentence: "no place at this point"),
    Fault("the salt before", salt + proceed(task), sentence: "no place at this point"),
    Fault(
      "a continue of RFC 6120's namespace", "<continue xmlns='\(Namespace.sasl)'/>", sentence: "no place at this point"),
  ]

  @Test(
    "gives nothing to a server that has not shown that it knows the password, and is not tried again",
    arguments: unproved)
  func beforeTheProof(_ fault: Fault) throws {
    let driver = try proved()
    for words in fault.words { driver.server(words) }
    let failure = try #require(driver.failure)
    #expect(failure.code == .protocolViolation && !failure.mayRetry)
    #expect(failure.sentence.contains(fault.sentence), "\(failure)")
    #expect(!hasGivenAnything(driver))
  }

  @Test("gives nothing before the proof was asked for, nor to a server that refuses it")
  func early() throws {
    let driver = try begun()
    driver.server(Self.proceed(Self.task))
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.failure?.sentence.contains("before it asked for the password's proof") == true)
    let refused = try proved()
    refused.server(Self.proceed(Self.task, signature: "e=invalid-proof"))
    #expect(refused.failure?.code == .authentication)
    let failed = try proved()
    failed.server(Self.failure("not-authorized"))
    #expect(failed.failure?.code == .authentication, "the password is wrong, upgrade or not")
    for driver in [driver, refused, failed] { #expect(!hasGivenAnything(driver)) }
  }

  @Test("that nobody asked for is one that cannot be done")
  func unasked() throws {
    let driver = try proved([])
    driver.server(Self.proceed(Self.task))
    #expect(driver.failure?.code == .refused)
    #expect(driver.failure?.sentence.contains("asks for more") == true)
    #expect(!hasGivenAnything(driver))
  }

  // MARK: After that

  static let dispensable: [Fault] = [
    Fault("another task", proceed("TOTP"), sentence: "something else than the upgrade to SCRAM-SHA-256"),
    Fault("a better one than was asked for", proceed("UPGR-SCRAM-SHA-512"), sentence: "something else"),
    Fault("no task", proceed(), sentence: "something else"),
    Fault(
      "no list of tasks", sasl("continue", "<additional-data>\(Say.base64(signature))</additional-data>"),
      sentence: "something else"),
    Fault("a second continue", proceed(task), proceed(task), sentence: "demands more"),
    Fault(
      "a second continue behind the hash", proceed(task), salt, proceed("TOTP", signature: nil),
      sentence: "demands more"),
    Fault("a second salt", proceed(task), salt, salt, sentence: "where none can be"),
    Fault("no salt", proceed(task), sasl("task-data", ""), sentence: "no salt"),
    Fault(
      "a salt of another namespace", proceed(task), taskData(" iterations='4096'", "QQ==", "urn:x"), sentence: "no salt"
    ),
    Fault("an empty salt", proceed(task), taskData(" iterations='4096'", ""), sentence: "not base 64"),
    Fault("a salt that is none", proceed(task), taskData(" iterations='4096'", "Q!=="), sentence: "not base 64"),
    Fault(
      "a salt with white space within", proceed(task), taskData(" iterations='4096'", "Q Q=="), sentence: "not base 64"),
    Fault(
      "a salt that is too long", proceed(task),
      taskData(" iterations='4096'", String(repeating: "QUFB", count: 20_000)),
      sentence: "not base 64"),
    Fault("no count", proceed(task), taskData(""), sentence: "not a number"),
    Fault("a count that is none", proceed(task), taskData(" iterations='x'"), sentence: "not a number"),
    Fault("a negative count", proceed(task), taskData(" iterations='-4096'"), sentence: "not a number"),
    Fault("a count of 0", proceed(task), taskData(" iterations='0'"), sentence: "not a number"),
    Fault("a count of 1", proceed(task), taskData(" iterations='1'"), sentence: "not between 4096 and 1000000"),
    Fault("a count of 4095", proceed(task), taskData(" iterations='4095'"), sentence: "asks for 4095 iterations"),
    Fault(
      "a count of 10^6 + 1", proceed(task), taskData(" iterations='1000001'"), sentence: "asks for 1000001 iterations"),
    Fault(
      "a count of 2^32 + 4096", proceed(task), taskData(" iterations='4294971392'"),
      sentence: "2147483647 or more iterations"),
    Fault("a challenge", proceed(task), challenge, sentence: "did not go on"),
    Fault("a failure at once", proceed(task), failure("temporary-auth-failure"), sentence: "could not do the upgrade"),
    Fault("a failure in the end", proceed(task), salt, failure("not-authorized"), sentence: "could not do the upgrade"),
    Fault("the end of the stream", proceed(task), "</stream:stream>", sentence: "waited for the salt of the upgrade"),
    Fault("an error of the stream", proceed(task), salt, Say.streamError("internal-server-error"), sentence: ""),
    Fault("a conflict", proceed(task), salt, Say.streamError("conflict"), sentence: ""),
  ]

  @Test("says that the log-in does as well without", arguments: dispensable)
  func afterTheProof(_ fault: Fault) throws {
    let driver = try proved()
    for words in fault.words { driver.server(words) }
    let failure = try #require(driver.failure)
    #expect(failure.code == .failedUpgrade && failure.mayRetry, "\(failure)")
    #expect(failure.sentence.contains(fault.sentence), "\(failure)")
    #expect(driver.sent.last == "</stream:stream>")
    #expect(driver.outcome == nil)
    #expect(driver.sent.contains { $0.contains("<hash") } == fault.words.contains(Self.salt))
  }

  @Test("says why the server could not do it")
  func words() throws {
    let driver = try proved()
    for words in [Self.proceed(Self.task), Self.failure("temporary-auth-failure")] { driver.server(words) }
    #expect(driver.failure?.condition == "temporary-auth-failure")
    #expect(driver.failure?.description == "The server could not do the upgrade to SCRAM-SHA-256: No room.")
  }

  @Test("takes both ends of what is allowed", arguments: ["4096", "1000000"])
  func limits(count: String) throws {
    let driver = try proved()
    var derivation: SCRAMDerivation?
    driver.derive = {
      derivation = $0
      return nil
    }
    driver.server(Self.proceed(Self.task))
    driver.server(Self.taskData(" iterations='\(count)'"))
    #expect(derivation?.iterations == Int32(count) && derivation?.hash == .sha256)
    #expect(driver.failure == nil)
    #expect(driver.machine.awaited == "the keys of the upgrade")
  }

  @Test("is not at fault where this side cannot derive the keys, and nothing is sent when it is over")
  func deriving() throws {
    let unable = try proved()
    unable.server(Self.proceed(Self.task))
    unable.derive = { _ in .keyDerivationFailed }
    unable.server(Self.salt)
    #expect(unable.failure?.code == .failedUpgrade)

    // The server ends the log-in while the keys are being made.
    let early = try proved()
    early.server(Self.proceed(Self.task))
    var late: SCRAMDerivation?
    early.derive = {
      late = $0
      return nil
    }
    early.server(Self.salt)
    early.server(
      Self.sasl("success", "<authorization-identifier>user@example.org</authorization-identifier>")
        + Say.lastFeatures + Say.bound("user@example.org/x"))
    #expect(early.outcome != nil && early.outcome?.upgrade == nil)
    early.handle(.keysDerived(try #require(late?.run())))
    #expect(!early.sent.joined().contains("<hash"))
  }

  @Test("takes no keys of another derivation for the upgrade's")
  func foreignKeys() throws {
    let driver = try proved()
    driver.server(Self.proceed(Self.task))
    driver.derive = { derivation in
      var other = derivation
      other.keepsSaltedPassword = false
      return other.run().map { .keysDerived($0) }
    }
    driver.server(Self.salt)
    #expect(!driver.sent.joined().contains("<hash") && driver.failure == nil)
  }

  @Test("is still held to what a log-in has to be")
  func stillALogin() throws {
    for (words, sentence) in [
      ("<message xmlns='jabber:client'/>", "before the log-in was done"),
      (Self.sasl("success", ""), "without saying who"),
      (
        Self.sasl("success", "<authorization-identifier>eve@example.org</authorization-identifier>"),
        "another account"
      ),
    ] {
      let driver = try proved()
      for words in [Self.proceed(Self.task), Self.salt, words] { driver.server(words) }
      #expect(driver.failure?.code == .protocolViolation)
      #expect(driver.failure?.sentence.contains(sentence) == true, "\(String(describing: driver.failure))")
    }
  }
}
