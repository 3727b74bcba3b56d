// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

// preconcurrency: `environ` is a C global. The loop's thread reads it before there is another.
@preconcurrency import Glibc

/// The user's pager, between the program and the terminal, for what may be longer than the screen.
struct Pager {
  /// What is to be shown is written there.
  let input: Int32
  private let process: pid_t

  /// Starts `PAGER`, else `less`: as a shell would, on the terminal that stdout is.
  /// - Returns: nil where none is wanted (it is empty, or `cat`) or none can be started.
  init?(_ environment: Environment) {
    let variables = environment.variables
    let chosen = variables["PAGER"]
    let command = chosen ?? "less"
    guard !["", "cat"].contains(command), chosen != nil || Self.isInstalled(command, variables) else { return nil }
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
    let result = posix_spawn(&process, "/bin/sh", &actions, nil, &words, &given)
    close(ends[0])
    guard result == 0 else {
      close(ends[1])
      return nil
    }
    (input, self.process) = (ends[1], process)
  }

  private static func isInstalled(_ program: String, _ variables: [String: String]) -> Bool {
    (variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// Nothing more comes: waits until the user has seen enough.
  func end() {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }
}
