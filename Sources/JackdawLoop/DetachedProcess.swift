// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CPrctl
import CSpawn
// preconcurrency: `environ` is a C global. The loop's thread reads it, nothing of ours writes it.
@preconcurrency import Glibc

/// A process that goes on in the background when the one that started it has ended.
package enum DetachedProcess {
  /// Leaves the terminal, whose Ctrl-C is for others. Called by the process that is to stay, at its beginning.
  package static func begin() {
    setsid()
    // What it says goes to whoever started it, by a pipe that nobody else writes to. One that blocks would be opened once more to be
    // written to without waiting, and letting go would leave that open.
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      let flags = fcntl(descriptor, F_GETFL)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }
    // `ps` and `pidof` would know it as `exe`, by the path that it was started from.
    _ = jackdaw_set_name("jackdaw")
  }

  /// Lets go of what whoever started this process waits for: it is ready. Nothing is read or written there any more.
  package static func letGo() {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    var mark = ready
    _ = write(STDERR_FILENO, &mark, 1)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, descriptor) }
    if nothing > STDERR_FILENO { close(nothing) }
    _ = chdir("/")
  }

  /// Written last by a process that goes on in the background. No text has it.
  private static let ready: UInt8 = 0

  /// What became of one that was started.
  package enum Start: Sendable {
    /// It goes on in the background, and has said this before.
    case detached(output: [UInt8])
    /// How it ended, and what it wrote.
    case ended(ChildProcess.Outcome)
  }

  /// Starts this program once more, with other words, and waits until it has let go of its stderr or ended.
  /// - Parameter secret: what it can read as `/dev/fd/3`; nil: nothing.
  /// - Throws: ``ChildProcessError`` when it cannot be started; `CancellationError`, when it has been ended.
  @Client package static func start(_ words: [String], secret: [UInt8]?) async throws -> Start {
    var words = words
    words.insert("jackdaw", at: 0)
    var report: [Int32] = [-1, -1]
    var gift: [Int32] = [-1, -1]
    guard pipe(&report) == 0, secret == nil || pipe(&gift) == 0 else {
      throw ChildProcessError(program: words[0], errno: errno)
    }
    for end in report + gift where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, report[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, report[1], STDERR_FILENO)
    if secret != nil {
      // A descriptor that is the one it is to become would stay closed on exec.
      if gift[0] == 3 { gift[0] = fcntl(3, F_DUPFD_CLOEXEC, 4) }
      posix_spawn_file_actions_adddup2(&actions, gift[0], 3)
    }
    // What our caller has open, such as a lock of its script, or a pipe whose end somebody waits for, is not held for as long as it stays.
    _ = jackdaw_spawn_closing(&actions, secret == nil ? 3 : 4)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var pid: pid_t = 0
    let result = posix_spawn(&pid, "/proc/self/exe", &actions, nil, arguments, environ)
    close(report[1])
    if gift[0] >= 0 { close(gift[0]) }
    if let secret, gift[1] >= 0 {
      // A password is shorter than what a pipe holds.
      _ = secret.withUnsafeBytes { write(gift[1], $0.baseAddress, $0.count) }
      close(gift[1])
    }
    guard result == 0 else {
      close(report[0])
      throw ChildProcessError(program: words[0], errno: result)
    }
    return try await outcome(of: pid, reporting: report[0])
  }

  @Client private static func outcome(of pid: pid_t, reporting report: Int32) async throws -> Start {
    _ = fcntl(report, F_SETFL, O_NONBLOCK)
    defer { close(report) }
    let written = PendingResult<[UInt8]>()
    var output: [UInt8] = []
    let watch = EventLoop.main.watch(report, .readable) { _ in
      var piece = [UInt8](repeating: 0, count: 4_096)
      let count = read(report, &piece, piece.count)
      let failure = count < 0 ? errno : 0
      if count > 0 {
        output += piece[..<count].prefix(LoopLimits.readBytesPerTurn - output.count)
        // The end may be far: what it started (a keyring's daemon, by `password_command`) may have the pipe for as long as it runs.
        if piece[count - 1] == ready { return written.give(.success(output.filter { $0 != ready } + [ready])) }
      }
      if count == 0 || failure != 0 && failure != EAGAIN && failure != EINTR { written.give(.success(output)) }
    }
    defer { watch.cancel() }
    let text: [UInt8]
    do {
      text = try await written.value()
    } catch {
      kill(pid, SIGTERM)
      throw error
    }
    if text.last == ready { return .detached(output: Array(text.dropLast())) }
    // Who ends lets go of everything, a moment before it can be waited for.
    var status: Int32 = 0
    for _ in 0..<LoopLimits.endChecks {
      let found = waitpid(pid, &status, WNOHANG)
      if found == pid {
        let signal = status & 0x7F
        return .ended(
          ChildProcess.Outcome(status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: text))
      }
      try await EventLoop.main.sleep(for: LoopLimits.familyCheck)
    }
    throw ChildProcessError(program: "jackdaw", errno: ECHILD)
  }
}

/// Sockets that whoever started this process listens on (sd_listen_fds(3)).
package enum InheritedSockets {
  /// Their descriptors, for this process alone: its children are not told of them.
  package static func take() -> [Int32] {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
    guard let pid = getenv("LISTEN_PID"), Int32(String(cString: pid)) == getpid(), let count = getenv("LISTEN_FDS"),
      let number = Int32(String(cString: count)), (1...64).contains(number)
    else { return [] }
    return (0..<number).map { 3 + $0 }.filter { descriptor in
      var isListening: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 && isListening == 1
    }
  }
}
