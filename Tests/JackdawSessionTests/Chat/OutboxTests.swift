// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// Our messages in their order, and what is remembered of each.
@Suite struct OutboxTests {
  private let bob: JID

  init() throws { bob = try JID("bob@example.org") }

  private func message(_ number: Int, to: JID? = nil) -> OutgoingMessage {
    OutgoingMessage(id: "m\(number)", to: to ?? bob, body: "\(number)", time: Timestamp(milliseconds: Int64(number)))
  }

  /// - Parameter written: how many of them are written.
  private func outbox(_ count: Int, written: Int = 0, limit: Int = 10) -> Outbox {
    var outbox = Outbox(limit: limit)
    for number in 0..<count { outbox.add(message(number)) }
    for number in 0..<written { outbox.wrote("m\(number)", after: nil) }
    return outbox
  }

  private func waiting(_ outbox: Outbox) -> [String] { outbox.waiting(limit: .max).map(\.id) }

  @Test("Messages wait in their order until they are written") func messagesWaitInTheirOrderUntilTheyAreWritten() {
    var outbox = outbox(3)
    #expect(waiting(outbox) == ["m0", "m1", "m2"])
    #expect(outbox.waiting(limit: 2).map(\.id) == ["m0", "m1"])
    outbox.wrote("m0", after: "a1")
    #expect(outbox["m0"]?.isWritten == true)
    #expect(outbox["m0"]?.archiveCursor == "a1")
    #expect(waiting(outbox) == ["m1", "m2"])
    #expect(outbox.hasWaiting)
    #expect(outbox.lastWritten == 1)
    #expect(outbox.firstOpen == 1)
  }

  @Test("A confirmation covers the messages that were written when it was asked for") func confirmationsCover() {
    var outbox = outbox(4, written: 3)
    let last = outbox.lastWritten ?? 0
    outbox.wrote("m3", after: nil)
    var confirmed = outbox.confirm(through: last).map(\.id)
    #expect(confirmed == ["m0", "m1", "m2"])
    #expect(outbox["m3"]?.isWritten == true)
    // An answer to an earlier question says nothing more.
    confirmed = outbox.confirm(through: last).map(\.id) + outbox.confirm(through: 0).map(\.id)
    #expect(confirmed.isEmpty)
    #expect(outbox.firstOpen == 4)
    confirmed = outbox.confirm(through: 4).map(\.id)
    #expect(confirmed == ["m3"])
    #expect(outbox.firstOpen == nil)
  }

  @Test("An acknowledged message confirms those before it") func anAcknowledgedMessageConfirmsThoseBeforeIt() {
    var outbox = outbox(5, written: 4)
    var confirmed = outbox.confirm(id: "m2").map(\.id)
    #expect(confirmed == ["m0", "m1", "m2"])
    confirmed =
      outbox.confirm(id: "m2").map(\.id) + outbox.confirm(id: "m4").map(\.id) + outbox.confirm(id: "x").map(\.id)
    #expect(confirmed.isEmpty, "known, not written, unknown")
  }

  @Test("the server's word for a copy that a room rejected says nothing of what was written before the next copy")
  func vainCopy() throws {
    let tea = try JID("tea@rooms.example.org")
    var outbox = Outbox(limit: 10)
    outbox.add(
      OutgoingMessage(id: "r", to: tea, addressing: .room, body: "hi", time: Timestamp(milliseconds: 0)))
    outbox.add(message(1))
    outbox.wrote("r", after: nil)
    #expect(outbox.putBack(id: "r") && waiting(outbox) == ["r", "m1"])
    outbox.wrote("m1", after: nil)
    outbox.wrote("r", after: nil)
    var confirmed = outbox.confirm(id: "r").map(\.id)
    #expect(confirmed.isEmpty && outbox["m1"]?.state == .sent)
    confirmed = outbox.confirm(id: "r").map(\.id)
    #expect(confirmed == ["m1"] && outbox.lastWritten == nil)
  }

