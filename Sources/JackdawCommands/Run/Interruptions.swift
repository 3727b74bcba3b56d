// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Those who want to know of interrupts. Who asked last is told first.
@Client final class Interruptions {
  /// Bounded by our own callers.
  private var all: [Interruption] = []

  /// Takes one in, before all others.
  func add(_ interruption: Interruption) -> Interruption {
    all.removeAll { $0.handler == nil }
    all.append(interruption)
    return interruption
  }

  /// Tells of a signal, until somebody takes care of it.
  /// - Returns: who does; nil: nobody.
  func taker(of signal: Int32) -> Interruption? {
    all.removeAll { $0.handler == nil }
    for interruption in all.reversed() where interruption.handler?(signal) == true { return interruption }
    return nil
  }
}

/// Somebody who wants to know of an interrupt.
@Client package final class Interruption {
  /// nil: they do not any more.
  fileprivate private(set) var handler: (@Client (Int32) -> Bool)?
  /// SIGINT does not end the run.
  let staysAtSIGINT: Bool

  init(_ handler: @escaping @Client (Int32) -> Bool, staysAtSIGINT: Bool) {
    self.handler = handler
    self.staysAtSIGINT = staysAtSIGINT
  }

  /// Does not want to know any more. Whoever that is may hold the run which holds this: it lets go of them.
  package func cancel() { handler = nil }
}
