// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML

/// The cost of one request, from tracking to its answer, beside few and many others that wait with deadlines of their own.
@Client enum TrackerMeasurement {
  private static let few = 10
  private static let many = 100_000
  private static let requestsARound = 20_000
  private static let rounds = 15

  static func run() throws {
    let beside = (few: try tracker(holding: few), many: try tracker(holding: many))
    let pairs = (0..<requestsARound).map { pair("measured-\($0)") }
    var least = (few: Double.infinity, many: Double.infinity)
    // In turns, so that what else the machine does hits both.
    for _ in 0..<rounds {
      least.few = min(least.few, try nanoseconds(pairs, beside.few))
      least.many = min(least.many, try nanoseconds(pairs, beside.many))
    }
    precondition(beside.few.count == few && beside.many.count == many, "a request was left or lost")
    print(
      "one request beside \(few): \(Int(least.few)) ns, beside \(many): \(Int(least.many)) ns, "
        + "best of \(rounds) rounds of \(requestsARound)")
    print("tracker_\(many)_vs_\(few) \((least.many / least.few * 1000).rounded() / 1000)")
  }

  private static func tracker(holding count: Int) throws -> IQTracker {
    let tracker = IQTracker(clock: StandingClock())
    tracker.account = try JID("me@example.org/jackdaw")
    let ids = StanzaIDSource()
    for number in 0..<count {
      // Deadlines in no order.
      let seconds = Int64(1 + number &* 7_919 % 86_400)
      try tracker.track(id: ids.next(), info: (), timeout: .seconds(seconds)) { _, _ in }
    }
    return tracker
  }

  private static func pair(_ id: String) -> (request: Element, answer: Element) {
    let friend = "friend@example.org/phone"
    return (
      Element("iq", Namespace.client, ["type": "get", "id": id, "to": friend], [Element("ping", "urn:xmpp:ping")]),
      Element("iq", Namespace.client, ["type": "result", "id": id, "from": friend])
    )
  }

  private static func nanoseconds(
    _ pairs: [(request: Element, answer: Element)], _ tracker: IQTracker
  ) throws -> Double {
    var answered = 0
    let start = processorTime()
    for pair in pairs {
      try tracker.track(pair.request, info: (), timeout: .seconds(30)) { _, _ in answered += 1 }
      tracker.resolve(pair.answer)
    }
    let taken = processorTime() - start
    precondition(answered == pairs.count, "a request was not answered")
    return taken / Double(pairs.count) * 1e9
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Always the same moment; nothing is ever due.
@Client final class StandingClock: LoopClock {
  let now = MonotonicTime(nanoseconds: 1_000_000_000)

  func schedule(at deadline: MonotonicTime, _ action: @escaping @Client () -> Void) -> LoopTimer { LoopTimer {} }
  func nextTurn(_ action: @escaping @Client () -> Void) {}
  let suspendedTime = Duration.zero
  func onWake(_ action: @escaping @Client () -> Void) -> WakeWatch { WakeWatch {} }
}