  @Test("A message that was not written is not confirmed") func whatWasNotWrittenIsNotConfirmed() {
    var outbox = outbox(3, written: 1)
    let confirmed = outbox.confirm(through: 3).map(\.id)
    #expect(confirmed == ["m0"])
    #expect(waiting(outbox) == ["m1", "m2"])
  }

  @Test("A message that bounced is not confirmed") func whatCameBackIsNotConfirmed() {
    var outbox = outbox(3, written: 3)
    let first = outbox.bounce(id: "m1", .undefined)
    #expect(first?.id == "m1")
    let again = outbox.bounce(id: "m1", .badRequest)
    let unknown = outbox.bounce(id: "x", .undefined)
    #expect(again == nil && unknown == nil)
    let confirmed = outbox.confirm(through: 3).map(\.id)
    #expect(confirmed == ["m0", "m2"])
    #expect(outbox["m1"]?.error == .undefined)
  }

  @Test("A confirmed message may still bounce") func whatIsConfirmedMayStillComeBack() {
    var outbox = outbox(1, written: 1)
    _ = outbox.confirm(through: 1)
    let bounced = outbox.bounce(id: "m0", .undefined)
    #expect(bounced != nil)
  }

  // MARK: Lost streams

  @Test("An uncertain message is written again only when nobody can say whether it arrived") func uncertainAgain() {
    var outbox = outbox(4, written: 3)
    _ = outbox.confirm(id: "m0")
    outbox.lose(isCertain: false)
    #expect(outbox.uncertain.map(\.id) == ["m1", "m2"])
    #expect(outbox.lastWritten == nil)
    // It was in the archive.
    let found = outbox.confirmAlone(id: "m2")
    #expect(found?.id == "m2")
    let again = outbox.confirmAlone(id: "m2")
    #expect(again == nil)
    outbox.repeatUncertain()
    #expect(waiting(outbox) == ["m1", "m3"], "in their old order, before those that were never written")
    #expect(outbox["m1"]?.isRepeated == true)
    #expect(outbox["m3"]?.isRepeated == false)
    for id in ["m1", "m3"] { outbox.wrote(id, after: nil) }
    let confirmed = outbox.confirm(id: "m3").map(\.id)
    #expect(confirmed == ["m1", "m3"])
    #expect(outbox.openCount == 0)
  }

  /// On the next stream it stands elsewhere, and the store is to be told.
  @Test("A message's position ends with its stream") func aPlaceEndsWithItsStream() {
    var outbox = outbox(2, written: 0)
    outbox.wrote("m0", after: nil, position: 7)
    #expect(outbox.unnamed.map(\.id) == ["m0"])
    outbox["m0"]?.place(at: StreamPlace(stream: "s", position: 7))
    #expect(outbox.unnamed.isEmpty)
    outbox.lose(isCertain: true)
    let waiting = outbox.waiting(limit: 9)
    #expect(waiting.map(\.isPlaced) == [false, false])
    #expect(waiting.map(\.position) == [nil, nil])
    outbox["m0"]?.place(at: nil)
    outbox.wrote("m0", after: nil, position: 3)
    #expect(outbox.unnamed.map(\.position) == [3])
  }

  @Test("A message that the server is known not to have needs no question") func certainlyLost() {
    var outbox = outbox(2, written: 2)
    outbox.lose(isCertain: true)
    #expect(outbox.uncertain.isEmpty)
    #expect(waiting(outbox) == ["m0", "m1"])
  }

