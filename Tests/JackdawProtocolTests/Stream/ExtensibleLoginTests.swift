// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

/// The extensible profile of SASL (XEP-0388), with what is done in one with the log-in: transcripts of servers that can, and of some that
/// should not.
@Suite("Log-in in one exchange")
struct ExtensibleLoginTests {
  private static let carbons = "urn:xmpp:carbons:2"
  private static let nonce = "fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
  private static let challenge = sasl("challenge", Say.base64("r=\(nonce),s=QSXCR+Q6sek8bf92,i=4096"))
  private static let signature = Say.base64("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=")
  private static let identifier = "<authorization-identifier>user@example.org/jackdaw~1</authorization-identifier>"
  private static let bound = "<bound xmlns='urn:xmpp:bind:0'/>"
  private static let exporter: [String: [UInt8]] = ["tls-exporter": [1, 2, 3]]

  private static func sasl(_ name: String, _ content: String) -> String {
    "<\(name) xmlns='urn:xmpp:sasl:2'>\(content)</\(name)>"
  }

  private static func success(_ content: String) -> String {
    sasl("success", "<additional-data>\(signature)</additional-data>\(content)")
  }

  /// What a server says that can do all of it; the inner offer is not that of RFC 6120.
  private static func features(
    inline: String? = nil, mechanism: String = "SCRAM-SHA-1", outside: String = "PLAIN"
  ) -> String {
    let all = """
      <inline><bind xmlns='urn:xmpp:bind:0'><inline><feature var='\(carbons)'/><feature var='urn:xmpp:sm:3'/></inline></bind>\
      <sm xmlns='urn:xmpp:sm:3'/><fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-NONE</mechanism>\
      <mechanism>HT-SHA-256-EXPR</mechanism></fast></inline>
      """
    return "<stream:features><authentication xmlns='urn:xmpp:sasl:2'><mechanism>\(mechanism)</mechanism>"
      + "\(inline ?? all)</authentication><mechanisms xmlns='\(Namespace.sasl)'><mechanism>\(outside)</mechanism></mechanisms>"
      + "</stream:features>"
  }

  private func memory(_ token: LoginToken? = nil) -> LoginMemory {
    var memory = LoginMemory(mechanism: "SCRAM-SHA-1")
    (memory.agent, memory.token) = ("d4565fa7-4d72-4749-b3d3-740edbf87770", token)
    return memory
  }

  private func request(
    _ memory: LoginMemory? = nil, jid: String = "user@example.org", tag: String? = "jackdaw",
    resumption: StreamResumption? = nil, revokes: Bool = false
  ) throws -> LoginRequest {
    var request = try StreamDriver.request(
      jid, password: "pencil", memory: memory ?? self.memory(), resumption: resumption)
    request.extras = LoginExtras(
      software: "Jackdaw", tag: tag, management: .resumable, switchesOn: [Self.carbons, "urn:x:unknown"])
    request.extras.revokesToken = revokes
    return request
  }

  private func begun(
    _ request: LoginRequest? = nil, features: String = Self.features(), bindings: [String: [UInt8]] = [:]
  ) throws -> StreamDriver {
    try StreamDriver.authenticating(features, request: request ?? self.request(), channelBindings: bindings)
  }

  /// As far as the server's last word.
  private func proved(
    _ request: LoginRequest? = nil, features: String = Self.features(), bindings: [String: [UInt8]] = [:]
  ) throws -> StreamDriver {
    let driver = try begun(request, features: features, bindings: bindings)
    driver.server(Self.challenge)
    return driver
  }

