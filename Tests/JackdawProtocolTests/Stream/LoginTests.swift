// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Support
import Testing

@testable import JackdawProtocol

@Suite("Whole log-ins against a server in memory")
struct LoginTests {
  private static let bindings: [String: [UInt8]] = [
    "tls-exporter": Array(0..<32), "tls-server-end-point": Array(32..<64),
  ]

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: ScriptedServer.Script
    var jid = "alice@example.org/here"
    var password = "secret"
    var memory: String?
    var attempts: [String]
    var binding: String?
    /// A part of a remark, or of the failure's sentence.
    var told = ""
    var failure: StreamFailure.Code?
  }

  private static func script(_ change: (inout ScriptedServer.Script) -> Void) -> ScriptedServer.Script {
    var script = ScriptedServer.Script()
    change(&script)
    return script
  }

  private static let plus = [
    "PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-512", "SCRAM-SHA-512-PLUS",
  ]

  static let rows: [Row] = [
    Row(
      testDescription: "Prosody 0.12 on TLS 1.3", script: script { $0.mechanisms = ["SCRAM-SHA-1", "PLAIN"] },
      attempts: ["SCRAM-SHA-1"]),
    Row(testDescription: "direct TLS", script: script { $0.isDirectTLS = true }, attempts: ["SCRAM-SHA-256"]),
    Row(testDescription: "SHA-512", script: script { $0.mechanisms = ["SCRAM-SHA-512"] }, attempts: ["SCRAM-SHA-512"]),
    Row(
      testDescription: "PLAIN only, said so", script: script { $0.mechanisms = ["PLAIN"] }, attempts: ["PLAIN"],
      told: "PLAIN only"),
    Row(
      testDescription: "bound by tls-exporter, announced",
      script: script {
        $0.mechanisms = plus
        $0.announcedTypes = ["tls-server-end-point", "tls-exporter"]
        $0.bindableTypes = ["tls-server-end-point", "tls-exporter"]
        $0.signsOffer = true
      }, attempts: ["SCRAM-SHA-512-PLUS"], binding: "tls-exporter"),
    Row(
      testDescription: "bound by tls-server-end-point, announced",
      script: script {
        $0.mechanisms = plus
        $0.announcedTypes = ["tls-server-end-point"]
        $0.bindableTypes = ["tls-server-end-point"]
      }, attempts: ["SCRAM-SHA-512-PLUS"], binding: "tls-server-end-point"),
    Row(
      testDescription: "bound by tls-server-end-point, found out",
      script: script {
        $0.mechanisms = plus
        $0.bindableTypes = ["tls-server-end-point"]
      }, attempts: ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-512-PLUS"], binding: "tls-server-end-point"),
    Row(
      testDescription: "ejabberd 23.01: -PLUS by a type unknown here, and lax about y",
      script: script {
        $0.mechanisms = plus
        $0.bindableTypes = ["tls-unique"]
        $0.isLaxAboutFlag = true
      }, attempts: ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-512-PLUS", "SCRAM-SHA-512"],
      told: "not bound to the TLS connection"),
    Row(
      testDescription: "ejabberd 23.01 the next time",
      script: script {
        $0.mechanisms = plus
        $0.bindableTypes = ["tls-unique"]
        $0.isLaxAboutFlag = true
      }, memory: "SCRAM-SHA-512", attempts: ["SCRAM-SHA-512"], told: "not bound to the TLS connection"),
    Row(
      testDescription: "a server that has learnt to bind since the last time",
      script: script {
        $0.mechanisms = plus
        $0.bindableTypes = ["tls-exporter"]
      }, memory: "SCRAM-SHA-512", attempts: ["SCRAM-SHA-512", "SCRAM-SHA-512-PLUS"], binding: "tls-exporter"),
    Row(
      testDescription: "a man in the middle who refuses every binding of a server that can: the server refuses y",
      script: script {
        $0.mechanisms = plus
        $0.bindableTypes = []
      }, attempts: ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-512-PLUS", "SCRAM-SHA-512"], told: "possible man in the middle",
      failure: .protocolViolation),
    Row(
      testDescription: "the same, and the last log-in was bound: no try without binding at all",
      script: script {
        $0.mechanisms = plus
        $0.isLaxAboutFlag = true
      }, memory: "SCRAM-SHA-512-PLUS", attempts: ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-512-PLUS"],
      told: "possible man in the middle", failure: .protocolViolation),
    Row(
      testDescription: "types that do not exist, signed by the server",
      script: script {
        $0.mechanisms = plus
        $0.announcedTypes = ["tls-fantasy"]
        $0.signsOffer = true
      }, attempts: ["SCRAM-SHA-512"], told: "no kind that both sides can do"),
    Row(
      testDescription: "types that do not exist, not signed",
      script: script {
        $0.mechanisms = plus
        $0.announcedTypes = ["tls-fantasy"]
      }, attempts: ["SCRAM-SHA-512"], told: "possible man in the middle", failure: .protocolViolation),
    Row(
      testDescription: "-PLUS withdrawn since the last time, signed by the server",
      script: script { $0.signsOffer = true },
      memory: "SCRAM-SHA-256-PLUS", attempts: ["SCRAM-SHA-256"]),
    Row(
      testDescription: "-PLUS withdrawn since the last time, not signed", script: script { _ in },
      memory: "SCRAM-SHA-256-PLUS", attempts: ["SCRAM-SHA-256"], told: "possible man in the middle",
      failure: .protocolViolation),
    Row(
      testDescription: "downgrade to PLAIN", script: script { $0.mechanisms = ["PLAIN"] }, memory: "SCRAM-SHA-1",
      attempts: [], told: "jackdaw account remove", failure: .protocolViolation),
    Row(
      testDescription: "signature in a challenge", script: script { $0.signsInChallenge = true },
      attempts: ["SCRAM-SHA-256"]),
    Row(
      testDescription: "a wrong password", script: script { _ in }, password: "Secret", attempts: ["SCRAM-SHA-256"],
      told: "does not accept this user name and password", failure: .authentication),
    Row(
      testDescription: "a wrong password, bound",
      script: script {
        $0.mechanisms = plus
        $0.announcedTypes = ["tls-exporter"]
        $0.bindableTypes = ["tls-exporter"]
      }, password: "Secret", attempts: ["SCRAM-SHA-512-PLUS"], told: "possible man in the middle",
      failure: .authentication),
    Row(
      testDescription: "an unknown user", script: script { _ in }, jid: "nobody@example.org",
      attempts: ["SCRAM-SHA-256"], told: "user name", failure: .authentication),
    Row(
      testDescription: "a resource that is taken", script: script { $0.takenResources = ["here"] },
      attempts: ["SCRAM-SHA-256"], told: "taken"),
  ]

  /// Runs both sides until neither has anything to say.
  private static func run(
    _ script: ScriptedServer.Script, _ request: LoginRequest, clientBindings: [String: [UInt8]] = bindings,
    pieces: Int = .max
  ) -> (StreamDriver, ScriptedServer) {
    let server = ScriptedServer(script)
    let driver = StreamDriver(request)
    if script.isDirectTLS {
      server.secured(channelBindings: bindings)
      driver.handle(.secured(channelBindings: clientBindings, version: "TLSv1.3"))
    } else {
      driver.handle(.connected)
    }
    var delivered = 0
    while delivered < driver.sent.count {
      let flight = driver.sent[delivered]
      delivered += 1
      for output in server.receive(Array(flight.utf8)) {
        switch output {
        case .send(let bytes):
          var rest = bytes[...]
          while !rest.isEmpty {
            driver.server(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
          }
        case .startTLS:
          server.secured(channelBindings: bindings)
          driver.handle(.secured(channelBindings: clientBindings, version: "TLSv1.3"))
        case .close: break
        }
      }
    }
    return (driver, server)
  }

  @Test("Good and bad", arguments: rows)
  func login(_ row: Row) throws {
    let request = try StreamDriver.request(row.jid, password: row.password, memory: LoginMemory(mechanism: row.memory))
    let (driver, server) = Self.run(row.script, request)
    #expect(server.attempts == row.attempts)
    if let code = row.failure {
      #expect(driver.failure?.code == code)
      #expect(driver.failure?.sentence.contains(row.told) == true, "\(String(describing: driver.failure))")
      #expect(driver.outcome == nil)
      return
    }
    #expect(driver.failure == nil)
    let outcome = try #require(driver.outcome)
    #expect(outcome.jid.description == server.boundJID)
    #expect(outcome.mechanism == row.attempts.last)
    #expect(outcome.memory.mechanism == row.attempts.last)
    #expect(outcome.channelBinding == row.binding)
    let told = outcome.remarks + [outcome.warning].compactMap(\.self)
    #expect(row.told.isEmpty || told.contains { $0.contains(row.told) }, "\(told)")
    #expect(driver.machine.isReady)
  }

  @Test("Byte by byte it is the same log-in", arguments: rows)
  func fragmented(_ row: Row) throws {
    let request = try StreamDriver.request(row.jid, password: row.password, memory: LoginMemory(mechanism: row.memory))
    let (whole, _) = Self.run(row.script, request)
    let (pieces, _) = Self.run(row.script, request, pieces: 1)
    #expect(whole.sent == pieces.sent)
    #expect(whole.outcome == pieces.outcome)
    #expect(whole.failure == pieces.failure)
  }

  @Test("Another TLS connection in the middle: the binding's data differ and the server refuses")
  func manInTheMiddle() throws {
    let script = Self.script {
      $0.mechanisms = Self.plus
      $0.announcedTypes = ["tls-exporter"]
      $0.bindableTypes = ["tls-exporter"]
    }
    let (driver, _) = Self.run(
      script, try StreamDriver.request(), clientBindings: ["tls-exporter": Array(repeating: 7, count: 32)])
    #expect(driver.failure?.code == .authentication)
    #expect(driver.failure?.sentence.contains("possible man in the middle") == true)
  }

  @Test("Names: a user with a comma and an equals sign, a password with a space that SASLprep maps")
  func names() throws {
    let script = Self.script {
      $0.user = "a,b=c"
      $0.password = "p w"
    }
    let (driver, _) = Self.run(script, try StreamDriver.request("a,b=c@example.org", password: "p\u{A0}w"))
    #expect(driver.outcome?.jid.bare.description == "a,b=c@example.org")
  }

  @Test("Keys of the last log-in save the derivation, and only where they fit")
  func keys() throws {
    let (first, _) = Self.run(ScriptedServer.Script(), try StreamDriver.request())
    #expect(first.derivations == 1)
    let memory = try #require(first.outcome?.memory)
    #expect(memory.keys != nil)
    let (second, _) = Self.run(ScriptedServer.Script(), try StreamDriver.request(memory: memory))
    #expect(second.derivations == 0)
    #expect(second.outcome?.memory == memory)
    let (resalted, _) = Self.run(Self.script { $0.salt = [1, 2, 3] }, try StreamDriver.request(memory: memory))
    #expect(resalted.derivations == 1)
    #expect(resalted.outcome != nil)
    let (changed, _) = Self.run(
      Self.script { $0.password = "new" }, try StreamDriver.request(password: "new", memory: memory))
    #expect(changed.derivations == 1)
    #expect(changed.outcome != nil)
  }

  @Test("Keys that an earlier process kept stand for the password, until the server has another")
  func keptKeys() throws {
    let (first, _) = Self.run(ScriptedServer.Script(), try StreamDriver.request())
    var memory = LoginMemory()
    memory.keys = try #require(first.outcome?.memory.keys?.asKept)
    let request = try StreamDriver.request(password: nil, memory: memory)
    let (second, _) = Self.run(ScriptedServer.Script(), request)
    #expect(second.derivations == 0)
    #expect(second.outcome?.reliedOnKeptKeys == true)
    #expect(first.outcome?.reliedOnKeptKeys == false)
    for change: (inout ScriptedServer.Script) -> Void in [
      { $0.salt = [1, 2, 3] }, { $0.iterations = 5_000 }, { $0.password = "new" }, { $0.mechanisms = ["SCRAM-SHA-1"] },
      { $0.mechanisms = ["PLAIN"] },
    ] {
      let (other, _) = Self.run(Self.script(change), request)
      #expect(other.outcome == nil)
      #expect(other.failure?.code == .staleKeys)
      #expect(other.failure?.mayRetry == true)
    }
    // The password is known: it is used where the keys do not fit, and where they are refused the next log-in has it.
    let known = try StreamDriver.request(password: "new", memory: memory)
    let (refused, _) = Self.run(Self.script { $0.password = "new" }, known)
    #expect(refused.failure?.code == .staleKeys)
    let (resalted, _) = Self.run(Self.script { ($0.password, $0.salt) = ("new", [1, 2, 3]) }, known)
    #expect(resalted.outcome != nil)
    #expect(resalted.derivations == 1)
  }

  @Test("What cannot be keys is none")
  func noKeys() {
    let key = [UInt8](repeating: 1, count: 32)
    #expect(SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 4_096, clientKey: key, serverKey: key) != nil)
    #expect(SCRAMKeys(hashName: "MD5", salt: [1], iterations: 4_096, clientKey: key, serverKey: key) == nil)
    #expect(SCRAMKeys(hashName: "SHA-1", salt: [1], iterations: 4_096, clientKey: key, serverKey: key) == nil)
    #expect(SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 0, clientKey: key, serverKey: key) == nil)
    #expect(SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 1 << 40, clientKey: key, serverKey: key) == nil)
    #expect(SCRAMKeys(hashName: "SHA-256", salt: [1], iterations: 4_096, clientKey: key, serverKey: []) == nil)
  }

  @Test("Round trips above TLS: header, auth, proof, and header with bind")
  func flights() throws {
    let (driver, _) = Self.run(Self.script { $0.isDirectTLS = true }, try StreamDriver.request())
    #expect(driver.sent.count == 4)
  }

  @Test("The scripted server answers stanzas after the log-in")
  func answers() throws {
    let (driver, server) = Self.run(ScriptedServer.Script(), try StreamDriver.request())
    #expect(driver.machine.isReady)
    server.answer = { stanza in
      guard stanza.name == "iq", let id = stanza.attribute("id") else { return [] }
      return [Element("iq", Namespace.client, ["type": "result", "id": id])]
    }
    let output = server.receive(Array("<message/><iq type='get' id='7'><ping xmlns='urn:xmpp:ping'/></iq>".utf8))
    #expect(server.received.map(\.name) == ["message", "iq"])
    for case .send(let bytes) in output { driver.server(bytes) }
    #expect(driver.stanzas.map { $0.attribute("id") } == ["7"])
    #expect(server.receive(Array("</stream:stream>".utf8)) == [.send(Array("</stream:stream>".utf8)), .close])
  }
}
