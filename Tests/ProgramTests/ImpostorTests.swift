// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
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

  private static let greeting = """
    <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' \
    version='1.0' id='x' from='jackdaw.test'>
    """

  /// What they say, and what they name it.
  private static func words(redirectingTo place: HostPort) -> [(name: String, answer: String)] {
    let condition = "xmlns='urn:ietf:params:xml:ns:xmpp-streams'"
    func end(_ error: String) -> String {
      Self.greeting + "<stream:error>\(error)</stream:error></stream:stream>"
    }
    return [
      ("a web server", "HTTP/1.1 302 Found\r\nLocation: http://portal.test/\r\nContent-Length: 0\r\n\r\n"),
      ("a conflict", end("<conflict \(condition)/>")),
      ("no TLS", greeting + "<stream:features/>"),
      ("another server", end("<see-other-host \(condition)>\(place)</see-other-host>")),
    ]
  }

  @Test(
    "is not believed before TLS, whatever they say, by an account that has been online; nobody goes where they point to"
  )
  func beforeTLS() async throws {
    try await withPair(on: .prosody) { alice, bob in
      try await alice.does("ping")
      try await Impostor.with(saying: "") { other in
        try await withThrowingTaskGroup { group in
          for (name, answer) in Self.words(redirectingTo: other.address) {
            group.addTask {
              try await Impostor.with(saying: answer) { impostor in
                func deceived(_ person: Person) -> Person {
                  var person = person
                  person.environment["JACKDAW_SERVER"] = "\(impostor.address)"
                  return person
                }
                try await deceived(alice).atThePrompt("--json", columns: 300) { prompt in
                  try await prompt.expect(#""state":"retrying""#)
                  // It is tried again.
                  try await prompt.expect(#""state":"connecting""#)
                  try await prompt.expect(#""state":"retrying""#)
                  prompt.send("/quit" + Key.enter)
                  #expect(try await prompt.wait() == .exited(0), "\(name)")
                }
                // Who has never been online is told at once, by one connection more.
                let before = try await impostor.visits
                #expect(before >= 2, "\(name)")
                let first = try await deceived(bob).run("ping")
                #expect(first.ending != .exited(0), "\(name)")
                #expect(try await impostor.visits == before + 1, "\(name): \(first.errors)")
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(try await other.visits == 0)
      }
    }
  }
}
