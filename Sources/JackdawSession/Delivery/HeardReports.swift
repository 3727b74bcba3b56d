// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The reports that this run has posted of messages of ours: delivered, displayed, or failed. Each program that shares a store posts what
/// comes on its own stream once, whichever of them stored it first; the state of a message never goes back.
struct HeardReports {
  /// How far a message came, the later ones behind.
  private enum Stage: Int {
    case delivered, displayed, failed

    init?(_ state: DeliveryState) {
      switch state {
      case .waiting, .sent, .server: return nil
      case .delivered: self = .delivered
      case .displayed: self = .displayed
      case .failed: self = .failed
      }
    }
  }

  /// Other devices of ours may give messages to two people one id.
  private struct Key: Hashable {
    var id: String
    var peer: JID
  }

  private let limit: Int
  private var stages: [Key: Stage] = [:]
  /// Those in ``stages``, oldest first.
  private var order: [Key] = []
  /// The number of the last one that they have read, by person. Bounded by whom the user writes to.
  private var readThrough: [JID: Int64] = [:]

  /// - Parameter limit: how many messages are remembered at least; never more than a quarter more.
  init(limit: Int) { self.limit = limit }

  /// A report about a message came.
  /// - Parameter number: the store's; nil: it has none.
  /// - Returns: whether it is to be posted: neither it nor a later state has been.
  mutating func isNews(_ report: MessageReport, of number: Int64?) -> Bool {
    guard let stage = Stage(report.state) else { return false }
    let key = Key(id: report.id, peer: report.peer)
    if let told = stages[key], told.rawValue >= stage.rawValue { return false }
    // 'displayed' covers all earlier messages (XEP-0333), so it is no news of one of those. A later 'delivered' is still posted: a command
    // may wait for it.
    if let number, stage == .displayed {
      if let last = readThrough[report.peer], number <= last { return false }
      readThrough[report.peer] = number
    }
    if stages.updateValue(stage, forKey: key) == nil { remember(key) }
    return true
  }

  /// The store began anew: its numbers are other messages' now.
  mutating func forgetNumbers() { readThrough = [:] }

  private mutating func remember(_ key: Key) {
    order.append(key)
    guard order.count > limit + limit / 4 else { return }
    for key in order.prefix(order.count - limit) { stages[key] = nil }
    order.removeFirst(order.count - limit)
  }
}
