// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A SASL mechanism that this client can do.
enum Mechanism: Hashable, Sendable {
  /// RFC 5802, RFC 7677; `plus` with channel binding.
  case scram(SCRAMHash, plus: Bool)
  /// RFC 4616.
  case plain

  var name: String {
    switch self {
    case .scram(let hash, plus: false): "SCRAM-\(hash.rawValue)"
    case .scram(let hash, plus: true): "SCRAM-\(hash.rawValue)-PLUS"
    case .plain: "PLAIN"
    }
  }
}

/// The hash of a SCRAM mechanism, by its name in the mechanism's, strongest first.
package enum SCRAMHash: String, Sendable, CaseIterable {
  case sha512 = "SHA-512"
  case sha256 = "SHA-256"
  case sha1 = "SHA-1"
}
