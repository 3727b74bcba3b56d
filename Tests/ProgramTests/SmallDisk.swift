// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// A disk so small that a test can fill it: a tmpfs in a mount namespace, which lasts as long as `body` runs.
struct SmallDisk {
  /// Where it is mounted, for the programs that run in the namespace.
  let path: String
  /// A process in the namespace.
  private let holder: Int

  /// - Parameter directory: an empty directory, where it is mounted.
  static func with<Result>(
    kilobytes: Int, at directory: TestDirectory, _ body: (SmallDisk) async throws -> Result
  ) async throws -> Result {
    let mount = #"mount -t tmpfs -o size="$0"k,mode=1777 none "$1" && shift && exec "$@""#
    let holding = TestProcess.Invocation("sh", ["-c", #"echo "pid=$$" && exec cat"#], input: .open)
    let words = ["unshare", "-m", "sh", "-c", mount, "\(kilobytes)", directory.path]
    return try await TestProcess.withProcess(holding.arranged(by: words)) { process in
      let line = try await process.expect("\n")
      let holder = try #require(Int(line.dropFirst("pid=".count).dropLast()), "\(line)")
      return try await body(SmallDisk(path: directory.path, holder: holder))
    }
  }

  /// The same program, with this disk.
  func holding(_ invocation: TestProcess.Invocation) -> TestProcess.Invocation {
    invocation.arranged(by: ["nsenter", "--target=\(holder)", "--mount"])
  }

  /// Leaves no byte free.
  func fill() async throws {
    // A program that ends in this moment may give some room back.
    let fill = #"""
      for turn in $(seq 50); do
        cat /dev/zero >>"$0/filler" 2>/dev/null
        free=$(df --output=avail "$0" | tail -n 1)
        [ "$free" -eq 0 ] && break
      done
      echo $free
      """#
    let outcome = try await run("sh", ["-c", fill, path])
    let free = outcome.lines.last?.split(separator: " ").last
    #expect(free == "0", "\(outcome.output)\(outcome.errors)")
  }

  /// Makes room again.
  func makeRoom() async throws { #expect(try await run("rm", [path + "/filler"]).ending == .exited(0)) }

  /// Takes no write from now on, as one that has failed.
  func makeReadOnly() async throws {
    #expect(try await run("mount", ["-o", "remount,ro", path]).ending == .exited(0))
  }

  /// Runs a program that sees the disk.
  func run(_ program: String, _ arguments: [String]) async throws -> TestProcess.Outcome {
    try await TestProcess.run(holding(.init(program, arguments)))
  }
}
