// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import Testing

@testable import JackdawSession

@Suite("The connection keeper looks for signs of life")
struct ConnectionKeeperLivenessTests {
  @Test("asks after a minute of silence, and again after the next")
  func asksAfterAMinuteOfSilence() {
    var rig = KeeperRig.online()
    for _ in 0..<3 {
      #expect(rig.wait == 60_000)
      #expect(rig.runToDeadline() == [.sendHeartbeat])
      rig.pass(.seconds(1))
      #expect(rig.tell(.heartbeatAnswered) == [])
    }
  }

  @Test("traffic puts the question off")
  func trafficPutsTheQuestionOff() {
    var rig = KeeperRig.online()
    rig.pass(.seconds(59))
    #expect(rig.tell(.trafficReceived) == [])
    rig.pass(.seconds(1))
    #expect(rig.tell(.deadlinePassed) == [])
    #expect(rig.wait == 59_000)
  }

  @Test("half-open: a server that does not answer in 15 s is gone")
  func aServerThatDoesNotAnswerIsGone() {
    var rig = KeeperRig.online()
    _ = rig.runToDeadline()
    #expect(rig.wait == 15_000)
    let actions = rig.runToDeadline()
    #expect(actions == [.drop, .announce(.retrying, "The server does not answer any more.", retryIn: 2)])
    #expect(rig.now == MonotonicTime(nanoseconds: 75_000_000_000))
  }

  @Test("a slow line that still brings something is not dead")
  func aSlowLineIsNotDead() {
    var rig = KeeperRig.online()
    _ = rig.runToDeadline()
    for _ in 0..<20 {
      rig.pass(.seconds(10))
      #expect(rig.tell(.deadlinePassed) == [])
      rig.tell(.trafficReceived)
      #expect(rig.wait == 15_000)
    }
    rig.tell(.heartbeatAnswered)
    #expect(rig.wait == 60_000)
  }

  @Test(
    "a resumed stream is proved within the time that the log-in took, but in no less than 2 s and no more than 15 s",
    arguments: [(0, 2_000), (500, 2_000), (3_500, 3_500), (40_000, 15_000)] as [(Int64, Int64)])
  func aResumedStreamIsProvedSoon(login: Int64, wait: Int64) {
    var rig = KeeperRig()
    rig.tell(.started)
    rig.pass(.milliseconds(login))
    #expect(rig.tell(.wentOnline(resumed: true)).last == .sendHeartbeat)
    #expect(rig.wait == wait)
    let start = rig.now
    #expect(rig.runToDeadline().first == .drop)
    #expect(rig.now - start == .milliseconds(wait))
  }

  @Test("a resumed stream that is proved is looked after as any other")
  func aProvedStreamIsAnyStream() {
    var rig = KeeperRig.resumed()
    rig.pass(.seconds(1))
    rig.tell(.heartbeatAnswered)
    #expect(rig.wait == 60_000)
    #expect(rig.runToDeadline() == [.sendHeartbeat])
    #expect(rig.wait == 15_000)
  }

  @Test("a server that says much on a resumed stream, but never that it hears us, is left after a minute")
  func whatOthersSayIsNoProof() {
    var rig = KeeperRig.resumed()
    for _ in 0..<59 {
      rig.pass(.seconds(1))
      #expect(rig.tell(.deadlinePassed) == [])
      rig.tell(.trafficReceived)
    }
    #expect(rig.wait == 1_000)
    #expect(rig.runToDeadline().first == .drop)
  }

  @Test("a resumed stream that we slept on is asked anew")
  func aResumedStreamThatWeSleptOnIsAskedAnew() {
    var rig = KeeperRig.resumed(.script)
    rig.pass(.seconds(3600))
    #expect(rig.tell(.deadlinePassed) == [.sendHeartbeat])
    #expect(rig.wait == 2_000)
    #expect(rig.runToDeadline().first == .drop)
  }

  @Test("what lay in the kernel's buffer while the machine slept does not answer the question")
  func bufferedBytesDoNotAnswerTheQuestion() {
    var rig = KeeperRig.online()
    #expect(rig.tell(.surroundingsChanged) == [.sendHeartbeat])
    rig.tell(.trafficReceived)
    #expect(rig.runToDeadline().first == .drop)
  }

  @Test("clock jump, suspend: a deadline that we slept through is not held against the server")
  func aDeadlineThatWeSleptThroughCountsAnew() {
    var rig = KeeperRig.online(.script)
    _ = rig.runToDeadline()
    rig.pass(.seconds(3600))
    #expect(rig.tell(.deadlinePassed) == [.sendHeartbeat])
    #expect(rig.wait == 15_000)
    #expect(rig.runToDeadline().first == .drop)
  }

  @Test("Ctrl-Z makes the session inactive; back again the link is proved at once")
  func suspendingAndComingBack() {
    var rig = KeeperRig.online()
    #expect(rig.tell(.suspended) == [.sendInactive])
    rig.pass(.seconds(10))
    #expect(rig.tell(.resumed) == [.sendHeartbeat, .sendActive])
    #expect(rig.wait == 15_000)
  }

