// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import Support

/// Somebody on the way who says the same to everybody that connects, before there is any TLS.
struct Impostor {
  private let process: TestProcess
  /// Where they listen.
  let address: HostPort

  private static let program = """
    import socket, sys, threading
    listener = socket.create_server(("127.0.0.1", 0))
    print("port", listener.getsockname()[1], flush=True)
    visits = looks = 0
    def answer(connection):
        global looks
        with connection:
            try:
                if connection.recv(4096) == b"?":
                    looks += 1
                    return connection.sendall(str(visits - looks).encode())
                connection.sendall(sys.argv[1].encode())
                while connection.recv(4096):
                    pass
            except OSError:
                pass
    while True:
        connection, _ = listener.accept()
        visits += 1
        threading.Thread(target=answer, args=(connection,), daemon=True).start()
    """

  private static let look = """
    import socket, sys
    impostor = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    impostor.sendall(b"?")
    print(impostor.recv(100).decode())
    """

  /// How often somebody has connected. They are let in one after the other, so that who came before this look is counted.
  var visits: Int {
    get async throws { Int(try await python(Self.look, "\(address.port ?? 0)").dropLast()) ?? -1 }
  }

  /// Has them there until `body` is done.
  /// - Parameter answer: what they say to the first bytes on a connection.
  static func with<Result>(saying answer: String, _ body: (Impostor) async throws -> Result) async throws -> Result {
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3", ["-c", program, answer], environment: TestProcess.Invocation.scrubbed)
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("port ")
      let port = try await process.expect("\n").split(separator: "\n").last.flatMap {
        UInt16($0.trimmingPrefix("port "))
      }
      return try await body(Impostor(process: process, address: HostPort(host: "127.0.0.1", port: port ?? 0)))
    }
  }
}
