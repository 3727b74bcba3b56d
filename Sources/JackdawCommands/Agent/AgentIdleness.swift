// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Ends an agent that nobody has needed for long enough.
@Client final class AgentIdleness {
  private let server: AgentServer
  private let limit: Duration
  private let clock: any LoopClock
  private let end: @Client () -> Void
  private var timer: LoopTimer?

  init(of server: AgentServer, limit: Duration, clock: any LoopClock, end: @escaping @Client () -> Void) {
    self.server = server
    self.limit = limit
    self.clock = clock
    self.end = end
    server.onChange = { [weak self] in self?.changed() }
    changed()
  }

  private func changed() {
    timer = server.clientCount > 0 ? nil : clock.schedule(after: limit) { [end] in end() }
  }
}
