// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

@testable import JackdawTransport

/// A resolver that answers what it was told to, and writes down what it was asked.
@Client final class ScriptedNames: NameResolving {
  var services: [String: ServiceAnswer] = [:]
  /// Without ports.
  var hosts: [String: [String]] = [:]
  /// Names whose look-up never ends, unless the task is cancelled.
  var silent: Set<String> = []
  private(set) var asked: [String] = []

  func services(_ name: String) async -> ServiceAnswer {
    asked.append(name)
    await hang(name)
    return services[name] ?? .absent
  }

  func addresses(of host: String, port: UInt16) async throws(TransportError) -> [SocketAddress] {
    asked.append(host)
    await hang(host)
    guard let found = hosts[host] else { throw TransportError(.unresolved, "The host \(host) does not exist.") }
    return found.compactMap { SocketAddress(literal: $0, port: port) }
  }

  private func hang(_ name: String) async {
    if silent.contains(name) { try? await EventLoop.main.sleep(for: .seconds(3600)) }
  }

  /// SRV records for `chat.example`, in the order of their priority.
  func offer(_ targets: [(host: String, port: UInt16, usesDirectTLS: Bool)]) {
    for service in [true, false] {
      let records = targets.enumerated().filter { $0.element.usesDirectTLS == service }.map { index, target in
        ServiceRecord(priority: UInt16(index), weight: 0, port: target.port, target: target.host)
      }
      services["_xmpp\(service ? "s" : "")-client._tcp.chat.example"] = records.isEmpty ? .absent : .records(records)
    }
  }
}
