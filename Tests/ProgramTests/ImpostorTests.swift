// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// Somebody else answers in the place of the server, as a portal does.
@Suite("An impostor in the server's place")
struct ImpostorTests {
  private static let portal = TestServer.Options { $0.certificate = .wrongName }

  @Test("takes nobody offline for good who has been online, and is final at the first connection")
  func certificate() async throws {
    let impostor = try await TestServer.prosody(Self.portal)
    try await withPair(on: .prosody) { alice, bob in
      try await alice.does("ping")
      func deceived(_ person: Person) -> Person {
        var person = person
        person.environment["JACKDAW_SERVER"] = "\(impostor.address)"
        return person
      }
      try await deceived(alice).atThePrompt("--json", columns: 300) { prompt in
        try await prompt.expect(#""state":"retrying""#)
        try await prompt.expect("certificate")
        try await prompt.expect(#""state":"retrying""#)
        prompt.send("/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      #expect(try await deceived(alice).run("ping").ending == .exited(76))
      #expect(try await deceived(bob).run("ping").ending == .exited(76))
      try await deceived(bob).atThePrompt("--json", columns: 300) { prompt in
        try await prompt.expect(#""state":"offline""#)
        prompt.send("/quit" + Key.enter)
        _ = try await prompt.wait()
        #expect(!prompt.standardOutput.contains("retrying"))
      }
    }
  }
}
