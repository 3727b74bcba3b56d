// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTransport

/// Drives a race and writes down what it asks for, one line each.
private struct Course {
  var race: AddressRace
  var log: [String] = []

  init(_ targets: [ConnectionTarget], triedLast: [ConnectionPlace] = []) {
    race = AddressRace(domain: "chat.example", targets: targets, triedLast: triedLast)
    take(race.start())
  }

  mutating func take(_ actions: [AddressRace.Action]) {
    for action in actions {
      switch action {
      case .lookUp(let index): log.append("look up \(index)")
      case .open(let attempt): log.append("open \(attempt.id) \(attempt.address.host) \(attempt.address.port)")
      case .wait(let duration): log.append("wait \(duration)")
      case .win(let id): log.append("win \(id)")
      case .fail(let error): log.append("fail \(error.code.name): \(error.description)")
      }
    }
  }

  mutating func found(_ hosts: [String], _ index: Int = 0) {
    take(race.addressesFound(addresses(hosts, race.targets[index].port), target: index))
  }

  /// What was logged since the last call.
  mutating func news() -> [String] {
    defer { log = [] }
    return log
  }
}

private func addresses(_ hosts: [String], _ port: UInt16 = 5222) -> [SocketAddress] {
  hosts.compactMap { SocketAddress(literal: $0, port: port) }
}

private let plain = ConnectionTarget(host: "a.example", port: 5222, usesDirectTLS: false)
private let direct = ConnectionTarget(host: "b.example", port: 443, usesDirectTLS: true)
private let refused = TransportError(.unreachable, "connection refused", errno: 111)

@Suite struct AddressRaceTests {
  @Test(
    "addresses of IPv6 and IPv4 alternate",
    arguments: [
      (
        ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2"],
        ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2"]
      ),
      (["192.0.2.1", "192.0.2.2", "2001:db8::1"], ["192.0.2.1", "2001:db8::1", "192.0.2.2"]),
      (["192.0.2.1", "192.0.2.2"], ["192.0.2.1", "192.0.2.2"]),
      (["2001:db8::1"], ["2001:db8::1"]),
      ((1...20).map { "192.0.2.\($0)" }, (1...TransportLimits.addressesPerTarget).map { "192.0.2.\($0)" }),
    ])
  func familiesAlternate(found: [String], tried: [String]) {
    var course = Course([plain])
    course.found(found)
    for _ in found { course.take(course.race.waitElapsed()) }
    let opened = course.news().filter { $0.hasPrefix("open") }.map { $0.split(separator: " ")[2] }
    #expect(opened == tried.map { $0[...] })
  }

