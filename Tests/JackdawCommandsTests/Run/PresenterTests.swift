// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawStore
import Support
import Testing

@testable import JackdawCommands
@testable import JackdawSession

/// What comes while the log is read for what others have logged.
@Client @Suite(.onLoop) struct PresenterTests {
  private func said(_ body: String, at place: LogPlace) throws -> MessageArrived {
    var event = MessageArrived(
      id: body, from: try JID("alice@example.org"), to: try JID("bob@example.org"), kind: .chat, body: body,
      carbon: .sent)
    event.place = place
    return event
  }

  @Test(
    "what is said from elsewhere is presented once, be it another program's here, which the log has for nobody, or a device's"
  )
  func sentMeanwhile() async throws {
    let store = AccountStore.inMemory()
    let log = LockableStore(store.messages)
    let clock = ManualClock()
    let consumer = LogConsumer(.screen, of: log, clock: clock)
    var presented: [String] = []
    let presenter = Presenter(output: RecordingOutput(), consumer: consumer, clock: clock) {
      presented.append($0.body)
      return .shown
    }
    presenter.start()
    log.isLocked = true
    consumer.onMore?()
    let here = OutgoingMessage(
      id: "here", to: try JID("bob@example.org"), body: "here", time: Timestamp(milliseconds: 1_000))
    let number = try store.messages.keep([OutboxRecord(here)], from: try JID("alice@example.org"))[0]
    presenter.take(try said("here", at: LogPlace(seq: number)))
    let elsewhere = ArrivedMessage(
      try said("elsewhere", at: LogPlace(seq: 0)), archiveID: nil, hasUniqueID: true, mayBeRepeated: false,
      time: Timestamp(milliseconds: 2_000))
    let place = try #require(try store.messages.record(elsewhere).place)
    presenter.take(try said("elsewhere", at: place))
    #expect(presented.isEmpty)
    log.isLocked = false
    await clock.elapse(CommandLimits.logPause)
    #expect(presented.sorted() == ["elsewhere", "here"])
  }

  @Test("what was presented while the log could not take it is noted when it gets there")
  func unlogged() throws {
    let store = AccountStore.inMemory()
    let consumer = LogConsumer(.screen, of: store.messages, clock: ManualClock())
    var presented: [String] = []
    let presenter = Presenter(output: RecordingOutput(), consumer: consumer, clock: ManualClock()) {
      presented.append($0.body)
      return $0.body == "passed over" ? .leftOpen : .shown
    }
    presenter.start()
    for text in ["shown", "passed over"] {
      let event = MessageArrived(
        id: text, from: try JID("alice@example.org"), to: try JID("bob@example.org"), kind: .chat, body: text)
      presenter.take(event)
      let record = ArrivedMessage(
        event, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
      consumer.wasLogged(UnloggedMessage(event), at: try #require(try store.messages.record(record).place))
    }
    #expect(presented == ["shown", "passed over"])
    #expect(try store.messages.unpresented() == ["passed over"])
  }
  @Test("what waits in the log is from whom the stored contact list says, before the server has sent one")
  func waitsWithNames() throws {
    let rig = try ApplicationRig()
    rig.storeRoster([("bob@example.org", "Bob")])
    let event = MessageArrived(
      id: "1", from: try JID("bob@example.org/phone"), to: try JID("alice@example.org"), kind: .chat, body: "one")
    let record = ArrivedMessage(
      event, archiveID: nil, hasUniqueID: true, mayBeRepeated: false, time: Timestamp(milliseconds: 1_000))
    _ = try rig.store.messages.record(record)
    let friends = rig.fixture.session.features[FriendManager.self]
    var names: [String?] = []
    let presenter = rig.application.presenter(of: rig.fixture.session, on: rig.output) {
      names.append(friends.item(for: $0.from)?.name)
      return .shown
    }
    presenter.start()
    #expect(names == ["Bob"] && rig.fixture.connector.plans.isEmpty)
  }
}