  private func sent(_ driver: StreamDriver) throws -> Element { try Element(parsing: try #require(driver.sent.last)) }

  // MARK: All goes well

  @Test("asks for everything at once, waits three times, and opens no other stream")
  func whole() throws {
    let driver = try begun(bindings: Self.exporter)
    let first = Say.base64("y,,n=user,r=fyko+d2lbbFgONRv9qkxdawL")
    let words = [
      "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='SCRAM-SHA-1'><initial-response>\(first)</initial-response>",
      "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>Jackdaw</software></user-agent>",
      "<request-token xmlns='urn:xmpp:fast:0' mechanism='HT-SHA-256-EXPR'/>",
      "<bind xmlns='urn:xmpp:bind:0'><tag>jackdaw</tag><enable xmlns='\(Self.carbons)'/>",
      "<enable xmlns='urn:xmpp:sm:3' resume='true'/></bind></authenticate>",
    ]
    #expect(driver.sent.last == words.joined())
    driver.server(Self.challenge)
    #expect(driver.sent.last?.hasPrefix("<response xmlns='urn:xmpp:sasl:2'>") == true)
    #expect(driver.sent.count == 3)
  }

  @Test("ends with the resource, what was switched on, and a token for the next one")
  func outcome() throws {
    let driver = try proved()
    driver.server(
      Self.success(
        Self.identifier
          + "<bound xmlns='urn:xmpp:bind:0'><enabled xmlns='\(Self.carbons)'/><enabled xmlns='urn:xmpp:sm:3' id='s' resume='1'/></bound>"
      ))
    #expect(driver.outcome == nil, "the features are missing")
    driver.server(Say.lastFeatures + "<message xmlns='jabber:client'/>")
    let outcome = try #require(driver.outcome)
    #expect(outcome.jid.description == "user@example.org/jackdaw~1")
    #expect(outcome.switchedOn == [Self.carbons])
    #expect(outcome.management?.attribute("id") == "s")
    #expect(outcome.features?.child("bind", Namespace.bind) != nil)
    #expect(outcome.memory.isExtensible && outcome.memory.mechanism == "SCRAM-SHA-1")
    #expect(outcome.roundTrips == 3)
    #expect(driver.stanzas.count == 1)
  }

  @Test("keeps the token that comes, for the mechanism that was asked for")
  func tokenComes() throws {
    let token = "<token xmlns='urn:xmpp:fast:0' expiry='2027-01-01T00:00:00Z' token='secret-token:x'/>"
    var first = memory()
    first.mechanism = nil
    let driver = try begun(request(first), features: Self.features(mechanism: "PLAIN"), bindings: Self.exporter)
    driver.server(Self.sasl("success", Self.identifier + Self.bound + token) + Say.lastFeatures)
    let kept = driver.outcome?.memory.token
    #expect(kept?.mechanism == "HT-SHA-256-EXPR" && kept?.secret == "secret-token:x" && kept?.expiry != nil)
    let other = try proved(request(memory(LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "old"))))
    other.server(Self.success(Self.identifier + Self.bound + token) + Say.lastFeatures)
    #expect(other.outcome?.memory.token?.secret == "old", "nothing was asked for: this side cannot bind")
  }

  @Test("binds the resource that the user wants in the old way, on the same stream")
  func ownResource() throws {
    let driver = try proved(request(jid: "user@example.org/here", tag: nil))
    driver.server(Self.success("<authorization-identifier>user@example.org</authorization-identifier>"))
    let bind = try sent(driver)
    #expect(bind.child("bind", Namespace.bind)?.text(of: "resource", Namespace.bind) == "here")
    driver.server(Say.lastFeatures + Say.bound("user@example.org/here"))
    #expect(driver.outcome?.jid.resource == "here")
    #expect(driver.sent.filter { $0.contains("<stream:stream") }.count == 1)
  }

  @Test("binds in the old way where the server does not do it with the log-in, or fails to", arguments: [true, false])
  func withoutBind(isOffered: Bool) throws {
    let driver = try proved(features: isOffered ? Self.features() : Self.features(inline: ""))
    driver.server(Self.success(Self.identifier + "<failed xmlns='urn:xmpp:bind:0'/>"))
    #expect(try sent(driver).child("bind", Namespace.bind) != nil)
    driver.server(Say.lastFeatures + Say.bound("user@example.org/x"))
    #expect(driver.outcome?.jid.resource == "x")
  }

  @Test(
    "goes on without each thing that fails with the resource", arguments: ["urn:xmpp:carbons:2", "urn:xmpp:sm:3", nil])
  func failedInside(_ failed: String?) throws {
    let driver = try proved()
    let answers = [Self.carbons, StreamManagement.namespace].map { (namespace: String) in
      namespace == failed || failed == nil ? "<failed xmlns='\(namespace)'/>" : "<enabled xmlns='\(namespace)'/>"
    }
    driver.server(
      Self.success(Self.identifier + "<bound xmlns='urn:xmpp:bind:0'>\(answers.joined())</bound>") + Say.lastFeatures)
    let outcome = try #require(driver.outcome)
    #expect(outcome.switchedOn == (failed == StreamManagement.namespace ? [Self.carbons] : []))
    #expect((outcome.management != nil) == (failed == Self.carbons))
  }

  // MARK: Tokens

  private static let token = LoginToken(mechanism: "HT-SHA-256-EXPR", secret: "secret-token:x")

  private func proof(_ who: String) -> [UInt8] {
    let key = Array("secret-token:x".utf8).withUnsafeBytes { SecretBytes($0) }
    return SCRAMCrypto.hmac(.sha256, key: key, Array(who.utf8) + [1, 2, 3])?.withUnsafeBytes { Array($0) } ?? []
  }

  private func tokenSuccess(_ content: String, _ proof: [UInt8]) -> String {
    Self.sasl(
      "success",
      "<additional-data>\(String(decoding: Base64.encode(proof), as: UTF8.self))</additional-data>\(content)")
  }

  @Test("with a token takes two round trips, and proves it bound to the connection")
  func withToken() throws {
    let driver = try begun(request(memory(Self.token)), bindings: Self.exporter)
    let authenticate = try sent(driver)
    #expect(authenticate.attribute("mechanism") == "HT-SHA-256-EXPR")
    #expect(authenticate.child("fast", "urn:xmpp:fast:0") != nil)
    #expect(authenticate.child("request-token", "urn:xmpp:fast:0") == nil)
    let response = authenticate.text(of: "initial-response", "urn:xmpp:sasl:2") ?? ""
    #expect(Base64.decode(response.utf8) == Array("user\0".utf8) + proof("Initiator"))
    let next = "<token xmlns='urn:xmpp:fast:0' token='secret-token:y' expiry='2027-01-01T00:00:00Z'/>"
    driver.server(tokenSuccess(Self.identifier + Self.bound + next, proof("Responder")) + Say.lastFeatures)
    let outcome = try #require(driver.outcome)
    #expect(outcome.mechanism == "HT-SHA-256-EXPR")
    #expect(outcome.roundTrips == 2)
    #expect(outcome.memory.mechanism == "SCRAM-SHA-1", "what has to be done without it stays")
    #expect(outcome.memory.token?.secret == "secret-token:y")
    #expect(outcome.memory.token?.expiry?.description.hasPrefix("2027-01-01T00:00:00") == true)
  }

  @Test("with a token takes no server for ours that does not know it", arguments: ["", "Initiator", "responder"])
  func impostor(who: String) throws {
    let driver = try begun(request(memory(Self.token)), bindings: Self.exporter)
    driver.server(tokenSuccess(Self.identifier + Self.bound, who.isEmpty ? [] : proof(who)))
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.outcome == nil)
  }