  @Test("Messages of an earlier run come first") func anEarlierRunsMessagesComeFirst() {
    var outbox = Outbox(limit: 10)
    outbox.add(LeftMessages.Ours(number: 7, message: message(0), state: .sent, place: nil, archiveCursor: "a1"))
    outbox.add(LeftMessages.Ours(number: 8, message: message(1), state: .waiting, place: nil, archiveCursor: nil))
    outbox.add(message(2))
    #expect(outbox.uncertain.map(\.id) == ["m0"])
    #expect(outbox["m0"]?.stored == 7)
    #expect(outbox["m0"]?.archiveCursor == "a1")
    outbox.repeatUncertain(id: "m0")
    outbox.repeatUncertain(id: "m2")
    #expect(waiting(outbox) == ["m0", "m1", "m2"])
  }

  /// One message that ends every stream must not keep all others from going out.
  @Test("A message that ends the stream again is given up") func aMessageThatTheServerCannotStandIsGivenUp() {
    var outbox = outbox(2)
    for refusal in 1...2 {
      for id in waiting(outbox) { outbox.wrote(id, after: nil) }
      let given = outbox.blameFirst("refused")
      #expect((given?.id == "m0") == (refusal == 2))
      outbox.lose(isCertain: true)
    }
    #expect(waiting(outbox) == ["m1"])
    #expect(outbox["m0"]?.state.isOpen == false)
  }

  @Test("A message that alone can have ended the last stream is given up at once; of two, neither is")
  func theLastStream() {
    var alone = outbox(1, written: 1)
    let given = alone.blameFirst("refused", isLastStream: true)
    #expect(given?.id == "m0" && alone.openCount == 0)
    var two = outbox(2, written: 2)
    let blamed = two.blameFirst("refused", isLastStream: true)
    #expect(blamed == nil && two.openCount == 2)
  }

  @Test("No message is given up when nothing was written") func nobodyIsBlamedWhenNothingWasWritten() {
    var outbox = outbox(1)
    for _ in 0..<5 {
      let given = outbox.blameFirst("refused")
      #expect(given == nil)
    }
  }

  // MARK: Several conversations

