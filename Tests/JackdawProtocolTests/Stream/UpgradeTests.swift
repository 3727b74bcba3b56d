// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// Log-ins after which the server is given keys for a better mechanism (XEP-0480), as transcripts. The numbers were made with Python's
/// hashlib: signatures of the exchange of RFC 5802 5 with another GS2 header, the SaltedPassword of RFC 7677's salt.
@Suite("A log-in with an upgrade")
struct UpgradeTests {
  private static let exporter: [String: [UInt8]] = ["tls-exporter": [1, 2, 3]]
  private static let nonce = "fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
  private static let challenge = sasl("challenge", Say.base64("r=\(nonce),s=QSXCR+Q6sek8bf92,i=4096"))
  /// With `y`, and bound by ``exporter``.
  private static let (signature, boundSignature) = ("v=dsprQ5R2AGYt1kn4bQRwTAE0PTU=", "v=y/50TyY12p2wXmPHnqNKEq8rFYk=")
  private static let end = sasl(
    "success", "<authorization-identifier>user@example.org/x</authorization-identifier><bound xmlns='urn:xmpp:bind:0'/>"
  )
  private static let salt = taskData(
    "<salt xmlns='urn:xmpp:scram-upgrade:0' iterations='4096'>W22ZaJ0SNY7soEsUEjb6gQ==</salt>")
  private static let hashes = [
    "UPGR-SCRAM-SHA-256": "xKSVEDI6tPlSysH6mUQZOeeOp01r6B3fcJbodRPcYV0=",
    "UPGR-SCRAM-SHA-512":
      "8W7+G+Z/HQlQLr1e2SYv3f+6Wjd6tPC2h+XtW6D1Boa4pK4WZHbairO5UdL6kji2OZj0VGG8M6RkgUlJzsljHQ==",
  ]

  private static func sasl(_ name: String, _ content: String) -> String {
    "<\(name) xmlns='urn:xmpp:sasl:2'>\(content)</\(name)>"
  }

  private static func taskData(_ content: String) -> String { sasl("task-data", content) }

  private static func proceed(_ tasks: String..., signature: String? = UpgradeTests.signature) -> String {
    let data = signature.map { "<additional-data>\(Say.base64($0))</additional-data>" } ?? ""
    return sasl("continue", data + "<tasks>\(tasks.map { "<task>\($0)</task>" }.joined())</tasks><text>Please.</text>")
  }

  private static func features(
    _ mechanisms: [String] = ["SCRAM-SHA-1"], _ tasks: [String] = ["UPGR-SCRAM-SHA-256"], types: [String]? = nil
  ) -> String {
    let list = { (name: String, namespace: String, texts: [String]) in
      texts.map { "<\(name)\(namespace)>\($0)</\(name)>" }.joined()
    }
    let binding = types.map { types in
      let list = types.map { "<channel-binding type='\($0)'/>" }.joined()
      return "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>\(list)</sasl-channel-binding>"
    }
    return "<stream:features><authentication xmlns='urn:xmpp:sasl:2'>" + list("mechanism", "", mechanisms)
      + "<inline><bind xmlns='urn:xmpp:bind:0'/><fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-EXPR</mechanism></fast>"
      + "</inline>" + list("upgrade", " xmlns='urn:xmpp:sasl:upgrade:0'", tasks)
      + "</authentication>\(binding ?? "")</stream:features>"
  }

  private func begun(
    _ features: String = Self.features(), bindings: [String: [UInt8]] = Self.exporter,
    _ change: (inout LoginRequest) -> Void = { _ in }
  ) throws -> StreamDriver {
    var request = try StreamDriver.request("user@example.org", password: "pencil")
    request.memory.agent = "d4565fa7-4d72-4749-b3d3-740edbf87770"
    request.extras.tag = "jackdaw"
    change(&request)
    return try StreamDriver.authenticating(features, request: request, channelBindings: bindings)
  }

