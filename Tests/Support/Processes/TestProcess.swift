// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Dispatch
import Glibc
import Synchronization

/// A program that a test runs, at its standard streams or in a pseudo-terminal of its own.
///
/// It runs in a session of its own, with the environment that the test names and nothing else. What it writes is read
/// at once by a thread, so that it never waits for the test. Every wait has a deadline and ends by throwing what was
/// seen until then.
package final class TestProcess: Sendable {
  /// How long a test waits for something that should come at once, on a slow machine that has other things to do, such as all the
  /// tests of a lane that begin together. Waits end with what they wait for: only a test that fails waits this long.
  package static let patience = Duration.seconds(180)

  /// The process's id, of its session and process group also.
  package let id: Int32
  let state: Mutex<State>
  let name: String
  /// Whether the terminal says where its cursor is.
  private let answers: Bool
  private let input: Mutex<CInt?>
  private let inputQueue = DispatchQueue(label: "test process input")

  private init(name: String, spawned: Spawned, screen: Screen?, answers: Bool) {
    self.name = name
    self.answers = answers
    id = spawned.id
    input = Mutex(spawned.input)
    state = Mutex(State(screen: screen))
  }

  /// Starts a program, gives it to `body` and, when that has returned or thrown, kills what is left of its process group.
  /// - Throws: ``TestProcessFailure`` when it cannot be started; what `body` throws.
  package static func withProcess<Result>(
    _ invocation: Invocation, _ body: (TestProcess) async throws -> Result
  ) async throws -> Result {
    let process = try start(invocation)
    let result: Result
    do {
      result = try await body(process)
    } catch {
      await process.stop()
      throw error
    }
    await process.stop()
    return result
  }

  /// Runs a program to its end.
  /// - Throws: ``TestProcessFailure`` when it cannot be started or has not ended within the time; it is killed then.
  package static func run(_ invocation: Invocation, within limit: Duration = patience) async throws -> Outcome {
    try await withProcess(invocation) { process in
      let ending = try await process.wait(within: limit)
      return process.state.withLock { Outcome(ending: ending, standardOutput: $0.output, standardError: $0.errors) }
    }
  }

  /// Starts a program that its starter must end: prefer ``withProcess(_:_:)``.
  /// - Throws: ``TestProcessFailure``
  package static func start(_ invocation: Invocation) throws -> TestProcess {
    // A test writes to programs that may have ended.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let spawned = try Spawned.one(at: invocation)
    let screen = invocation.terminal.map { size in
      var screen = Screen(columns: size.columns, rows: size.rows)
      screen.reflows = size.kind == .reflowing || size.kind == .silentReflowing
      screen.joinsEmoji = size.joinsEmoji
      return screen
    }
    let answers = invocation.terminal.map { $0.kind == .reflowing || $0.kind == .cutting } ?? false
    let process = TestProcess(name: invocation.program, spawned: spawned, screen: screen, answers: answers)
    process.read(spawned.output, into: .standardOutput)
    process.read(spawned.errors, into: .standardError)
    process.awaitEnding()
    switch invocation.input {
    case .bytes(let bytes):
      process.send(bytes)
      process.closeInput()
    case .open, .none, .descriptorClosed: break
    }
    return process
  }

  /// Writes to standard input, or types at the terminal. Returns at once; what is written keeps its order.
  package func send(_ bytes: [UInt8]) {
    inputQueue.async {
      guard let descriptor = self.input.withLock({ $0 }) else { return }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
        }
        if count < 0 {
          if errno == EINTR { continue }
          return
        }
        written += count
      }
    }
  }

  /// Writes to standard input, or types at the terminal.
  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Waits until all that was sent is written: what the test does next comes after it, however busy the machine is.
  package func inputIsWritten() async {
    await withCheckedContinuation { continuation in inputQueue.async { continuation.resume() } }
  }

  /// Closes standard input after what was sent. A terminal has no end: there it does nothing, send ``Key/controlD``.
  package func closeInput() {
    inputQueue.async {
      self.input.withLock { descriptor in
        if let open = descriptor, self.state.withLock({ $0.screen == nil }) {
          close(open)
          descriptor = nil
        }
      }
    }
  }

  /// Gives the terminal another size and lets the program know (SIGWINCH).
  package func resize(columns: Int, rows: Int) {
    guard let descriptor = input.withLock({ $0 }) else { return }
    state.withLock { $0.screen?.resize(columns: columns, rows: rows) }
    PseudoTerminal.setSize(descriptor, columns: columns, rows: rows)
  }

  /// Sends a signal to the program alone. Not after ``stop()``.
  package func signal(_ number: CInt) { kill(id, number) }

  /// Kills the process group, waits until the program's end is known, and closes what is open.
  /// The second time it does nothing.
  package func stop() async {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    kill(-id, SIGKILL)
    if await reach(within: Self.patience, { $0.ending }) != nil { reap() }
    // What it has printed is held against what its readers are promised, in the test that has run it.
    if name == SourceTree.program { EventSchema.check(state.withLock { $0.output }) }
    inputQueue.async {
      self.input.withLock { descriptor in
        if let open = descriptor { close(open) }
        descriptor = nil
      }
    }
  }

  private func read(_ descriptor: CInt?, into stream: Stream) {
    guard let descriptor else {
      change { $0.close(stream) }
      return
    }
    BlockingThread.run {
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        // A pseudo-terminal whose other side is closed answers EIO.
        guard count > 0 else { break }
        self.change { $0.receive(buffer[..<count], on: stream) }
        if self.answers { self.send(self.state.withLock { $0.screen?.takeAnswers() ?? "" }) }
      }
      close(descriptor)
      self.change { $0.close(stream) }
    }
  }

  /// Learns of the end without reaping: until ``stop()`` the id belongs to this process and to no other.
  private func awaitEnding() {
    BlockingThread.run {
      var information = siginfo_t()
      while waitid(P_PID, id_t(self.id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      let status = Int(information._sifields._sigchld.si_status)
      let hasExited = information.si_code == CInt(CLD_EXITED)
      self.change { $0.ending = hasExited ? .exited(status) : .signalled(status) }
    }
  }

  private func reap() {
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }
}
