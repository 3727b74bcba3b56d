// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// Which stanzas that were left out the user is told of: each cause once, a sender and a limit being one, and no more of them than
/// anybody reads.
struct LeftOutNotices: Sendable {
  private struct Cause: Hashable {
    var sender: JID?
    var reason: String
  }

  private var told: Set<Cause> = []

  /// A stanza was left out.
  /// - Parameter envelope: its own tag.
  /// - Returns: what the user is to be told; nil: nothing.
  mutating func notice(of envelope: Element, _ reason: DecodeError) -> String? {
    let sender = (try? envelope.jid("from"))?.bare
    guard told.count <= SessionLimits.leftOutTold,
      told.insert(Cause(sender: sender, reason: reason.description)).inserted
    else { return nil }
    guard told.count <= SessionLimits.leftOutTold else {
      return "More was left out than is shown here; --verbose shows all of it."
    }
    return Self.sentence(envelope, from: sender, reason)
  }

  /// One line, whoever it is for. May hold words from the network.
  static func sentence(_ envelope: Element, from sender: JID?, _ reason: DecodeError) -> String {
    let from = sender.map { " from \($0)" } ?? ""
    return "\(kind(of: envelope))\(from) was left out. \(reason.description.prefix(SessionLimits.leftOutReason))"
  }

  private static func kind(of envelope: Element) -> String {
    switch (envelope.name, envelope.attribute("type")) {
    case ("message", _): "A message"
    case ("presence", "subscribe"): "A request to be your friend"
    case ("presence", _): "A presence"
    case (_, "result"), (_, "error"): "An answer"
    default: "A request"
    }
  }
}
