// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// preconcurrency: `environ` is a C global. The loop's thread reads it before there is another.
@preconcurrency import Glibc
import JackdawLoop

/// The user's pager, between the program and the terminal, for what may be longer than the screen: one for all that a command shows,
/// whichever processes show it.
@Client final class Pager {
  private enum State {
    case unused
    /// None is wanted (it is empty, or `cat`), or none can be started.
    case missing
    case running(Process)
  }

  private struct Process {
    let input: Int32
    let id: pid_t
  }

  private let environment: Environment
  private var state = State.unused
  /// What is typed is typed at the pager: Ctrl-C stops its search, and no program that would leave it alone on the terminal.
  private var keys: [SignalWatch] = []

  init(_ environment: Environment) { self.environment = environment }

  /// Starts `PAGER`, else `less`, if it is installed and does not run yet: as a shell would, on the terminal that stdout is.
  /// - Returns: where what is to be shown is written; nil: stdout, as there is none.
  func start() -> Int32? {
    if case .unused = state { state = Self.started(environment).map { .running($0) } ?? .missing }
    guard case .running(let process) = state else { return nil }
    if keys.isEmpty { keys = [SIGINT, SIGQUIT].map { EventLoop.main.onSignal($0) {} } }
    return process.input
  }

  var isRunning: Bool { if case .running = state { true } else { false } }

  /// Whether the user has left it, and with it whatever else there is to be shown.
  var isLeft: Bool {
    guard case .running(let process) = state else { return false }
    var end = pollfd(fd: process.input, events: 0, revents: 0)
    return poll(&end, 1, 0) == 1 && Int32(end.revents) & POLLERR != 0
  }

  private static func started(_ environment: Environment) -> Process? {
    let variables = environment.variables
    let chosen = variables["PAGER"]
    let command = chosen ?? "less"
    guard !["", "cat"].contains(command), mayBeThere(command, variables) else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // It is ours alone: the stream need not open it once more, and its end is seen when this descriptor is closed.
    _ = fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    // Colours as they are; what fits on the screen is left there, and the pager ends at once.
    let defaults = ["LESS=FRX", "LV=-c"].filter { variables[String($0.prefix { $0 != "=" })] == nil }
    var words: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in strdup(word) }
    words.append(nil)
    var given: [UnsafeMutablePointer<CChar>?] = defaults.map { strdup($0) }
    let count = given.count
    var entry = environ
    while let line = entry.pointee {
      given.append(line)
      entry += 1
    }
    given.append(nil)
    defer {
      for word in words { free(word) }
      for word in given.prefix(count) { free(word) }
    }
    var process: pid_t = 0
    let result = ChildProcess.withDefaultSignals { attributes in
      posix_spawn(&process, "/bin/sh", &actions, attributes, &words, &given)
    }
    close(ends[0])
    guard result == 0 else {
      close(ends[1])
      return nil
    }
    return Process(input: ends[1], id: process)
  }

  /// False for a plain command whose program is not there: nothing would be shown. Anything else is for the shell to make sense of.
  private static func mayBeThere(_ command: String, _ variables: EnvironmentVariables) -> Bool {
    let isPlain = command.allSatisfy { $0.isLetter || $0.isNumber || " _-+./,:".contains($0) }
    guard isPlain, let word = command.split(separator: " ").first.map(String.init) else { return true }
    if ["command", "eval", "exec", "exit", ".", ":"].contains(word) { return true }
    return word.contains("/") ? access(word, X_OK) == 0 : isInstalled(word, variables)
  }

  private static func isInstalled(_ program: String, _ variables: EnvironmentVariables) -> Bool {
    (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// Nothing more comes: waits until the user has seen enough.
  func end() {
    guard case .running(let process) = state else { return }
    state = .missing
    close(process.input)
    var status: Int32 = 0
    while waitpid(process.id, &status, 0) < 0 && errno == EINTR {}
    keys = []
  }
}
