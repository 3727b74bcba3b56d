// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Children that are to be gone when whoever runs them is.
@Client package final class ChildGroup {
  private var living: [RunningChild] = []
  private var onLastEnd: Latch?

  package init() {}

  func add(_ child: RunningChild) {
    living.append(child)
    child.whenGone = { [weak self, weak child] in self?.isGone(child) }
  }

  private func isGone(_ child: RunningChild?) {
    living.removeAll { $0 === child }
    if living.isEmpty { onLastEnd.take()?.open() }
  }

  /// Ends the children that still run, and all that they started: SIGTERM, and after `grace` SIGKILL. Returns when they are gone.
  /// What a child left behind that ended by itself stays.
  package func endAll(grace: Duration = LoopLimits.childGrace) async {
    for child in living { child.terminate(grace: grace) }
    guard !living.isEmpty else { return }
    let latch = Latch(clock: EventLoop.main)
    onLastEnd = latch
    // Nobody refuses SIGKILL; one that the kernel itself holds up is not waited for.
    try? await latch.wait(for: grace + LoopLimits.childGrace * 2)
  }
}
