// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Testing

@testable import JackdawSession

@Suite("The connection keeper comes back")
struct ConnectionKeeperRetryingTests {
  @Test("waits twice as long each time, up to 64 s")
  func waitsTwiceAsLongEachTime() {
    var rig = KeeperRig()
    #expect(rig.tell(.started) == [.announce(.connecting), .connect(nil)])
    for seconds in [2, 4, 8, 16, 32, 64, 64, 64] as [Double] {
      let actions = rig.tell(.connectionEnded(.mayRetry("no answer")))
      #expect(actions == [.announce(.retrying, "no answer", retryIn: seconds)])
      #expect(rig.wait == Int64(seconds * 1000))
      #expect(rig.runToDeadline() == [.announce(.connecting), .connect(nil)])
    }
  }

  @Test("shortens each wait by up to a quarter, and says the real one", arguments: 0..<200)
  func shortensWaitsByUpToAQuarter(seed: UInt64) {
    var rig = KeeperRig(chance: seed &* 0x9E37_79B9_7F4A_7C15)
    rig.tell(.started)
    for full in [2000, 4000, 8000, 16000, 32000, 64000, 64000] as [Int64] {
      let actions = rig.tell(.connectionEnded(.mayRetry("lost")))
      guard case .announce(let change) = actions.first, let wait = rig.wait else {
        Issue.record("no wait")
        return
      }
      #expect((full * 3 / 4...full).contains(wait))
      #expect(change.retryIn == Double(wait) / 1000)
      _ = rig.runToDeadline()
    }
  }

  @Test("uses the whole quarter")
  func usesTheWholeQuarter() {
    var rig = KeeperRig(chance: .max)
    rig.tell(.started)
    rig.tell(.connectionEnded(.mayRetry("lost")))
    #expect(rig.wait == 1500)
  }

  @Test("begins anew after a minute online, and not before", arguments: [(59, 8000), (60, 2000), (3600, 2000)])
  func beginsAnewAfterAMinuteOnline(seconds: Int64, expected: Int64) {
    var rig = KeeperRig()
    rig.tell(.started)
    for _ in 0..<2 {
      rig.tell(.connectionEnded(.mayRetry("lost")))
      _ = rig.runToDeadline()
    }
    rig.tell(.wentOnline(resumed: false))
    rig.pass(.seconds(seconds))
    rig.tell(.connectionEnded(.mayRetry("lost")))
    #expect(rig.wait == expected)
  }