  @Test("an address that took a connection before a log-in came to nothing is tried after the others of its target")
  func triedLast() {
    let found = ["2001:db8::1", "192.0.2.1", "2001:db8::2"]
    for (last, tried) in [
      (["2001:db8::1"], ["192.0.2.1", "2001:db8::2", "2001:db8::1"]),
      (["192.0.2.1", "2001:db8::1"], ["2001:db8::2", "192.0.2.1", "2001:db8::1"]),
      (["2001:db8::2", "2001:db8::1", "192.0.2.1"], ["2001:db8::2", "2001:db8::1", "192.0.2.1"]),
      (["192.0.2.9"], ["2001:db8::1", "192.0.2.1", "2001:db8::2"]),
    ] {
      var course = Course(
        [plain], triedLast: addresses(last).map { ConnectionPlace(target: plain, address: $0) })
      course.found(found)
      for _ in found { course.take(course.race.waitElapsed()) }
      #expect(
        course.news().filter { $0.hasPrefix("open") }.map { $0.split(separator: " ")[2] } == tried.map { $0[...] })
    }
    // Of another target it says nothing.
    var course = Course(
      [plain], triedLast: addresses(["192.0.2.1"]).map { ConnectionPlace(target: direct, address: $0) })
    course.found(["192.0.2.1", "192.0.2.2"])
    #expect(course.news()[1] == "open 0 192.0.2.1 5222")
  }

  @Test("a far address has time before one of which nothing came before overtakes it")
  func headStart() {
    let silent = addresses(["192.0.2.1"]).map { ConnectionPlace(target: plain, address: $0) }
    var course = Course([plain], triedLast: silent)
    course.found(["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    #expect(course.news().last == "wait 0.25 seconds")
    course.take(course.race.waitElapsed())
    #expect(course.news() == ["open 1 192.0.2.3 5222", "wait 2.0 seconds"])
    course.take(course.race.waitElapsed())
    #expect(course.news() == ["open 2 192.0.2.1 5222", "wait 0.25 seconds"])
    // The same before a whole target, which is looked up only then.
    course = Course([direct, plain], triedLast: silent)
    course.found(["192.0.2.9"])
    #expect(course.news().last == "wait 2.0 seconds")
    // Nobody is waited for who has failed.
    course.take(course.race.attemptFailed(0, refused))
    #expect(course.news() == ["look up 1"])
  }

  @Test("whether there are other addresses is known of those that are not tried last and have not failed")
  func others() {
    func hasOthers(_ targets: [ConnectionTarget], _ hosts: [String], last: [String] = [], failed: Int = 0) -> Bool {
      var course = Course(targets, triedLast: addresses(last).map { ConnectionPlace(target: plain, address: $0) })
      course.found(hosts)
      for id in 0..<failed { course.take(course.race.attemptFailed(id, refused)) }
      course.take(course.race.connected(failed))
      #expect(course.news().last == "win \(failed)")
      return course.race.hasOthers
    }
    #expect(!hasOthers([plain], ["192.0.2.1"]))
    #expect(hasOthers([plain], ["192.0.2.1", "192.0.2.2"]))
    #expect(hasOthers([plain, direct], ["192.0.2.1"]))
    #expect(!hasOthers([plain], ["192.0.2.1", "192.0.2.2"], failed: 1))
    #expect(!hasOthers([plain], ["192.0.2.1", "192.0.2.2"], last: ["192.0.2.1"]))
    // One that is still being tried is one, too, whoever overtakes it.
    for last in [[], ["192.0.2.2"]] {
      var course = Course([plain], triedLast: addresses(last).map { ConnectionPlace(target: plain, address: $0) })
      course.found(["192.0.2.1", "192.0.2.2"])
      course.take(course.race.waitElapsed())
      course.take(course.race.connected(1))
      #expect(course.race.hasOthers)
    }
  }

  /// The IPv6 address is dead, the IPv4 address works (RFC 8305).
  @Test("after a quarter of a second a silent address is overtaken by the next one")
  func aSilentAddressIsPassedAfterTheStagger() {
    var course = Course([plain])
    #expect(course.news() == ["look up 0"])
    course.found(["2001:db8::1", "192.0.2.1"])
    #expect(course.news() == ["open 0 2001:db8::1 5222", "wait 0.25 seconds"])
    course.take(course.race.waitElapsed())
    #expect(course.news() == ["open 1 192.0.2.1 5222", "wait 0.25 seconds"])
    course.take(course.race.connected(1))
    #expect(course.news() == ["win 1"])
    // What comes later changes nothing.
    course.take(course.race.connected(0))
    course.take(course.race.waitElapsed())
    course.take(course.race.deadlineReached(after: .seconds(30)))
    #expect(course.news() == [])
  }

  @Test("when an address fails the next one is tried at once") func aFailureBringsTheNextAtOnce() {
    var course = Course([plain])
    course.found(["2001:db8::1", "192.0.2.1"])
    course.take(course.race.attemptFailed(0, refused))
    #expect(course.news().suffix(2) == ["open 1 192.0.2.1 5222", "wait 0.25 seconds"])
  }

  @Test("the first address may still win") func theFirstOneMayStillWin() {
    var course = Course([plain])
    course.found(["192.0.2.1", "192.0.2.2"])
    course.take(course.race.waitElapsed())
    course.take(course.race.connected(0))
    #expect(course.news().last == "win 0")
  }

  @Test("the next target is looked up when its turn comes") func theNextTargetIsLookedUpWhenItsTurnComes() {
    var course = Course([plain, direct])
    course.found(["192.0.2.1"])
    #expect(course.news().last == "wait 0.25 seconds")
    course.take(course.race.waitElapsed())
    #expect(course.news() == ["look up 1"])
    // The stagger is over already: no further wait.
    course.found(["192.0.2.9"], 1)
    #expect(course.news() == ["open 1 192.0.2.9 443", "wait 0.25 seconds"])
    course.take(course.race.attemptFailed(0, refused))
    #expect(course.news() == [])
    course.take(course.race.connected(1))
    #expect(course.news() == ["wait 2.0 seconds"])
    course.take(course.race.secured(1))
    #expect(course.news() == ["win 1"])
  }

  @Test("after a failed look-up the next target is tried") func aFailedLookUpGoesOnWithTheNextTarget() {
    var course = Course([plain, direct])
    course.take(course.race.lookUpFailed(TransportError(.unresolved, "The host a.example does not exist."), target: 0))
    #expect(course.news() == ["look up 0", "look up 1"])
    course.take(course.race.lookUpFailed(TransportError(.unresolved, "The host b.example does not exist."), target: 1))
    #expect(course.news() == ["fail unresolved: The host a.example does not exist."])
  }

  @Test("STARTTLS on another address does not overtake a TLS handshake that is under way")
  func aHandshakeUnderwayIsNotOvertakenByStartTLS() {
    var course = Course([direct, plain])
    course.found(["192.0.2.1"])
    course.take(course.race.waitElapsed())
    course.found(["192.0.2.2"], 1)
    course.take(course.race.connected(0))
    _ = course.news()
    course.take(course.race.connected(1))
    #expect(course.news() == [])
    course.take(course.race.secured(0))
    #expect(course.news() == ["win 0"])
  }

  @Test("a TLS handshake that hangs or fails gives way to the next address", arguments: [true, false])
  func aHandshakeThatHangsOrFailsGivesWay(fails: Bool) {
    var course = Course([direct, plain])
    course.found(["192.0.2.1"])
    course.take(course.race.waitElapsed())
    course.found(["192.0.2.2"], 1)
    course.take(course.race.connected(0))
    course.take(course.race.connected(1))
    course.take(fails ? course.race.attemptFailed(0, TransportError(.tls, "x")) : course.race.waitElapsed())
    #expect(course.news().last == "win 1")
  }

  @Test("a TLS handshake that hangs does not stop the next target") func aHandshakeThatHangsDoesNotStopTheNextTarget() {
    var course = Course([direct, plain])
    course.found(["192.0.2.1"])
    course.take(course.race.connected(0))
    course.take(course.race.waitElapsed())
    #expect(course.news().last == "look up 1")
    course.found(["192.0.2.2"], 1)
    course.take(course.race.connected(1))
    #expect(course.news().last == "win 1")
  }

  @Test("a connection for STARTTLS that comes long after a handshake's time is over is not held back for it")
  func aSlowConnectionBesideAHandshakeThatHangs() {
    // A far server takes longer than the head start that it has by itself.
    var course = Course([direct, plain])
    course.found(["192.0.2.1"])
    course.take(course.race.connected(0))
    course.take(course.race.waitElapsed())
    course.found(["192.0.2.2"], 1)
    course.take(course.race.waitElapsed())
    _ = course.news()
    course.take(course.race.connected(1))
    #expect(course.news() == ["win 1"])
    // The same where another address fails meanwhile, which cuts the handshake's time short.
    course = Course([direct, plain])
    course.found(["192.0.2.1"])
    course.take(course.race.waitElapsed())
    course.found(["192.0.2.2", "192.0.2.3"], 1)
    course.take(course.race.connected(0))
    course.take(course.race.attemptFailed(1, refused))
    course.take(course.race.waitElapsed())
    _ = course.news()
    course.take(course.race.connected(2))
    #expect(course.news() == ["win 2"])
  }

  @Test("when all fail the error names the addresses") func allFailedNamesTheAddresses() {
    var course = Course([plain])
    course.found(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"])
    for id in 0..<5 { course.take(course.race.attemptFailed(id, refused)) }
    #expect(
      course.news().last
        == "fail unreachable: chat.example cannot be reached (192.0.2.1 port 5222: connection refused; "
        + "192.0.2.2 port 5222: connection refused; 192.0.2.3 port 5222: connection refused; and 2 more).")
  }

  /// A certificate failure is reported when no other target did better.
  @Test("of several failures that of the certificate is reported") func aCertificateFailureIsTheOneThatIsTold() {
    let certificate = TransportError(.certificate, "The certificate of chat.example expired.")
    for order in [[certificate, refused], [refused, certificate]] {
      var course = Course([direct])
      course.found(["192.0.2.1", "192.0.2.2"])
      for (id, error) in order.enumerated() {
        course.take(course.race.connected(id))
        course.take(course.race.attemptFailed(id, error))
      }
      #expect(course.news().last == "fail certificate: The certificate of chat.example expired.")
    }
    var slow = Course([direct])
    slow.found(["192.0.2.1", "192.0.2.2"])
    slow.take(slow.race.attemptFailed(0, certificate))
    slow.take(slow.race.deadlineReached(after: .seconds(30)))
    #expect(slow.news().last == "fail certificate: The certificate of chat.example expired.")
  }

  /// A server that is silent at any phase.
  @Test("the deadline's error names what was waited for") func theDeadlineNamesWhatIsWaitedFor() {
    var course = Course([plain])
    course.take(course.race.deadlineReached(after: .seconds(30)))
    #expect(
      course.news().last
        == "fail timed-out: No connection to chat.example in 30 s: the look-up of a.example is not answered.")
    course = Course([plain])
    course.found(["192.0.2.1", "192.0.2.2"])
    course.take(course.race.waitElapsed())
    course.take(course.race.deadlineReached(after: .seconds(30)))
    #expect(
      course.news().last
        == "fail timed-out: No connection to chat.example in 30 s: no answer from 192.0.2.1 port 5222 and 1 more.")
    course = Course([direct])
    course.found(["192.0.2.1"])
    course.take(course.race.connected(0))
    course.take(course.race.deadlineReached(after: .milliseconds(5500)))
    #expect(
      course.news().last
        == "fail timed-out: No connection to chat.example in 5.5 s: "
        + "192.0.2.1 port 443 does not finish the TLS handshake."
    )
  }

  @Test("an event that was not asked for is ignored") func whatWasNotAskedForIsIgnored() {
    var course = Course([plain, direct])
    course.take(course.race.addressesFound(addresses(["192.0.2.1"]), target: 1))
    course.take(course.race.lookUpFailed(refused, target: 7))
    course.take(course.race.connected(3))
    course.take(course.race.secured(3))
    course.take(course.race.attemptFailed(3, refused))
    #expect(course.news() == ["look up 0"])
    course.found(["192.0.2.1"])
    course.take(course.race.addressesFound(addresses(["192.0.2.1"]), target: 0))
    #expect(course.news() == ["open 0 192.0.2.1 5222", "wait 0.25 seconds"])
  }
}
