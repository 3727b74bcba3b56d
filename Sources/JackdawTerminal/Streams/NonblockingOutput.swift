// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// Writes to an inherited descriptor without ever waiting for its reader.
///
/// O_NONBLOCK belongs to the open file description, which the shell and other programs share: it is never set on a descriptor that
/// was inherited. A pipe or a terminal is opened once more instead, and that description, ours alone, is non-blocking.
@Client final class NonblockingOutput {
  /// What became of a write.
  enum Result: Equatable {
    case moved(Int)
    case wouldBlock
    case failed(Int32)
  }

  private enum Way {
    /// A write to it does not wait for a reader: a file, a device, a description that is non-blocking already.
    case plain
    /// A description of our own.
    case own(Int32)
    case socket
    /// There is no description of our own to be had (after `su`, say): a write follows a poll, and is so short that what is ready
    /// to be written to takes it whole.
    case polled(Int)
  }

  private let inherited: Int32
  /// Found at the first write: most runs write to one of the two streams only.
  private var knownWay: Way?

  init(_ descriptor: Int32) { inherited = descriptor }

  isolated deinit {
    if case .own(let descriptor)? = knownWay { close(descriptor) }
  }

  private var way: Way {
    if let knownWay { return knownWay }
    let way = Self.way(of: inherited)
    knownWay = way
    return way
  }

  /// What is to be watched until it is writable.
  var descriptor: Int32 { if case .own(let own) = way { own } else { inherited } }

  /// Whether it would take something now.
  var isWritable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // A failure is for the write to find.
    return poll(&entry, 1, 0) != 0
  }

  /// Writes as much of `bytes`, which are not none, as is taken at once.
  func write(_ bytes: UnsafeRawBufferPointer) -> Result {
    while true {
      let count: Int
      switch way {
      case .plain: count = Glibc.write(inherited, bytes.baseAddress, bytes.count)
      case .own(let own): count = Glibc.write(own, bytes.baseAddress, bytes.count)
      case .socket: count = send(inherited, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      case .polled(let most):
        guard isWritable else { return .wouldBlock }
        count = Glibc.write(inherited, bytes.baseAddress, min(bytes.count, most))
      }
      if count > 0 { return .moved(count) }
      let error = errno
      switch error {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: return .failed(count == 0 ? EIO : error)
      }
    }
  }

  private static func way(of descriptor: Int32) -> Way {
    var status = stat()
    guard fstat(descriptor, &status) == 0, fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 else { return .plain }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return .socket
    case S_IFIFO: return reopened("/proc/self/fd/\(descriptor)") ?? .polled(TerminalLimits.atomicWrite)
    case S_IFCHR where isatty(descriptor) == 1:
      // The name of the controlling terminal can be opened whoever owns it.
      let isControlling = tcgetpgrp(descriptor) >= 0
      return (isControlling ? reopened("/dev/tty") : nil) ?? reopened("/proc/self/fd/\(descriptor)")
        ?? .polled(TerminalLimits.shortWrite)
    default: return .plain
    }
  }

  private static func reopened(_ path: String) -> Way? {
    let own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return own < 0 ? nil : .own(own)
  }
}
