// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Has messages pass the stages in the order in which they came. Where a stage takes its time with one (keys are fetched), those
/// behind it wait, in memory: nothing of them is acknowledged to the server until then.
@Client final class InboundPipeline {
  private let routes: RouteTable
  private let clock: any LoopClock
  private let remark: @Client (String) -> Void
  /// Called when nothing waits any more.
  var onIdle: (@Client () -> Void)?

  /// The message that a stage takes its time with.
  private var current: Passage.Later?
  private var deadline: LoopTimer?
  /// Those behind it, from `next` on.
  private var waiting: [InboundMessage] = []
  private var next = 0

  init(_ routes: RouteTable, clock: any LoopClock, remark: @escaping @Client (String) -> Void) {
    self.routes = routes
    self.clock = clock
    self.remark = remark
  }

  /// Nothing waits: whatever came has passed its stages.
  var isIdle: Bool { current == nil }

  /// A message came on the stream.
  func take(_ message: consuming InboundMessage) {
    guard isIdle else {
      waiting.append(consume message)
      // A stage that does not end must not fill the memory.
      if waiting.count - next > SessionLimits.messagesBehindStage { passUnchanged() }
      return
    }
    proceed(routes.pass(consume message))
  }

  /// The session is over: nobody waits for a stage any more.
  func end() {
    while !isIdle { passUnchanged() }
  }

  private func proceed(_ passage: Passage) {
    guard case .later(let later) = passage else { return }
    current = later
    deadline = clock.schedule(after: SessionLimits.stagePatience) { [weak self] in
      guard let self, current === later else { return }
      remark("A message is shown as it came: processing it took too long.")
      passUnchanged()
    }
    EventLoop.main.start { [weak self] in
      let known = await later.outcome()
      self?.isKnown(known, of: later)
    }
  }

  private func isKnown(_ message: InboundMessage?, of later: Passage.Later) {
    // It may have gone on without.
    guard current === later else { return }
    current = nil
    if let message { proceed(routes.pass(message, behind: later)) }
    drain()
  }

  private func passUnchanged() {
    guard let later = current else { return }
    current = nil
    proceed(routes.pass(later.message, behind: later))
    drain()
  }

  private func drain() {
    while isIdle, next < waiting.count {
      let message = waiting[next]
      next += 1
      proceed(routes.pass(message))
    }
    guard isIdle else { return }
    (waiting, next, deadline) = ([], 0, nil)
    onIdle?()
  }
}
