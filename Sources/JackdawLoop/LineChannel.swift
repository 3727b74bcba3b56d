// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Lines of bytes to and from another process, over a connected stream socket that never blocks. What the other side does not take
/// waits in a queue, up to a bound.
@Client package final class LineChannel {
  /// Why nothing more comes.
  package enum Ending: Sendable, Equatable {
    /// The other side is gone, or this one has closed it.
    case closed
    /// A line of the other side's is too long.
    case tooLong
    /// The other side takes too little of what is sent.
    case stuck
  }

  /// Called for each line, without its newline. The last one of a side that says nothing more, and is still there, needs none.
  package var onLine: (@Client ([UInt8]) -> Void)?
  /// Called where the other side has said all that it will say, and may still be there to hear.
  package var onLastLine: (@Client () -> Void)?
  /// Called once. Nothing is called after it. Whoever says too long a line can still be sent why, then.
  package var onEnd: (@Client (Ending) -> Void)?

  private let descriptor: Int32
  private let lineLimit: Int
  private let queueLimit: Int
  private var watch: DescriptorWatch?
  private var input: [UInt8] = []
  /// Up to where ``input`` holds no newline.
  private var searched = 0
  private var queue = OutputQueue()
  private var sent = 0
  private var taken = 0
  /// What waits for bytes to have gone out. Bounded by the queue.
  private var outActions = PlacedActions()
  private var isOpen = true
  private var hasReadAll = false

  /// Takes a connected socket over, and begins to read.
  /// - Parameters:
  ///   - lineLimit: bytes of a line of the other side's.
  ///   - queueLimit: bytes that may wait for it.
  package init(adopting descriptor: Int32, lineLimit: Int, queueLimit: Int) {
    self.descriptor = descriptor
    self.lineLimit = lineLimit
    self.queueLimit = queueLimit
    watch = EventLoop.main.watch(descriptor, .readable) { [weak self] in self?.ready($0) }
  }

  isolated deinit { if isOpen { Glibc.close(descriptor) } }

  /// Bytes that wait to be taken by the other side.
  package var waiting: Int { queue.count }
  /// Whether nobody is at the other end any more, though there may be lines of theirs that were not read.
  package var isDeserted: Bool {
    guard isOpen else { return true }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }

  // MARK: Sending

  /// Sends a line, which ends with its newline: as much as is taken at once, the rest when it is.
  /// - Returns: whether all of it has been taken by the system: the other side gets it, whatever becomes of this process.
  @discardableResult package func send(_ line: [UInt8]) -> Bool {
    guard isOpen else { return false }
    queue.append(line)
    taken += line.count
    let mark = taken
    if queue.count > queueLimit {
      write()
      if queue.count > queueLimit {
        end(.stuck)
        return false
      }
    } else {
      write()
    }
    return sent >= mark
  }

  /// Runs an action as soon as what was sent so far has been taken by the system; never when it is not.
  package func whenSent(_ action: @escaping @Client () -> Void) {
    guard isOpen else { return }
    if sent == taken { action() } else if !queue.isEmpty { outActions.append(at: taken, action) }
  }

  private func write() {
    while isOpen, !queue.isEmpty {
      let count = queue.withBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        queue.remove(first: count)
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        break
      } else if errno != EINTR {
        // What it has said before it went is still to be read.
        queue.removeAll()
        outActions = PlacedActions()
        break
      }
    }
    var interest: EventLoop.Readiness = hasReadAll ? [] : .readable
    if !queue.isEmpty { interest.insert(.writable) }
    watch?.interest = interest
    while let action = outActions.next(upTo: sent) { action() }
  }

  // MARK: Reading

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { write() }
    guard isOpen, readiness != .writable else { return }
    if hasReadAll { return isDeserted ? end(.closed) : () }
    var count = 0
    var left = LoopLimits.readBytesPerTurn
    while left > 0, isOpen {
      count = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { input.append(contentsOf: buffer[..<count]) }
        return count
      }
      guard count > 0 else { break }
      left -= count
      takeLines()
      if count < 16 << 10 { return }
    }
    guard isOpen, left > 0 else { return }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    if count < 0 || isDeserted { return end(.closed) }
    hasReadAll = true
    write()
    if !input.isEmpty {
      // Nothing more can come that ends it.
      let line = input
      (input, searched) = ([], 0)
      onLine?(line)
      guard isOpen else { return }
    }
    onLastLine?()
  }

  private func takeLines() {
    var start = 0
    while isOpen, let newline = input[searched...].firstIndex(of: 0x0A) {
      guard newline - start <= lineLimit else { return end(.tooLong) }
      let line = Array(input[start..<newline])
      start = newline + 1
      searched = start
      onLine?(line)
    }
    guard isOpen else { return }
    input.removeFirst(start)
    searched = input.count
    if input.count > lineLimit { end(.tooLong) }
  }

  // MARK: Ending

  /// Neither side sends more: the other side's next write fails. What it has sent before is returned, in lines.
  package func abandon() -> [[UInt8]] {
    guard isOpen else { return [] }
    (onLine, onLastLine, onEnd) = (nil, nil, nil)
    shutdown(descriptor, Int32(SHUT_RDWR))
    // What is queued can still be read after a shutdown (unix(7)).
    while true {
      var piece = [UInt8](repeating: 0, count: 16 << 10)
      let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
      if count > 0 { input += piece[..<count] } else if count == 0 || errno != EINTR { break }
    }
    let lines = input.split(separator: 0x0A).map { Array($0) }
    close()
    return lines
  }

  /// Lets the connection go. `onEnd` is not called.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    watch = nil
    queue.removeAll()
    outActions = PlacedActions()
    Glibc.close(descriptor)
  }

  private func end(_ ending: Ending) {
    guard isOpen else { return }
    let told = onEnd
    (onLine, onLastLine, onEnd) = (nil, nil, nil)
    if ending != .tooLong { close() }
    told?(ending)
    close()
  }
}
