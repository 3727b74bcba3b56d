// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

/// What is known of hashes, in memory and in a store.
@Client @Suite(.onLoop) struct CapabilityCacheTests {
  private func information(_ number: Int) -> DiscoveryInformation {
    DiscoveryInformation(identities: [.init(category: "client", type: "pc")], features: ["urn:\(number)"])
  }

  private func hash(_ number: Int) throws -> CapabilityHash { try #require(CapabilityHash(of: information(number))) }

  @Test("Only information that matches its hash is stored") func onlyTheTruthIsLearned() throws {
    let store = FakeCapabilityStore()
    let cache = CapabilityCache(store: store) { _ in }
    #expect(!cache.learn(information(2), as: try hash(1)))
    #expect(cache.information(for: try hash(1)) == nil)
    #expect(store.kept.isEmpty)
    #expect(cache.learn(information(1), as: try hash(1)))
    #expect(cache.information(for: try hash(1)) == information(1))
    #expect(store.kept.count == 1)
  }

  @Test("What is known already is not written again") func whatIsKnownAlreadyIsNotWrittenAgain() throws {
    let store = FakeCapabilityStore()
    let cache = CapabilityCache(store: store) { _ in }
    for _ in 0..<3 { #expect(cache.learn(information(1), as: try hash(1))) }
    #expect(store.writes == 1)
  }

  @Test("The store is asked once, then the answer is remembered") func theStoreIsAskedOnceAndRemembered() throws {
    let store = FakeCapabilityStore()
    CapabilityCache(store: store) { _ in }.learn(information(1), as: try hash(1))
    let cache = CapabilityCache(store: store) { _ in }
    #expect(cache.information(for: try hash(1)) == information(1))
    #expect(cache.information(for: try hash(1)) == information(1))
    #expect(store.reads == 1)
  }

  @Test(
    "Caps poisoning: information in the store that does not match its hash is not used",
    arguments: [
      "<query xmlns='http://jabber.org/protocol/disco#info'><feature var='urn:evil'/></query>", "", "<broken",
      "<query xmlns='urn:other'/>",
    ])
  func capsPoisoningOfTheStoreIsFoundOut(_ stored: String) throws {
    let store = FakeCapabilityStore()
    store.kept[try hash(1).ver] = stored
    let cache = CapabilityCache(store: store) { _ in }
    #expect(cache.information(for: try hash(1)) == nil)
  }

  @Test("Beyond the limit the least used information is forgotten") func theLeastUsedAreForgotten() throws {
    let cache = CapabilityCache(store: nil, limit: 8) { _ in }
    for number in 0..<8 { cache.learn(information(number), as: try hash(number)) }
    _ = cache.information(for: try hash(0))
    cache.learn(information(8), as: try hash(8))
    #expect(cache.count <= 8)
    #expect(cache.information(for: try hash(0)) != nil)
    #expect(cache.information(for: try hash(1)) == nil)
    #expect(cache.information(for: try hash(8)) != nil)
    for number in 0..<1_000 { cache.learn(information(number), as: try hash(number)) }
    #expect(cache.count <= 8)
  }

  /// A true answer of a megabyte, and many of them.
  @Test("Long answers displace nothing from memory") func longAnswersDriveOutNothing() throws {
    let store = FakeCapabilityStore()
    let cache = CapabilityCache(store: store) { _ in }
    cache.learn(information(1), as: try hash(1))
    func long(_ number: Int) -> DiscoveryInformation {
      let padding = String(repeating: "x", count: DiscoveryLimits.capabilityBytes)
      return DiscoveryInformation(
        identities: [.init(category: "client", type: "pc")], features: ["urn:\(number):\(padding)"])
    }
    for number in 0..<5 {
      let hash = try #require(CapabilityHash(of: long(number)))
      #expect(cache.learn(long(number), as: hash))
      #expect(cache.information(for: hash) == long(number), "it is of use for the moment")
    }
    #expect(store.kept.count == 1)
    #expect(cache.count == 1)
    #expect(cache.information(for: try hash(1)) == information(1))
  }

  @Test("The size in memory is bounded in bytes") func whatIsInMemoryIsBoundedInBytes() throws {
    let cache = CapabilityCache(store: nil) { _ in }
    let padding = String(repeating: "x", count: DiscoveryLimits.capabilityBytes - 500)
    for number in 0..<200 {
      let information = DiscoveryInformation(
        identities: [.init(category: "client", type: "pc")], features: ["urn:\(number):\(padding)"])
      cache.learn(information, as: try #require(CapabilityHash(of: information)))
      #expect(cache.count * (DiscoveryLimits.capabilityBytes - 500) <= DiscoveryLimits.capabilityBytesInMemory)
    }
    #expect(cache.count >= 32)
  }

  @Test("A store that fails is reported once and does not disturb")
  func aStoreThatFailsIsToldOnceAndDisturbsNothing() throws {
    let store = FakeCapabilityStore()
    store.fails = true
    var remarks: [String] = []
    let cache = CapabilityCache(store: store) { remarks.append($0) }
    for number in 0..<3 { #expect(cache.learn(information(number), as: try hash(number))) }
    #expect(cache.information(for: try hash(2)) == information(2))
    #expect(cache.information(for: try hash(7)) == nil)
    #expect(remarks.count == 1)
  }
}

@Client final class FakeCapabilityStore: CapabilityStore {
  struct Broken: Error {}

  var kept: [String: String] = [:]
  var fails = false
  private(set) var reads = 0
  private(set) var writes = 0

  func loadCapabilities(algorithm: String, ver: String) throws -> String? {
    if fails { throw Broken() }
    reads += 1
    return kept[ver]
  }

  func keepCapabilities(algorithm: String, ver: String, information: String) throws {
    if fails { throw Broken() }
    writes += 1
    kept[ver] = information
  }
}
