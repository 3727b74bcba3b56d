// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import Support

/// Somebody between a client and a real server who has its certificate and its key: Tests/Support/Strangers/middleman.py.
struct Middleman {
  private let process: TestProcess
  /// Where they listen, for TLS from the first byte.
  let address: HostPort

  /// What clients have said to the server.
  var heard: String { process.standardOutput }

  /// Has them there until `body` is done.
  static func with<Result>(before server: TestServer, _ body: (Middleman) async throws -> Result) async throws -> Result
  {
    let folder = server.directory + "/server/"
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3",
      [
        "-B", SourceTree.path("Tests/Support/Strangers/middleman.py"), server.host, "\(server.directPort)",
        folder + "server.pem", folder + "server.key",
      ], environment: TestProcess.Invocation.scrubbed)
    return try await TestProcess.withProcess(invocation) { process in
      let first = try await process.expect("\n")
      let port = first.split(separator: "\n").last.flatMap { UInt16($0.trimmingPrefix("port ")) }
      return try await body(Middleman(process: process, address: HostPort(host: "127.0.0.1", port: port ?? 0)))
    }
  }
}
