// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Somebody on a real server whose client is slixmpp, which sends and takes each kind of message: Tests/Support/Strangers/talker.py.
struct Talker {
  /// What they send: a kind of talker.py.
  struct Utterance {
    var kind: String
    /// The id of the message that it is about.
    var about = ""
    var text = ""
  }

  let account: TestAccount
  private let process: TestProcess

  /// Has them online until `body` is done.
  static func with<Result>(
    _ account: TestAccount, on server: TestServer, _ body: (Talker) async throws -> Result
  ) async throws -> Result {
    let invocation = try await ForkServer.invocation(
      "talker.py", [account.jid, account.password, server.host, "\(server.port)", server.caFile])
    return try await TestProcess.withProcess(invocation) { process in
      try await process.expect("online\n")
      return try await body(Talker(account: account, process: process))
    }
  }

  /// Sends a message, whose id is `id`.
  func says(_ utterance: Utterance, id: String, to jid: String) {
    let keys = [
      ("do", utterance.kind), ("to", jid), ("id", id), ("about", utterance.about), ("text", utterance.text),
    ]
    command(keys.map { "\"\($0)\": \"\($1.replacing("\n", with: "\\n"))\"" })
  }

  /// Makes a room, and has it invite somebody (XEP-0045 7.8.2).
  func invites(_ jid: String, to room: String) {
    command(["\"do\": \"invite\"", "\"to\": \"\(jid)\"", "\"room\": \"\(room)\""])
  }

  /// Enters a room, which is made if it is not there, and may be configured by who made it.
  func enters(_ room: String, as nick: String) async throws {
    command(["\"do\": \"enter\"", "\"room\": \"\(room)\"", "\"nick\": \"\(nick)\""])
    try await process.expect("entered\n")
  }

  /// Says something to all who are in a room.
  func says(_ text: String, id: String, in room: String) {
    command(
      ["do": "text", "to": room, "id": id, "text": text, "type": "groupchat"].map { "\"\($0)\": \"\($1)\"" })
  }

  /// Has somebody removed from a room (XEP-0045 8.2).
  func removes(_ nick: String, from room: String) {
    command(["\"do\": \"remove\"", "\"room\": \"\(room)\"", "\"nick\": \"\(nick)\""])
  }

  private func command(_ keys: [String]) { process.send("{" + keys.joined(separator: ", ") + "}\n") }

  /// Waits until the server has dealt with what they sent.
  func settles() async throws {
    command(["\"do\": \"settle\""])
    try await process.expect("settled\n")
  }

  /// What was said to all in a room, as it came to them.
  func texts(in room: String) -> [String] {
    process.standardOutput.split(separator: "\n").compactMap { line in
      guard line.contains("\"type\": \"groupchat\""), line.contains("\"from\": \"\(room)/"),
        let body = line.firstRange(of: "\"name\": \"body\""),
        let text = line[body.upperBound...].firstRange(of: "\"text\": \"")
      else { return nil }
      return String(line[text.upperBound...].prefix { $0 != "\"" })
    }
  }

  /// Waits for a message that holds all of these.
  /// - Returns: it, as JSON.
  @discardableResult func gets(
    _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let found = try await process.line(with: parts)
    return try #require(found, "\(parts) in \(process.standardOutput)", sourceLocation: sourceLocation)
  }
}

extension TestProcess {
  /// Waits until it has printed a line that holds all of these.
  /// - Returns: nil: it did not in all the time there was.
  func line(with parts: [String]) async throws -> String? {
    let end = ContinuousClock().now + TestProcess.patience
    repeat {
      let line = standardOutput.split(separator: "\n").first { line in parts.allSatisfy { line.contains($0) } }
      if let line { return String(line) }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock().now < end
    return nil
  }
}
