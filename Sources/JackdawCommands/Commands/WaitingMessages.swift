// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The messages that wait for the program of `listen`: each sender's in their order, the senders in turns, so that whoever sends
/// many delays nobody else by more than one. Strangers are one sender together, as anybody can be as many as they like.
///
/// Few are held in memory: what does not fit there waits in the log, and only its place is kept.
struct WaitingMessages {
  /// Who waits for a turn.
  enum Sender: Hashable {
    case known(JID)
    case strangers
  }

  /// One message, and what was to be known of it when it came.
  struct Entry {
    enum Text {
      // Most are in the log: an entry is to be small.
      indirect case here(MessageArrived)
      /// It is to be read there, and was first sent then, if anybody said so.
      case inLog(LogPlace, delayed: Timestamp?)
    }

    var text: Text
    var mayBeAnswered: Bool

    /// Whoever comes next finds it in the log.
    var isInLog: Bool {
      if case .here(let message) = text { return message.place != nil }
      return true
    }

    fileprivate var bytes: Int {
      if case .here(let message) = text { message.heldBytes } else { 0 }
    }
  }

  /// How much waits.
  struct Limits {
    var messages = CommandLimits.waitingMessages
    var bytes = CommandLimits.waitingBytes
    var bytesOfOne = CommandLimits.waitingBytesOfOne
  }

  private struct Queue {
    var entries = FIFO<Entry>()
    var bytes = 0
  }

  private let limits: Limits
  private var queues: [Sender: Queue] = [:]
  private var turns = FIFO<Sender>()
  /// Of the messages that are held in memory.
  private(set) var bytes = 0
  private(set) var count = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// There is room for one that is in the log.
  var hasRoom: Bool { count < limits.messages }
  /// There is room again for as many as are worth reading the log for.
  var hasMuchRoom: Bool { count <= limits.messages / 2 }

  /// A message is to wait.
  /// - Returns: false where there is no room for it.
  mutating func add(_ message: MessageArrived, of sender: Sender, mayBeAnswered: Bool) -> Bool {
    guard hasRoom else { return false }
    let size = message.heldBytes
    let held = queues[sender]?.bytes ?? 0
    let text: Entry.Text
    let fits = bytes + size <= limits.bytes && held + size <= limits.bytesOfOne
    if fits || message.place == nil && count == 0 {
      text = .here(message)
    } else if let place = message.place {
      text = .inLog(place, delayed: message.delayed)
    } else {
      return false
    }
    let entry = Entry(text: text, mayBeAnswered: mayBeAnswered)
    if queues[sender] == nil { turns.append(sender) }
    queues[sender, default: Queue()].entries.append(entry)
    queues[sender]?.bytes += entry.bytes
    bytes += entry.bytes
    count += 1
    return true
  }

  /// Takes the next one whose turn it is.
  mutating func next() -> Entry? {
    guard let sender = turns.popFirst(), let entry = queues[sender]?.entries.popFirst() else { return nil }
    count -= 1
    bytes -= entry.bytes
    queues[sender]?.bytes -= entry.bytes
    if queues[sender]?.entries.first == nil { queues[sender] = nil } else { turns.append(sender) }
    return entry
  }
}
