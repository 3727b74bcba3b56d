// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSpawn
// preconcurrency: `environ` is a C global. The loop's thread reads it, nothing of ours writes it.
@preconcurrency package import Glibc

extension ChildProcess {
  /// What a child is given as stdin.
  enum Input {
    case inherited
    case nothing
    case pipe
  }

  /// A child that was started, and our ends of its pipes: non-blocking, closed on exec, the caller's to close.
  struct Spawned {
    var pid: pid_t
    /// -1 without a pipe.
    var input: Int32
    var output: Int32
  }

  /// Starts a program with default signals.
  /// - Parameter ownGroup: it leads a new process group, whose number is its own.
  static func spawn(
    _ arguments: [String], input: Input, ownGroup: Bool, within surroundings: Surroundings? = nil
  ) throws(ChildProcessError) -> Spawned {
    let program = surroundings?.program(arguments.first ?? "") ?? arguments.first ?? ""
    // C would cut an argument at a NUL and run something else than what was asked for.
    guard !program.isEmpty, !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw ChildProcessError(program: program, errno: EINVAL)
    }
    guard let output = makePipe() else { throw ChildProcessError(program: program, errno: errno) }
    defer { close(output.write) }
    var inputPipe: (read: Int32, write: Int32) = (-1, -1)
    if input == .pipe {
      guard let pipe = makePipe() else {
        let reason = errno
        close(output.read)
        throw ChildProcessError(program: program, errno: reason)
      }
      inputPipe = pipe
    }
    defer { if inputPipe.read >= 0 { close(inputPipe.read) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .inherited: break
    case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .pipe: posix_spawn_file_actions_adddup2(&actions, inputPipe.read, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    if let surroundings { _ = jackdaw_spawn_in(&actions, surroundings.directory) }

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] =
      surroundings?.environment.entries.map { strdup("\($0.name)=\($0.value)") } ?? []
    defer { for variable in variables { free(variable) } }
    variables.append(nil)
    var pid: pid_t = 0
    let result = variables.withUnsafeMutableBufferPointer { variables in
      withDefaultSignals(ownGroup: ownGroup) { attributes in
        posix_spawnp(&pid, program, &actions, attributes, words, surroundings == nil ? environ : variables.baseAddress)
      }
    }
    guard result == 0 else {
      close(output.read)
      if inputPipe.write >= 0 { close(inputPipe.write) }
      throw ChildProcessError(program: program, errno: result)
    }
    for end in [output.read, inputPipe.write] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return Spawned(pid: pid, input: inputPipe.write, output: output.read)
  }

  /// What to start a program with (posix_spawnattr_t), so that it has the signals that programs expect.
  /// - Parameter ownGroup: it leads a new process group, whose number is its own.
  package static func withDefaultSignals<Result>(
    ownGroup: Bool = false, _ body: (UnsafePointer<posix_spawnattr_t>) -> Result
  ) -> Result {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that we catch go back to their defaults by themselves; one that is ignored stays so unless it is named here.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = ownGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
    return body(&attributes)
  }

  /// A pipe whose ends no child inherits. Both are numbered 3 or more, so that none of them is in the way of the child's
  /// stdin and stdout when ours are closed.
  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for index in ends.indices {
      let end = ends[index]
      guard end < 3 else {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        continue
      }
      ends[index] = fcntl(end, F_DUPFD_CLOEXEC, 3)
      let reason = errno
      close(end)
      guard ends[index] >= 0 else {
        close(ends[1 - index])
        errno = reason
        return nil
      }
    }
    return (ends[0], ends[1])
  }
}

extension ChildProcess {
  /// Looks for a program as a start does, before there is something for it to do.
  /// - Throws: ``ChildProcessError`` where there is none, or it may not be run.
  package static func requireProgram(
    _ word: String, within surroundings: Surroundings? = nil
  ) throws(ChildProcessError) {
    var places = [word]
    if !word.contains("/") {
      let path = surroundings.map { $0.environment["PATH"] } ?? getenv("PATH").map { String(cString: $0) }
      // An empty folder is the one that we are in.
      places = (path ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false).map {
        $0.isEmpty ? word : "\($0)/\(word)"
      }
    }
    var reason = ENOENT
    for place in places where !word.isEmpty {
      let file = surroundings.map { place.hasPrefix("/") ? place : "\($0.directory)/\(place)" } ?? place
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 { return }
      reason = EACCES
    }
    throw ChildProcessError(program: word, errno: reason)
  }
}

extension ChildProcess.Surroundings {
  /// The path of a program that is named by a word without a slash, as its PATH has it; nil: that is for the system to find out.
  fileprivate func program(_ word: String) -> String? {
    guard !word.isEmpty, !word.contains("/"), let path = environment["PATH"] else { return nil }
    return path.split(separator: ":").map { "\($0)/\(word)" }.first { access($0, X_OK) == 0 }
  }
}
