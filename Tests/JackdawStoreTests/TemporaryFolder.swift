// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// An empty folder for one test, removed with what is in it when released.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/jackdaw-store-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The names in it, sorted.
  var names: [String] { Self.names(in: path) }

  func contents(of name: String) -> [UInt8] {
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  func write(_ bytes: [UInt8], to name: String, at offset: Int = 0) {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    precondition(file >= 0)
    defer { close(file) }
    precondition(pwrite(file, bytes, bytes.count, offset) == bytes.count)
  }

  /// The permission bits; nil when there is no such file.
  func mode(of name: String) -> mode_t? {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    for name in names(in: path) {
      if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }
}
