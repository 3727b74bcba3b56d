// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import Testing

@testable import JackdawSession

/// What a single command writes of what earlier ones left: should the server end the stream, it is known over which message.
@Suite("Of messages that an earlier run wrote, the first goes alone") struct OneRepeatedFirstTests {
  private let bob: JID

  init() throws { bob = try JID("bob@example.org") }

  private func message(_ id: String) -> OutgoingMessage {
    OutgoingMessage(id: id, to: bob, body: "Hello", time: Timestamp(milliseconds: 0))
  }

  /// As many as an earlier run wrote and nobody knows of, and then new ones.
  private func outbox(left: Int, new: Int = 0) -> Outbox {
    var outbox = Outbox(limit: 100)
    for number in 0..<left {
      outbox.add(
        LeftMessages.Ours(
          number: Int64(number + 1), message: message("l\(number)"), state: .sent, place: nil, archiveCursor: nil))
    }
    outbox.repeatUncertain()
    for number in 0..<new { outbox.add(message("n\(number)")) }
    return outbox
  }

  /// Writes what may be written.
  /// - Returns: the ids of that.
  private func write(_ outbox: inout Outbox) -> [String] {
    let next = outbox.oneRepeatedFirst(outbox.waiting(limit: 100))
    for entry in next { outbox.wrote(entry, after: nil) }
    return next.map(\.id)
  }

  @Test("and the others when the server has it") func others() {
    var outbox = outbox(left: 3, new: 2)
    #expect(write(&outbox) == ["l0"])
    #expect(write(&outbox) == [])
    _ = outbox.confirm(id: "l0")
    #expect(write(&outbox) == ["l1", "l2", "n0", "n1"])
  }

  @Test("so that it is given up when the server ends the stream over it, and none of those behind it") func blamed() {
    var outbox = outbox(left: 3, new: 1)
    _ = write(&outbox)
    #expect(outbox.blameFirst("refused", isLastStream: true)?.id == "l0")
    outbox.lose(isCertain: false)
    #expect(outbox.openEntries.map(\.id) == ["l1", "l2", "n0"] && !outbox.openEntries.contains(where: \.isWritten))
  }

  @Test("and new ones together") func new() {
    var outbox = outbox(left: 0, new: 3)
    #expect(write(&outbox) == ["n0", "n1", "n2"])
  }

  @Test("and what stands before it goes before it") func before() {
    var outbox = Outbox(limit: 100)
    outbox.add(message("n0"))
    outbox.add(LeftMessages.Ours(number: 1, message: message("l0"), state: .sent, place: nil, archiveCursor: nil))
    outbox.repeatUncertain()
    #expect(write(&outbox) == ["n0"])
    #expect(write(&outbox) == ["l0"])
    #expect(write(&outbox) == [])
  }

  @Test("and holds nothing up once the server has it, though its room has not said so") func room() throws {
    var outbox = outbox(left: 0)
    let message = OutgoingMessage(
      id: "r0", to: try JID("tea@rooms.example.org"), addressing: .room, body: "Hello", time: Timestamp(milliseconds: 0)
    )
    outbox.add(LeftMessages.Ours(number: 1, message: message, state: .sent, place: nil, archiveCursor: nil))
    outbox.repeatUncertain(id: "r0")
    outbox.add(self.message("n0"))
    #expect(write(&outbox) == ["r0"])
    #expect(write(&outbox) == [])
    #expect(outbox.confirm(id: "r0").isEmpty)
    #expect(write(&outbox) == ["n0"])
  }

  @Test("and holds nothing up once it is settled in another way") func withdrawn() {
    var outbox = outbox(left: 2)
    _ = write(&outbox)
    _ = outbox.confirmAlone(id: "l0")
    #expect(write(&outbox) == ["l1"])
  }
}
