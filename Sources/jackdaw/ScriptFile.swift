// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawTerminal

/// A script read from a file.
@Client enum ScriptFile {
  /// - Parameters:
  ///   - path: as it was typed.
  ///   - opened: as this process has to name it.
  /// - Throws: ``CommandFailure`` with code 65 when it cannot be read.
  static func open(_ path: String, at opened: String, loop: EventLoop) throws(CommandFailure) -> any LineSource {
    let descriptor = Glibc.open(opened, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.badInput, "file", "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    return LineReader(descriptor: descriptor, loop: loop)
  }
}