  /// The tasks that `<authenticate/>` asks for.
  private func asked(_ driver: StreamDriver) throws -> [String] {
    try Element(parsing: try #require(driver.sent.last)).children
      .filter { $0.matches("upgrade", "urn:xmpp:sasl:upgrade:0") }.map(\.text)
  }

  /// As far as `<next/>`, without binding.
  private func upgrading(_ change: (inout LoginRequest) -> Void = { _ in }) throws -> StreamDriver {
    let driver = try begun(Self.features(), change)
    driver.server(Self.challenge)
    driver.server(Self.proceed("UPGR-SCRAM-SHA-256"))
    #expect(driver.sent.last == "<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>")
    return driver
  }

  private func hash(_ task: String) -> String {
    Self.taskData("<hash xmlns='urn:xmpp:scram-upgrade:0'>\(Self.hashes[task] ?? "")</hash>")
  }

  // MARK: All goes well

  @Test(
    "gives the SaltedPassword when the server has proved itself, and is then as any other", arguments: [true, false])
  func whole(isBound: Bool) throws {
    let features =
      isBound ? Self.features(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], types: ["tls-exporter"]) : Self.features()
    let driver = try begun(features)
    #expect(try asked(driver) == ["UPGR-SCRAM-SHA-256"])
    driver.server(Self.challenge)
    #expect(!driver.machine.isUpgrading)
    driver.server(Self.proceed("UPGR-SCRAM-SHA-256", signature: isBound ? Self.boundSignature : Self.signature))
    #expect(driver.sent.last == "<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>")
    #expect(driver.machine.isUpgrading && driver.machine.awaited.contains("the salt"))
    driver.server(Self.salt)
    #expect(driver.sent.last == hash("UPGR-SCRAM-SHA-256"))
    #expect(driver.derivations == 2)
    #expect(driver.machine.awaited.contains("the end of the upgrade"))
    driver.server(
      Self.sasl(
        "success",
        "<authorization-identifier>user@example.org/x</authorization-identifier><bound xmlns='urn:xmpp:bind:0'/>"
          + "<token xmlns='urn:xmpp:fast:0' token='secret-token:x'/>") + Say.lastFeatures)
    let outcome = try #require(driver.outcome)
    #expect(outcome.upgrade == "SCRAM-SHA-256")
    #expect(outcome.remarks == ["The server has been given keys for SCRAM-SHA-256, as it asked for them."])
    #expect(outcome.jid.description == "user@example.org/x")
    #expect(outcome.roundTrips == 5)
    // What is kept is of the mechanism that was used, and nothing of the upgrade.
    #expect(outcome.memory.mechanism == (isBound ? "SCRAM-SHA-1-PLUS" : "SCRAM-SHA-1"))
    #expect(outcome.memory.keys?.hashName == "SHA-1" && outcome.memory.keys?.saltedPassword == nil)
    #expect(outcome.memory.token?.secret == "secret-token:x")
  }

  @Test(
    "goes on with the better mechanism the next time, and asks for nothing more", arguments: ["SCRAM-SHA-1", "PLAIN"])
  func nextTime(mechanism: String) throws {
    let next = try begun(Self.features([mechanism, "SCRAM-SHA-256"])) { request in
      request.memory.mechanism = mechanism
      request.memory.isExtensible = true
    }
    #expect(next.sent.last?.contains("mechanism='SCRAM-SHA-256'") == true)
    #expect(try asked(next) == [])
  }

  @Test("after PLAIN gives what the server could make of the password, too")
  func plain() throws {
    let driver = try begun(Self.features(["PLAIN"], ["UPGR-SCRAM-SHA-512"]))
    #expect(try asked(driver) == ["UPGR-SCRAM-SHA-512"])
    driver.server(Self.proceed("UPGR-SCRAM-SHA-512", signature: nil))
    driver.server(Self.salt)
    #expect(driver.sent.last == hash("UPGR-SCRAM-SHA-512"))
    driver.server(Self.end + Say.lastFeatures)
    #expect(driver.outcome?.upgrade == "SCRAM-SHA-512")
  }

