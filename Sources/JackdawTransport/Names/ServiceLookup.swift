// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One place to connect to: a host that is still to be looked up, or an IP address.
package struct ConnectionTarget: Hashable, Sendable, CustomStringConvertible {
  /// A name or an IP address.
  package var host: String
  package var port: UInt16
  /// TLS from the first byte (XEP-0368), not STARTTLS.
  package var usesDirectTLS: Bool

  package init(host: String, port: UInt16, usesDirectTLS: Bool) {
    self.host = host
    self.port = port
    self.usesDirectTLS = usesDirectTLS
  }

  package var description: String { "\(host) port \(port)" + (usesDirectTLS ? " with direct TLS" : "") }
}

/// What DNS says of a domain's two services, and the order that follows from it (RFC 6120 section 3.2.1, RFC 2782,
/// XEP-0368 section 3): the records of both are mixed as if they were of one service.
struct ServiceLookup: Sendable {
  /// `_xmpps-client._tcp`; nil when it was not asked for.
  var directTLS: ServiceAnswer?
  /// `_xmpp-client._tcp`; nil when it was not asked for.
  var startTLS: ServiceAnswer?

  init(directTLS: ServiceAnswer?, startTLS: ServiceAnswer?) {
    self.directTLS = directTLS
    self.startTLS = startTLS
  }

  /// The targets in the order in which they are to be tried, ``TransportLimits/serviceTargets`` at most. Where nothing
  /// is known of any service, the domain itself on port 5222, or 5223 when only direct TLS was asked for.
  /// - Throws: ``TransportError`` `notOffered` when a target is `.` and nothing else is offered: then the domain itself
  ///   must not be tried (XEP-0368 section 5); `unresolved` when there are records and none can be used, and when a target is `.`
  ///   and of the other service nothing can be said, which may be offered.
  func targets(
    domain: String, using generator: inout some RandomNumberGenerator
  ) throws(TransportError) -> [ConnectionTarget] {
    var candidates: [Candidate] = []
    var hasRecords = false
    var hasRefusal = false
    for (answer, usesDirectTLS) in [(directTLS, true), (startTLS, false)] {
      guard case .records(let records)? = answer else { continue }
      for record in records {
        if record.target.isEmpty {
          hasRefusal = true
          continue
        }
        hasRecords = true
        guard record.port != 0 else { continue }
        candidates.append(
          Candidate(
            priority: record.priority, weight: record.weight,
            target: ConnectionTarget(host: record.target, port: record.port, usesDirectTLS: usesDirectTLS)))
      }
    }
    if !candidates.isEmpty { return Self.order(candidates, using: &generator) }
    if hasRecords {
      throw TransportError(.unresolved, "The SRV records of \(domain) name no usable server.")
    }
    if hasRefusal {
      guard !Self.isUnknown(directTLS), !Self.isUnknown(startTLS) else {
        throw TransportError(.unresolved, "DNS does not say whether \(domain) offers a chat service.")
      }
      throw TransportError(.notOffered, "\(domain) offers no chat service: its DNS says so.")
    }
    let usesDirectTLS = startTLS == nil
    return [ConnectionTarget(host: domain, port: usesDirectTLS ? 5223 : 5222, usesDirectTLS: usesDirectTLS)]
  }

  /// Asked for, and no answer came of it.
  private static func isUnknown(_ answer: ServiceAnswer?) -> Bool {
    if case .failed? = answer { true } else { false }
  }

  private struct Candidate {
    var priority: UInt16
    var weight: UInt16
    var target: ConnectionTarget
  }

  /// RFC 2782, "Usage rules": lowest priority first; among equals the next is drawn with a chance that its weight
  /// gives, those of weight 0 standing first in the line so that they have a small one.
  private static func order(
    _ candidates: [Candidate], using generator: inout some RandomNumberGenerator
  ) -> [ConnectionTarget] {
    var left = candidates.enumerated().sorted {
      let (a, b) = ($0.element, $1.element)
      return (a.priority, a.weight == 0 ? 0 : 1, $0.offset) < (b.priority, b.weight == 0 ? 0 : 1, $1.offset)
    }.map(\.element)
    var ordered: [ConnectionTarget] = []
    while let priority = left.first?.priority, ordered.count < TransportLimits.serviceTargets {
      let equals = left.prefix { $0.priority == priority }
      let total = equals.reduce(0) { $0 + Int($1.weight) }
      let drawn = Int.random(in: 0...total, using: &generator)
      var sum = 0
      let index = equals.firstIndex { candidate in
        sum += Int(candidate.weight)
        return sum >= drawn
      }
      let target = left.remove(at: index ?? 0).target
      if !ordered.contains(target) { ordered.append(target) }
    }
    return ordered
  }
}
