// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop) struct ChildProcessTests {
  private func text(_ outcome: ChildProcess.Outcome) -> String { String(decoding: outcome.output, as: UTF8.self) }

  private func shell(_ script: String, input: String = "") async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(["sh", "-c", script], input: Array(input.utf8))
  }

  @Test("the arguments of a child process are not interpreted by a shell")
  func argumentsAreNoShellWords() async throws {
    let outcome = try await ChildProcess.run(["printf", "%s|", "a b", "$(id)", "`id`; id", "", "-n"])
    #expect(text(outcome) == "a b|$(id)|`id`; id||-n|")
    #expect(outcome.status == 0)
  }

  @Test(
    "the status tells the exit code or the signal that ended the child",
    arguments: [
      ("exit 0", Int32(0)), ("exit 3", 3), ("exit 255", 255), ("kill -TERM $$", 128 + SIGTERM),
      ("kill -KILL $$", 128 + SIGKILL),
    ])
  func theStatusTellsTheCodeOrTheSignal(script: String, status: Int32) async throws {
    #expect(try await shell(script).status == status)
  }

  @Test("input larger than a pipe's buffer comes back through cat")
  func inputLargerThanAPipeComesBackThroughCat() async throws {
    let input = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let outcome = try await ChildProcess.run(["cat"], input: input)
    #expect(outcome.output == input)
  }

  @Test("a child without input reads the end of its standard input") func withoutInputStdinIsEmpty() async throws {
    #expect(text(try await shell("wc -c")).split(separator: " ").joined() == "0\n")
  }

  @Test("a program that does not read its input has not failed")
  func aProgramThatDoesNotReadItsInputIsNoFailure() async throws {
    let outcome = try await ChildProcess.run(["true"], input: [UInt8](repeating: 7, count: 1 << 20))
    #expect(outcome.status == 0)
  }

  @Test("output beyond the limit is dropped") func moreOutputThanTheLimitIsDropped() async throws {
    let outcome = try await ChildProcess.run(
      ["head", "-c", "1000000", "/dev/zero"], outputLimit: 70_000)
    #expect(outcome.output.count == 70_000)
    #expect(outcome.status == 0)
  }

  @Test("a child's own background process is neither waited for nor killed")
  func whatItLeavesBehindIsNotWaitedFor() async throws {
    let outcome = try await shell("sleep 1000 & echo $!")
    #expect(outcome.status == 0)
    let left = try #require(pid_t(text(outcome).dropLast()))
    #expect(kill(left, SIGKILL) == 0, "it still ran")
  }

  @Test(
    "a program that cannot be started fails with a sentence that names it",
    arguments: [["jackdaw-no-such-program"], ["/etc/passwd"], [""], [], ["echo", "a\0b"]])
  func whatCannotBeStartedSaysSo(arguments: [String]) async throws {
    let error = await #expect(throws: ChildProcessError.self) { try await ChildProcess.run(arguments) }
    let reason = try #require(error)
    #expect([ENOENT, EACCES, EINVAL].contains(reason.errno))
    #expect(reason.description.hasPrefix("Cannot run '\(arguments.first ?? "")': "))
    // Before there is something for it to do, too; of what stands behind it nothing is known then.
    guard let word = arguments.first, arguments.count == 1 else { return }
    #expect(throws: ChildProcessError.self) { try ChildProcess.requireProgram(word) }
  }

  @Test("a child inherits no descriptor of another child") func aChildHasNoDescriptorOfAnother() async throws {
    let started = try StartSignal()
    // It never reads its input, so our end of that pipe stays open.
    let other = EventLoop.main.start {
      try await shell("\(started.announce); exec sleep 1000", input: String(repeating: "x", count: 1 << 20))
    }
    let pid = try await started.pid()
    let pipes = [0, 1].map { link("/proc/\(pid)/fd/\($0)") }
    #expect(pipes.allSatisfy { $0.hasPrefix("pipe:") }, "\(pipes)")

    let listed = text(try await ChildProcess.run(["ls", "-l", "/proc/self/fd"], input: [1])).split(separator: "\n")
    let links = listed.compactMap { $0.split(separator: " ").last.map(String.init) }
    for pipe in pipes { #expect(!links.contains(pipe)) }
    let output = try #require(listed.first { $0.contains(" 1 -> ") }?.split(separator: " ").last.map(String.init))
    #expect(links.count { $0 == output } == 1, "not our end of its own pipe")

    other.cancel()
    _ = try? await other.value
  }

  @Test("a child begins with default signal handlers and no blocked signals")
  func theChildHasDefaultSignals() async throws {
    EventLoop.ignoreWriteSignals()
    #expect(try await shell("kill -PIPE $$").status == 128 + SIGPIPE)
    #expect(try await shell("kill -XFSZ $$").status == 128 + SIGXFSZ)
    let masks = text(try await ChildProcess.run(["grep", "SigBlk", "/proc/self/status"]))
    #expect(masks.hasSuffix("0000000000000000\n"), "\(masks)")
  }

  @Test(
    "cancelling ends the child and leaves no zombie",
    arguments: [("", Duration.seconds(1000)), ("trap '' TERM; ", .zero)])
  func cancellingEndsTheChildAndLeavesNoZombie(trap: String, grace: Duration) async throws {
    let started = try StartSignal()
    let task = EventLoop.main.start {
      try await ChildProcess.run(["sh", "-c", "\(trap)\(started.announce); exec sleep 1000"], grace: grace)
    }
    let pid = try await started.pid()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await gone(pid)
  }

  @Test("a child is ended when its time has passed, and is gone when that is said")
  func deadline() async throws {
    let clock = ManualClock()
    let started = try StartSignal()
    let run = StartedTask {
      try await ChildProcess.run(
        ["sh", "-c", "\(started.announce); exec sleep 1000"], deadline: .init(.seconds(60), by: clock))
    }
    let pid = try await started.pid()
    await clock.elapse(.seconds(59))
    #expect(!run.hasEnded && kill(pid, 0) == 0)
    await clock.elapse(.seconds(1))
    while !run.hasEnded { _ = try await ChildProcess.run(["true"]) }
    let error = run.error as? ChildProcessTimeout
    #expect(error?.program == "sh" && error?.limit == .seconds(60))
    #expect(kill(pid, 0) != 0 && errno == ESRCH)
  }

  @Test("a child that ends in time is not ended, nor what it left behind")
  func deadlineKept() async throws {
    let clock = ManualClock()
    let group = ChildGroup()
    let outcome = try await ChildProcess.run(
      ["sh", "-c", "sleep 1000 & echo $!"], deadline: .init(.seconds(60), by: clock), in: group)
    await clock.elapse(.seconds(60))
    await group.endAll()
    let left = try #require(pid_t(text(outcome).dropLast()))
    #expect(kill(left, SIGKILL) == 0, "it still ran")
  }

  @Test(
    "what is to be gone at the program's end is gone, the children's children too, whatever they make of SIGTERM",
    arguments: ["trap '' TERM; sleep 1000 &", "(trap '' TERM; sleep 1000; :) & ", "sleep 1000 & kill -STOP $!;"])
  func endAll(script: String) async throws {
    let started = try StartSignal()
    let both = try StartSignal()
    let group = ChildGroup()
    let task = EventLoop.main.start {
      try await ChildProcess.run(
        ["sh", "-c", "\(script) echo $! >\(both.path); \(started.announce); wait; while :; do sleep 1000; done"],
        in: group)
    }
    let pids = try await [started.pid(), both.pid()]
    await group.endAll(grace: .milliseconds(1))
    _ = try await task.value
    // Whose parent was the child is another's to wait for now.
    for pid in pids { #expect(!Self.isRunning(pid)) }
  }

  private static func isRunning(_ pid: pid_t) -> Bool {
    guard let status = KernelFile.read("/proc/\(pid)/stat") else { return false }
    return status.split(separator: ")").last.map { !$0.hasPrefix(" Z") && !$0.hasPrefix(" X") } ?? false
  }

  @Test("of many children at a time each ends with its own output and status")
  func manyAtATimeEndEachWithItsOwn() async throws {
    let runs = (0..<20).map { number in
      EventLoop.main.start { try await shell("cat; exit \(number)", input: "\(number)") }
    }
    for (number, run) in runs.enumerated() {
      let outcome = try await run.value
      #expect(outcome.status == Int32(number) && text(outcome) == "\(number)")
    }
  }

  /// Waits until `pid` has ended and been reaped. It may be reaped long after its end was told, when all that it started is gone.
  private func gone(_ pid: pid_t) async throws {
    while kill(pid, 0) == 0 { _ = try await ChildProcess.run(["true"]) }
  }

  private func link(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: 256)
    let count = readlink(path, &target, target.count)
    return String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Lets a shell script tell the test that it has got somewhere: a named pipe.
  @Client private final class StartSignal {
    let path: String
    private let descriptor: Int32

    /// The script's words for it.
    var announce: String { "(echo $$ >\(path))" }

    init() throws {
      path = "/tmp/jackdaw-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
      try #require(mkfifo(path, 0o600) == 0)
      descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }

    /// Waits for it; the process of the script.
    func pid() async throws -> pid_t {
      var watch: DescriptorWatch?
      await withUnsafeContinuation { ready in
        watch = EventLoop.main.watch(descriptor, .readable) { _ in
          watch?.cancel()
          ready.resume()
        }
      }
      var text = [UInt8](repeating: 0, count: 32)
      let count = read(descriptor, &text, text.count)
      return try #require(pid_t(String(decoding: text.prefix(max(0, count - 1)), as: UTF8.self)))
    }

    isolated deinit {
      close(descriptor)
      unlink(path)
    }
  }
}
