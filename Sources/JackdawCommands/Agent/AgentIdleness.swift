// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What becomes of an agent that nobody needs: it gives back memory after a while, and ends after long enough.
@Client final class AgentIdleness {
  private let server: AgentServer
  private let limit: Duration?
  private let clock: any LoopClock
  private let rest: @Client () -> Void
  private let end: @Client () -> Void
  private var resting: LoopTimer?
  private var ending: LoopTimer?

  /// - Parameters:
  ///   - limit: nil: it remains online.
  ///   - rest: done once, ``CommandLimits/agentRest`` after the last client has gone.
  init(
    of server: AgentServer, limit: Duration?, clock: any LoopClock, rest: @escaping @Client () -> Void,
    end: @escaping @Client () -> Void
  ) {
    self.server = server
    self.limit = limit
    self.clock = clock
    self.rest = rest
    self.end = end
    server.onChange = { [weak self] in self?.changed() }
    changed()
  }

  private func changed() {
    (resting, ending) = (nil, nil)
    guard server.clientCount == 0 else { return }
    resting = clock.schedule(after: CommandLimits.agentRest) { [rest] in rest() }
    ending = limit.map { clock.schedule(after: $0) { [end] in end() } }
  }
}
