// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A file that somebody's history is in.
struct ImportFile: Equatable, Sendable {
  /// How it is read.
  enum Kind: CaseIterable, Sendable {
    /// What databases have has ids, by which the same is known in what is read after them.
    case database, json, profanityLog
  }

  /// As it was given, or found in a folder that was.
  var path: String
  var kind: Kind

  /// The files that are meant: of a folder those within it that can be read, in the order of their names.
  /// - Parameter format: nil: the content says it.
  /// - Throws: ``CommandFailure`` with code 65 where there is none, or the file is none of the formats.
  static func find(_ path: String, _ format: ImportFormat?) throws(CommandFailure) -> [ImportFile] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      var files: [ImportFile] = []
      try collect(path, format, depth: 0, into: &files)
      guard !files.isEmpty else {
        throw CommandFailure(.badInput, "file", "\(path) has no history that can be imported.")
      }
      return files
    }
    let file = ImportFile(path: path, kind: try kind(of: path, format, isFound: false))
    return [file]
  }

  private static func collect(
    _ folder: String, _ format: ImportFormat?, depth: Int, into files: inout [ImportFile]
  ) throws(CommandFailure) {
    guard depth <= CommandLimits.importedDepth else { return }
    guard let directory = opendir(folder) else { throw unreadable(folder, errno) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(directory)
    for name in names.sorted() {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var status = stat()
      // A link may lead back to where it was found.
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try collect(path, format, depth: depth + 1, into: &files)
      case S_IFREG:
        guard let kind = try? kind(of: path, format, isFound: true) else { continue }
        files.append(ImportFile(path: path, kind: kind))
      default: continue
      }
    }
  }

  /// - Parameter isFound: nobody named it, so it is to look like what it is.
  private static func kind(of path: String, _ format: ImportFormat?, isFound: Bool) throws(CommandFailure) -> Kind {
    let head = try head(of: path)
    let name = String(path.split(separator: "/").last ?? "")
    let kind: Kind?
    if head.starts(with: databaseSignature) {
      // Programs have other databases beside them.
      let isMeant = !isFound || name == "chatlog.db" || name == "logs.db"
      kind = isMeant && format != .json ? .database : nil
    } else if ProfanityLogName.day(name) != nil {
      kind = format == nil || format == .profanity ? .profanityLog : nil
    } else if firstSign(head) == UInt8(ascii: "{"), !isFound || path.hasSuffix(".json") || path.hasSuffix(".jsonl") {
      kind = format == nil || format == .json ? .json : nil
    } else {
      kind = isFound ? nil : format == .json ? .json : format == .profanity ? .profanityLog : nil
    }
    guard let kind else { throw unknown(path, format) }
    return kind
  }

  /// What a file that cannot be read comes to.
  static func unknown(_ name: String, _ format: ImportFormat?) -> CommandFailure {
    let what =
      format.map { "not a history as '--format \($0.rawValue)' means it" } ?? "not a history that can be imported"
    return CommandFailure(.badInput, "file", "\(name) is \(what).")
  }

  static func unreadable(_ path: String, _ number: Int32) -> CommandFailure {
    CommandFailure(.badInput, "file", "\(path) cannot be read: \(String(cString: strerror(number))).")
  }

  /// The first sign of a text that is no white space.
  private static func firstSign(_ bytes: [UInt8]) -> UInt8? {
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private static func head(of path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(.badInput, "file", "\(path) cannot be read: it is not a regular file; '-' reads from stdin.")
    }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw unreadable(path, errno) }
    return Array(bytes.prefix(count))
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// https://www.sqlite.org/fileformat.html 1.3
  private static let databaseSignature = Array("SQLite format 3\0".utf8)
}
