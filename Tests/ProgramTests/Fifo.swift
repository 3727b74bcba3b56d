// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support

/// A named pipe that a program writes to, and that is read when the test wants.
final class Fifo: Sendable {
  let path: String
  private let descriptor: CInt

  /// Both ends are open here, so that the program need not wait for a reader to begin.
  init(in folder: TestDirectory, named name: String = "fifo") throws {
    path = folder.file(name)
    guard mkfifo(path, 0o600) == 0 else { throw FifoFailure() }
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FifoFailure() }
  }

  deinit { close(descriptor) }

  /// All that is in it now.
  func read() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// How many bytes are in it now.
  var count: Int {
    var count: CInt = 0
    // FIONREAD
    _ = ioctl(descriptor, 0x541B, &count)
    return Int(count)
  }
}

struct FifoFailure: Error {
  let reason = String(cString: strerror(errno))
}
