// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

/// A file that nobody else may read: made with mode 0600 from the first moment, in a folder of mode 0700, and replaced as
/// a whole, so that no crash leaves half of one.
struct PrivateFile {
  let path: String

  /// What a file holds.
  struct Contents {
    var bytes: [UInt8]
    /// Others on the machine can read or change it.
    var isOpenToOthers: Bool
    /// Who else can change it, or put another in its place, as a sentence goes on; nil: nobody but root.
    var changer: String?
    /// Tells this text of the file from the one before and the next: where it stands, how long it is, when it was written.
    var stamp: String
  }

  /// The contents, or nil when there is no such file.
  /// - Throws: ``CommandFailure`` with code 78 when it cannot be read or is longer than `limit`, 75 where the system has no room for that.
  func read(limit: Int) throws(CommandFailure) -> Contents? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(.configuration, "cannot be read", errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(.configuration, "cannot be read", errno) }
    // A pipe or a terminal has no mode worth speaking of.
    let isFile = status.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(.configuration, "cannot be read", errno) }
      if count == 0 {
        let (size, written) = (status.st_size, status.st_mtim)
        return Contents(
          bytes: bytes, isOpenToOthers: isFile && status.st_mode & 0o077 != 0, changer: isFile ? changer(status) : nil,
          stamp: "\(status.st_dev).\(status.st_ino).\(size).\(written.tv_sec).\(written.tv_nsec)")
      }
      bytes += buffer[..<count]
      if bytes.count > limit { throw CommandFailure(.configuration, "file", "\(path) is longer than \(limit) bytes.") }
    }
  }

  private func changer(_ file: stat) -> String? { Self.changer(file, "the file") ?? folderChanger() }

  /// Who else can put another file in its place, as a sentence goes on; nil: nobody but root, or there is no folder yet.
  func folderChanger() -> String? {
    var folder = stat()
    let path = PrivateFolder.above(resolved())
    guard stat(path.isEmpty ? "." : path, &folder) == 0 else { return nil }
    // In a folder like /tmp others' files cannot be replaced.
    let isSticky = folder.st_mode & S_ISVTX != 0
    return isSticky ? nil : Self.changer(folder, "its folder")
  }

  private static func changer(_ status: stat, _ what: String) -> String? {
    if status.st_uid != geteuid(), status.st_uid != 0 { return "\(what) belongs to somebody else" }
    let isOpen = status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && !isUsersOwn(status.st_gid)
    return isOpen ? "others on this machine can change \(what)" : nil
  }

  /// Whether a group is nobody's but the user's: of their name and with nobody else in it, as systems make one with each account
  /// whose files are then writable by the group (USERGROUPS_ENAB in login.defs(5)).
  private static func isUsersOwn(_ group: gid_t) -> Bool {
    guard let user = getpwuid(geteuid()), user.pointee.pw_gid == group else { return false }
    let name = String(cString: user.pointee.pw_name)
    guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
    var member = entry.pointee.gr_mem
    while let text = member?.pointee {
      guard String(cString: text) == name else { return false }
      member = member?.advanced(by: 1)
    }
    return true
  }

  /// Error for a security-relevant file that other users can write.
  /// - Parameters:
  ///   - what: what it decides, as a sentence goes on.
  ///   - why: ``Contents/changer``.
  func changeable(_ what: String, _ why: String) -> CommandFailure {
    CommandFailure(
      .configuration, "permissions", "\(path) \(what), and \(why): it is not used before only you can write there.")
  }

  /// What is said of a secret that is no secret.
  func openToOthers() -> CommandFailure {
    CommandFailure(
      .configuration, "permissions",
      "Other users of this machine can read \(path), and there is a password in it. Run 'chmod 600 \(path)' first.")
  }

  /// Whether reading it may take as long as somebody else likes: a pipe, a terminal.
  var mayBlock: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Puts `text` in place of what is there, if anything; a symbolic link is followed, its target replaced.
  /// - Throws: ``CommandFailure`` with code 74.
  func replace(with text: String) throws(CommandFailure) {
    let target = resolved()
    try makeFolder()
    var template = Array((target + ".XXXXXX").utf8CString)
    // mkstemp makes the file with mode 0600 and O_EXCL.
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(.inputOutput, "cannot be written", errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var isDone = false
    defer {
      close(descriptor)
      if !isDone { unlink(template) }
    }
    try write(Array(text.utf8), to: descriptor)
    guard fsync(descriptor) == 0, rename(template, target) == 0 else {
      throw failure(.inputOutput, "cannot be written", errno)
    }
    isDone = true
  }

  /// Makes the folder that it is in, if that is not there.
  /// - Throws: ``CommandFailure`` with code 74.
  func makeFolder() throws(CommandFailure) { try PrivateFolder.make(PrivateFolder.above(resolved())) }

  /// Does `body` while no other process changes the file in this way: nothing that one has written between another's reading and writing is
  /// lost. Where the folder is not there, or cannot be locked, nothing keeps others out.
  /// - Throws: ``CommandFailure`` with code 75 where another process takes longer than ``CommandLimits/fileLock``; what `body` throws.
  func alone<Result>(_ body: () throws(CommandFailure) -> Result) throws(CommandFailure) -> Result {
    let folder = PrivateFolder.above(resolved())
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var tries = Int(CommandLimits.fileLock / Self.lockPause)
    while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { break }
      guard tries > 0 else {
        throw CommandFailure(.tryAgain, "locked", "\(path) is being changed by another program.")
      }
      tries -= 1
      usleep(UInt32(Self.lockPause / .microseconds(1)))
    }
    return try body()
  }

  private static let lockPause = Duration.milliseconds(5)

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
    var left = bytes[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(.inputOutput, "cannot be written", errno) }
      left = left.dropFirst(count)
    }
  }

  private func resolved() -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func failure(_ code: ExitCode, _ what: String, _ number: Int32) -> CommandFailure {
    let text = "\(path) \(what): \(String(cString: strerror(number)))."
    // That says nothing of the file.
    if SystemShortage.isNamed(by: number) { return CommandFailure(.tryAgain, "resources", text) }
    return CommandFailure(code, "file", text)
  }
}

/// A folder that nobody else may look into.
package enum PrivateFolder {
  /// Makes a folder and what is missing above it, with mode 0700. One that is there stays as it is.
  /// - Throws: ``CommandFailure`` with code 74.
  package static func make(_ path: String) throws(CommandFailure) {
    if path.isEmpty || mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOENT {
      try make(above(path))
      if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    }
    throw CommandFailure(.inputOutput, "file", "\(path) cannot be created: \(String(cString: strerror(errno))).")
  }

  /// The folder that `path` is in.
  static func above(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
