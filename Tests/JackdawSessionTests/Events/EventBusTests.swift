// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawSession

@Client @Suite("The event bus", .onLoop) struct EventBusTests {
  let clock = ManualClock()
  let log = Log()
  let bus: EventBus
  let bob: JID
  let eve: JID

  init() throws {
    let log = log
    bus = EventBus(clock: clock) { log.note("\($0)") }
    bob = try JID("bob@example.org/phone")
    eve = try JID("eve@example.org/web")
  }

  private func typing(_ from: JID) -> TypingChanged { TypingChanged(from: from, state: .composing) }

  private func note(_ word: String) -> @Client (TypingChanged) throws -> Void {
    { [log] event in log.note("\(word) \(event.from.localpart ?? "")") }
  }

  @Test("delivers to the topic's subscribers, then the type's, then everyone's, each in the order of subscribing")
  func deliversInOrder() {
    let tokens = [
      bus.onAny { log.note("any1 \($0.name)") },
      bus.on(TypingChanged.self, note("type1")),
      bus.on(TypingChanged.self, topics: bob, handler: note("topic1")),
      bus.on(TypingChanged.self, note("type2")),
      bus.on(TypingChanged.self, topics: bob, eve, handler: note("topic2")),
      bus.onAny { log.note("any2 \($0.name)") },
    ]
    bus.post(typing(bob))
    #expect(log.lines == ["topic1 bob", "topic2 bob", "type1 bob", "type2 bob", "any1 typing", "any2 typing"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a topic's subscriber gets nothing else, and no topic is not every topic")
  func aTopicsSubscriberGetsNothingElse() throws {
    let tokens = [
      bus.on(TypingChanged.self, topics: bob, handler: note("bob")),
      bus.on(TypingChanged.self, topics: [], note("none")),
      bus.on(PresenceChanged.self) { _ in log.note("presence") },
      bus.on(ConnectionChanged.self, topics: bob) { _ in log.note("connection") },
    ]
    bus.post(typing(eve))
    bus.post(typing(try JID("bob@example.com")))
    bus.post(typing(try JID("example.org")))
    bus.post(ConnectionChanged(state: .online))
    #expect(log.lines == [])
    withExtendedLifetime(tokens) {}
  }

  @Test("several topics share one token; one named twice counts once, and resources do not count")
  func severalTopicsShareOneToken() throws {
    let token = bus.on(TypingChanged.self, topics: bob, eve, bob.bare, handler: note("x"))
    bus.post(typing(bob))
    bus.post(typing(eve))
    bus.post(typing(try JID("bob@example.org/other")))
    #expect(log.lines == ["x bob", "x eve", "x bob"])
    token.cancel()
    bus.post(typing(bob))
    bus.post(typing(eve))
    #expect(log.lines.count == 3)
  }

  @Test("a token that is released or cancelled means silence", arguments: [false, true])
  func aReleasedTokenMeansSilence(released: Bool) {
    var typed: Subscription? = bus.on(TypingChanged.self, note("type"))
    var topical: Subscription? = bus.on(TypingChanged.self, topics: bob, handler: note("topic"))
    var any: Subscription? = bus.onAny { _ in log.note("any") }
    bus.post(typing(bob))
    #expect(log.lines.count == 3)
    if released {
      (typed, topical, any) = (nil, nil, nil)
    } else {
      for token in [typed, topical, any] {
        token?.cancel()
        token?.cancel()
        #expect(token?.isActive == false)
      }
    }
    bus.post(typing(bob))
    #expect(log.lines.count == 3)
  }

  @Test("a bag ends all its subscriptions, emptied or released")
  func aBagEndsAll() {
    var bag: SubscriptionBag? = SubscriptionBag()
    for number in 0..<3 { bag.map { bus.on(TypingChanged.self, note("\(number)")).store(in: $0) } }
    bus.post(typing(bob))
    #expect(log.lines.count == 3 && bag?.count == 3)
    bag?.removeAll()
    bus.post(typing(bob))
    #expect(log.lines.count == 3)
    bag.map { bus.on(TypingChanged.self, note("again")).store(in: $0) }
    bag = nil
    bus.post(typing(bob))
    #expect(log.lines.count == 3)
  }

  @Test("an event posted by a handler is delivered whole before the outer one goes on")
  func nestedPosting() {
    let tokens = [
      bus.on(TypingChanged.self) { event in
        log.note("first \(event.from.localpart ?? "")")
        if event.from == bob { bus.post(typing(eve)) }
      },
      bus.on(TypingChanged.self, note("second")),
    ]
    bus.post(typing(bob))
    #expect(log.lines == ["first bob", "first eve", "second eve", "second bob"])
    withExtendedLifetime(tokens) {}
  }

  @Test("cancelled in mid-delivery is not called; subscribed in mid-delivery begins with the next event")
  func changingTheBusInAHandler() {
    var later: [Subscription] = []
    var doomed: [Subscription] = []
    let first = bus.on(TypingChanged.self, topics: bob) { _ in
      log.note("first")
      doomed.removeAll()
      guard later.isEmpty else { return }
      later = [
        bus.on(TypingChanged.self, topics: bob, handler: note("later topic")),
        bus.on(TypingChanged.self, note("later type")), bus.onAny { _ in log.note("later any") },
      ]
    }
    doomed = [
      bus.on(TypingChanged.self, topics: bob, handler: note("doomed")), bus.on(TypingChanged.self, note("doomed")),
      bus.onAny { _ in log.note("doomed") },
    ]
    let last = bus.on(TypingChanged.self, note("last"))
    bus.post(typing(bob))
    #expect(log.lines == ["first", "last bob"])
    bus.post(typing(bob))
    #expect(log.lines.dropFirst(2) == ["first", "later topic bob", "last bob", "later type bob", "later any"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("a handler may cancel itself, once and for all")
  func aHandlerMayCancelItself() {
    var token: Subscription?
    token = bus.on(TypingChanged.self) { _ in
      log.note("once")
      token = nil
      bus.post(typing(eve))
    }
    bus.post(typing(bob))
    bus.post(typing(bob))
    #expect(log.lines == ["once"] && token == nil)
  }

  @Test("a handler that throws is reported and disturbs no other")
  func aThrowingHandlerDisturbsNoOther() {
    let tokens = [
      bus.on(TypingChanged.self) { _ in throw Reason("disk full") },
      bus.on(TypingChanged.self, note("second")),
    ]
    bus.post(typing(bob))
    #expect(log.lines == ["A handler of 'typing' failed: disk full", "second bob"])
    withExtendedLifetime(tokens) {}
  }

  @Test("postLater delivers on the next turn, in order, and not after the bus")
  func postLater() async {
    let token = bus.on(TypingChanged.self, note("got"))
    bus.postLater(typing(bob))
    bus.postLater(typing(eve))
    #expect(log.lines == [])
    await clock.settle()
    #expect(log.lines == ["got bob", "got eve"])

    var shortLived: EventBus? = EventBus(clock: clock)
    let other = shortLived?.on(TypingChanged.self, note("late"))
    shortLived?.postLater(typing(bob))
    shortLived = nil
    await clock.settle()
    #expect(log.lines.count == 2)
    withExtendedLifetime((token, other)) {}
  }

  @Test("neither bus nor subscriptions keep their owner alive")
  func noCycleKeepsAnOwnerAlive() {
    @Client final class Owner {
      let bus: EventBus
      let bag = SubscriptionBag()
      let log: Log
      init(clock: ManualClock, log: Log) {
        self.bus = EventBus(clock: clock)
        self.log = log
        bus.on(TypingChanged.self) { [weak self] _ in self?.log.note("alive") }.store(in: bag)
        bus.onAny { [weak self] _ in self?.log.note("alive") }.store(in: bag)
      }
    }
    var owner: Owner? = Owner(clock: clock, log: log)
    owner.map { $0.bus.post(typing(bob)) }
    #expect(log.lines == ["alive", "alive"])
    weak let goneOwner = owner
    weak let goneBus = owner?.bus
    owner = nil
    #expect(goneOwner == nil && goneBus == nil)
  }

  @Test("a cancelled subscription lets go of what its handler held")
  func aCancelledSubscriptionLetsGo() {
    final class Held {}
    var held: Held? = Held()
    weak let gone = held
    let token = bus.on(TypingChanged.self) { [held] _ in _ = held }
    let other = bus.on(TypingChanged.self, note("other"))
    held = nil
    #expect(gone != nil)
    token.cancel()
    #expect(gone == nil)
    withExtendedLifetime(other) {}
  }

  @Test("a hundred thousand subscriptions come and go without a square")
  func manySubscriptions() {
    var tokens = (0..<100_000).map { _ in bus.on(TypingChanged.self) { _ in log.note("x") } }
    tokens.removeLast(99_999)
    bus.post(typing(bob))
    #expect(log.lines == ["x"])
    tokens.removeAll()
    bus.post(typing(bob))
    #expect(log.lines == ["x"])
  }

  @Test("what is cancelled is cleared away, in whatever order", arguments: [1, 2, 3, 1000])
  func whatIsCancelledIsClearedAway(count: Int) throws {
    var list = EventHandlerList<TypingChanged>()
    for number in 0..<count { list.append(EventHandler(number) { _ in }) }
    var left = count
    for number in (0..<count).shuffled() {
      let handler = try #require(list.handler(number))
      #expect(handler.number == number && handler.call != nil)
      handler.cancel()
      list.noteCancelled()
      left -= 1
      #expect(list.handler(number)?.call == nil)
      #expect(list.handlers.count <= 2 * left)
    }
    #expect(list.isEmpty)
  }
}
