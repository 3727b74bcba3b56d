// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// What a server stores, or delivers, a moment after what it has given a higher id, and what it gives later.
@Client @Suite(.onLoop) struct OvertakenTests {
  private let store = AccountStore.inMemory()
  private let archive = OvertakingArchive()

  private func run() throws -> LiveRig {
    let rig = try LiveRig(
      .interactive(Presence()), stores: SessionStores(messages: store.messages),
      features: SessionFixture.core + [MessageArchive.self, StanzaIDs.self])
    archive.serve(rig.fixture)
    rig.fixture.session.intake.hasCopies = true
    return rig
  }

  private func told(_ rig: LiveRig) -> [String] { rig.fixture.events(MessageArrived.self).map(\.body) }

  @Test("what reaches the archive behind what has a higher id is told after the second look, and once")
  func onItsWayIntoTheArchive() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("long ago", 10_000), 5: ("missed", 60_000)]
    let rig = try run()
    try await rig.start()
    #expect(told(rig) == ["long ago", "missed"])
    archive.messages[3] = ("overtaken", 59_000)
    archive.messages[4] = ("overtaken, too", 59_999)
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["long ago", "missed", "overtaken", "overtaken, too"])
    #expect(try store.messages.archiveCursor() == "a5")
    #expect(archive.places == ["a1", "a2"], "no more of it is read once more than has to be")
    #expect(rig.fixture.events(CaughtUp.self).map(\.messages) == [2, 2])
  }

  @Test("what was to be delivered behind what has a higher id, and was not, is told by the next run, and once")
  func onItsWayToUs() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0)]
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    let start = Timestamp(milliseconds: ArchiveServer.start)
    for (number, body, time) in [(2, "early", Int64(0)), (4, "live", 60_000)] {
      first?.fixture.date = Timestamp(milliseconds: start.milliseconds + time)
      archive.messages[number] = (body, time)
      await first?.fixture.receive(archive.live(number))
    }
    #expect(try store.messages.archiveCursor() == "a4")
    archive.messages[3] = ("overtaken", 59_999)
    first = nil
    let second = try run()
    try await second.start()
    #expect(told(second) == ["overtaken"])
    #expect(archive.places.last == "a2")
    #expect(try store.messages.archiveCursor() == "a4")
    await second.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(second) == ["overtaken"])
  }

  @Test("what came before the last receipt, and reached the archive behind it, is told by the next run, and once")
  func behindAReceipt() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("early", 10_000), 4: ("", 60_000)]
    archive.receipts = [4]
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(try store.messages.archiveCursor() == "a4")
    archive.messages[3] = ("overtaken", 59_000)
    first = nil
    let second = try run()
    try await second.start()
    #expect(told(second) == ["overtaken"] && archive.places.last == "a2")
    await second.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(try told(second) == ["overtaken"] && store.messages.archiveCursor() == "a4")
  }

  @Test("and also where one of ours is looked for that was written behind an earlier receipt")
  func behindAReceiptWithOneInDoubt() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("early", 10_000), 4: ("", 58_000), 5: ("", 60_000)]
    archive.receipts = [4, 5]
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    first = nil
    let ours = OutgoingMessage(
      id: "u1", to: try JID("bob@example.net"), body: "uncertain", time: Timestamp(milliseconds: ArchiveServer.start))
    _ = try store.messages.keep(
      [OutboxRecord(ours, state: .sent, archiveCursor: "a4")], from: try JID("alice@example.org"))
    archive.messages[3] = ("overtaken", 57_000)
    let second = try run()
    try await second.start()
    #expect(archive.places.last == "a4")
    await second.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(second) == ["overtaken"] && archive.places.last == "a2")
  }

  @Test(
    "what one wrote to oneself, and what has no id, is not read once more: it could not be told from what is known, or was removed"
  )
  func notesToOneself() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0)]
    (archive.notes, archive.nameless) = ([3], [4])
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    let start = Timestamp(milliseconds: ArchiveServer.start)
    for (number, body, time) in [(2, "early", Int64(0)), (5, "live", 60_000)] {
      first?.fixture.date = Timestamp(milliseconds: start.milliseconds + time)
      archive.messages[number] = (body, time)
      await first?.fixture.receive(archive.live(number))
    }
    (archive.messages[3], archive.messages[4]) = (("note", 59_000), ("nameless", 59_500))
    first = nil
    let second = try run()
    try await second.start()
    await second.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(archive.places.last == "a2" && told(second).isEmpty)
  }

  @Test("where the archive has lost the last message that is known, nothing behind it is passed over")
  func theCursorHasExpired() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("early", 10_000), 4: ("known", 60_000)]
    archive.nameless = [5]
    var first: LiveRig? = try run()
    try await first?.start()
    await first?.fixture.clock.elapse(SessionLimits.secondLook)
    first = nil
    archive.messages[4] = nil
    archive.messages[5] = ("nameless", 61_000)
    let second = try run()
    try await second.start()
    #expect(archive.places.suffix(2) == ["a2", "a2"])
    #expect(try told(second) == ["nameless"] && store.messages.archiveCursor() == "a5")
    await second.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(second) == ["nameless"])
  }

  @Test("what other devices sent while it was not answered that their copies come is read when it is")
  func lateCopies() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0)]
    let rig = try run()
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    rig.fixture.session.intake.lacksAnswers = true
    archive.messages[2] = ("elsewhere", 60_000)
    archive.messages[3] = ("live", 61_000)
    await rig.fixture.receive(archive.live(3))
    #expect(try told(rig) == ["live"] && store.messages.archiveCursor() == "a1")
    rig.fixture.session.intake.lacksAnswers = false
    rig.fixture.session.catchUp.copiesHaveBegun()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(try told(rig) == ["live", "elsewhere"] && store.messages.archiveCursor() == "a3")
    #expect(rig.fixture.session.intake.isUpToDate)
  }

  @Test("where the archive has lost what is before that, it is read behind the last message that is known")
  func theOverlapHasExpired() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("early", 10_000), 4: ("missed", 60_000)]
    let rig = try run()
    try await rig.start()
    // It would be told as news where all of the archive were read.
    archive.messages = [3: ("never known", 59_000), 4: ("missed", 60_000), 5: ("late", 60_500)]
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(told(rig) == ["early", "missed", "late"])
    #expect(archive.places == ["a1", "a2", "a4"])
  }

  @Test("an archive that cannot be read is read later on the same stream, with ever longer pauses")
  func itCannotBeRead() async throws {
    try store.messages.keepArchiveCursor("a1")
    archive.messages = [1: ("old", 0), 2: ("missed", 60_000)]
    archive.isSilent = true
    let rig = try run()
    rig.live.start()
    await rig.fixture.clock.settle()
    await rig.fixture.clock.elapse(rig.fixture.session.configuration.timeout)
    #expect(archive.places.count == 1 && rig.live.state == .online)
    await rig.fixture.clock.elapse(SessionLimits.archiveRetry)
    #expect(archive.places.count == 2)
    await rig.fixture.clock.elapse(rig.fixture.session.configuration.timeout)
    archive.isSilent = false
    await rig.fixture.clock.elapse(SessionLimits.archiveRetry)
    #expect(archive.places.count == 2 && told(rig).isEmpty, "twice as long")
    await rig.fixture.clock.elapse(SessionLimits.archiveRetry)
    #expect(told(rig) == ["missed"])
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    #expect(rig.fixture.session.intake.isUpToDate)
    let queries = archive.places.count
    await rig.fixture.clock.elapse(SessionLimits.archiveRetry * 10)
    #expect(archive.places.count == queries && told(rig) == ["missed"])
  }
}

