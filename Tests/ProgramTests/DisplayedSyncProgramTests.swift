// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// Two devices of one account, with the built program: what is read on one is read on the other (XEP-0490).
@Suite("What is read on one device") struct DisplayedSyncProgramTests {
  private static let none = "No unread messages."

  /// Another device of somebody. Both know where the archive ends: what comes from now on is news to them. To one that never was
  /// there before it is not, where it comes to the other while this one logs in.
  private func withDevice(of person: Person, _ body: (Person) async throws -> Void) async throws {
    try await TestDirectory.with { home in
      let device = Person(server: person.server, account: person.account, home: home)
      for each in [person, device] { try await each.does("history", "sync") }
      try await body(device)
    }
  }

  private func unread(_ device: Person) async throws -> String {
    try await device.does("status", "--unread").first ?? ""
  }

  @Test("is read on another that is online, a moment later", arguments: TestServer.Kind.allCases)
  func online(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await withDevice(of: alice) { device in
        try await device.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.atThePrompt { prompt in
            _ = try await prompt.expectScreen(showing: "online")
            try await bob.does("send", alice.jid, "first")
            try await bob.does("send", alice.jid, "second")
            try await listening.expect(#""body":"second""#)
            _ = try await prompt.expectScreen(showing: "second")
            #expect(try await unread(device) == "2 unread messages in 1 conversation")
            prompt.send("/to \(bob.jid)" + Key.enter)
            try await eventually { try await unread(device) == Self.none }
            #expect(try await unread(alice) == Self.none)
            // What comes into the open conversation is read too.
            try await bob.does("send", alice.jid, "third")
            try await listening.expect(#""body":"third""#)
            try await eventually { try await unread(device) == Self.none }
            prompt.send("/quit" + Key.enter)
            _ = try await prompt.wait()
          }
        }
      }
    }
  }

  @Test("is read on another that was away, and what came since is not", arguments: TestServer.Kind.allCases)
  func away(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await withDevice(of: alice) { device in
        try await alice.atThePrompt { prompt in
          _ = try await prompt.expectScreen(showing: "online")
          try await bob.does("send", alice.jid, "first")
          _ = try await prompt.expectScreen(showing: "first")
          prompt.send("/to \(bob.jid)" + Key.enter)
          try await eventually { try await unread(alice) == Self.none }
          prompt.send("/quit" + Key.enter)
          _ = try await prompt.wait()
        }
        #expect(try await unread(device) == Self.none, "it does not know of them yet")
        try await bob.does("send", alice.jid, "second")
        try await device.listening("--json") { listening in
          try await listening.expect(#""body":"first""#)
          try await listening.expect(#""body":"second""#)
          try await eventually { try await unread(device) == "1 unread message in 1 conversation" }
        }
        #expect(try await device.does("unread").map { $0.hasSuffix("second") } == [true])
      }
    }
  }

  @Test(
    "is read on another once the next program that remains online has published it, where the first was killed before that",
    arguments: TestServer.Kind.allCases)
  func killed(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await withDevice(of: alice) { device in
        try await device.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await FaultProxy.with(to: alice.server) { proxy in
            try await alice.through(proxy).atThePrompt { prompt in
              _ = try await prompt.expectScreen(showing: "online")
              try await bob.does("send", alice.jid, "hello")
              _ = try await prompt.expectScreen(showing: "hello")
              // Nothing of what is said from here on arrives.
              proxy.swallow()
              prompt.send("/to \(bob.jid)" + Key.enter)
              try await eventually { try await unread(alice) == Self.none }
              prompt.signal(SIGKILL)
              _ = try await prompt.wait()
            }
          }
          try await listening.expect(#""body":"hello""#)
          #expect(try await unread(device) == "1 unread message in 1 conversation")
          try await alice.listening { _ in
            try await eventually { try await unread(device) == Self.none }
          }
        }
      }
    }
  }

  @Test("by a single command is published by the next program that remains online", arguments: TestServer.Kind.allCases)
  func command(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await withDevice(of: alice) { device in
        try await device.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await bob.does("send", alice.jid, "hello")
          try await listening.expect(#""body":"hello""#)
          try await alice.does("listen", "--count", "1")
          try await alice.does("unread", "--mark")
          #expect(try await unread(device) == "1 unread message in 1 conversation")
          // A script that ends at once publishes it before it goes; how soon the device has it nobody can say.
          try await eventually {
            try await alice.does("run", "-", input: .text("/ping \(alice.server.domain)\n"))
            return try await unread(device) == Self.none
          }
        }
      }
    }
  }

  @Test("is told to, and heard from, a client that is not ours", arguments: TestServer.Kind.allCases)
  func another(kind: TestServer.Kind) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await alice.does("history", "sync")
      try await Stranger.with(alice.account, on: alice.server) { other in
        try await alice.atThePrompt { prompt in
          _ = try await prompt.expectScreen(showing: "online")
          try await bob.does("send", alice.jid, "first")
          _ = try await prompt.expectScreen(showing: "first")
          let first = try await other.nextMessage()
          prompt.send("/to \(bob.jid)" + Key.enter)
          try await eventually { try await unread(alice) == Self.none }
          try await eventually { try await other.displayed() == [bob.jid: first] }
          prompt.send("/quit" + Key.enter)
          _ = try await prompt.wait()
        }
        try await alice.listening("--json") { listening in
          try await listening.expect(#""state":"online""#)
          try await bob.does("send", alice.jid, "second")
          try await listening.expect(#""body":"second""#)
          #expect(try await unread(alice) == "1 unread message in 1 conversation")
          let second = try await other.nextMessage()
          try await other.does("display \(bob.jid) \(second)")
          try await eventually { try await unread(alice) == Self.none }
        }
      }
    }
  }
}
