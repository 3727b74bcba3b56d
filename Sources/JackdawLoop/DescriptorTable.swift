// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The watched descriptors, as `poll` wants them, and the handlers beside them.
///
/// A watch keeps its slot for life; a free slot has the descriptor -1, which `poll` skips. A client watches a handful of
/// descriptors, and `poll`, unlike epoll, takes regular files too (stdin redirected from a file).
struct DescriptorTable {
  struct Token {
    fileprivate var slot: Int
    fileprivate var generation: UInt64
  }

  private struct Entry {
    var generation: UInt64
    var descriptor: Int32
    var interest: EventLoop.Readiness
    var handler: (@Client (EventLoop.Readiness) -> Void)?
  }

  private var polled: [pollfd]
  private var entries: [Entry]
  private var freeSlots: [Int] = []
  private var generations: UInt64 = 0
  private var ready: [(token: Token, events: Int16)] = []

  /// - Parameter wakeUp: a descriptor that ends every wait and has no handler.
  init(wakeUp: Int32) {
    polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
    entries = [Entry(generation: 0, descriptor: wakeUp, interest: .readable, handler: nil)]
  }

  mutating func insert(
    _ descriptor: Int32, _ interest: EventLoop.Readiness, _ handler: @escaping @Client (EventLoop.Readiness) -> Void
  ) -> Token {
    generations += 1
    let entry = Entry(generation: generations, descriptor: descriptor, interest: interest, handler: handler)
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      entries[slot] = entry
    } else {
      slot = entries.count
      entries.append(entry)
      polled.append(pollfd())
    }
    polled[slot] = pollfd(fd: descriptor, events: interest.pollEvents, revents: 0)
    return Token(slot: slot, generation: generations)
  }

  mutating func setInterest(_ interest: EventLoop.Readiness, of token: Token) {
    guard entries[token.slot].generation == token.generation else { return }
    entries[token.slot].interest = interest
    polled[token.slot].fd = entries[token.slot].descriptor
    polled[token.slot].events = interest.pollEvents
  }

  /// Returns the handler, so that the caller releases it when the table is whole again.
  mutating func remove(_ token: Token) -> (@Client (EventLoop.Readiness) -> Void)? {
    guard entries[token.slot].generation == token.generation else { return nil }
    polled[token.slot] = pollfd(fd: -1, events: 0, revents: 0)
    entries[token.slot].generation = 0
    freeSlots.append(token.slot)
    return entries[token.slot].handler.take()
  }

  /// Waits until a descriptor is ready.
  /// - Parameter milliseconds: how long at most; -1 is for ever.
  /// - Returns: whether the wake-up descriptor is readable.
  mutating func wait(milliseconds: Int32) -> Bool {
    var left = poll(&polled, nfds_t(polled.count), milliseconds)
    // EINTR: the caller's next turn does what the signal asked for and waits again.
    guard left > 0 else { return false }
    let wokenUp = polled[0].revents != 0
    if wokenUp { left -= 1 }
    var slot = 1
    while left > 0, slot < polled.count {
      let events = polled[slot].revents
      if events != 0 {
        ready.append((Token(slot: slot, generation: entries[slot].generation), events))
        left -= 1
      }
      slot += 1
    }
    return wokenUp
  }

  var readyCount: Int { ready.count }

  /// Forgets what ``wait(milliseconds:)`` found.
  mutating func clearReady() { ready.removeAll(keepingCapacity: true) }

  /// What to call for a descriptor that was found ready; nil when its watch has ended or changed its mind since.
  mutating func handler(
    forReady index: Int
  ) -> (readiness: EventLoop.Readiness, handler: @Client (EventLoop.Readiness) -> Void)? {
    let (token, events) = ready[index]
    let entry = entries[token.slot]
    guard entry.generation == token.generation, let handler = entry.handler else { return nil }
    var readiness = EventLoop.Readiness(pollEvents: events).intersection(entry.interest)
    if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
      readiness = entry.interest.union(.failed)
      // poll reports a failure again at once and for ever. Who asked for nothing at the moment is told once, until it asks
      // for something again; a descriptor that is not open is told of once whatever was asked for.
      if entry.interest.isEmpty || events & Int16(POLLNVAL) != 0 { polled[token.slot].fd = -1 }
    }
    return readiness.isEmpty ? nil : (readiness, handler)
  }
}

extension EventLoop.Readiness {
  fileprivate var pollEvents: Int16 {
    (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
  }

  fileprivate init(pollEvents: Int16) {
    self = []
    if pollEvents & Int16(POLLIN) != 0 { insert(.readable) }
    if pollEvents & Int16(POLLOUT) != 0 { insert(.writable) }
  }
}