  @Test("An uncertain message holds up its own conversation alone") func aDoubtHoldsUpItsOwnConversationAlone() throws {
    let carol = try JID("carol@example.org")
    var outbox = outbox(1, written: 1)
    outbox.lose(isCertain: false)
    for (number, to) in [(1, carol), (2, try bob.with(resource: "desk")), (3, carol)] {
      outbox.add(message(number, to: to))
    }
    #expect(
      waiting(outbox) == ["m1", "m3"], "bob's stand behind the one that is uncertain, whatever device they are for")
    for id in ["m1", "m3"] { outbox.wrote(id, after: nil) }
    outbox.repeatUncertain()
    #expect(waiting(outbox) == ["m0", "m2"])
    #expect(!outbox.isInDoubt(bob))
    outbox.wrote("m0", after: nil)
    let first = outbox.confirm(id: "m3").map(\.id)
    #expect(first == ["m1", "m3"], "what was added before it and written after it is not confirmed by it")
    outbox.wrote("m2", after: nil)
    let rest = outbox.confirm(id: "m2").map(\.id)
    #expect(rest == ["m0", "m2"])
    #expect(outbox.openCount == 0)
  }

  @Test("When the last doubt is settled, in any way, the waiting messages go")
  func whateverSettlesTheLastDoubtEndsIt() throws {
    var outbox = outbox(3, written: 3)
    outbox.lose(isCertain: false)
    outbox.add(message(3))
    outbox.repeatUncertain(id: "m0")
    _ = outbox.confirmAlone(id: "m1")
    #expect(waiting(outbox).isEmpty, "all stand behind the third")
    _ = outbox.bounce(id: "m2", .undefined)
    #expect(waiting(outbox) == ["m0", "m3"])
  }

  @Test("A message that is held goes later") func whatIsHeldGoesLater() throws {
    let carol = try JID("carol@example.org")
    var outbox = outbox(2)
    outbox.add(message(2, to: carol))
    #expect(outbox.waiting(limit: 9, held: [bob: "m0"]).map(\.id) == ["m2"])
    #expect(
      outbox.waiting(limit: 9, held: [bob: "m1"]).map(\.id) == ["m0", "m2"],
      "what stands before it does not wait for it")
    outbox.wrote("m2", after: nil)
    #expect(waiting(outbox) == ["m0", "m1"])
  }

  // MARK: Withdrawing

  @Test("A message that is withdrawn is not written") func whatIsWithdrawnIsNotWritten() {
    var outbox = outbox(3)
    let withdrawn = outbox.withdraw(id: "m1")
    let again = outbox.withdraw(id: "m1")
    #expect(withdrawn?.id == "m1" && again == nil)
    #expect(waiting(outbox) == ["m0", "m2"])
    outbox.wrote("m0", after: nil)
    outbox.wrote("m2", after: nil)
    let confirmed = outbox.confirm(through: 3).map(\.id)
    #expect(confirmed == ["m0", "m2"])
  }

  @Test("what was sent before its stream was lost and is withdrawn may have arrived") func whatIsUncertainIsWithdrawn()
  {
    var outbox = outbox(2, written: 1)
    outbox.lose(isCertain: false)
    let withdrawn = ["m0", "m1"].map { outbox.withdraw(id: $0)?.state }
    #expect(
      withdrawn == [
        .failed(reason: "It was withdrawn, and may have arrived before."), .failed(reason: "It was withdrawn."),
      ])
  }

  // MARK: Memory

  @Test("Only settled messages are forgotten") func onlyWhatIsSettledIsForgotten() {
    var outbox = outbox(1_000, written: 1_000, limit: 10)
    _ = outbox.confirm(through: 990)
    #expect(outbox["m0"] == nil)
    #expect(outbox["m989"] != nil, "the last ones are remembered")
    #expect((990..<1_000).allSatisfy { outbox["m\($0)"]?.isWritten == true })
    #expect(outbox["m989"]?.message == nil, "but not their text")
  }

  /// A message for a room that cannot be entered may wait for months.
  @Test("One message that waits long keeps no others in memory")
  func oneThatWaitsForLongKeepsNoOthersInMemory() throws {
    var outbox = Outbox(limit: 10)
    outbox.add(message(0, to: try JID("lunch@rooms.example.org")))
    for number in 1...2_000 {
      outbox.add(message(number))
      outbox.wrote("m\(number)", after: nil)
      let confirmed = outbox.confirm(id: "m\(number)")
      #expect(confirmed.count == 1)
    }
    #expect(outbox.openCount == 1 && outbox.firstOpen == 1)
    #expect(waiting(outbox) == ["m0"])
    #expect(outbox["m1"] == nil && outbox["m1000"] == nil && outbox["m2000"] != nil)
    outbox.wrote("m0", after: nil)
    let last = outbox.confirm(id: "m0").map(\.id)
    #expect(last == ["m0"] && outbox.openCount == 0 && outbox.firstOpen == nil)
  }

  @Test("Of those that are settled behind many that wait, no more are remembered than of others")
  func settledOnesBehindManyThatWait() throws {
    var outbox = Outbox(limit: 8)
    let room = try JID("lunch@rooms.example.org")
    for number in 0..<100 { outbox.add(message(number, to: room)) }
    for number in 100..<250 {
      outbox.add(message(number))
      outbox.wrote("m\(number)", after: nil)
      _ = outbox.confirm(id: "m\(number)")
      #expect((0..<250).count { outbox["m\($0)"]?.state.isOpen == false } <= 10)
    }
    #expect(outbox["m249"]?.state == .server && outbox.openCount == 100 && outbox.firstOpen == 1)
    #expect(waiting(outbox) == (0..<100).map { "m\($0)" })
  }

  @Test(
    "What stands where one was that is forgotten is not taken for it, though that was written before one that is open")
  func placesOfThoseForgotten() throws {
    var outbox = Outbox(limit: 4)
    let room = try JID("lunch@rooms.example.org")
    outbox.add(message(0))
    for number in 1..<20 { outbox.add(message(number, to: room)) }
    for number in 0..<20 { outbox.wrote("m\(number)", after: nil) }
    for number in 1..<20 { _ = outbox.bounce(id: "m\(number)", .undefined) }
    #expect(outbox["m1"] == nil && outbox["m19"] != nil && outbox.firstOpen == 1)
    for number in 20..<40 { outbox.add(message(number)) }
    for number in 20..<30 { outbox.wrote("m\(number)", after: nil) }
    #expect(outbox.lastWritten == 30)
    // The server's word for all of the first ones says nothing of those that stand where they were.
    let confirmed = outbox.confirm(through: 20).map(\.id)
    #expect(confirmed == ["m0"] && outbox.openCount == 20)
    #expect(waiting(outbox) == (30..<40).map { "m\($0)" })
    let blamed = outbox.blameFirst("no", isLastStream: true)
    #expect(blamed == nil)
    let further = outbox.confirm(id: "m29").map(\.id)
    #expect(further == (20..<30).map { "m\($0)" })
    #expect(outbox["m39"]?.number == 40 && outbox["m39"]?.to == bob)
  }

  @Test("Nothing is to be written that stands behind one that may not be yet")
  func notYet() {
    var outbox = outbox(5)
    #expect(outbox.waiting(limit: 9, before: 3).map(\.id) == ["m0", "m1"])
    #expect(outbox.waiting(limit: 9, before: 1).isEmpty)
    outbox.wrote("m0", after: nil)
    #expect(outbox.waiting(limit: 9, before: 3).map(\.id) == ["m1"])
  }

  @Test("Messages that stand before one are counted with it") func thoseThatStandBeforeOneAreCountedWithIt() {
    var outbox = Outbox(limit: 10)
    for number in 1...5 {
      outbox.add(message(number))
      outbox.wrote("m\(number)", after: nil)
    }
    #expect((0...6).map { outbox.openCount(through: $0) } == [0, 1, 2, 3, 4, 5, 5])
    _ = outbox.confirm(id: "m2")
    _ = outbox.confirmAlone(id: "m4")
    #expect((0...6).map { outbox.openCount(through: $0) } == [0, 0, 0, 1, 1, 2, 2])
  }

  /// Whoever is asked what waits would look at all that are open for each that is confirmed.
  @Test("Nothing waits to be written again as older ones are forgotten")
  func nothingWaitsAsOthersAreForgotten() {
    var outbox = outbox(40, written: 40, limit: 8)
    for number in 0..<40 {
      #expect(!outbox.hasWaiting)
      _ = outbox.confirm(id: "m\(number)")
    }
    #expect(outbox.openCount == 0)
  }

  /// The work for each message is the same, however many are open: none is looked at again for each of the others.
  @Test("Many messages are written and confirmed one by one") func manyMessagesOneByOne() {
    var outbox = Outbox(limit: 100)
    for round in 0..<20 {
      for number in 0..<1_000 { outbox.add(message(round * 1_000 + number)) }
      for entry in outbox.waiting(limit: .max) { outbox.wrote(entry.id, after: nil) }
      for number in 0..<1_000 {
        let confirmed = outbox.confirm(id: "m\(round * 1_000 + number)")
        #expect(confirmed.count == 1)
      }
      #expect(outbox.openCount == 0)
    }
    #expect(outbox.count == 20_000)
  }
}

extension Outbox {
  /// The message of this id is on the stream.
  mutating func wrote(_ id: String, after archiveCursor: String?, position: UInt32? = nil) {
    if let entry = self[id] { wrote(entry, after: archiveCursor, position: position) }
  }
}

extension Outbox {
  /// The server has this message, and so those that were written before it.
  mutating func confirm(id: String) -> [Entry] { confirm(ids: CollectionOfOne(id)) }
}
