// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawHosts
import Synchronization

/// A way through the loopback network to a real server that goes wrong where and when the test chooses.
///
/// One thread carries the bytes of all connections (``ProxyWork``), so that nothing of the program under test is needed to
/// test it. What goes wrong at a place of the stream is given at the start; the rest is commanded while it runs.
package final class FaultProxy: Sendable {
  /// What happens once the server has sent ``faultAfter`` bytes on a connection.
  package enum Fault: String, Sendable, CaseIterable {
    /// FIN to the client, after the bytes so far.
    case close
    /// RST to the client.
    case reset
    /// Nothing goes through any more in either direction; the connection stays.
    case silence
    /// What the client sends is read no more, what the server sends goes on; the connection stays.
    case deafness
  }

  /// A line that is slower than loopback, each way.
  package struct Pace: Sendable {
    /// Each piece arrives so much later.
    package var delay = Duration.zero
    /// Bytes of a piece, at most.
    package var bytes = 16_384
    /// Between two pieces.
    package var interval = Duration.zero

    package init(delay: Duration = .zero, bytes: Int = 16_384, interval: Duration = .zero) {
      self.delay = delay
      self.bytes = bytes
      self.interval = interval
    }
  }

  package enum Direction: Sendable {
    case toClient
    case toServer
  }

  /// What the thread is told.
  enum Command: Sendable {
    case cut
    case reset
    case swallow
    case finish(Direction)
    case hold(Set<Direction>)
    case pace(Pace, Set<Direction>)
    case plan(Fault, after: Int?)
    case end
  }

  package let port: Int
  /// TLS begins at once here.
  package let isDirect: Bool
  /// Where clients connect to.
  package var address: HostPort { HostPort(host: "127.0.0.1", port: UInt16(port)) }
  private let commands = Mutex<[Command]>([])
  private let wakeUp: (read: Int32, write: Int32)
  private let carried = Atomic<Int>(0)
  private let accepted = Atomic<Int>(0)
  /// How many commands have been given, and how many of them are in force.
  private let given = Atomic<Int>(0)
  private let obeyed = Atomic<Int>(0)

  /// How many bytes of the server's have gone through, all connections together.
  package var bytesFromServer: Int { carried.load(ordering: .relaxed) }
  /// How many connections there have been.
  package var connections: Int { accepted.load(ordering: .relaxed) }

  /// Listens on 127.0.0.1 for as long as `body` runs.
  /// - Parameters:
  ///   - isNarrow: the kernel holds some 120 kB of what a client sends, as on a slow line, and not some megabytes.
  ///   - isDirect: to the port where TLS begins at once.
  /// - Throws: ``TestProcessFailure`` when there is no socket; what `body` throws.
  package static func with<Result>(
    to server: TestServer, _ fault: Fault = .close, after bytes: Int? = nil, isNarrow: Bool = false,
    isDirect: Bool = false, _ body: (FaultProxy) async throws -> Result
  ) async throws -> Result {
    let address = isDirect ? server.directAddress : server.address
    let proxy = try FaultProxy(to: address, isDirect: isDirect, fault, after: bytes, isNarrow: isNarrow)
    defer { proxy.tell(.end) }
    return try await body(proxy)
  }

  private init(to server: HostPort, isDirect: Bool, _ fault: Fault, after bytes: Int?, isNarrow: Bool) throws {
    var ends: [Int32] = [-1, -1]
    let work = ProxyWork(to: server, fault, after: bytes, isNarrow: isNarrow)
    guard let work, pipe(&ends) == 0 else {
      throw TestProcessFailure("no listening socket: \(String(cString: strerror(errno)))")
    }
    wakeUp = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.port = work.port
    self.isDirect = isDirect
    run(work)
  }

  // MARK: Commands

  /// Ends every connection that there is, on both sides; new ones are taken as before.
  package func cut() { tell(.cut) }
  /// Ends every connection that there is, on both sides, with RST.
  package func reset() { tell(.reset) }
  /// What comes on the connections that there are is taken and lost; they stay. New ones are carried.
  package func swallow() { tell(.swallow) }
  /// Ends one direction (FIN) of the connections that there are; the other goes on.
  package func finish(_ direction: Direction) { tell(.finish(direction)) }
  /// Reads nothing any more, from either side: their windows close. New connections are taken, and stand still as well.
  package func hold() { tell(.hold([.toClient, .toServer])) }
  /// The same, in one direction alone.
  package func hold(_ direction: Direction) { tell(.hold([direction])) }
  /// Goes on after ``hold()``; nothing was lost.
  package func release() { tell(.hold([])) }
  /// Carries bytes so from now on.
  package func slow(_ pace: Pace) { tell(.pace(pace, [.toClient, .toServer])) }
  /// The same, in one direction alone.
  package func slow(_ pace: Pace, _ direction: Direction) { tell(.pace(pace, [direction])) }
  /// What new connections come to; nil: nothing.
  package func plan(_ fault: Fault, after bytes: Int?) { tell(.plan(fault, after: bytes)) }

  /// Returns when the command is in force: what a test does next comes after it, however busy the machine is.
  private func tell(_ command: Command) {
    let number = commands.withLock { commands in
      commands.append(command)
      return given.add(1, ordering: .relaxed).newValue
    }
    var byte: UInt8 = 0
    _ = write(wakeUp.write, &byte, 1)
    if case .end = command { return }
    while obeyed.load(ordering: .acquiring) < number { usleep(50) }
  }

  // MARK: The thread

  private func run(_ work: sending ProxyWork) {
    let start = Unmanaged.passRetained(Start(proxy: self, work: work))
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
        start.proxy.carry(start.work)
        return nil
      }, start.toOpaque())
    if started == 0 { pthread_detach(thread) } else { start.release() }
  }

  private final class Start {
    let proxy: FaultProxy
    let work: ProxyWork
    init(proxy: FaultProxy, work: ProxyWork) { (self.proxy, self.work) = (proxy, work) }
  }

  private func carry(_ work: ProxyWork) {
    var taken = 0
    func next() -> [Command] {
      let next = commands.withLock { $0.drain() }
      taken += next.count
      return next
    }
    while work.turn(wakeUp: wakeUp.read, commands: next) {
      obeyed.store(taken, ordering: .releasing)
      carried.store(work.bytesFromServer, ordering: .relaxed)
      accepted.store(work.connections, ordering: .relaxed)
    }
    close(wakeUp.read)
    close(wakeUp.write)
  }
}

extension Array {
  /// All, which are then no more in it.
  fileprivate mutating func drain() -> [Element] {
    defer { removeAll() }
    return self
  }
}
