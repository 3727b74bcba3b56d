// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@Client @Suite(.onLoop, .serialized) struct WakeWatchTests {
  @Test("Being continued after a stop is reported until the watch ends")
  func beingContinuedIsToldUntilTheWatchEnds() async {
    var calls = 0
    var watch: WakeWatch? = EventLoop.main.onWake { calls += 1 }
    kill(getpid(), SIGCONT)
    while calls == 0 { await withUnsafeContinuation { done in EventLoop.main.nextTurn { done.resume() } } }
    #expect(calls == 1)
    withExtendedLifetime(watch) {}
    watch = nil
    kill(getpid(), SIGCONT)
    await EventLoop.main.idle()
    #expect(calls == 1)
  }

  /// A leap of the machine's clock cannot be made here: that the kernel is asked to tell of one is seen by its own word.
  @Test("The kernel is asked to report sleeps, and nothing stays open after the watch")
  func theKernelIsAskedToTellOfSleepsAndNothingStaysOpen() {
    let before = timers()
    var watch: WakeWatch? = EventLoop.main.onWake {}
    #expect(timers().count == before.count + 1)
    withExtendedLifetime(watch) {}
    watch = nil
    #expect(timers().count == before.count)
  }

  /// What the kernel says of this process's timers of CLOCK_REALTIME with TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET.
  private func timers() -> [String] {
    (0..<Int32(1024)).compactMap { descriptor in
      let file = open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(file, &bytes, bytes.count)
      let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      return text.contains("clockid: 0\n") && text.contains("settime flags: 03\n") ? text : nil
    }
  }
}
