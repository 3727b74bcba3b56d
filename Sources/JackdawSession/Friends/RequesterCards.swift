// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Asks for the vCards of those who want to be friends, when the user wants that: a few at a time, each with a deadline, and no
/// more than ``SessionLimits/requesterCardsOfStream`` however many ask.
@Client final class RequesterCards {
  private let context: FeatureContext
  /// Is given what somebody's server said; nil: there is no card.
  private let found: @Client (JID, RequesterCard?) -> Void
  /// Bounded by the cards that are asked for on one stream.
  private var waiting: [JID] = []
  /// Those who wait or are being asked.
  /// Bounded by the cards that are asked for on one stream.
  private var open: Set<JID> = []
  private var running = 0
  /// How many were asked for on this stream, or are waiting to be.
  private var taken = 0
  /// Of the present stream: answers to earlier questions do not count.
  private var round: UInt64 = 0
  private let idle = WaitingList<Void>()

  init(_ context: FeatureContext, found: @escaping @Client (JID, RequesterCard?) -> Void) {
    self.context = context
    self.found = found
  }

  /// Asks for the card of `jid` when it is their turn.
  func ask(_ jid: JID) {
    guard taken < SessionLimits.requesterCardsOfStream, open.insert(jid).inserted else { return }
    taken += 1
    waiting.append(jid)
    startWaiting()
  }

  /// The stream is gone: nobody is asked any more, and whose answer is missing counts as not asked.
  func stop() {
    round += 1
    waiting = []
    open = []
    running = 0
    taken = 0
    idle.end(.success(()))
  }

  /// Waits until everybody has been asked, at most `limit`.
  func wait(for limit: Duration) async throws {
    guard !open.isEmpty else { return }
    do {
      try await idle.wait(for: limit, on: context.clock) { Late() }
    } catch is Late {
      // What is missing is missing in one list.
    }
  }

  private struct Late: Error {}

  private func startWaiting() {
    while running < SessionLimits.requesterCards, !waiting.isEmpty {
      let jid = waiting.removeFirst()
      running += 1
      let round = round
      EventLoop.main.start { [weak self] in await self?.run(jid, round) }
    }
  }

  private func run(_ jid: JID, _ round: UInt64) async {
    let patience = min(context.timeout, SessionLimits.requesterCardPatience)
    // No card, or none in time: both are an answer, unless the stream is gone.
    let card = try? await context.links.requesterCard?(jid, patience)
    guard round == self.round else { return }
    running -= 1
    open.remove(jid)
    found(jid, card ?? nil)
    startWaiting()
    if open.isEmpty { idle.end(.success(())) }
  }
}
