// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Runs other programs: by an argument list, never by a shell.
package enum ChildProcess {
  /// How a program ended and what it printed.
  package struct Outcome: Sendable {
    /// The exit code, or 128 + the signal's number.
    package var status: Int32
    package var output: [UInt8]
  }

  /// Starts `arguments[0]` (looked up in `PATH`), writes `input` to its stdin, and waits for its end on the loop.
  ///
  /// Its stderr is ours; of our other descriptors it gets none. What it has printed by the time it ends is the output, even
  /// if a program that it left behind still has its stdout open.
  /// - Parameters:
  ///   - inheritInput: the program reads our stdin (it may ask on the terminal); `input` has to be empty then.
  ///   - outputLimit: bytes of stdout that are kept; more is read and dropped.
  ///   - grace: how long the child may live on after SIGTERM when the task is cancelled, before SIGKILL.
  /// - Throws: ``ChildProcessError`` when it cannot be started; `CancellationError`, at once, when the task is cancelled (the
  ///   child is ended and reaped meanwhile).
  @Client package static func run(
    _ arguments: [String], input: [UInt8] = [], inheritInput: Bool = false, outputLimit: Int = 1 << 20,
    grace: Duration = LoopLimits.childGrace
  ) async throws -> Outcome {
    precondition(input.isEmpty || !inheritInput, "there is one stdin")
    try Task.checkCancellation()
    // A child that does not read its input is no reason to be ended by SIGPIPE.
    EventLoop.ignoreWriteSignals()
    let result = PendingResult<Outcome>()
    let child = RunningChild(input: input, outputLimit: outputLimit) { result.give($0) }
    try child.start(arguments, inheritInput: inheritInput)
    do {
      return try await result.value()
    } catch let error as CancellationError {
      child.terminate(grace: grace)
      throw error
    }
  }
}

/// A program could not be started, or its end could not be learned.
package struct ChildProcessError: Error, Sendable, CustomStringConvertible {
  /// The program as the caller named it.
  package var program: String
  /// The system's error number, of the C library's `errno.h`.
  package var errno: Int32
  package var description: String { "cannot run '\(program)': \(String(cString: strerror(errno)))" }
}
