// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Where things are that tests need besides their own code.
package enum SourceTree {
  /// The path of something in the repository.
  package static func path(_ relative: String) -> String {
    // This file is Tests/Support/SourceTree.swift.
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/" + relative
  }

  /// Debian's Python, whose libraries the tests import. One that stands before it in PATH (pyenv's) has not got them, and takes ten times
  /// as long to start.
  package static let python = "/usr/bin/python3"

  /// The program to test: what JACKDAW_BINARY names, as it does in `make test`, else the one that was built with the tests.
  package static var program: String {
    getenv("JACKDAW_BINARY").map { String(cString: $0) } ?? built("jackdaw")
  }

  /// The path of what was built with the tests, beside their executable.
  package static func built(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink("/proc/self/exe", $0, bytes.count) } ?? 0
    }
    let executable = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return executable.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
  }
}

/// A directory that a test has for itself.
package struct TestDirectory: Sendable {
  package let path: String

  /// Makes a directory, gives it to `body`, and removes it with all that is in it.
  /// - Throws: ``TestProcessFailure`` when it cannot be made; what `body` throws.
  package static func with<Result>(_ body: (TestDirectory) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/jackdaw-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestProcessFailure("no temporary directory: \(String(cString: strerror(errno)))")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let result: Result
    do {
      result = try await body(TestDirectory(path: path))
    } catch {
      remove(template)
      throw error
    }
    remove(template)
    return result
  }

  /// Removes a file, or a folder with all that is in it, as far as that is allowed. Links are not followed.
  /// - Parameter path: its bytes, which need not be UTF-8, and a NUL.
  private static func remove(_ path: [CChar]) {
    guard unlink(path) != 0, errno == EISDIR, let folder = opendir(path) else { return }
    var entries: [[CChar]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0] }
      if name != Array(".".utf8CString), name != Array("..".utf8CString) { entries.append(name) }
    }
    closedir(folder)
    for entry in entries { remove(path.dropLast() + "/".utf8CString.dropLast() + entry) }
    rmdir(path)
  }

  /// The path of a file in it.
  package func file(_ name: String) -> String { path + "/" + name }

  /// A directory of its own in it, which goes with it.
  /// - Throws: ``TestProcessFailure``
  package func folder(_ name: String) throws -> TestDirectory {
    let path = file(name)
    guard mkdir(path, 0o700) == 0 else { throw TestProcessFailure("\(path): \(String(cString: strerror(errno)))") }
    return TestDirectory(path: path)
  }

  /// Writes a file, readable by its owner alone, and returns its path.
  /// - Throws: ``TestProcessFailure``
  @discardableResult
  package func write(_ content: String, to name: String) throws -> String {
    let path = file(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestProcessFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var rest = Array(content.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw TestProcessFailure("\(path): \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
    return path
  }
}

extension TestProcess.Invocation {
  /// The variable that keeps programs of one account from each other's sessions.
  package static let noAgent = "JACKDAW_NO_AGENT"

  /// The built jackdaw. Configuration, data and history are looked for in `directory` alone. It logs in by itself, unless `environment`
  /// says otherwise, whatever else the test has running for the account.
  package static func jackdaw(
    _ arguments: [String], in directory: TestDirectory, environment: [String: String] = [:],
    input: Input = .none, output: Output = .captured, terminal: Size? = nil
  ) -> Self {
    let own = ["HOME": directory.path, noAgent: "1"].merging(environment) { $1 }
    return .init(
      SourceTree.program, arguments, environment: own, directory: directory.path, input: input, output: output,
      terminal: terminal)
  }
}

extension TestServer {
  /// What tells a jackdaw to log in here with that account.
  package func environment(for account: TestAccount) -> [String: String] {
    [
      "JACKDAW_JID": account.jid, "JACKDAW_PASSWORD": account.password, "JACKDAW_SERVER": "\(address)",
      "JACKDAW_CA_FILE": caFile,
    ]
  }
}
