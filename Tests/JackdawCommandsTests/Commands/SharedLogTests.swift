// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawStore
import Support
import Testing

@testable import JackdawCommands

/// Two programs of one account: each logs what it is sent, and acknowledges it to the server.
@Client @Suite("two programs with one log", .onLoop)
struct SharedLogTests {
  private let alice: JID

  init() throws { alice = try JID("alice@example.org") }

  /// Has bob's messages shown by `listen`, beside another program, whose log `body` is given, too.
  private func listening(
    _ body: @escaping @Client (_ rig: ApplicationRig, _ theirs: any MessageStore) async throws -> Void
  ) async throws {
    try await TestDirectory.onLoop { folder in
      let stores = (0..<2).map { _ in
        AccountStore(directory: folder.path, account: alice, isOneShot: false) { Issue.record("\($0)") }
      }
      let rig = try ApplicationRig(messages: stores[1].messages)
      let run = try await rig.start("listen", "--from", "bob@example.org", "--for", "90")
      try await body(rig, stores[0].messages)
      await rig.fixture.clock.elapse(.seconds(90))
      #expect(run.value == .success)
    }
  }

  private func log(_ body: String, in store: any MessageStore, _ rig: ApplicationRig) throws {
    let message = ArrivedMessage(
      MessageArrived(id: body, from: try JID("bob@example.org/x"), to: alice, kind: .chat, body: body),
      archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: rig.fixture.date)
    _ = try store.record([message], archiveCursor: nil)
  }

  /// Logs "1" as it comes, has the other program log "2" while there is no connection, and gets "3".
  private func lose(_ rig: ApplicationRig, _ theirs: any MessageStore) async throws {
    await rig.fixture.receive(ListenTests.message("1"))
    rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
    await rig.fixture.clock.settle()
    try log("2", in: theirs, rig)
    await rig.fixture.clock.elapse(.seconds(2))
    await rig.fixture.receive(ListenTests.message("3"))
  }

  @Test("what another program logged while this one was away is shown, once, and in its place")
  func away() async throws {
    try await listening { rig, theirs in
      try await lose(rig, theirs)
      #expect(rig.output.messages == ["1", "2", "3"])
      #expect(try theirs.unpresented(to: "screen", after: nil, limit: 9).isEmpty)
    }
  }

  @Test("what another program has shown is not")
  func shownElsewhere() async throws {
    try await listening { rig, theirs in
      await rig.fixture.receive(ListenTests.message("1"))
      rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
      await rig.fixture.clock.settle()
      try log("2", in: theirs, rig)
      try theirs.present(theirs.unpresented(to: "screen", after: nil, limit: 9).compactMap(\.place), to: "screen")
      await rig.fixture.clock.elapse(.seconds(2))
      #expect(rig.output.messages == ["1"])
    }
  }

  /// Both are shown all that they are sent, whichever logs it first.
  @Test("what another program logged and has shown is shown here, too, where the server gives it here later on")
  func shownInBoth() async throws {
    try await listening { rig, theirs in
      try log("1", in: theirs, rig)
      try theirs.present(theirs.unpresented(to: "screen", after: nil, limit: 9).compactMap(\.place), to: "screen")
      await rig.fixture.receive(ListenTests.message("2"))
      rig.fixture.connector.transport?.peerEnds(FakeConnector.brokenLine)
      await rig.fixture.clock.elapse(.seconds(2))
      await rig.fixture.receive(
        "<message from='bob@example.org/x' type='chat' id='1'><body>1</body>"
          + "<origin-id xmlns='urn:xmpp:sid:0' id='1'/></message>")
      #expect(rig.output.messages == ["2", "1"])
      #expect(try theirs.end().seq == 2, "it is known to be the same")
    }
  }

  @Test("who is left out by --from stays for whoever shows it, and is looked at once")
  func leftOut() async throws {
    try await listening { rig, theirs in
      await rig.fixture.receive(ListenTests.message("0", from: "eve@example.org/x"))
      try await lose(rig, theirs)
      #expect(rig.output.messages == ["1", "2", "3"])
      #expect(try theirs.unpresented(to: "screen", after: nil, limit: 9).map(\.body) == ["0"])
    }
  }
}
