// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawStore

/// Messages on their way to being imported.
@Client @Suite struct MessageStageTests {
  private let stage: MessageStageTable
  private let (bob, alice): (JID, JID)

  init() throws {
    stage = try MessageStageTable()
    (bob, alice) = (try JID("bob@example.org/x"), try JID("alice@example.org"))
  }

  private func message(_ body: String, at seconds: Int64) throws -> ArrivedMessage {
    let event = MessageArrived(id: body, from: bob, to: alice, kind: .chat, body: body)
    return ArrivedMessage(
      event, archiveID: nil, hasUniqueID: false, mayBeRepeated: true, time: Timestamp(milliseconds: seconds * 1_000))
  }

  private func batches(_ limit: Int) throws -> [[String]] {
    var batches: [[String]] = []
    while case let batch = try stage.takeNewest(limit), !batch.isEmpty { batches.append(batch.map(\.event.body)) }
    return batches
  }

  @Test("the newest come first, each batch oldest first, and those of one moment as they were added")
  func order() throws {
    try stage.add([100, 300, 200].map { StagedMessage(try message("\($0)", at: $0)) })
    try stage.add(["a", "b"].map { StagedMessage(try message($0, at: 200)) })
    #expect(try batches(1) == [["300"], ["200", "a", "b"], ["100"]])
  }

  @Test("what was written within seconds is taken together")
  func neighbours() throws {
    try stage.add((0..<10).map { StagedMessage(try message("\($0)", at: Int64($0) * 15)) })
    #expect(try batches(5).map(\.count) == [10])
  }

  @Test("without an end to what was written within seconds a batch is bounded")
  func burst() throws {
    try stage.add((0..<60).map { StagedMessage(try message("\($0)", at: Int64($0))) })
    #expect(try batches(2).map(\.count) == [20, 20, 20])
  }

  @Test("a message keeps all that was said of it, and has its place by another moment")
  func wholeMessage() throws {
    var late = try message("late", at: -10_000_000_000)
    late.exportedState = .delivered
    late.received = Timestamp(milliseconds: 7)
    try stage.add([
      StagedMessage(try message("first", at: 0)), StagedMessage(late, place: Timestamp(milliseconds: 1)),
      StagedMessage(try message("last", at: 1)),
    ])
    let all = try stage.takeNewest(10)
    #expect(all.map(\.event.body) == ["first", "late", "last"])
    #expect(all[1].time == late.time && all[1].received == late.received && all[1].exportedState == .delivered)
    #expect(all[1].event.from == late.event.from && all[1].event.id == "late")
  }

  @Test("a hundred thousand messages are taken one batch after the other", .timeLimit(.minutes(15)))
  func many() throws {
    for start in stride(from: 0, to: 100_000, by: 1_000) {
      try stage.add(
        (start..<start + 1_000).map { StagedMessage(try message("\($0)", at: Int64($0 * 7_919 % 100_000) * 60)) })
    }
    #expect(try batches(500).map(\.count).reduce(0, +) == 100_000)
  }
}
