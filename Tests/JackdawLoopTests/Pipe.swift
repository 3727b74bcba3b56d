// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// A pipe for tests, closed when released.
@Client final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(writing, $0.baseAddress, $0.count) }
  }

  /// What is in the pipe, at most `limit` bytes.
  func read(atMost limit: Int = 64 << 10) -> String {
    String(unsafeUninitializedCapacity: limit) { max(0, Glibc.read(reading, $0.baseAddress, limit)) }
  }

  func closeWriting() {
    close(writing)
    writing = -1
  }

  func closeReading() {
    close(reading)
    reading = -1
  }

  /// Waits until there is something to read.
  func readable() async {
    var watch: DescriptorWatch?
    await withUnsafeContinuation { ready in
      watch = EventLoop.main.watch(reading, .readable) { _ in
        watch?.cancel()
        ready.resume()
      }
    }
  }

  isolated deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }
}
