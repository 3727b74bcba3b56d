// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of one turn of the loop and of what it runs beside itself.
package enum LoopLimits {
  /// Jobs that run before descriptors are looked at again. A hop between two `async` functions is one job of well under
  /// a microsecond, so the keyboard waits for less than a millisecond behind a flood of them.
  package static let jobsPerTurn = 256

  /// Timer actions and ``LoopClock/nextTurn(_:)`` actions, each, that run before descriptors are looked at again.
  package static let actionsPerTurn = 256

  /// Bytes that a handler should read from its descriptor before it returns to the loop. Reading is the handler's affair, so
  /// is keeping to this: a fast peer can keep a socket readable for ever, and the handlers of other descriptors wait meanwhile.
  /// 64 KiB is four TLS records, parsed in well under a millisecond.
  package static let readBytesPerTurn = 64 << 10

  /// Connections to a local socket that wait to be taken; who comes then is told to come again.
  static let waitingConnections: Int32 = 64

  /// Bytes of what is told of a folder that are read at a time; a name has 255 bytes at most.
  static let folderChanges = 4096

  /// A queue of output whose memory grew beyond this gives it back when it is empty.
  package static let keptCapacity = 64 << 10

  /// Helper threads, at most. One does all the work; another takes its place only while the first is stuck in a call whose
  /// waiter has given up (a name look-up against a silent server). The bound keeps a chain of such calls from
  /// collecting threads: with all of them stuck, later work waits for the first that comes back.
  static let helperThreads = 4

  /// Bytes of a /proc/PID/stat that are read; the line is shorter.
  static let processStatus = 1024

  /// How often it is looked whether a process that has let go of everything, and is about to end, has ended.
  static let endChecks = 500

  /// How often it is looked whether what a child started has ended, too, while that is waited for.
  static let familyCheck = Duration.milliseconds(20)

  /// How long a child process that is to end may take to leave after SIGTERM (a program that asks for a password has to put the
  /// terminal's echo back) before SIGKILL ends it.
  package static let childGrace = Duration.seconds(1)
}
