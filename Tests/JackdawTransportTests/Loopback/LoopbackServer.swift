// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

@testable import JackdawTransport

/// A listening socket on loopback, served by the loop of the test.
@Client final class LoopbackServer {
  let address: SocketAddress
  let progress: Progress
  private(set) var peers: [LoopbackPeer] = []
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private let onAccept: @Client (LoopbackPeer) -> Void

  /// - Parameters:
  ///   - port: 0: any that is free.
  ///   - receiveBuffer: of the sockets that are accepted; a small one makes a small window.
  ///   - sendBuffer: likewise.
  ///   - accepts: false: connections are left in the queue, whose length is the smallest there is.
  init(
    _ host: String = "127.0.0.1", port: UInt16 = 0, progress: Progress, receiveBuffer: Int32? = nil,
    sendBuffer: Int32? = nil, accepts: Bool = true,
    onAccept: @escaping @Client (LoopbackPeer) -> Void = { _ in }
  ) {
    guard let wanted = SocketAddress(literal: host, port: port) else { preconditionFailure("\(host) is no address") }
    let descriptor = socket(
      wanted.isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      0)
    Self.set(SO_RCVBUF, receiveBuffer, of: descriptor)
    Self.set(SO_SNDBUF, sendBuffer, of: descriptor)
    precondition(wanted.withSocketAddress { bind(descriptor, $0, $1) } == 0, "cannot bind \(host)")
    precondition(listen(descriptor, accepts ? 64 : 0) == 0)
    self.descriptor = descriptor
    address = SocketAddress(boundTo: descriptor)
    self.progress = progress
    self.onAccept = onAccept
    if accepts { watch = EventLoop.main.watch(descriptor, .readable) { [weak self] _ in self?.acceptAll() } }
  }

  static func set(_ option: Int32, _ size: Int32?, of descriptor: Int32) {
    guard var size else { return }
    precondition(setsockopt(descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size)) == 0)
  }

  isolated deinit { stop() }

  private var isStopped = false

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    watch?.cancel()
    close(descriptor)
  }

  private func acceptAll() {
    while true {
      let accepted = accept(descriptor, nil, nil)
      guard accepted >= 0 else { break }
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
      let peer = LoopbackPeer(accepted, progress: progress)
      peers.append(peer)
      onAccept(peer)
    }
    progress.happened()
  }

  /// Closes what was accepted.
  func forgetPeers() {
    for peer in peers { peer.drop() }
    peers = []
  }

  /// The first peer, once it is there.
  func firstPeer() async throws -> LoopbackPeer {
    try await progress.until("somebody connects") { !self.peers.isEmpty }
    return peers[0]
  }
}
