// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Data of the TLS connection that SCRAM signs, so that a log-in cannot be relayed from another connection (RFC 5056).
struct ChannelBinding: Hashable, Sendable {
  /// By the registered name, strongest first.
  enum Kind: String, Sendable, CaseIterable {
    /// RFC 9266.
    case exporter = "tls-exporter"
    /// RFC 5929 3; undefined on TLS 1.3, and the only kind that Prosody 0.12 and ejabberd 23.01 know.
    case unique = "tls-unique"
    /// RFC 5929 4; does not see a stolen certificate key.
    case serverEndPoint = "tls-server-end-point"
  }

  var kind: Kind
  var data: [UInt8]

  /// What can be used of `available` (data by type name) on a connection of TLS `version`, strongest first.
  static func usable(of available: [String: [UInt8]], version: String) -> [ChannelBinding] {
    Kind.allCases.compactMap { kind in
      guard let data = available[kind.rawValue], !data.isEmpty else { return nil }
      switch kind {
      case .exporter, .serverEndPoint: return ChannelBinding(kind: kind, data: data)
      case .unique: return version == "TLSv1.2" ? ChannelBinding(kind: kind, data: data) : nil
      }
    }
  }
}
