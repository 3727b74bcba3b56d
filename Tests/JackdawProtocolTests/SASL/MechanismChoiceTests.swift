// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("Mechanism choice")
struct MechanismChoiceTests {
  private static let exporter = ChannelBinding(kind: .exporter, data: [1])
  private static let unique = ChannelBinding(kind: .unique, data: [2])
  private static let endPoint = ChannelBinding(kind: .serverEndPoint, data: [3])

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var mechanisms: [String]
    var types: [String]?
    var bindings = [exporter, endPoint]
    var memory: String?
    var bindsChannel = true
    /// Mechanism and flag of each attempt, `!` where the server has to prove its offer; nil: refused.
    var attempts: [String]?
    var sentence = ""
  }

  static let all = [
    "PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512",
    "SCRAM-SHA-512-PLUS",
  ]
  static let bare = ["PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512"]

  static let rows: [Row] = [
    Row(
      testDescription: "strongest first, PLAIN first in the list", mechanisms: bare, attempts: ["SCRAM-SHA-512 y,,"]),
    Row(
      testDescription: "SHA-1 before PLAIN", mechanisms: ["PLAIN", "SCRAM-SHA-1"], attempts: ["SCRAM-SHA-1 y,,"]),
    Row(
      testDescription: "binding before a stronger hash",
      mechanisms: ["SCRAM-SHA-512", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"],
      types: ["tls-exporter"], attempts: ["SCRAM-SHA-1-PLUS p=tls-exporter,,"]),
    Row(
      testDescription: "announced types: the strongest that both can do", mechanisms: all,
      types: ["tls-server-end-point", "tls-exporter"], attempts: ["SCRAM-SHA-512-PLUS p=tls-exporter,,"]),
    Row(
      testDescription: "announced types: the end point alone", mechanisms: all, types: ["tls-server-end-point"],
      attempts: ["SCRAM-SHA-512-PLUS p=tls-server-end-point,,"]),
    Row(
      testDescription: "announced types that do not exist: n, and the server has to prove its offer", mechanisms: all,
      types: ["tls-fantasy"], attempts: ["SCRAM-SHA-512 n,,!"]),
    Row(
      testDescription: "announced types that do not exist, -PLUS only", mechanisms: ["SCRAM-SHA-1-PLUS"],
      types: ["tls-fantasy"], attempts: nil, sentence: "man in the middle"),
    Row(
      testDescription: "announced types: an empty list", mechanisms: all, types: [], attempts: ["SCRAM-SHA-512 n,,!"]),
    Row(
      testDescription: "types not announced: each of ours, then y", mechanisms: all,
      attempts: [
        "SCRAM-SHA-512-PLUS p=tls-exporter,,", "SCRAM-SHA-512-PLUS p=tls-server-end-point,,", "SCRAM-SHA-512 y,,",
      ]),
    Row(
      testDescription: "types not announced, the hash not offered without -PLUS: no way down to another hash",
      mechanisms: ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-1"],
      attempts: ["SCRAM-SHA-256-PLUS p=tls-exporter,,", "SCRAM-SHA-256-PLUS p=tls-server-end-point,,"]),
    Row(
      testDescription: "types not announced on TLS 1.2: tls-unique first",
      mechanisms: ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"],
      bindings: [exporter, unique, endPoint], memory: "SCRAM-SHA-1",
      attempts: [
        "SCRAM-SHA-1-PLUS p=tls-unique,,", "SCRAM-SHA-1-PLUS p=tls-exporter,,",
        "SCRAM-SHA-1-PLUS p=tls-server-end-point,,", "SCRAM-SHA-1 y,,",
      ]),
    Row(
      testDescription: "types not announced, last log-in without binding: y first", mechanisms: all,
      memory: "SCRAM-SHA-512",
      attempts: [
        "SCRAM-SHA-512 y,,", "SCRAM-SHA-512-PLUS p=tls-exporter,,", "SCRAM-SHA-512-PLUS p=tls-server-end-point,,",
      ]),
    Row(
      testDescription: "types not announced, last log-in bound: no way down", mechanisms: all,
      memory: "SCRAM-SHA-512-PLUS",
      attempts: ["SCRAM-SHA-512-PLUS p=tls-exporter,,", "SCRAM-SHA-512-PLUS p=tls-server-end-point,,"]),
    Row(
      testDescription: "types announced: the memory of a log-in without binding counts for nothing", mechanisms: all,
      types: ["tls-exporter"], memory: "SCRAM-SHA-512", attempts: ["SCRAM-SHA-512-PLUS p=tls-exporter,,"]),
    Row(
      testDescription: "-PLUS stripped: y when the client can bind", mechanisms: bare, attempts: ["SCRAM-SHA-512 y,,"]),
    Row(
      testDescription: "-PLUS stripped, types left: y", mechanisms: bare, types: ["tls-exporter"],
      attempts: ["SCRAM-SHA-512 y,,"]),
    Row(
      testDescription: "-PLUS stripped, last log-in bound: the server has to prove its offer", mechanisms: bare,
      memory: "SCRAM-SHA-1-PLUS", attempts: ["SCRAM-SHA-512 y,,!"]),
    Row(
      testDescription: "this side cannot bind: n", mechanisms: all, bindings: [], attempts: ["SCRAM-SHA-512 n,,"]),
    Row(
      testDescription: "this side cannot bind, last log-in bound", mechanisms: all, bindings: [],
      memory: "SCRAM-SHA-512-PLUS", attempts: ["SCRAM-SHA-512 n,,!"]),
    Row(
      testDescription: "this side cannot bind, -PLUS only", mechanisms: ["SCRAM-SHA-1-PLUS"], bindings: [],
      attempts: nil,
      sentence: "channel binding"),
    Row(testDescription: "PLAIN only, first contact", mechanisms: ["PLAIN"], attempts: ["PLAIN"]),
    Row(testDescription: "PLAIN only, after PLAIN", mechanisms: ["PLAIN"], memory: "PLAIN", attempts: ["PLAIN"]),
    Row(
      testDescription: "downgrade to PLAIN", mechanisms: ["PLAIN"], memory: "SCRAM-SHA-1", attempts: nil,
      sentence: "jackdaw account remove"),
    Row(
      testDescription: "downgrade to PLAIN after a bound log-in", mechanisms: ["PLAIN", "DIGEST-MD5"],
      memory: "SCRAM-SHA-1-PLUS", attempts: nil, sentence: "man in the middle"),
    Row(
      testDescription: "PLAIN beside SCRAM of an unknown hash", mechanisms: ["SCRAM-SHA3-512", "PLAIN"], attempts: nil,
      sentence: "does not know"),
    Row(
      testDescription: "weak mechanisms", mechanisms: ["DIGEST-MD5", "CRAM-MD5", "ANONYMOUS", "X-OAUTH2"],
      attempts: nil,
      sentence: "that this client knows"),
    Row(testDescription: "none", mechanisms: [], attempts: nil, sentence: "no way to log in"),
    Row(
      testDescription: "turned off: n, though types are announced", mechanisms: all, types: ["tls-exporter"],
      bindsChannel: false, attempts: ["SCRAM-SHA-512 n,,"]),
    Row(
      testDescription: "turned off: n, though the last log-in was bound", mechanisms: all, memory: "SCRAM-SHA-1-PLUS",
      bindsChannel: false, attempts: ["SCRAM-SHA-512 n,,"]),
    Row(
      testDescription: "turned off: n, where nothing is offered", mechanisms: bare, bindsChannel: false,
      attempts: ["SCRAM-SHA-512 n,,"]),
    Row(
      testDescription: "turned off, and nothing else is offered", mechanisms: ["SCRAM-SHA-1-PLUS", "PLAIN"],
      bindsChannel: false, attempts: nil, sentence: "which is off for this account"),
    Row(
      testDescription: "turned off: no way down to PLAIN", mechanisms: ["PLAIN"], memory: "SCRAM-SHA-1-PLUS",
      bindsChannel: false, attempts: nil, sentence: "jackdaw account remove"),
    Row(testDescription: "names in other case", mechanisms: ["plain", "scram-sha-1"], attempts: nil),
  ]

  @Test("What is tried, in order", arguments: rows)
  func choice(_ row: Row) throws {
    let offer = SASLOffer(mechanisms: row.mechanisms, channelBindingTypes: row.types)
    let memory = LoginMemory(mechanism: row.memory)
    guard let expected = row.attempts else {
      let failure = try #require(throws: StreamFailure.self) {
        try MechanismChoice(offer: offer, bindings: row.bindings, memory: memory, bindsChannel: row.bindsChannel)
      }
      #expect(failure.sentence.contains(row.sentence))
      #expect(!failure.mayRetry)
      return
    }
    let choice = try MechanismChoice(
      offer: offer, bindings: row.bindings, memory: memory, bindsChannel: row.bindsChannel)
    let attempts = choice.attempts.map { attempt in
      switch attempt {
      case .plain: attempt.mechanism.name
      case .scram(_, let binding, let needsOfferProof):
        "\(attempt.mechanism.name) \(String(decoding: binding.header, as: UTF8.self))\(needsOfferProof ? "!" : "")"
      }
    }
    #expect(attempts == expected)
  }

  @Test("Channel binding: tls-unique never on TLS 1.3, no empty data, nothing unknown")
  func usable() {
    let data: [String: [UInt8]] = [
      "tls-server-end-point": [3], "tls-unique": [2], "tls-exporter": [1], "tls-fantasy": [4],
    ]
    #expect(ChannelBinding.usable(of: data, version: "TLSv1.3") == [Self.exporter, Self.endPoint])
    #expect(ChannelBinding.usable(of: data, version: "TLSv1.2") == [Self.exporter, Self.unique, Self.endPoint])
    #expect(ChannelBinding.usable(of: ["tls-exporter": []], version: "TLSv1.3").isEmpty)
  }
}
