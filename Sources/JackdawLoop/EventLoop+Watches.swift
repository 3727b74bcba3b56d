// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

extension EventLoop {
  /// Calls `handler` on the loop whenever `descriptor` is ready as asked. The descriptor stays the caller's to close,
  /// after the watch has been cancelled or released.
  ///
  /// A handler reads at most ``LoopLimits/readBytesPerTurn`` and returns; while there is more, it is called again next turn.
  /// Several watches of one descriptor are allowed.
  @Client package func watch(
    _ descriptor: Int32, _ interest: Readiness, _ handler: @escaping @Client (Readiness) -> Void
  ) -> DescriptorWatch {
    DescriptorWatch(token: descriptors.insert(descriptor, interest, handler), interest: interest)
  }

  /// Calls `handler` on the loop when the process gets `signal`; once for several that come before the loop gets to it, as
  /// signals do. While one such watch lives, the signal's default action does not happen. Several watches of one
  /// signal are called in the order in which they began.
  @Client package func onSignal(_ signal: Int32, _ handler: @escaping @Client () -> Void) -> SignalWatch {
    SignalWatch(signal: signal, id: signals.insert(signal, handler))
  }

  /// Whether a signal is ignored, as nohup has it.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Makes writes to a pipe or socket that nobody reads fail with EPIPE, and those that make a file larger than is allowed
  /// (`ulimit -f`) with EFBIG, for the whole process, instead of ending it. Called by the program at its start; children get
  /// the defaults back.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
