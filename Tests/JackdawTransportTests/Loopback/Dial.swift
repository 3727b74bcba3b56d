// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

@testable import JackdawTransport

/// One call of `connect` that goes on beside the test.
@Client final class Dial {
  private(set) var transport: (any Transport)?
  private(set) var security: TransportSecurity?
  private(set) var error: (any Error)?
  private let progress: Progress
  private var task: Task<Void, Never>?

  init(_ connector: Connector, _ plan: ConnectionPlan, _ progress: Progress) {
    self.progress = progress
    task = Task(executorPreference: EventLoop.main) { await self.run(connector, plan) }
  }

  private func run(_ connector: Connector, _ plan: ConnectionPlan) async {
    do {
      let outcome = try await connector.connect(plan)
      transport = outcome.transport
      security = outcome.security
    } catch {
      self.error = error
    }
    task = nil
    progress.happened()
  }

  func cancel() { task?.cancel() }

  var isOver: Bool { transport != nil || error != nil }
  var code: TransportError.Code? { (error as? TransportError)?.code }
  var sentence: String? { (error as? TransportError)?.description }

  func untilOver() async throws { try await progress.until("the connecting is over") { self.isOver } }
}
