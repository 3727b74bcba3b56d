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

  /// What a child finds around itself, where that is not what this process does.
  package struct Surroundings: Sendable {
    /// The folder in which it begins.
    package var directory: String
    /// All of its variables. Programs are looked up in their PATH.
    package var environment: EnvironmentVariables

    package init(directory: String, environment: EnvironmentVariables) {
      self.directory = directory
      self.environment = environment
    }
  }

  /// When a child is to have ended by itself.
  package struct Deadline {
    /// Since its start.
    package var duration: Duration
    /// What measures it.
    package var clock: any LoopClock

    /// A deadline so long after the start.
    package init(_ duration: Duration, by clock: any LoopClock) {
      self.duration = duration
      self.clock = clock
    }
  }

  /// Starts `arguments[0]` (looked up in `PATH`), writes `input` to its stdin, and waits for its end on the loop.
  ///
  /// Its stderr is ours; of our other descriptors it gets none. What it has printed by the time it ends is the output, even
  /// if a program that it left behind still has its stdout open.
  ///
  /// It has a process group of its own: Ctrl-C at the terminal is for us, who end it in our way, with all that it started. The
  /// exception is a child that may ask on the terminal: in another group than the terminal's it could not read there, and to give
  /// the terminal to that group would stop whoever else of our own reads it (`jackdaw friends | less`).
  /// - Parameters:
  ///   - inheritInput: the program reads our stdin; `input` has to be empty then.
  ///   - mayAsk: the program may ask on the terminal, if we are in its foreground.
  ///   - outputLimit: bytes of stdout that are kept; more is read and dropped.
  ///   - deadline: when it passes, the child is ended: SIGTERM, and after `grace` SIGKILL.
  ///   - grace: how long the child may live on after SIGTERM, when the task is cancelled too.
  ///   - group: what it belongs to, so that it can be ended with others; nil: nothing.
  ///   - surroundings: nil: those of this process.
  /// - Throws: ``ChildProcessError`` when it cannot be started; ``ChildProcessTimeout`` when its time has passed and it is gone;
  ///   `CancellationError`, at once, when the task is cancelled (the child is ended and reaped meanwhile).
  @Client package static func run(
    _ arguments: [String], input: [UInt8] = [], inheritInput: Bool = false, mayAsk: Bool = false,
    outputLimit: Int = 1 << 20, deadline: Deadline? = nil, grace: Duration = LoopLimits.childGrace,
    in group: ChildGroup? = nil, within surroundings: Surroundings? = nil
  ) async throws -> Outcome {
    precondition(input.isEmpty || !inheritInput, "there is one stdin")
    try Task.checkCancellation()
    // A child that does not read its input is no reason to be ended by SIGPIPE.
    EventLoop.ignoreWriteSignals()
    let result = PendingResult<Outcome>()
    let child = RunningChild(input: input, outputLimit: outputLimit) { result.give($0) }
    try child.start(
      arguments, inheritInput: inheritInput, ownGroup: !(mayAsk && isInForeground), within: surroundings)
    group?.add(child)
    var hasTimedOut = false
    let timer = deadline.map { deadline in
      deadline.clock.schedule(after: deadline.duration) {
        hasTimedOut = true
        child.terminate(grace: grace)
      }
    }
    defer { timer?.cancel() }
    do {
      let outcome = try await result.value()
      if hasTimedOut, let deadline {
        throw ChildProcessTimeout(program: arguments[0], limit: deadline.duration)
      }
      return outcome
    } catch let error as CancellationError {
      child.terminate(grace: grace)
      throw error
    }
  }

  /// Whether who types at our terminal types for us.
  private static var isInForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}

/// A program did not end in the time it had, and was ended.
package struct ChildProcessTimeout: Error, Sendable {
  /// The program as the caller named it.
  package var program: String
  package var limit: Duration
}

/// A program could not be started, or its end could not be learned.
package struct ChildProcessError: Error, Sendable, CustomStringConvertible {
  /// The program as the caller named it.
  package var program: String
  /// The system's error number, of the C library's `errno.h`.
  package var errno: Int32
  /// What the system lacks it may have again, and a program that is being written is there in a moment (execve(2)).
  package var mayPass: Bool { SystemShortage.isNamed(by: errno) || [EAGAIN, ETXTBSY].contains(errno) }
  package var description: String { "Cannot run '\(program)': \(String(cString: strerror(errno)))." }
}
