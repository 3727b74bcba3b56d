// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A child process from its start to its reaping: feeds its stdin and drains its stdout as they are ready.
///
/// It lives as long as the child, by its handlers, whoever else lets go of it: so no zombie stays.
@Client final class RunningChild {
  private enum Stage {
    case running
    /// SIGTERM was sent.
    case asked
    /// SIGKILL was sent.
    case killed
    /// Something that it started is not gone even then: the kernel holds it up.
    case givenUp
  }

  /// Called when it has ended and been reaped, before who waits for what it printed.
  var whenGone: (@Client () -> Void)?

  private let outputLimit: Int
  private var onEnd: (@Client (Result<ChildProcess.Outcome, any Error>) -> Void)?

  private var program = ""
  private var pid: pid_t = 0
  private var family = ProcessFamily.none
  private var input: [UInt8]
  private var written = 0
  private var inputEnd: Int32 = -1
  private var outputEnd: Int32 = -1
  private var output: [UInt8] = []

  private var endWatch: SignalWatch?
  private var inputWatch: DescriptorWatch?
  private var outputWatch: DescriptorWatch?
  private var stage = Stage.running
  private var stageTimer: LoopTimer?
  /// Looks again whether what the child started is gone: of that nobody tells us.
  private var checkTimer: LoopTimer?

  /// - Parameter onEnd: called once, when the child has ended and been reaped.
  init(
    input: [UInt8], outputLimit: Int, onEnd: @escaping @Client (Result<ChildProcess.Outcome, any Error>) -> Void
  ) {
    self.input = input
    self.outputLimit = outputLimit
    self.onEnd = onEnd
  }

  func start(
    _ arguments: [String], inheritInput: Bool, ownGroup: Bool, within surroundings: ChildProcess.Surroundings?
  ) throws(ChildProcessError) {
    // Before the start, so that no end is missed.
    endWatch = EventLoop.main.onSignal(SIGCHLD) { self.reap() }
    let spawned: ChildProcess.Spawned
    do {
      spawned = try ChildProcess.spawn(
        arguments, input: inheritInput ? .inherited : input.isEmpty ? .nothing : .pipe, ownGroup: ownGroup,
        within: surroundings)
    } catch {
      endWatch = nil
      throw error
    }
    program = arguments[0]
    pid = spawned.pid
    family = ownGroup ? .group(spawned.pid) : .descendants(of: spawned.pid)
    inputEnd = spawned.input
    outputEnd = spawned.output
    outputWatch = EventLoop.main.watch(outputEnd, .readable) { _ in
      self.drainOutput(atMost: LoopLimits.readBytesPerTurn)
    }
    if inputEnd >= 0 { inputWatch = EventLoop.main.watch(inputEnd, .writable) { _ in self.feedInput() } }
  }

  /// Asks the child and all that it started to leave, then makes them.
  func terminate(grace: Duration) {
    guard pid > 0, stage == .running else { return }
    stage = .asked
    family.remember()
    family.send(SIGTERM)
    // One that was stopped, as it read from a terminal that is not its own, hears of nothing but this before it goes on.
    family.send(SIGCONT)
    stageTimer = EventLoop.main.schedule(after: grace) { self.killAll() }
  }

  private func killAll() {
    stage = .killed
    family.send(SIGKILL)
    stageTimer = EventLoop.main.schedule(after: LoopLimits.childGrace) {
      self.stage = .givenUp
      self.reap()
    }
    reap()
  }

  private func feedInput() {
    let count = input[written...].withUnsafeBytes { write(inputEnd, $0.baseAddress, $0.count) }
    if count >= 0 {
      written += count
    } else if errno != EAGAIN && errno != EINTR {
      // It does not want the rest.
      written = input.count
    }
    if written == input.count { closeInput() }
  }

  private func closeInput() {
    guard inputEnd >= 0 else { return }
    inputWatch = nil
    close(inputEnd)
    inputEnd = -1
  }

  private func drainOutput(atMost limit: Int) {
    var left = limit
    while left > 0 {
      let count = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
        let count = read(outputEnd, buffer.baseAddress, buffer.count)
        if count > 0 { output.append(contentsOf: buffer[..<min(count, outputLimit - output.count)]) }
        return count
      }
      if count > 0 {
        left -= count
      } else if count < 0 && errno == EINTR {
        continue
      } else {
        if count == 0 || errno != EAGAIN { closeOutput() }
        return
      }
    }
  }

  private func closeOutput() {
    guard outputEnd >= 0 else { return }
    outputWatch = nil
    close(outputEnd)
    outputEnd = -1
  }

  /// Whether it has ended, and has not been waited for.
  private var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information._sifields._sigchld.si_pid == pid
  }

  private func reap() {
    guard pid > 0 else { return }
    switch stage {
    case .running: break
    case .asked, .killed, .givenUp:
      // Its number stays taken, and its group's with it, as long as it is not waited for: until what it started is gone, too.
      guard hasEnded else { return }
      if stage != .givenUp, family.hasOthers {
        checkTimer = EventLoop.main.schedule(after: LoopLimits.familyCheck) { self.reap() }
        return
      }
    }
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(pid, &status, WNOHANG) } while result < 0 && errno == EINTR
    if result == 0 { return }
    let outcome: Result<ChildProcess.Outcome, any Error>
    if result < 0 {
      outcome = .failure(ChildProcessError(program: program, errno: errno))
    } else {
      // A pipe holds 64 KiB (or what the system's administrator allows): it is empty after a bounded number of reads, unless
      // somebody whom the child left behind goes on writing.
      if outputEnd >= 0 { drainOutput(atMost: 1 << 20) }
      let signal = status & 0x7F
      let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      outcome = .success(ChildProcess.Outcome(status: code, output: output))
    }
    pid = 0
    stageTimer = nil
    checkTimer = nil
    endWatch = nil
    closeInput()
    closeOutput()
    whenGone?()
    whenGone = nil
    let onEnd = onEnd.take()
    onEnd?(outcome)
  }
}
