// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Measures the engine rooms where their cost must not depend on how much they hold.
///
/// Prints lines of `NAME VALUE` for `measure.sh`:
/// - `tracker_100000_vs_10`: tracking and resolving one request beside 100,000 others, in units of the same beside 10.
/// - `event_allocations`: how often memory is asked for when an event is posted to one subscriber, a post.
@main
enum EngineBenchmark {
  static func main() {
    EventLoop.main.runMain {
      do {
        try TrackerMeasurement.run()
        try EventMeasurement.run()
      } catch {
        preconditionFailure("the measurement failed: \(error)")
      }
    }
  }
}
