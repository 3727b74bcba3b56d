// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("How long other processes' commands wait", .onLoop)
struct AgentPatienceTests {
  private func hosting(_ body: @escaping @Client (ApplicationRig, AgentClient) async throws -> Void) async throws {
    try await AgentServerTests().hosting { rig, folder, _ in
      // The server confirms nothing.
      rig.fixture.answer = { _ in [] }
      try await body(rig, AgentClient(folder))
      rig.fixture.answer = SessionFixture.manners
    }
  }

  private func elapse(_ seconds: Int, _ rig: ApplicationRig) async {
    await rig.fixture.clock.elapse(.seconds(seconds))
    await AgentClient.settle()
  }

  @Test("'--timeout' is that of the command, and not of the process whose session it has", arguments: [3, 40])
  func timeout(_ seconds: Int) async throws {
    try await hosting { rig, client in
      await client.run("--timeout", "\(seconds)", "send", "bob@example.org", "hello")
      await elapse(seconds - 1, rig)
      #expect(rig.sentMessages == ["bob@example.org|hello"] && client.code() == nil)
      await elapse(2, rig)
      #expect(client.code() == 75)
    }
  }

  @Test(
    "'--timeout' of a script is for what its lines have sent, too", arguments: [["--timeout", "3"], ["run", "-"]])
  func timeoutOfScript(_ words: [String]) async throws {
    try await hosting { rig, client in
      await client.say(String(decoding: AgentClient.request(words).dropLast(), as: UTF8.self))
      await client.say(
        #"{"jsonrpc":"2.0","method":"input","params":{"run":1,"text":"/to bob@example.org\nhello\n"}}"#)
      await client.say(#"{"jsonrpc":"2.0","method":"input","params":{"run":1}}"#)
      await elapse(4, rig)
      #expect(client.code() == (words.first == "run" ? nil : 75))
      await elapse(28, rig)
      #expect(client.code() == 75)
    }
  }

  @Test("One whose client has not read what came before is begun once the client has been told")
  func unreadAnswers() async throws {
    try await AgentServerTests().hosting { rig, folder, _ in
      let socket = try LocalSocket.connect(folder: folder.path, name: "alice@example.org")
      defer { close(socket) }
      func say(_ line: [UInt8]) async {
        #expect(Glibc.send(socket, line, line.count, Int32(MSG_NOSIGNAL)) == line.count)
        await AgentClient.settle()
      }
      // More than the system takes for it.
      for number in 0..<12 {
        let id = String(repeating: "x", count: 60_000) + "\(number)"
        await say(Array(#"{"jsonrpc":"2.0","id":"\#(id)","method":"version"}"#.utf8) + [0x0A])
      }
      await say(AgentClient.request(["send", "bob@example.org", "hello"]))
      #expect(rig.sentMessages.isEmpty)
      var heard: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 20)
      func hear(_ word: String) async {
        for _ in 0..<1_000 where !String(decoding: heard.suffix(200), as: UTF8.self).contains(word) {
          while case let count = recv(socket, &piece, piece.count, 0), count > 0 { heard += piece[..<count] }
          await AgentClient.settle()
        }
      }
      await hear(#""stream":"stdout""#)
      await say(Array(#"{"jsonrpc":"2.0","method":"written","params":{"run":1,"bytes":9}}"#.utf8) + [0x0A])
      await hear(#""code":"#)
      let ofRun = heard.split(separator: 0x0A).dropFirst(12).map { String(decoding: $0, as: UTF8.self) }
      #expect(ofRun.first?.contains(#""method":"started""#) == true, "\(ofRun)")
      #expect(ofRun.last?.contains(#""code":0"#) == true, "\(ofRun)")
      #expect(rig.sentMessages == ["bob@example.org|hello"])
    }
  }

  @Test("What goes on behind an agent that has ended leaves its place to the next one for a minute")
  func succession() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      rig.application.followsAgent = true
      let host = try await rig.start("listen")
      await rig.fixture.clock.elapse(CommandLimits.agentSuccession - .seconds(1))
      #expect(folder.sockets().isEmpty && rig.fixture.session.isOnline)
      await rig.fixture.clock.elapse(.seconds(1))
      #expect(folder.sockets() == ["alice@example.org"])
      rig.application.interrupted(by: SIGINT)
      await elapse(10, rig)
      #expect(host.value == .success)
    }
  }

  @Test("What waits goes on elsewhere though nobody reads what it has printed, where the process ends in a hurry")
  func handedOverInAHurry() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      let client = try AgentClient(folder)
      client.confirms = false
      await client.run("listen", "--count", "3")
      await rig.fixture.receive(ListenTests.message("one"))
      await AgentClient.settle()
      rig.application.interrupted(by: SIGTERM)
      await AgentClient.settle()
      #expect(client.said("leaving").count == 1 && client.said("error").isEmpty)
      await rig.fixture.clock.elapse(CommandLimits.hurriedFarewell)
      await AgentClient.settle()
      let failure = client.said("error").first
      #expect(failure?["code"].integer == AgentLanguage.Failure.leaving)
      #expect(Handover(failure?["data"] ?? .null) == Handover(count: 3))
      await elapse(10, rig)
      #expect(host.value == .success && client.said("error").count == 1)
    }
  }
}