  @Test("prepares the password as SCRAM does, and takes white space around base 64")
  func prepared() throws {
    let driver = try begun { $0.password = "p\u{A0}w" }
    driver.server(Self.challenge)
    driver.server(
      Self.proceed("UPGR-SCRAM-SHA-256", signature: nil).replacing(
        "<tasks>",
        with: "<additional-data>\n  \(Say.base64("v=cV80p2lpmlRB/TzT34brBaOUxQ8="))\r\n</additional-data><tasks>"))
    driver.server(Self.salt.replacing("W22ZaJ0SNY7soEsUEjb6gQ==", with: "\n\t W22ZaJ0SNY7soEsUEjb6gQ== \n"))
    #expect(driver.sent.last?.contains(">PeCVqvOyJcS22mTSfmSr49X7hlRi0cZoit67g7bc3aM=<") == true)
  }

  @Test("takes the task that was asked for among others, and the signature from a challenge")
  func choosing() throws {
    let driver = try begun()
    driver.server(Self.challenge)
    driver.server(Self.sasl("challenge", Say.base64(Self.signature)))
    driver.server(Self.proceed("TOTP", "UPGR-SCRAM-SHA-256", signature: nil))
    #expect(driver.sent.last == "<next xmlns='urn:xmpp:sasl:2' task='UPGR-SCRAM-SHA-256'/>")
  }

  @Test("that the server does without is one without")
  func withoutContinue() throws {
    let driver = try begun()
    driver.server(Self.challenge)
    driver.server(
      Self.end.replacing(
        "<authorization", with: "<additional-data>\(Say.base64(Self.signature))</additional-data><authorization")
        + Say.lastFeatures)
    #expect(driver.outcome != nil && driver.outcome?.upgrade == nil)
    // The server thinks better of it: the log-in is done all the same.
    let other = try upgrading()
    other.server(Self.end + Say.lastFeatures)
    #expect(other.outcome != nil && other.outcome?.upgrade == nil)
  }

  // MARK: What is asked for

