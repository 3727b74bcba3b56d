// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CResolv
import Glibc
import JackdawHosts
package import JackdawLoop

/// The resolver of the C library, run on the loop's helper thread. It obeys resolv.conf, nsswitch.conf and the hosts
/// file, but gives a silent name server up after some seconds, and never falls to TCP, whose time the C library does
/// not limit.
@Client package final class SystemResolver: NameResolving {
  private let loop: EventLoop
  private let limits: jackdaw_resolver_limits

  /// Asks the name servers of the system.
  package convenience init(loop: EventLoop) { self.init(loop: loop, nameServer: nil) }

  /// - Parameters:
  ///   - nameServer: an IPv4 address that is asked instead of the servers of resolv.conf.
  ///   - seconds: for the first answer.
  ///   - attempts: how often the servers are asked.
  init(
    loop: EventLoop, nameServer: SocketAddress?, seconds: Int32 = TransportLimits.queryTimeout,
    attempts: Int32 = TransportLimits.queryAttempts
  ) {
    self.loop = loop
    var limits = jackdaw_resolver_limits()
    limits.seconds = seconds
    limits.attempts = attempts
    nameServer?.withSocketAddress { address, length in
      guard !(nameServer?.isIPv6 ?? true) else { return }
      withUnsafeMutableBytes(of: &limits.server) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: min(Int(length), $0.count)))
      }
    }
    self.limits = limits
  }

  /// Blocks the helper thread for ``TransportLimits/queryTimeout`` and ``TransportLimits/queryAttempts`` at most.
  package func services(_ name: String) async -> ServiceAnswer {
    guard !HostName.isLocal(name), !HostName.isNeverThere(name) else { return .absent }
    guard HostName.isValid(name) else { return .failed(.malformed) }
    let limits = limits
    let answer = try? await loop.offload { queryServices(name, limits) }
    return answer ?? .failed(.noAnswer)
  }

  /// Blocks the helper thread as ``services(_:)`` does; an address is read without a look-up.
  package func addresses(of host: String, port: UInt16) async throws(TransportError) -> [SocketAddress] {
    if let address = SocketAddress(literal: host, port: port) { return [address] }
    guard HostName.isValid(host) else { throw TransportError(.unresolved, "The server's name is not a host name.") }
    guard !HostName.isNeverThere(host) else { throw addressError(host, EAI_NONAME) }
    let limits = limits
    // RFC 6761: names below localhost are the host itself, whatever DNS says.
    let asked = HostName.isLocal(host) ? "localhost" : host
    let found = try? await loop.offload { lookUpAddresses(asked, port, limits) }
    switch found {
    case .addresses(let addresses)?: return addresses
    case .failed(let code)?: throw addressError(host, code)
    case nil: throw TransportError(.unresolved, "The look-up of \(host) was interrupted.")
    }
  }
}

private func queryServices(_ name: String, _ limits: jackdaw_resolver_limits) -> ServiceAnswer {
  var limits = limits
  var hostError: Int32 = 0
  var length: Int32 = 0
  let message = [UInt8](unsafeUninitializedCapacity: TransportLimits.answerBytes) { buffer, count in
    length = jackdaw_query_services(name, &limits, buffer.baseAddress, Int32(buffer.count), &hostError)
    // Without an answer the C library still leaves the head of the last message it got.
    count = length < 0 ? 12 : min(Int(length), buffer.count)
  }
  if length >= 0 { return ServiceAnswer(message: message) }
  switch hostError {
  case HOST_NOT_FOUND, NO_DATA: return .absent
  default: return message[2] & 0x80 != 0 ? .failed(.refused) : .failed(.noAnswer)
  }
}

/// What getaddrinfo said: addresses, or its error code.
private enum AddressAnswer: Sendable {
  case addresses([SocketAddress])
  case failed(Int32)
}

private func lookUpAddresses(_ host: String, _ port: UInt16, _ limits: jackdaw_resolver_limits) -> AddressAnswer {
  var limits = limits
  guard jackdaw_limit_thread_resolver(&limits) == 0 else { return .failed(EAI_AGAIN) }
  var hints = addrinfo()
  hints.ai_family = AF_UNSPEC
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  hints.ai_flags = AI_NUMERICSERV
  var list: UnsafeMutablePointer<addrinfo>?
  let code = getaddrinfo(host, String(port), &hints, &list)
  guard code == 0 else { return .failed(code) }
  defer { freeaddrinfo(list) }
  var addresses: [SocketAddress] = []
  var next = list
  while let entry = next?.pointee {
    // Of each family as many as are tried: many of one, which come first, must not keep those of the other out.
    if let address = entry.ai_addr, let copy = SocketAddress(copying: address, length: entry.ai_addrlen),
      !addresses.contains(copy),
      addresses.count(where: { $0.isIPv6 == copy.isIPv6 }) < TransportLimits.addressesPerTarget
    {
      addresses.append(copy)
    }
    next = entry.ai_next
  }
  return addresses.isEmpty ? .failed(EAI_NONAME) : .addresses(addresses)
}

private func addressError(_ host: String, _ code: Int32) -> TransportError {
  switch code {
  case EAI_NONAME: TransportError(.unresolved, "The host \(host) does not exist.")
  case jackdaw_eai_nodata: TransportError(.unresolved, "The host \(host) has no address.")
  case EAI_AGAIN: TransportError(.unresolved, "DNS did not answer for the address of \(host).")
  default: TransportError(.unresolved, "The host \(host) cannot be looked up: \(String(cString: gai_strerror(code))).")
  }
}
