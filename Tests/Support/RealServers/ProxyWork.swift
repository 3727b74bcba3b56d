// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawHosts

/// What the thread of a ``FaultProxy`` does: the connections, and what becomes of their bytes.
final class ProxyWork {
  /// One direction of one connection.
  private struct Pump {
    let source: Int32
    let sink: Int32
    let isFromServer: Bool
    /// What came and is not passed on.
    var waiting = PacedBytes()
    /// Bytes that may still pass before the fault; nil: all.
    var left: Int?
    var sourceEnded = false
    /// FIN has been passed on, or nothing can be any more.
    var isOver = false
    var isSwallowed = false
    /// Its source is never read again.
    var isDeaf = false

    var direction: FaultProxy.Direction { isFromServer ? .toClient : .toServer }
  }

  /// Bytes on their way in one direction, beyond which nothing is read: less than what the kernel holds.
  private static let mostWaiting = 65_536
  private static let roomTowardsServer = 16_384
  /// Connections that have ended stay open so long: closing one whose bytes nobody read would be a reset.
  private static let keptEnded = 64

  let port: Int
  private(set) var bytesFromServer = 0
  private(set) var connections = 0
  private let listener: Int32
  private let target: sockaddr_in
  private var fault: FaultProxy.Fault
  private var faultAfter: Int?
  private var paces: [FaultProxy.Direction: FaultProxy.Pace] = [:]
  private var held: Set<FaultProxy.Direction> = []
  private var pumps: [Pump] = []
  private var ended: [Int32] = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Listens. Nil, with errno, when there is no socket.
  init?(to server: HostPort, _ fault: FaultProxy.Fault, after bytes: Int?, isNarrow: Bool) {
    (self.fault, faultAfter) = (fault, bytes)
    target = Self.address(server)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.listener = listener
    if isNarrow {
      // Accepted sockets have what the listening one had. The sender's room follows the segment's size.
      var (room, segment): (Int32, Int32) = (4096, 536)
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, size)
      setsockopt(listener, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, size)
    }
    var own = Self.address(HostPort(host: "127.0.0.1"))
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &own) { bytes in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(listener, address, length) == 0 && listen(listener, 64) == 0
        && getsockname(listener, address, &length) == 0
    }
    self.port = Int(UInt16(bigEndian: own.sin_port))
    if !isListening { return nil }
  }

  /// Waits for something to do and does it.
  /// - Returns: false when it is over, and everything closed.
  func turn(wakeUp: Int32, commands: () -> [FaultProxy.Command]) -> Bool {
    var polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
    polled.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    let now = Self.now()
    var next = Int64.max
    for pump in pumps {
      let isHeld = pump.isDeaf || held.contains(pump.direction)
      let reads = !pump.sourceEnded && !isHeld && pump.waiting.count < Self.mostWaiting
      polled.append(pollfd(fd: reads ? pump.source : -1, events: Int16(POLLIN), revents: 0))
      let due = pump.isOver || isHeld ? Int64.max : pump.waiting.due ?? .max
      polled.append(pollfd(fd: due <= now ? pump.sink : -1, events: Int16(POLLOUT), revents: 0))
      if due > now { next = min(next, due) }
    }
    var wait = next == .max ? -1 : max(0, next - now)
    if wait > 0, wait < 1_000_000 {
      // Shorter than `poll` can wait.
      var time = timespec()
      time.tv_nsec = Int(wait)
      nanosleep(&time, nil)
      wait = 0
    }
    let count = poll(&polled, nfds_t(polled.count), Int32(wait < 0 ? -1 : wait / 1_000_000))
    if count > 0 {
      for index in pumps.indices {
        if polled[2 * index + 2].revents != 0 { read(index) }
        if polled[2 * index + 3].revents != 0 { write(index) }
      }
      if polled[1].revents != 0 { accept() }
      if polled[0].revents != 0 {
        var bytes: UInt64 = 0
        _ = Glibc.read(wakeUp, &bytes, 8)
        for command in commands() {
          if case .end = command { return end() }
          perform(command)
        }
      }
    }
    removeEnded()
    return true
  }

  // MARK: Commands

  private func perform(_ command: FaultProxy.Command) {
    switch command {
    case .cut: for index in pumps.indices { finish(index) }
    case .reset: for index in pumps.indices { reset(index) }
    case .swallow: for index in pumps.indices { pumps[index].isSwallowed = true }
    case .finish(let direction):
      for index in pumps.indices where pumps[index].direction == direction {
        shutdown(pumps[index].sink, Int32(SHUT_WR))
        // What still comes is taken and lost: the other direction goes on.
        pumps[index].isSwallowed = true
      }
    case .hold(let directions): held = directions
    case .pace(let pace, let directions): for direction in directions { paces[direction] = pace }
    case .plan(let fault, let bytes): (self.fault, faultAfter) = (fault, bytes)
    case .end: break
    }
  }

  private func end() -> Bool {
    for pump in pumps where pump.isFromServer {
      shutdown(pump.source, Int32(SHUT_RDWR))
      shutdown(pump.sink, Int32(SHUT_RDWR))
      ended += [pump.source, pump.sink]
    }
    pumps = []
    for descriptor in ended + [listener] { close(descriptor) }
    return false
  }

  // MARK: Connections

  private func accept() {
    let client = Glibc.accept(listener, nil, nil)
    guard client >= 0 else { return }
    connections += 1
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var target = target
    // A server that falls behind holds the client up, as it does without a proxy: not the kernel's megabytes between both.
    var room = Int32(Self.roomTowardsServer)
    setsockopt(server, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    let isConnected = withUnsafeBytes(of: &target) { bytes in
      connect(
        server, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
        == 0
    }
    guard isConnected else {
      close(client)
      close(server)
      return
    }
    var enabled: Int32 = 1
    for descriptor in [client, server] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
    }
    pumps.append(Pump(source: client, sink: server, isFromServer: false))
    pumps.append(Pump(source: server, sink: client, isFromServer: true, left: faultAfter))
    if faultAfter == 0 { strike(pumps.count - 1) }
  }

  private func finish(_ index: Int) {
    shutdown(pumps[index].sink, Int32(SHUT_RDWR))
    pumps[index].sourceEnded = true
    pumps[index].isOver = true
  }

  private func reset(_ index: Int) {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      pumps[index].sink, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    pumps[index].sourceEnded = true
    pumps[index].isOver = true
  }

  /// The fault that was planned, on the connection whose server's direction this is.
  private func strike(_ index: Int) {
    // What goes on is not counted any more, or it would be read byte by byte.
    pumps[index].left = nil
    let connection = pumps.indices.filter {
      pumps[$0].sink == pumps[index].sink || pumps[$0].source == pumps[index].sink
    }
    for index in connection {
      switch fault {
      case .close: finish(index)
      case .reset: reset(index)
      case .silence: pumps[index].isSwallowed = true
      case .deafness: pumps[index].isDeaf = !pumps[index].isFromServer
      }
    }
  }

  /// Closes the connections both of whose directions are over.
  private func removeEnded() {
    let over = Set(pumps.filter { $0.isOver && $0.isFromServer }.map(\.source))
      .intersection(pumps.filter { $0.isOver && !$0.isFromServer }.map(\.sink))
    guard !over.isEmpty else { return }
    for pump in pumps where pump.isFromServer && over.contains(pump.source) {
      var linger = Glibc.linger()
      var length = socklen_t(MemoryLayout<Glibc.linger>.size)
      getsockopt(pump.sink, SOL_SOCKET, SO_LINGER, &linger, &length)
      if linger.l_onoff != 0 {
        close(pump.source)
        close(pump.sink)
      } else {
        ended += [pump.source, pump.sink]
      }
    }
    pumps.removeAll { over.contains($0.isFromServer ? $0.source : $0.sink) }
    while ended.count > Self.keptEnded { close(ended.removeFirst()) }
  }

  // MARK: Bytes

  private func read(_ index: Int) {
    let count = recv(pumps[index].source, &buffer, min(buffer.count, max(1, pumps[index].left ?? buffer.count)), 0)
    guard count > 0 else {
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      pumps[index].sourceEnded = true
      if pumps[index].waiting.isEmpty { passEnd(index) }
      return
    }
    guard !pumps[index].isSwallowed else { return }
    if pumps[index].isFromServer { bytesFromServer += count }
    let pace = paces[pumps[index].direction] ?? FaultProxy.Pace()
    pumps[index].waiting.append(buffer[..<count], pace, now: Self.now())
    // What may go at once goes at once.
    write(index)
    if let left = pumps[index].left {
      pumps[index].left = left - count
      if left == count { strike(index) }
    }
  }

  private func write(_ index: Int) {
    let bytes = pumps[index].waiting.ready(at: Self.now())
    if !bytes.isEmpty, !pumps[index].isOver {
      let count = bytes.withUnsafeBytes { send(pumps[index].sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count >= 0 {
        pumps[index].waiting.removeFirst(count)
      } else if errno != EAGAIN, errno != EINTR {
        pumps[index].isOver = true
      }
    }
    if pumps[index].sourceEnded, pumps[index].waiting.isEmpty { passEnd(index) }
  }

  private func passEnd(_ index: Int) {
    guard !pumps[index].isOver else { return }
    // A connection whose bytes are swallowed tells of no end either.
    if !pumps[index].isSwallowed { shutdown(pumps[index].sink, Int32(SHUT_WR)) }
    pumps[index].isOver = true
  }

  // MARK: The system

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func address(_ server: HostPort) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (server.port ?? 0).bigEndian
    inet_pton(AF_INET, server.host, &address.sin_addr)
    return address
  }
}