  @Test("the heartbeat is slower while the user is away, and a dead link is found within 150 s all the same")
  func theHeartbeatIsPacedWhenInactive() {
    var rig = KeeperRig.online(.script)
    #expect(rig.tell(.userInactive) == [.sendInactive])
    #expect(rig.tell(.userInactive) == [])
    #expect(rig.wait == 120_000)
    #expect(rig.runToDeadline() == [.sendHeartbeat])
    #expect(rig.runToDeadline().first == .drop)
    #expect(rig.now <= MonotonicTime(nanoseconds: 150_000_000_000))
  }

  @Test("ten minutes without a key count as away; the next key as back")
  func idlenessCountsAsAway() {
    var rig = KeeperRig.online()
    var sent: [ConnectionKeeper.Action] = []
    while sent.last != .sendInactive, sent.count < 100 {
      sent += rig.runToDeadline()
      rig.tell(.heartbeatAnswered)
    }
    #expect(rig.now == MonotonicTime(nanoseconds: 600_000_000_000))
    #expect(rig.tell(.userActive) == [.sendActive])
    #expect(rig.tell(.userActive) == [])
  }

  @Test("a program that listens is never away")
  func aScriptIsNeverAway() {
    var rig = KeeperRig.online(.script)
    for _ in 0..<100 {
      #expect(rig.runToDeadline() == [.sendHeartbeat])
      rig.tell(.heartbeatAnswered)
    }
  }

  @Test("keys put idleness off")
  func keysPutIdlenessOff() {
    var rig = KeeperRig.online()
    for _ in 0..<100 {
      rig.pass(.seconds(50))
      rig.tell(.userActive)
      rig.tell(.trafficReceived)
      #expect(rig.tell(.deadlinePassed) == [])
    }
  }

  @Test("a new stream is told that the user is away", arguments: [false, true])
  func aNewStreamIsToldThatTheUserIsAway(resumed: Bool) {
    var rig = KeeperRig.online()
    rig.tell(.userInactive)
    rig.tell(.connectionEnded(.mayRetry("lost")))
    _ = rig.runToDeadline()
    let actions = rig.tell(.wentOnline(resumed: resumed))
    #expect(actions.prefix(2) == [.announce(resumed ? .resumed : .online), .sendInactive])
  }

  @Test("offline nothing is sent")
  func offlineNothingIsSent() {
    var rig = KeeperRig()
    for input in [
      .userInactive, .userActive, .suspended, .resumed, .surroundingsChanged, .trafficReceived, .heartbeatAnswered,
      .deadlinePassed, .wentOnline(resumed: false), .connectionEnded(.mayRetry("?")),
      .redirected(HostPort(host: "b.example", port: nil)),
    ] as [ConnectionKeeper.Input] {
      #expect(rig.tell(input) == [])
    }
    #expect(rig.keeper.nextDeadline == nil)
  }

  @Test("every order of inputs leaves a keeper that has a deadline or has said why it has none")
  func noOrderOfInputsLeavesTheKeeperStuck() {
    let inputs: [ConnectionKeeper.Input] = [
      .started, .wentOnline(resumed: false), .wentOnline(resumed: true), .connectionEnded(.mayRetry("lost")),
      .redirected(HostPort(host: "b.example", port: 1)), .trafficReceived, .heartbeatAnswered,
      .deadlinePassed, .userActive, .userInactive, .suspended, .resumed, .surroundingsChanged, .reconnectRequested,
    ]
    var chance = SystemRandomNumberGenerator()
    var rig = KeeperRig()
    rig.tell(.started)
    for _ in 0..<20_000 {
      rig.pass(.milliseconds(Int64.random(in: 0...90_000, using: &chance)))
      for action in rig.tell(inputs.randomElement(using: &chance) ?? .started) {
        if case .giveUp = action { Issue.record("gave up") }
      }
      #expect(rig.keeper.nextDeadline != nil)
      // At its own deadline a keeper always does something or moves the deadline: no owner can spin.
      let before = rig.keeper.nextDeadline
      #expect(!rig.runToDeadline().isEmpty || rig.keeper.nextDeadline != before)
    }
  }

  @Test("several who tell of one waking up make one question")
  func wakingUpIsOneQuestion() {
    var rig = KeeperRig.online()
    #expect(rig.tell(.surroundingsChanged) == [.sendHeartbeat])
    #expect(rig.tell(.resumed) == [])
    rig.pass(.seconds(1))
    #expect(rig.tell(.surroundingsChanged) == [.sendHeartbeat])
  }

  @Test(
    "notices a sleep by the time that the machine was suspended",
    arguments: [(0, false), (1, false), (3, true), (3600, true), (-5, false)] as [(Int64, Bool)])
  func noticesASleep(seconds: Int64, isSleep: Bool) {
    var jump = ConnectionKeeper.ClockJump()
    let start = Duration.seconds(7200)
    // What was before us is no sleep of ours.
    let heard = [start, start + .seconds(seconds), start + .seconds(seconds)].map { jump.noted($0) }
    #expect(heard == [false, isSleep, false])
  }
}