  @Test("never tries again after what another try cannot mend")
  func neverTriesAgainAfterFinalEndings() {
    let ending = ConnectionKeeper.Ending.final("wrong password")
    for wasOnline in [false, true] {
      var rig = KeeperRig()
      rig.tell(.started)
      if wasOnline { rig.tell(.wentOnline(resumed: false)) }
      #expect(
        rig.tell(.connectionEnded(ending)) == [.announce(.offline, ending.reason), .giveUp(ending)])
      #expect(rig.keeper.nextDeadline == nil)
      rig.pass(.seconds(1_000_000))
      for input in [.deadlinePassed, .surroundingsChanged, .resumed, .userActive, .started]
        as [ConnectionKeeper.Input]
      {
        #expect(rig.tell(input) == [])
      }
    }
  }

  @Test("tries again once soon, then with long waits, where nobody proved to be the server")
  func waitsLongWhereNothingIsVerified() {
    var rig = KeeperRig.online()
    for seconds in [2, 32, 64, 128, 256, 300, 300] as [Double] {
      let actions = rig.tell(.connectionEnded(.unverified("a portal")))
      #expect(actions == [.announce(.retrying, "a portal", retryIn: seconds)])
      #expect(rig.runToDeadline() == [.announce(.connecting), .connect(nil)])
    }
    // The ordinary waits are none the longer for it, nor is a change of network waited for.
    rig.tell(.connectionEnded(.mayRetry("lost")))
    #expect(rig.wait == 2000)
    _ = rig.runToDeadline()
    rig.tell(.connectionEnded(.unverified("a portal")))
    rig.pass(.seconds(10))
    #expect(rig.tell(.surroundingsChanged) == [.announce(.connecting), .connect(nil)])
    rig.tell(.wentOnline(resumed: false))
    rig.pass(.seconds(60))
    rig.tell(.connectionEnded(.unverified("a portal")))
    #expect(rig.wait == 2000)
  }

  @Test("a script's first connect ends with what nobody vouches for, too")
  func aScriptsFirstConnectIsUnverified() {
    var rig = KeeperRig(.script)
    rig.tell(.started)
    let ending = ConnectionKeeper.Ending.unverified("a portal")
    #expect(rig.tell(.connectionEnded(ending)) == [.announce(.offline, "a portal"), .giveUp(ending)])
  }

  @Test("tries again after what may pass")
  func triesAgainAfterPassingEndings() {
    let ending = ConnectionKeeper.Ending.mayRetry("reset")
    var rig = KeeperRig()
    rig.tell(.started)
    #expect(rig.tell(.connectionEnded(ending)) == [.announce(.retrying, ending.reason, retryIn: 2)])
  }

  @Test("a single command does not repeat its first connect, but does come back later")
  func aScriptDoesNotRepeatItsFirstConnect() {
    var rig = KeeperRig(.script)
    rig.tell(.started)
    let ending = ConnectionKeeper.Ending.mayRetry("refused")
    #expect(rig.tell(.connectionEnded(ending)) == [.announce(.offline, "refused"), .giveUp(ending)])

    rig = .online(.script)
    #expect(rig.tell(.connectionEnded(ending)) == [.announce(.retrying, "refused", retryIn: 2)])
    _ = rig.runToDeadline()
    #expect(rig.tell(.connectionEnded(ending)) == [.announce(.retrying, "refused", retryIn: 4)])
  }

  @Test("quitting ends all tries", arguments: 0..<5)
  func quittingEndsAllTries(stage: Int) {
    var rig = KeeperRig()
    if stage > 0 { rig.tell(.started) }
    if stage == 2 { rig.tell(.wentOnline(resumed: false)) }
    if stage == 3 { rig.tell(.connectionEnded(.mayRetry("lost"))) }
    if stage == 4 { rig.tell(.connectionEnded(.final("wrong password"))) }
    var told = rig.tell(.quit)
    if stage == 1 || stage == 2 { told += rig.tell(.connectionEnded(.mayRetry("closed"))) }
    #expect(told == [.announce(.offline)])
    #expect(rig.keeper.nextDeadline == nil)
    #expect(rig.tell(.reconnectRequested) == [])
    #expect(rig.tell(.deadlinePassed) == [])
    #expect(rig.tell(.quit) == [])
  }

  @Test("the user's wish to reconnect is carried out at once")
  func reconnectsAtOnceWhenAsked() {
    let connects: [ConnectionKeeper.Action] = [.announce(.connecting), .connect(nil)]
    var rig = KeeperRig.online()
    #expect(rig.tell(.reconnectRequested) == [.drop] + connects)
    #expect(rig.tell(.reconnectRequested) == [])
    for _ in 0..<3 {
      rig.tell(.connectionEnded(.mayRetry("lost")))
      #expect(rig.tell(.reconnectRequested) == connects)
    }
    rig.tell(.connectionEnded(.mayRetry("lost")))
    #expect(rig.wait == 2000)
    _ = rig.runToDeadline()
    rig.tell(.connectionEnded(.final("wrong password")))
    #expect(rig.tell(.reconnectRequested) == connects)
  }

  @Test("a change of network cuts a long wait short, but never below the first")
  func aChangeOfNetworkCutsALongWaitShort() {
    var rig = KeeperRig()
    rig.tell(.started)
    for _ in 0..<5 {
      rig.tell(.connectionEnded(.mayRetry("lost")))
      _ = rig.runToDeadline()
    }
    rig.tell(.connectionEnded(.mayRetry("lost")))
    #expect(rig.wait == 64000)
    rig.pass(.seconds(1))
    #expect(rig.tell(.surroundingsChanged) == [])
    #expect(rig.wait == 1000)
    #expect(rig.runToDeadline() == [.announce(.connecting), .connect(nil)])
    rig.tell(.connectionEnded(.mayRetry("lost")))
    rig.pass(.seconds(30))
    #expect(rig.tell(.resumed) == [.announce(.connecting), .connect(nil)])
  }

  @Test("a redirection is followed three times, then the server gets a rest")
  func followsThreeRedirections() {
    let elsewhere = HostPort(host: "b.example", port: 5223)
    var rig = KeeperRig()
    rig.tell(.started)
    for _ in 0..<3 {
      #expect(rig.tell(.redirected(elsewhere)) == [.announce(.connecting), .connect(elsewhere)])
    }
    #expect(
      rig.tell(.redirected(elsewhere)) == [.announce(.retrying, "The server redirects in a circle.", retryIn: 2)])
    #expect(rig.runToDeadline() == [.announce(.connecting), .connect(nil)])
    #expect(rig.tell(.redirected(elsewhere)) == [.announce(.connecting), .connect(elsewhere)])
  }

  @Test("two servers that log us in and then point at each other do not keep us running")
  func redirectionsAfterLogInCountToo() {
    let elsewhere = HostPort(host: "b.example", port: nil)
    var rig = KeeperRig.online()
    for _ in 0..<3 {
      #expect(rig.tell(.redirected(elsewhere)) == [.announce(.connecting), .connect(elsewhere)])
      rig.tell(.wentOnline(resumed: false))
      rig.pass(.seconds(59))
    }
    #expect(
      rig.tell(.redirected(elsewhere)) == [.announce(.retrying, "The server redirects in a circle.", retryIn: 2)])
  }

  @Test("a try that comes to nothing is dropped after a minute")
  func aTryThatComesToNothingIsDropped() {
    var rig = KeeperRig()
    rig.tell(.started)
    #expect(rig.wait == 60_000)
    #expect(rig.tell(.deadlinePassed) == [])
    #expect(rig.runToDeadline() == [.drop, .announce(.retrying, "The log-in took too long.", retryIn: 2)])
    #expect(rig.tell(.connectionEnded(.mayRetry("dropped"))) == [])
    #expect(rig.wait == 2000)
  }

  @Test("a try lasts no shorter than a log-in may, and than one that resumes a stream in vain and begins anew")
  func aTryLastsAsLongAsALogin() {
    var rig = KeeperRig(timeout: .seconds(300))
    rig.tell(.started)
    #expect(rig.wait == 600_000)
    rig = KeeperRig(timeout: .seconds(5))
    rig.tell(.started)
    #expect(rig.wait == 60_000)
  }

  @Test("a try lasts as long as the password is asked for, and has all of its time again afterwards")
  func hurriesNobodyWhoTypes() {
    var rig = KeeperRig()
    rig.tell(.started)
    rig.pass(.seconds(50))
    #expect(rig.tell(.passwordAsked) == [])
    #expect(rig.wait == nil)
    rig.pass(.seconds(1_000))
    #expect(rig.tell(.deadlinePassed) == [])
    #expect(rig.keeper.timeAsked(at: rig.now) == .seconds(1_000))
    #expect(rig.tell(.passwordAnswered) == [])
    #expect(rig.wait == 60_000)
    #expect(rig.runToDeadline().first == .drop)
    #expect(rig.keeper.timeAsked(at: rig.now) == .seconds(1_000))
    // What has its own reasons to ask changes nothing for a connection that stands.
    rig = .online()
    let wait = rig.wait
    rig.tell(.passwordAsked)
    #expect(rig.wait == wait)
  }

  @Test("tells a resumed stream from a new one")
  func tellsAResumedStreamFromANewOne() {
    var rig = KeeperRig.online()
    rig.tell(.connectionEnded(.mayRetry("lost")))
    _ = rig.runToDeadline()
    #expect(rig.tell(.wentOnline(resumed: true)) == [.announce(.resumed), .sendHeartbeat])
    #expect(rig.keeper.isOnline)
  }

  @Test("wants a sign of life of a stream that goes on, as that one may not")
  func wantsASignOfLifeOfAResumedStream() {
    var rig = KeeperRig.online()
    rig.tell(.connectionEnded(.mayRetry("lost")))
    _ = rig.runToDeadline()
    rig.tell(.wentOnline(resumed: true))
    #expect(rig.wait == 2_000)
    #expect(rig.runToDeadline().first == .drop)
  }
}
