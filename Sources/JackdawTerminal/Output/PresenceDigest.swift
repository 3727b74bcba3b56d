// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// What is worth a line of all the presence that arrives: a contact, not each of their devices, and a change only where
/// what was last told is no longer so.
struct PresenceDigest {
  /// How a contact is, by the device that counts most.
  struct Standing: Equatable {
    var show: String
    var status: String?

    static let offline = Standing(show: "unavailable", status: nil)
  }

  struct Change: Equatable {
    var jid: JID
    var standing: Standing
  }

  private struct Device {
    var standing: Standing
    var priority: Int8
    var arrival: Int
  }

  private var devices: [JID: [String: Device]] = [:]
  /// Bounded by the contacts.
  private var told: [JID: Standing] = [:]
  /// Contacts that may have changed since the last ``drain()``, in the order of their first change.
  /// Bounded by the contacts.
  private var waiting: [JID] = []
  /// Bounded by the contacts.
  private var isWaiting: Set<JID> = []
  private var arrivals = 0

  /// A person with more devices than this is a flood.
  private static let devicesOfOne = 64

  var hasNews: Bool { !waiting.isEmpty }

  mutating func take(_ event: PresenceChanged) {
    let jid = event.from.bare
    guard devices[jid] != nil || told[jid] != nil || devices.count < TerminalLimits.rememberedAddresses else { return }
    arrivals += 1
    if event.show == Standing.offline.show {
      if let resource = event.from.resource { devices[jid]?[resource] = nil } else { devices[jid] = nil }
      if devices[jid]?.isEmpty == true { devices[jid] = nil }
    } else {
      let resource = event.from.resource ?? ""
      guard devices[jid, default: [:]].count < Self.devicesOfOne || devices[jid]?[resource] != nil else { return }
      // An empty status says as much as none (RFC 6121 4.7.2.2).
      let status = event.status.flatMap { $0.isEmpty ? nil : $0.clipped(to: TerminalLimits.remarkLength) }
      let standing = Standing(show: event.show, status: status)
      devices[jid, default: [:]][resource] = Device(standing: standing, priority: event.priority, arrival: arrivals)
    }
    if isWaiting.insert(jid).inserted { waiting.append(jid) }
  }

  /// A new session began, in which the server tells of everybody who is there: whoever it does not name has gone.
  mutating func sessionBegan() {
    devices = [:]
    for jid in told.keys where isWaiting.insert(jid).inserted { waiting.append(jid) }
  }

  /// What changed since the last call.
  mutating func drain() -> [Change] {
    var changes: [Change] = []
    for jid in waiting {
      let standing = standing(of: jid)
      guard standing != told[jid] ?? .offline else { continue }
      told[jid] = standing == .offline ? nil : standing
      changes.append(Change(jid: jid, standing: standing))
    }
    waiting = []
    isWaiting = []
    return changes
  }

  /// Somebody's presence does not come any more, as the friendship has ended: that they have gone is not known.
  mutating func ended(_ jid: JID) {
    devices[jid] = nil
    told[jid] = nil
    if isWaiting.remove(jid) != nil { waiting.removeAll { $0 == jid } }
  }

  /// Forgets what waits: it tells of a connection that is gone.
  mutating func dropNews() {
    waiting = []
    isWaiting = []
  }

  private func standing(of jid: JID) -> Standing {
    let first = devices[jid]?.values.max { ($0.priority, $0.arrival) < ($1.priority, $1.arrival) }
    return first?.standing ?? .offline
  }
}
