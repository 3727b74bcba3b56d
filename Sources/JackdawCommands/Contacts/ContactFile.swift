// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// A file of contacts.
struct ContactFile {
  /// As it was typed.
  let path: String
  /// As this process has to name it, where it is another process's path.
  private let opened: String

  /// - Parameter application: of the run that the path was typed for.
  /// - Throws: ``CommandFailure`` as ``Application/path(_:)``.
  @Client init(path: String, in application: Application) throws(CommandFailure) {
    self.path = path
    opened = try application.path(path)
  }

  /// - Throws: ``CommandFailure`` with code 74 where ``write(_:)`` could not: before it is known what there is to write.
  func checkWritable() throws(CommandFailure) {
    var status = stat()
    let isThere = stat(opened, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { throw failure("cannot be written: it is not a regular file") }
    let folder = PrivateFolder.above(opened)
    if access(isThere ? opened : folder.isEmpty ? "." : folder, W_OK) != 0 { throw failure("cannot be written", errno) }
  }

  /// Puts `document` in place of what is there, as a whole, readable by its owner alone.
  /// - Throws: ``CommandFailure`` with code 74.
  func write(_ document: [UInt8]) throws(CommandFailure) {
    try PrivateFile(path: opened).replace(with: String(decoding: document, as: UTF8.self))
  }

  /// - Throws: ``CommandFailure`` with code 65 when it cannot be read or is too long to be a list of contacts.
  func read() throws(CommandFailure) -> [UInt8] {
    let descriptor = open(opened, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    // Anything else may take as long as somebody likes: that is what stdin is for.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(.badInput, "file", "\(path) cannot be read: it is not a regular file; '-' reads from stdin.")
    }
    guard status.st_size <= CommandLimits.contactFileBytes else { throw Self.tooLong(path) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > CommandLimits.contactFileBytes { throw Self.tooLong(path) }
    }
  }

  static func tooLong(_ name: String) -> CommandFailure {
    CommandFailure(.badInput, "file", "\(name) is longer than \(CommandLimits.contactFileBytes) bytes.")
  }

  private func unreadable(_ number: Int32) -> CommandFailure {
    CommandFailure(.badInput, "file", "\(path) cannot be read: \(String(cString: strerror(number))).")
  }

  private func failure(_ what: String, _ number: Int32? = nil) -> CommandFailure {
    let reason = number.map { ": " + String(cString: strerror($0)) } ?? ""
    return CommandFailure(.inputOutput, "file", "\(path) \(what)\(reason).")
  }
}
