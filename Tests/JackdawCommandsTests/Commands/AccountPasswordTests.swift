// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("account password", .onLoop)
struct AccountPasswordTests {
  private static let account = "[accounts.home]\njid = \"alice@example.org/here\"\n"

  /// - Parameter answer: to the change; nil: none.
  private func rig(
    _ directory: TestDirectory, _ password: String, environment: [String: String] = [:],
    answer: (@Client (IQ) -> IQ)? = nil
  ) throws -> ApplicationRig {
    try directory.write("# mine\n" + Self.account + password + "ca_file = \"/ca\"\n", to: "config.toml")
    let own = ["JACKDAW_CONFIG": directory.file("config.toml"), "JACKDAW_JID": "", "JACKDAW_PASSWORD": ""]
    let rig = try ApplicationRig(environment: own.merging(environment) { $1 })
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.namespace == "jabber:iq:register" else {
        return SessionFixture.manners(element)
      }
      return answer.map { [$0(iq).element] } ?? []
    }
    return rig
  }

  private func change(_ rig: ApplicationRig, _ directory: TestDirectory) async throws -> StartedTask<ExitCode> {
    try await rig.start("account", "password", "--new-password-file", try directory.write("new\n", to: "new"))
  }

  private static func lines(_ directory: TestDirectory) throws -> [Substring] {
    try ConfigurationFileTests.text(directory).split(separator: "\n").filter { $0.contains("password") }
  }

  private static let password = "password = \"secret\"\n"

  @Test("has both in the configuration before the server is asked, and keeps them when it does not answer")
  func unanswered() async throws {
    try await TestDirectory.onLoop { directory in
      let rig = try rig(directory, Self.password)
      let run = try await change(rig, directory)
      let both: [Substring] = ["password = \"secret\"", "new_password = \"new\""]
      #expect(!run.hasEnded)
      #expect(try Self.lines(directory) == both)
      await rig.fixture.clock.elapse(.seconds(30))
      #expect(run.value == .tryAgain)
      #expect(try Self.lines(directory) == both)
      #expect(ConfigurationFileTests.mode(directory.file("config.toml")) == 0o600)
      #expect(try ConfigurationFileTests.text(directory).hasPrefix("# mine\n"))
      let failure = try #require(rig.output.failures.first)
      #expect(
        failure.text.hasSuffix(
          " The password may be changed or not. \(directory.file("config.toml")) has both: "
            + "the new password is tried too at the next log-in."))
    }
  }

  @Test("has the new one alone when the server has taken it, and the old one alone when it has not")
  func answered() async throws {
    try await TestDirectory.onLoop { directory in
      let taken = try rig(directory, Self.password) { $0.result() }
      let success = try await change(taken, directory)
      #expect(success.value == .success)
      #expect(try Self.lines(directory) == ["password = \"new\""])
      let refused = try rig(directory, Self.password) { $0.failure(.serviceUnavailable) }
      let failure = try await change(refused, directory)
      #expect(failure.value == .unavailable)
      #expect(try Self.lines(directory) == ["password = \"secret\""])
    }
  }

  @Test("does not ask the server when the configuration cannot keep both")
  func cannotKeep() async throws {
    try await TestDirectory.onLoop { directory in
      try directory.write(
        "accounts = { home = { jid = \"alice@example.org/here\", password = \"secret\" } }\n", to: "inline.toml")
      let rig = try rig(directory, "", environment: ["JACKDAW_CONFIG": directory.file("inline.toml")])
      let run = try await change(rig, directory)
      #expect(run.value == .configuration)
      #expect(rig.output.failures.first?.text.hasPrefix("The password was not changed: ") == true)
      #expect(!rig.fixture.server.received.contains { $0.firstChild?.namespace == "jabber:iq:register" })
    }
  }

  @Test("leaves a password that is not in the configuration to its owner, and says what to do")
  func elsewhere() async throws {
    try await TestDirectory.onLoop { directory in
      let file = try directory.write("secret\n", to: "secret")
      for (password, environment, words) in [
        (
          "password_file = \"secret\"\n", [:],
          "\(file) has the old one: if the next log-in refuses that, write the new one"
        ),
        ("", ["JACKDAW_PASSWORD": "secret"], "JACKDAW_PASSWORD has the old one: "),
      ] as [(String, [String: String], String)] {
        let rig = try rig(directory, password, environment: environment)
        let before = try ConfigurationFileTests.text(directory)
        let run = try await change(rig, directory)
        await rig.fixture.clock.elapse(.seconds(30))
        #expect(run.value == .tryAgain)
        #expect(rig.output.failures.first?.text.contains(words) == true, "\(rig.output.failures)")
        #expect(try ConfigurationFileTests.text(directory) == before)
      }
    }
  }

  @Test("tries the other password of the configuration only where the first comes from there as well")
  func settings() async throws {
    try await TestDirectory.onLoop { directory in
      let both = Self.password + "new_password = \"new\"\n"
      let configured = try rig(directory, both)
      #expect(configured.application.settings.newPassword == "new")
      let elsewhere = try rig(directory, both, environment: ["JACKDAW_PASSWORD": "another"])
      #expect(elsewhere.application.settings.newPassword == nil)
    }
  }
}
