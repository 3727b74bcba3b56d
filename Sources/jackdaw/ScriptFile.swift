// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawTerminal

/// A script read from a file, which is closed with it.
@Client final class ScriptFile: LineSource {
  private let descriptor: Int32
  private let reader: LineReader

  private init(_ descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    reader = LineReader(descriptor: descriptor, loop: loop)
  }

  isolated deinit { close(descriptor) }

  func readyLine() throws(CommandFailure) -> String? { try reader.readyLine() }
  func nextLine() async throws(CommandFailure) -> String? { try await reader.nextLine() }
  func rest(upTo limit: Int) async throws(CommandFailure) -> [UInt8]? { try await reader.rest(upTo: limit) }

  /// - Parameters:
  ///   - path: as it was typed.
  ///   - opened: as this process has to name it.
  /// - Throws: ``CommandFailure`` with code 65 when it cannot be read.
  static func open(_ path: String, at opened: String, loop: EventLoop) throws(CommandFailure) -> any LineSource {
    // A FIFO is open at once, and its writer waited for as any line is: the interrupt that ends the wait is heard.
    let descriptor = Glibc.open(opened, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    // A folder can be opened, and would fail as a disk does that is broken.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw unreadable(path, EISDIR)
    }
    return ScriptFile(descriptor, loop: loop)
  }

  private static func unreadable(_ path: String, _ error: Int32) -> CommandFailure {
    CommandFailure(.badInput, "file", "\(path) cannot be read: \(String(cString: strerror(error))).")
  }
}
