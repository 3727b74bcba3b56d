// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The lines typed at the prompt, kept across runs: one entry a line, oldest first.
///
/// An entry is added by one `write` at the file's end, so a crash loses at most the entry being written, and two programs
/// may share the file. It is for the user's eyes alone (0600), and never followed through a symbolic link.
struct HistoryFile {
  let path: String

  /// Something is wrong with the file; the prompt works without it.
  struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ path: String, _ error: Int32) { description = "\(path): \(String(cString: strerror(error)))" }
    init(_ path: String, _ reason: String) { description = "\(path) \(reason)" }
  }

  /// The last entries, oldest first. A file that has grown far beyond them is cut to them.
  func load() throws(Failure) -> [String] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw Failure(path, errno)
    }
    defer { close(descriptor) }
    let size = try checkedSize(descriptor)
    let offset = max(0, size - TerminalLimits.historyFileBytes)
    var bytes = try read(descriptor, from: offset, count: size - offset)
    // The first line may have been cut in two.
    if offset > 0, let end = bytes.firstIndex(of: 0x0A) { bytes.removeFirst(end + 1) }
    // Of bytes: as characters a CR at an entry's end and the newline behind it are one.
    let lines = bytes.split(separator: 0x0A)
    let kept = lines.suffix(TerminalLimits.historyEntries)
    if lines.count > 2 * TerminalLimits.historyEntries || offset > 0 { try replace(by: kept) }
    return kept.map { HistoryEscaping.unescaped(Substring(decoding: $0, as: UTF8.self)) }
  }

  /// Adds an entry.
  func append(_ entry: String) throws(Failure) {
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Failure(path, errno) }
    defer { close(descriptor) }
    let size = try checkedSize(descriptor)
    var line = Array(HistoryEscaping.escaped(entry).utf8) + [0x0A]
    // What a crash left without its newline is an entry of its own.
    if size > 0, try read(descriptor, from: size - 1, count: 1) != [0x0A] { line.insert(0x0A, at: 0) }
    try write(descriptor, line)
  }

  /// The size of a plain file of the user's own; others are made unable to read it.
  private func checkedSize(_ descriptor: Int32) throws(Failure) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "is not a file") }
    guard status.st_uid == geteuid() else { throw Failure(path, "belongs to somebody else") }
    if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw Failure(path, errno) }
    return Int(status.st_size)
  }

  private func read(_ descriptor: Int32, from offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    guard failure == 0 else { throw Failure(path, failure) }
    return bytes
  }

  private func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    while true {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count == bytes.count { return }
      if count >= 0 { throw Failure(path, ENOSPC) }
      if errno != EINTR { throw Failure(path, errno) }
    }
  }

  private func replace(by lines: ArraySlice<ArraySlice<UInt8>>) throws(Failure) {
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(temporary, errno) }
    defer { close(descriptor) }
    do throws(Failure) {
      try write(descriptor, lines.flatMap { Array($0) + [0x0A] })
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let reason = errno
      unlink(temporary)
      throw Failure(path, reason)
    }
  }
}
