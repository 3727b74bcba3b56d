// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// Whom to ask what is behind a hash.
@Suite struct CapabilityQueueTests {
  private func capabilities(_ number: Int) throws -> Capabilities {
    let information = DiscoveryInformation(
      identities: [.init(category: "client", type: "pc")], features: ["urn:\(number)"])
    return Capabilities(node: "urn:node", hash: try #require(CapabilityHash(of: information)))
  }

  private func jid(_ number: Int, resource: String = "r") throws -> JID {
    try JID("c\(number)@example.org/\(resource)")
  }

  @Test("A hash that many announce is asked for once") func aHashOfManyIsAskedForOnce() throws {
    var queue = CapabilityQueue()
    for number in 0..<100 { queue.add(try capabilities(1), from: try jid(number)) }
    #expect(queue.next()?.jid == (try jid(0)))
    #expect(queue.next() == nil)
    queue.answered(try capabilities(1).hash)
    #expect(queue.next() == nil)
    #expect(queue.isEmpty)
  }

  @Test("When one who announces a hash fails the next is asked, up to the limit")
  func whenOneFailsTheNextIsAskedUpToTheLimit() throws {
    var queue = CapabilityQueue()
    for number in 0..<100 { queue.add(try capabilities(1), from: try jid(number)) }
    var asked: [JID] = []
    while let question = queue.next() {
      asked.append(question.jid)
      queue.failed(question.capabilities.hash)
    }
    #expect(asked == (try (0..<DiscoveryLimits.capabilityAttempts).map { try jid($0) }))
    // Announcing it again changes nothing.
    for number in 0..<100 { queue.add(try capabilities(1), from: try jid(number)) }
    #expect(queue.isEmpty)
  }

  @Test("A contact with many resources is asked once") func aContactWithManyResourcesIsAskedOnce() throws {
    var queue = CapabilityQueue()
    for resource in 0..<20 { queue.add(try capabilities(1), from: try jid(1, resource: "r\(resource)")) }
    let next = queue.next()
    let first = try #require(next)
    queue.failed(first.capabilities.hash)
    #expect(queue.next() == nil)
    queue.add(try capabilities(1), from: try jid(1, resource: "another"))
    #expect(queue.next() == nil)
    queue.add(try capabilities(1), from: try jid(2))
    #expect(queue.next()?.jid == (try jid(2)))
  }

  @Test("Who announces a hash while another one is asked is asked when that fails")
  func whoComesWhileAnotherIsAskedIsAskedWhenThatFails() throws {
    var queue = CapabilityQueue()
    queue.add(try capabilities(1), from: try jid(1))
    let next = queue.next()
    let first = try #require(next)
    queue.add(try capabilities(1), from: try jid(2))
    #expect(queue.next() == nil)
    queue.failed(first.capabilities.hash)
    #expect(queue.next()?.jid == (try jid(2)))
  }

  @Test("A flood of hashes is bounded") func aFloodOfHashesIsBounded() throws {
    var queue = CapabilityQueue()
    for number in 0..<DiscoveryLimits.unknownCapabilities + 50 { queue.add(try capabilities(number), from: try jid(1)) }
    var count = 0
    while queue.next() != nil { count += 1 }
    #expect(count == DiscoveryLimits.unknownCapabilities)
  }
}