  @Test(
    "with a token that is refused is tried again without, and the password was never sent",
    arguments: ["not-authorized", "credentials-expired"])
  func staleToken(condition: String) throws {
    let driver = try begun(request(memory(Self.token)), bindings: Self.exporter)
    driver.server(Self.sasl("failure", "<\(condition) xmlns='\(Namespace.sasl)'/>"))
    #expect(driver.failure?.code == .staleToken)
    #expect(driver.failure?.mayRetry == true)
    #expect(!driver.sent.joined().contains("SCRAM"))
  }

  @Test("uses no token that is not bound to the connection, and asks for none")
  func unbound() throws {
    for (token, bindings) in [
      (LoginToken(mechanism: "HT-SHA-256-NONE", secret: "x"), Self.exporter), (Self.token, [:]),
      (LoginToken(mechanism: "HT-SHA-256-UNIQ", secret: "x"), Self.exporter),
    ] {
      let authenticate = try sent(begun(request(memory(token)), bindings: bindings))
      #expect(authenticate.attribute("mechanism") == "SCRAM-SHA-1")
      let wanted = authenticate.child("request-token", "urn:xmpp:fast:0")?.attribute("mechanism")
      #expect(wanted == (bindings.isEmpty ? nil : "HT-SHA-256-EXPR"))
    }
    var stranger = memory(Self.token)
    stranger.agent = nil
    let nobody = try sent(begun(request(stranger), bindings: Self.exporter))
    #expect(
      nobody.child("user-agent", "urn:xmpp:sasl:2") == nil && nobody.child("request-token", "urn:xmpp:fast:0") == nil)
    var careless = try request(memory(Self.token))
    careless.bindsChannel = false
    #expect(try sent(begun(careless, bindings: Self.exporter)).attribute("mechanism") == "SCRAM-SHA-1")
  }

  @Test(
    "forgets nothing for a token that is none",
    arguments: ["", " token=''", " token='\(String(repeating: "x", count: 5_000))'"])
  func brokenToken(attributes: String) throws {
    let driver = try begun(request(memory(Self.token)), bindings: Self.exporter)
    driver.server(
      tokenSuccess(Self.identifier + Self.bound + "<token xmlns='urn:xmpp:fast:0'\(attributes)/>", proof("Responder"))
        + Say.lastFeatures)
    #expect(driver.outcome?.memory.token == Self.token)
  }

  @Test(
    "that takes a token back uses it a last time, where log-ins are not bound any more too", arguments: [true, false])
  func revoking(bindsChannel: Bool) throws {
    var request = try request(memory(Self.token), revokes: true)
    request.bindsChannel = bindsChannel
    let driver = try begun(request, bindings: Self.exporter)
    #expect(try sent(driver).child("fast", "urn:xmpp:fast:0")?.attribute("invalidate") == "true")
    driver.server(tokenSuccess(Self.identifier + Self.bound, proof("Responder")) + Say.lastFeatures)
    #expect(driver.outcome != nil && driver.outcome?.memory.token == nil)
  }

  // MARK: Streams that go on

  private func resumption() throws -> StreamResumption {
    StreamResumption(id: "old", jid: try JID("user@example.org/old"), handled: 7)
  }

  @Test("goes on with a stream, and what the server sends again comes before its features")
  func resumed() throws {
    let driver = try begun(request(resumption: resumption()))
    #expect(try sent(driver).child("resume", StreamManagement.namespace)?.attribute("previd") == "old")
    #expect(driver.machine.isAskingToResume)
    driver.server(Self.challenge)
    driver.server(
      Self.success(Self.identifier + "<resumed xmlns='urn:xmpp:sm:3' previd='old' h='3'/>")
        + "<message xmlns='jabber:client'/>" + Say.lastFeatures)
    #expect(driver.outcome?.continuation == .resumed(handled: 3))
    #expect(driver.outcome?.jid.resource == "old")
    #expect(driver.outcome?.features == nil)
    #expect(driver.stanzas.count == 1)
    #expect(driver.others.map(\.name) == ["features"])
  }

  @Test("is a fresh one where the stream does not go on")
  func lost() throws {
    let driver = try proved(request(resumption: resumption()))
    driver.server(
      Self.success(Self.identifier + "<failed xmlns='urn:xmpp:sm:3' h='5'/>" + Self.bound) + Say.lastFeatures)
    #expect(driver.outcome?.continuation == .lost(handled: 5))
    #expect(driver.outcome?.jid.resource == "jackdaw~1")
  }

  @Test("asks for a stream behind the log-in where it cannot be part of it, and binds nothing before")
  func resumedBehind() throws {
    let inline = "<inline><bind xmlns='urn:xmpp:bind:0'/></inline>"
    let driver = try proved(request(resumption: resumption()), features: Self.features(inline: inline))
    #expect(!driver.sent.joined().contains("urn:xmpp:bind:0"))
    driver.server(Self.success("<authorization-identifier>user@example.org</authorization-identifier>"))
    #expect(try sent(driver).matches("resume", StreamManagement.namespace))
    driver.server(Say.lastFeatures + "<resumed xmlns='urn:xmpp:sm:3' previd='old' h='3'/>")
    #expect(driver.outcome?.continuation == .resumed(handled: 3))
  }

  @Test(
    "is ended by a server that does not say what became of the stream, or goes on with another",
    arguments: ["", "<resumed xmlns='urn:xmpp:sm:3' previd='another' h='3'/>"])
  func resumedWrongly(answer: String) throws {
    let driver = try proved(request(resumption: resumption()))
    driver.server(Self.success(Self.identifier + answer + Self.bound) + Say.lastFeatures)
    #expect(driver.outcome == nil)
    #expect(driver.failure?.code == .protocolViolation)
  }

  // MARK: Servers that should not

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: String
    var sentence: String
    init(_ name: String, _ words: String, _ sentence: String) {
      (testDescription, self.words, self.sentence) = (name, words, sentence)
    }
  }

  static let faults: [Fault] = [
    Fault("success without its proof", sasl("success", identifier + bound), "without its signature"),
    Fault(
      "success with a wrong proof",
      sasl(
        "success", "<additional-data>\(Say.base64("v=rmF9pqV8S7suAoZWja4dJRkFsKU="))</additional-data>" + identifier),
      "signature is wrong"),
    Fault("success that says of nobody", success(bound), "without saying who"),
    Fault(
      "success of no address", success("<authorization-identifier>@</authorization-identifier>"), "without saying who"),
    Fault(
      "success of somebody else",
      success("<authorization-identifier>eve@example.org/x</authorization-identifier>" + bound),
      "another account"),
    Fault(
      "a resource bound and not named",
      success("<authorization-identifier>user@example.org</authorization-identifier>" + bound), "not a full address"),
    Fault("tasks that nobody asked for", sasl("continue", "<tasks><task>UPGR-X</task></tasks>"), "asks for more"),
    Fault("the success of RFC 6120", Say.sasl("success", "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="), "no place at this point"),
    Fault(
      "a stanza before the features", success(identifier + bound) + "<message xmlns='jabber:client'/>",
      "before the log-in was done"),
    Fault("a second success", success(identifier + bound) + success(identifier), "no place at this point"),
    Fault(
      "another log-in when all is done", success(identifier + bound) + Say.lastFeatures + challenge,
      "no place at this point"),
  ]

  @Test("is ended by what must not be", arguments: faults)
  func fault(_ fault: Fault) throws {
    let driver = try proved()
    driver.server(fault.words)
    #expect(driver.failure?.sentence.contains(fault.sentence) == true, "\(String(describing: driver.failure))")
  }

  @Test("is not done by the old way where the last one was by the new")
  func withdrawn() throws {
    var before = memory()
    before.isExtensible = true
    let driver = try begun(request(before), features: Say.mechanisms("SCRAM-SHA-1"))
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.failure?.sentence.contains("SASL2") == true)
    #expect(!driver.sent.joined().contains("mechanism="))
  }

  @Test("goes by the inner offer, and never below what was known")
  func innerOffer() throws {
    #expect(try sent(begun(features: Self.features(outside: "SCRAM-SHA-512"))).attribute("mechanism") == "SCRAM-SHA-1")
    let driver = try begun(features: Self.features(mechanism: "PLAIN"))
    #expect(driver.failure?.code == .protocolViolation, "PLAIN where SCRAM was known")
    // One that offers nothing inside offers nothing by it.
    let empty =
      "<stream:features><authentication xmlns='urn:xmpp:sasl:2'/><mechanisms xmlns='\(Namespace.sasl)'>"
      + "<mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>"
    #expect(try begun(features: empty).sent.last?.hasPrefix("<auth ") == true)
  }

  @Test(
    "gives no bare password at first to a server that takes SCRAM by the other profile",
    arguments: ["SCRAM-SHA-1", "SCRAM-SHA-512", "SCRAM-SHA3-512"])
  func betterOutside(mechanism: String) throws {
    let features = Self.features(mechanism: "PLAIN", outside: mechanism)
    var before = memory()
    before.mechanism = nil
    let driver = try begun(request(before), features: features)
    #expect(!driver.sent.joined().contains("PLAIN"))
    if mechanism == "SCRAM-SHA3-512" {
      #expect(driver.failure?.code == .refused, "one that is not known here is better all the same")
    } else {
      #expect(driver.sent.last?.hasPrefix("<auth xmlns='\(Namespace.sasl)' mechanism='\(mechanism)'>") == true)
    }
    // The profile of the last log-in is kept to, and SCRAM with it.
    (before.isExtensible, before.mechanism) = (true, "SCRAM-SHA-1")
    #expect(try begun(request(before), features: features).failure?.code == .protocolViolation)
  }
}
