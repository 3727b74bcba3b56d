// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Unix-domain stream sockets in a folder that is only the user's (unix(7)). None of these calls waits.
package enum LocalSocket {
  /// A system call failed.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    /// Of the C library's `errno.h`.
    package var errno: Int32
    package var description: String { String(cString: strerror(errno)) }
  }

  /// Connects to a socket that somebody listens on.
  /// - Parameters:
  ///   - folder: how long its path is does not matter.
  ///   - name: of the socket in it, at most 90 bytes.
  /// - Returns: the descriptor, the caller's to close: non-blocking, closed on exec.
  /// - Throws: ``Failure``: ECONNREFUSED where nobody listens, EAGAIN where too many wait to be taken.
  package static func connect(folder: String, name: String) throws(Failure) -> Int32 {
    let descriptor = try make()
    do throws(Failure) {
      try withAddress(folder, name) { address, length in Glibc.connect(descriptor, address, length) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Listens on a new socket, which only the user can connect to. It has its name once it takes connections, not from bind(2) on: so
  /// nobody who sees it is refused.
  /// - Parameters: as of ``connect(folder:name:)``; nothing of this name may be there, and nobody else make one meanwhile.
  /// - Throws: ``Failure``: EADDRINUSE where something is in its place.
  package static func listen(folder: String, name: String) throws(Failure) -> Int32 {
    let descriptor = try make()
    // Of one that was killed before it had its name.
    let unfinished = ".\(name).new"
    unlink("\(folder)/\(unfinished)")
    do throws(Failure) {
      // The folder keeps others out already; not every system looks at a socket's mode.
      let mask = umask(0o177)
      defer { umask(mask) }
      try withAddress(folder, unfinished) { address, length in Glibc.bind(descriptor, address, length) }
      guard Glibc.listen(descriptor, LoopLimits.waitingConnections) == 0 else { throw Failure(errno: errno) }
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) != 0 else { throw Failure(errno: EADDRINUSE) }
      guard rename("\(folder)/\(unfinished)", "\(folder)/\(name)") == 0 else { throw Failure(errno: errno) }
      return descriptor
    } catch {
      unlink("\(folder)/\(unfinished)")
      close(descriptor)
      throw error
    }
  }

  /// Takes a connection that waits.
  /// - Returns: nil: none waits. The descriptor is the caller's to close: non-blocking, closed on exec.
  /// - Throws: ``Failure``: EMFILE and the like.
  package static func accept(_ listener: Int32) throws(Failure) -> Int32? {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 {
        // Between the two calls nobody starts a program: only the loop does.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN, EWOULDBLOCK: return nil
      default: throw Failure(errno: errno)
      }
    }
  }

  /// Who was at the other end when the connection was made; nil where the system does not say.
  package static func peer(of descriptor: Int32) -> (process: Int32, user: UInt32)? {
    // struct ucred
    var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return (credentials.pid, credentials.uid)
  }

  private static func make() throws(Failure) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    return descriptor
  }

  /// An address holds 108 bytes. A folder whose path is too long for it is reached by its descriptor.
  private static func withAddress(
    _ folder: String, _ name: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Failure) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array("\(folder)/\(name)".utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    var descriptor: Int32 = -1
    defer { if descriptor >= 0 { close(descriptor) } }
    if path.count >= room {
      descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure(errno: errno) }
      path = Array("/proc/self/fd/\(descriptor)/\(name)".utf8)
    }
    guard path.count < room, !path.contains(0) else { throw Failure(errno: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
    guard result == 0 else { throw Failure(errno: result) }
  }
}
