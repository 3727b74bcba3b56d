// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// What went wrong on the way to a connection, and which of it is worth telling: of all failures the one that the user
/// can do most about, and that speaks of an attack before all others.
struct ConnectionFailures: Sendable {
  /// Bounded by the addresses that are tried.
  private var failures: [(error: TransportError, address: SocketAddress?)] = []

  /// - Parameter address: nil for a look-up.
  mutating func add(_ error: TransportError, at address: SocketAddress?) { failures.append((error, address)) }

  /// A failed certificate, which is the answer even when others were only slow.
  var decisive: TransportError? { first(.certificate) }

  /// One error for all.
  func summary(domain: String) -> TransportError {
    if let error = first(.certificate) ?? first(.tls) ?? first(.lost) { return error }
    let refused = failures.filter { $0.address != nil }
    guard let first = refused.first else {
      return failures.first?.error ?? TransportError(.unresolved, "No server of \(domain) can be found.")
    }
    // No address was tried, which says nothing of the host.
    guard refused.contains(where: { !SystemShortage.isNamed(by: $0.error.errno) }) else {
      return TransportError(
        .resources, "No connection can be opened: \(first.error.description).", errno: first.error.errno)
    }
    var list = refused.prefix(TransportLimits.listedAddresses).map { failure in
      "\(failure.address?.description ?? ""): \(failure.error.description)"
    }.joined(separator: "; ")
    let more = refused.count - TransportLimits.listedAddresses
    if more > 0 { list += "; and \(more) more" }
    return TransportError(.unreachable, "\(domain) cannot be reached (\(list)).", errno: first.error.errno)
  }

  private func first(_ code: TransportError.Code) -> TransportError? {
    failures.first { $0.error.code == code }?.error
  }
}