/// An archive whose messages come into it in any order.
@Client private final class OvertakingArchive {
  /// By the number of their ids: what each says, and how many milliseconds after ``ArchiveServer/start`` it came.
  var messages: [Int: (body: String, time: Int64)] = [:]
  /// Those of them that alice wrote to herself, and those without an id.
  var (notes, nameless): (Set<Int>, Set<Int>) = ([], [])
  /// Those that are receipts.
  var receipts: Set<Int> = []
  /// It answers nothing.
  var isSilent = false
  /// Behind which id each question began.
  private(set) var places: [String?] = []
  private let server = ArchiveServer()

  func serve(_ fixture: SessionFixture) {
    server.lie = { [weak self] in self?.answer($0, $1) ?? [] }
    server.serve(fixture)
  }

  private func answer(_ iq: IQ, _ query: Element) -> [Element] {
    let after = query.child("set", ResultSetRequest.namespace)?.text(of: "after", ResultSetRequest.namespace)
    places.append(after)
    guard !isSilent else { return [] }
    let first = after.flatMap { Int($0.dropFirst()) } ?? 0
    guard after == nil || messages[first] != nil else {
      return [iq.failure(StanzaError(kind: .cancel, condition: "item-not-found")).element]
    }
    let numbers = messages.keys.sorted().filter { $0 > first }
    return numbers.map { ArchiveServer.result(iq.id, "a\($0)", forwarded($0)) }
      + [ArchiveServer.end(of: iq, isComplete: true, last: numbers.last.map { "a\($0)" })]
  }

  private func forwarded(_ number: Int) -> String {
    let stamp = Timestamp(milliseconds: ArchiveServer.start + (messages[number]?.time ?? 0))
    return "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>\(message(number))"
      + "</forwarded>"
  }

  private func message(_ number: Int, _ payload: String = "") -> String {
    let content =
      receipts.contains(number)
      ? "<received xmlns='urn:xmpp:receipts' id='r'/>" : "<body>\(messages[number]?.body ?? "")</body>"
    return
      "<message xmlns='jabber:client' from='\(notes.contains(number) ? "alice@example.org" : "bob@example.net")/x' "
      + "to='alice@example.org' type='chat'\(nameless.contains(number) ? "" : " id='m\(number)'")>\(content)\(payload)</message>"
  }

  /// A message as it is delivered.
  func live(_ number: Int) -> String {
    message(number, "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a\(number)'/>")
  }
}
