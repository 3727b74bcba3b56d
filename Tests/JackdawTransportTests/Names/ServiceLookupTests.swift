// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTransport

/// Gives the numbers it was told to give, then others: what `Int.random(in: 0...n)` draws is `value * (n + 1) / 2^64`.
private struct Draws: RandomNumberGenerator {
  var values: [UInt64]
  private var state: UInt64 = 1

  init(values: [UInt64]) { self.values = values }

  mutating func next() -> UInt64 {
    if !values.isEmpty { return values.removeFirst() }
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

private func record(
  _ priority: UInt16, _ weight: UInt16, _ target: String, _ port: UInt16 = 5222
) -> ServiceRecord {
  ServiceRecord(priority: priority, weight: weight, port: port, target: target)
}

private func order(
  direct: ServiceAnswer?, starttls: ServiceAnswer?, draws: [UInt64] = []
) throws(TransportError) -> [String] {
  var generator = Draws(values: draws)
  return try ServiceLookup(directTLS: direct, startTLS: starttls)
    .targets(domain: "chat.example", using: &generator)
    .map { "\($0.usesDirectTLS ? "tls" : "tcp") \($0.host) \($0.port)" }
}

@Suite struct ServiceLookupTests {
  @Test("Targets of both services are mixed by priority") func mixesBothServicesByPriority() throws {
    let targets = try order(
      direct: .records([record(20, 0, "b", 443), record(5, 0, "d", 443)]),
      starttls: .records([record(30, 0, "a"), record(10, 0, "c")]))
    #expect(targets == ["tls d 443", "tcp c 5222", "tls b 443", "tcp a 5222"])
  }

  @Test("Targets of equal priority are drawn by weight") func drawsAmongEqualsByWeight() throws {
    let records = ServiceAnswer.records([record(1, 60, "a"), record(1, 30, "b"), record(1, 10, "c")])
    #expect(try order(direct: nil, starttls: records, draws: [1 << 32]).first == "tcp a 5222")
    #expect(try order(direct: nil, starttls: records, draws: [UInt64.max / 10 * 7]).first == "tcp b 5222")
    #expect(try order(direct: nil, starttls: records, draws: [UInt64.max - 1]).first == "tcp c 5222")
  }

  @Test("Over many draws targets are chosen in proportion to their weights") func weightsSpreadOverManyDraws() throws {
    var generator = SystemRandomNumberGenerator()
    let lookup = ServiceLookup(
      directTLS: .records([record(1, 75, "heavy", 443)]),
      startTLS: .records([record(1, 25, "light"), record(1, 0, "last")]))
    var firsts: [String: Int] = [:]
    for _ in 0..<4000 {
      let first = try #require(try lookup.targets(domain: "d", using: &generator).first)
      firsts[first.host, default: 0] += 1
    }
    #expect((2700...3300).contains(firsts["heavy"] ?? 0))
    #expect((800...1200).contains(firsts["light"] ?? 0))
    // RFC 2782: weight 0 has a very small chance, not none: 1 in 101 here.
    #expect((1...120).contains(firsts["last"] ?? 0))
  }

  @Test("Without records the domain itself is the target") func fallsBackToTheDomainWithoutRecords() throws {
    #expect(try order(direct: .absent, starttls: .absent) == ["tcp chat.example 5222"])
    #expect(try order(direct: nil, starttls: .absent) == ["tcp chat.example 5222"])
    #expect(try order(direct: .absent, starttls: nil) == ["tls chat.example 5223"])
  }

  /// RFC 6120 section 3.2.1: no response to the query is no reason not to try the domain.
  @Test(
    "When DNS fails the domain itself is the target", arguments: [ServiceAnswer.Failure.noAnswer, .refused, .malformed])
  func fallsBackToTheDomainWhenDNSFails(failure: ServiceAnswer.Failure) throws {
    #expect(try order(direct: .failed(failure), starttls: .failed(failure)) == ["tcp chat.example 5222"])
  }

  @Test("Records of one service are enough") func oneServiceIsEnough() throws {
    #expect(try order(direct: .records([record(1, 1, "x", 443)]), starttls: .failed(.refused)) == ["tls x 443"])
    #expect(
      try order(direct: .records([record(0, 0, "", 0)]), starttls: .records([record(1, 1, "y")])) == ["tcp y 5222"])
  }

  /// Target `.` (RFC 2782; XEP-0368 section 5): no fallback to the domain's addresses.
  @Test(
    "The root as the only target means that the service is not offered",
    arguments: [
      (ServiceAnswer.records([record(0, 0, "", 0)]), ServiceAnswer.records([record(0, 0, "", 0)])),
      (.absent, .records([record(0, 0, "", 0)])),
      (.records([record(0, 0, "", 0)]), .absent),
    ])
  func rootTargetMeansNotOffered(direct: ServiceAnswer, starttls: ServiceAnswer) {
    let error = #expect(throws: TransportError.self) { try order(direct: direct, starttls: starttls) }
    #expect(error?.code == .notOffered)
    #expect(error?.description.contains("chat.example") == true)
  }

  @Test("where one service is refused and of the other nothing can be said, a later look-up may find it")
  func refusedAndUnknown() {
    let refusal = ServiceAnswer.records([record(0, 0, "", 5223)])
    for unknown in [ServiceAnswer.Failure.noAnswer, .refused, .malformed].map(ServiceAnswer.failed) {
      for (direct, starttls) in [(refusal, unknown), (unknown, refusal)] {
        let error = #expect(throws: TransportError.self) { try order(direct: direct, starttls: starttls) }
        #expect(error?.code == .unresolved)
      }
    }
    // What is not asked for is not missed.
    let error = #expect(throws: TransportError.self) { try order(direct: refusal, starttls: nil) }
    #expect(error?.code == .notOffered)
  }

  /// A record with port 0.
  @Test("A record with port zero is dropped") func portZeroIsDropped() throws {
    #expect(try order(direct: nil, starttls: .records([record(0, 0, "a", 0), record(1, 0, "b")])) == ["tcp b 5222"])
    let error = #expect(throws: TransportError.self) {
      try order(direct: nil, starttls: .records([record(0, 0, "a", 0)]))
    }
    #expect(error?.code == .unresolved)
  }

  /// An answer with 1,000 records.
  @Test("Of a thousand records ten are targets") func aThousandRecordsGiveTenTargets() throws {
    let many = (0..<1000).map { record(UInt16($0 / 100), 7, "h\($0)") }
    let targets = try order(direct: nil, starttls: .records(many))
    #expect(targets.count == TransportLimits.serviceTargets)
    // All of priority 0.
    #expect(targets.allSatisfy { $0.wholeMatch(of: /tcp h[0-9]{1,2} 5222/) != nil })
  }

  @Test("Repeated records count once") func repeatedRecordsCountOnce() throws {
    let same = [ServiceRecord](repeating: record(1, 1, "a"), count: 30)
    #expect(try order(direct: .records(same), starttls: .records(same)).sorted() == ["tcp a 5222", "tls a 5222"])
  }
}
