// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSpawn
import Glibc
import Synchronization

/// A program just started, and the test's ends of its streams.
struct Spawned {
  let id: pid_t
  let input: CInt?
  let output: CInt?
  let errors: CInt?

  private static let oneAtATime = Mutex(())

  /// - Throws: ``TestProcessFailure`` when a descriptor or the program is not to be had.
  static func one(at invocation: TestProcess.Invocation) throws -> Spawned {
    // Swift does not import pipe2: so that no program inherits another one's pipe between its making and its marking.
    try oneAtATime.withLock { _ in try Spawned(invocation) }
  }

  private init(_ invocation: TestProcess.Invocation) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Ours until the program has its copies.
    var given: [CInt] = []
    defer { for descriptor in given { close(descriptor) } }
    if let size = invocation.terminal {
      let terminal = try PseudoTerminal(columns: size.columns, rows: size.rows)
      given = [terminal.terminal]
      // The first terminal that a leader of a new session opens becomes its controlling terminal.
      posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      input = terminal.controller
      // The reader closes its own copy.
      output = fcntl(terminal.controller, F_DUPFD_CLOEXEC, 3)
      errors = nil
    } else {
      input = try Self.connectInput(invocation.input, &actions, &given)
      output = try Self.connectOutput(invocation.output, &actions, &given)
      let pipe = try Self.makePipe()
      given.append(pipe.writing)
      posix_spawn_file_actions_adddup2(&actions, pipe.writing, 2)
      errors = pipe.reading
    }
    do {
      id = try Self.spawn(invocation, &actions)
    } catch {
      for descriptor in [input, output, errors] { descriptor.map { _ = close($0) } }
      throw error
    }
  }

  private static func connectInput(
    _ input: TestProcess.Invocation.Input, _ actions: inout posix_spawn_file_actions_t, _ given: inout [CInt]
  ) throws -> CInt? {
    switch input {
    case .none:
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      return nil
    case .descriptorClosed:
      posix_spawn_file_actions_addclose(&actions, 0)
      return nil
    case .bytes, .open:
      let pipe = try makePipe()
      given.append(pipe.reading)
      posix_spawn_file_actions_adddup2(&actions, pipe.reading, 0)
      return pipe.writing
    }
  }

  private static func connectOutput(
    _ output: TestProcess.Invocation.Output, _ actions: inout posix_spawn_file_actions_t, _ given: inout [CInt]
  ) throws -> CInt? {
    switch output {
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      return nil
    case .descriptorClosed:
      posix_spawn_file_actions_addclose(&actions, 1)
      return nil
    case .captured, .broken:
      let pipe = try makePipe()
      given.append(pipe.writing)
      posix_spawn_file_actions_adddup2(&actions, pipe.writing, 1)
      if case .captured = output { return pipe.reading }
      close(pipe.reading)
      return nil
    }
  }

  /// Both ends are closed in every program started meanwhile by another test.
  private static func makePipe() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw TestProcessFailure("no pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ invocation: TestProcess.Invocation, _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID is not imported.
    let newSession = 0x80
    posix_spawnattr_setflags(&attributes, Int16(newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)))

    let environment = TestProcess.Invocation.scrubbed.merging(invocation.environment) { $1 }
    // The last of all: what is opened before has paths of ours.
    if let directory = invocation.directory { _ = jackdaw_spawn_in(&actions, directory) }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([invocation.program] + invocation.arguments).map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for pointer in arguments + variables { free(pointer) } }
    arguments.append(nil)
    variables.append(nil)
    var id: pid_t = 0
    let code = posix_spawnp(&id, invocation.program, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw TestProcessFailure("\(invocation.program): \(String(cString: strerror(code)))") }
    return id
  }
}
