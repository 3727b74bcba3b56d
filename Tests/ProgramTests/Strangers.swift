// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// A whole domain of people on a real server, who can be many at once: Tests/Support/Strangers/component.py.
struct Strangers {
  static let domain = "strangers.test"
  static let server = TestServer.Options.open

  private let process: TestProcess

  /// The address of one of them.
  static func jid(_ number: Int) -> String { "s\(number)@\(domain)" }

  /// Has them there until `body` is done, at a server of the kind of ``server``. One test at a time may have them.
  static func with<Result>(
    on server: TestServer, domain: String = domain, _ body: (Strangers) async throws -> Result
  ) async throws -> Result {
    let invocation = TestProcess.Invocation(
      "/usr/bin/python3",
      [
        "-B", SourceTree.path("Tests/Support/Strangers/component.py"), domain, "component", server.host,
        "\(server.componentPort)",
      ],
      environment: TestProcess.Invocation.scrubbed, input: .open)
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("online\n")
      return try await body(Strangers(process: process))
    }
  }

  /// Has so many ask to be somebody's friend, at least so many times each, until ``untilAsked()``; does not wait for it.
  func ask(_ jid: String, count: Int, times: Int) { process.send("flood \(jid) \(count) \(times)\n") }

  /// Lets them stop, and waits until the server has dealt with all of it.
  func untilAsked() async throws {
    process.send("enough\n")
    try await process.expect("asked\n", within: .seconds(300))
  }

  /// Sends a stanza as it is to somebody on `server`, and returns when it has been dealt with.
  func write(_ stanza: String, to server: TestServer) async throws {
    process.send("write \(server.domain) \(stanza)\n")
    try await process.expect("asked\n")
  }

  /// From now on this is the vCard of each.
  func tell(card: String) { process.send("card \(card)\n") }

  /// The first of them comes online with so many clients, each with a hash of what it can do that nobody has seen before, and about
  /// so many bytes behind it (XEP-0115). Returns when the server has dealt with their presences.
  func comeOnline(for jid: String, clients: Int, bytes: Int) async throws {
    process.send("capabilities \(jid) \(clients) \(bytes)\n")
    try await process.expect("asked\n", within: .seconds(300))
  }

  /// How many times somebody asked what is behind such a hash.
  func described() async throws -> Int {
    process.send("asked\n")
    let text = try await process.expect("described ") + process.expect("\n")
    return (text.split(separator: "\n").last?.split(separator: " ").last).flatMap { Int($0) } ?? -1
  }

  /// How many of them were sent presence of that type, and how often in all.
  func told(_ type: String) async throws -> (people: Int, stanzas: Int) {
    let words = try await answer("told \(type)")
    return (Int(words[2]) ?? -1, Int(words[3]) ?? -1)
  }

  /// One of them asks the client of that full JID so many times whether it is there, and waits for the answers.
  func ping(_ client: String, times: Int) async throws -> (results: Int, errors: Int) {
    process.send("ping \(client) \(times)\n")
    let text = try await process.expect("pinged ") + process.expect("\n")
    let words = (text.split(separator: "\n").last ?? "").split(separator: " ")
    return (Int(words[1]) ?? -1, Int(words[2]) ?? -1)
  }

  /// How many stanzas they were sent by clients of somebody, whatever the server sends in that one's name.
  func seen(_ jid: String) async throws -> Int { Int(try await answer("seen \(jid)")[1]) ?? -1 }

  /// How many requests they were sent, for their vCards say.
  func questions() async throws -> Int { Int(try await answer("questions")[1]) ?? -1 }

  private func answer(_ line: String) async throws -> [Substring] {
    process.send(line + "\n")
    let word = line.prefix { $0 != " " }
    // What was said before it is not part of the answer.
    let text = try await process.expect("\(word) ") + process.expect("\n")
    return (text.split(separator: "\n").last ?? "").split(separator: " ")
  }
}
