// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How far a message of ours came, from the store to the screen. JSON, and the store: ``name``.
package enum DeliveryState: Sendable, Equatable {
  /// Kept until there is a stream.
  case waiting
  /// Written to a stream; the server has not said that it has it.
  case sent
  /// The server has it.
  case server
  /// It is on a device of theirs (XEP-0184).
  case delivered
  /// It was seen there (XEP-0333).
  case displayed
  /// It came back, or was withdrawn: one sentence why, which may hold words from the network.
  case failed(reason: String)

  /// - Parameters:
  ///   - name: as ``name`` has it.
  ///   - reason: of what failed; ignored with the others.
  /// - Returns: nil for any other name.
  package init?(name: String, reason: String? = nil) {
    switch name {
    case "waiting": self = .waiting
    case "sent": self = .sent
    case "server": self = .server
    case "delivered": self = .delivered
    case "displayed": self = .displayed
    case "failed": self = .failed(reason: reason ?? "")
    default: return nil
    }
  }

  /// One word.
  package var name: String {
    switch self {
    case .waiting: "waiting"
    case .sent: "sent"
    case .server: "server"
    case .delivered: "delivered"
    case .displayed: "displayed"
    case .failed: "failed"
    }
  }

  /// Why it failed.
  package var reason: String? {
    guard case .failed(let reason) = self else { return nil }
    return reason
  }

  /// The server may not have it.
  package var isOpen: Bool {
    switch self {
    case .waiting, .sent: true
    case .server, .delivered, .displayed, .failed: false
    }
  }
}

extension DeliveryState: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
