// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
import JackdawProtocol
import JackdawXML

/// Where what is behind hashes is kept between log-ins. Errors are the store's; the session goes on without the cache.
@Client package protocol CapabilityStore: AnyObject {
  /// The answer to service discovery that was kept under this hash, as XML; nil when there is none.
  func loadCapabilities(algorithm: String, ver: String) throws -> String?
  /// Keeps an answer. Those that nobody asked for the longest time may be forgotten for it.
  func keepCapabilities(algorithm: String, ver: String, information: String) throws
}

/// What clients can do, by the hash that they announce: an answer of one of them speaks for all that announce the same
/// (XEP-0115 8.3). Only what has been verified gets in, and what the store kept is verified again.
@Client package final class CapabilityCache {
  private struct Entry {
    var information: DiscoveryInformation
    /// Of the answer as XML.
    var bytes: Int
    /// The greater, the later.
    var used: UInt64
  }

  private var entries: [CapabilityHash: Entry] = [:]
  /// Of all entries.
  private var bytes = 0
  /// The last one that was too long to be kept.
  private var long: (hash: CapabilityHash, information: DiscoveryInformation)?
  private var uses: UInt64 = 0
  private let store: (any CapabilityStore)?
  private let remark: @Client (String) -> Void
  private let limit: Int
  /// Said once a session.
  private var hasToldOfStore = false

  /// - Parameter limit: how many answers are kept in memory.
  package init(
    store: (any CapabilityStore)?, limit: Int = DiscoveryLimits.capabilitiesInMemory,
    remark: @escaping @Client (String) -> Void
  ) {
    self.store = store
    self.limit = limit
    self.remark = remark
  }

  /// How many answers are in memory.
  var count: Int { entries.count }

  /// What is behind `hash`; nil when that is not known.
  package func information(for hash: CapabilityHash) -> DiscoveryInformation? {
    uses += 1
    if let information = entries[hash]?.information {
      entries[hash]?.used = uses
      return information
    }
    if let long, long.hash == hash { return long.information }
    guard let (information, bytes) = load(hash), hash.isTrue(of: information) else { return nil }
    keepInMemory(information, bytes, for: hash)
    return information
  }

  /// Takes in what is known to be true, and need not be stored: our own.
  package func keepOwn(_ information: DiscoveryInformation, as hash: CapabilityHash) {
    keepInMemory(information, information.element().description.utf8.count, for: hash)
  }

  /// Takes in that `information` is behind `hash`, if that is true.
  /// - Returns: whether it is.
  @discardableResult package func learn(_ information: DiscoveryInformation, as hash: CapabilityHash) -> Bool {
    uses += 1
    if let known = entries[hash]?.information, known == information { return true }
    guard hash.isTrue(of: information) else { return false }
    let text = information.element().description
    guard text.utf8.count <= DiscoveryLimits.capabilityBytes else {
      long = (hash, information)
      return true
    }
    keepInMemory(information, text.utf8.count, for: hash)
    do {
      try store?.keepCapabilities(algorithm: hash.algorithm.rawValue, ver: hash.ver, information: text)
    } catch {
      tell("kept", error)
    }
    return true
  }

  private func keepInMemory(_ information: DiscoveryInformation, _ size: Int, for hash: CapabilityHash) {
    bytes += size - (entries[hash]?.bytes ?? 0)
    entries[hash] = Entry(information: information, bytes: size, used: uses)
    guard entries.count > limit || bytes > DiscoveryLimits.capabilityBytesInMemory else { return }
    // A quarter at a time, so that making room costs next to nothing for each.
    let oldest = entries.sorted { $0.value.used < $1.value.used }.prefix(max(1, entries.count / 4))
    for (hash, entry) in oldest {
      entries[hash] = nil
      bytes -= entry.bytes
    }
  }

  private func load(_ hash: CapabilityHash) -> (DiscoveryInformation, bytes: Int)? {
    do {
      let text = try store?.loadCapabilities(algorithm: hash.algorithm.rawValue, ver: hash.ver)
      return try text.map { (try DiscoveryInformation(try Element(parsing: $0)), $0.utf8.count) }
    } catch {
      tell("read", error)
      return nil
    }
  }

  private func tell(_ what: String, _ error: any Error) {
    guard !hasToldOfStore else { return }
    hasToldOfStore = true
    remark("What other clients can do cannot be \(what): \(error)")
  }
}