  struct Offer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var mechanisms: [String]
    var tasks: [String]
    var types: [String]? = nil
    var canBind = true
    var bindsChannel = true
    var password: String? = "pencil"
    var asked: String? = nil
  }

  private static let both = ["UPGR-SCRAM-SHA-256", "UPGR-SCRAM-SHA-512"]
  private static let plus = ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"]

  static let offers: [Offer] = [
    Offer(testDescription: "the strongest", mechanisms: ["SCRAM-SHA-1"], tasks: both, asked: "UPGR-SCRAM-SHA-512"),
    Offer(
      testDescription: "the one that is known", mechanisms: ["SCRAM-SHA-1"], tasks: ["UPGR-BLOOP-42", both[0]],
      asked: both[0]),
    Offer(
      testDescription: "what is better than what is used", mechanisms: ["SCRAM-SHA-256"], tasks: both, asked: both[1]),
    Offer(testDescription: "nothing worse", mechanisms: ["SCRAM-SHA-512"], tasks: both),
    Offer(testDescription: "not what there is", mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-512"], tasks: both),
    Offer(
      testDescription: "not what there is with binding alone", mechanisms: plus + ["SCRAM-SHA-512-PLUS"],
      tasks: [both[1]], types: ["tls-exporter"]),
    Offer(
      testDescription: "no SHA-1, no -PLUS, no name but these", mechanisms: ["PLAIN"],
      tasks: [
        "UPGR-SCRAM-SHA-1", "UPGR-SCRAM-SHA-256-PLUS", "SCRAM-SHA-256", "UPGR-SCRAM-SHA-3", "upgr-scram-sha-256", "",
      ]),
    Offer(testDescription: "none is offered", mechanisms: ["SCRAM-SHA-1"], tasks: []),
    Offer(testDescription: "bound", mechanisms: plus, tasks: both, types: ["tls-exporter"], asked: both[1]),
    Offer(testDescription: "binding is there and of no use", mechanisms: plus, tasks: both, canBind: false),
    Offer(testDescription: "this side cannot bind", mechanisms: ["SCRAM-SHA-1"], tasks: both, canBind: false),
    Offer(testDescription: "binding is off", mechanisms: ["SCRAM-SHA-1"], tasks: both, bindsChannel: false),
    Offer(testDescription: "the password is not known", mechanisms: ["SCRAM-SHA-1"], tasks: both, password: nil),
  ]

  @Test("asks for what is better, where the log-in shows who is there", arguments: offers)
  func asking(_ offer: Offer) throws {
    let driver = try begun(
      Self.features(offer.mechanisms, offer.tasks, types: offer.types), bindings: offer.canBind ? Self.exporter : [:]
    ) { request in
      request.bindsChannel = offer.bindsChannel
      request.password = offer.password
      request.memory.keys = SCRAMKeys(
        hashName: "SHA-1", salt: [1], iterations: 4_096, clientKey: Array(repeating: 1, count: 20),
        serverKey: Array(repeating: 1, count: 20))
    }
    #expect(try asked(driver) == [offer.asked].compactMap(\.self))
  }

  @Test("asks for nothing with a token, nor where it is not to")
  func notAsking() throws {
    let token = try begun { $0.memory.token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x") }
    #expect(token.sent.last?.contains("mechanism='HT-SHA-256-EXPR'") == true)
    #expect(try asked(token) == [])
    #expect(try asked(begun { $0.extras.asksForUpgrade = false }) == [])
  }

  @Test("asks again with the attempt that takes the place of one that was refused")
  func otherAttempt() throws {
    let driver = try begun(Self.features(Self.plus))
    #expect(try asked(driver) == ["UPGR-SCRAM-SHA-256"])
    driver.server(Self.sasl("failure", "<not-authorized xmlns='\(Namespace.sasl)'/>"))
    // Without binding, at a server that offers it.
    #expect(driver.sent.last?.contains("mechanism='SCRAM-SHA-1'") == true)
    #expect(try asked(driver) == [])
  }

  @Test("proves the password itself, and not kept keys that stand for it")
  func keptKeys() throws {
    let derivation = SCRAMDerivation(
      hash: .sha1, password: Array("pencil".utf8).withUnsafeBytes { SecretBytes($0) },
      salt: Base64.decode("QSXCR+Q6sek8bf92".utf8) ?? [], iterations: 4_096)
    let keys = try #require(derivation.run())
    func derivations(_ keys: SCRAMKeys?, _ tasks: [String]) throws -> Int {
      let driver = try begun(Self.features(["SCRAM-SHA-1"], tasks)) { $0.memory.keys = keys }
      driver.server(Self.challenge)
      #expect(driver.sent.last?.hasPrefix("<response ") == true)
      return driver.derivations
    }
    #expect(try derivations(keys.asKept, ["UPGR-SCRAM-SHA-256"]) == 1)
    #expect(try derivations(keys.asKept, []) == 0)
    #expect(try derivations(keys, ["UPGR-SCRAM-SHA-256"]) == 0, "of this run, and known to be the password's")
  }

  @Test(
    "is ended by a server whose own hash over its offer shows that the better mechanism was taken out",
    arguments: [true, false])
  func downgradeHash(isWhole: Bool) throws {
    let hash = isWhole ? "LrtFoCs8XsoI+diY4u3rG69UGN8=" : "IrDQ41flBH5uHSXGogCGZMhzXKw="
    let driver = try begun()
    driver.server(Self.sasl("challenge", Say.base64("r=\(Self.nonce),s=QSXCR+Q6sek8bf92,i=4096,h=\(hash)")))
    guard isWhole else {
      #expect(driver.failure?.code == .protocolViolation)
      return
    }
    driver.server(Self.proceed("UPGR-SCRAM-SHA-256", signature: "v=lG1EMHwo21k8rJ+WmBef9iigtRo="))
    #expect(driver.sent.last?.hasPrefix("<next ") == true)
  }
}
