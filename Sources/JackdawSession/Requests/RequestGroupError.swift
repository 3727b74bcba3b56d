// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Requests of a group failed.
package struct RequestGroupError: Error, Sendable, CustomStringConvertible {
  /// One request that failed.
  package struct Failure: Sendable {
    /// What the group calls the request.
    package var label: String
    /// What it threw; `CancellationError` for one that was never started.
    package var error: any Error
  }

  /// Every request that failed, in the order in which they were added.
  package var failures: [Failure]

  /// The one that failed first: where a failure cancels the rest, the reason of all.
  package var first: Failure

  /// How many requests the group had.
  package var count: Int

  /// One line for each failure. May hold words from the network: to be shown through the escaper only.
  package var description: String {
    let list = failures.map { "\($0.label): \($0.error)" }
    return count == 1 ? list.joined() : (["\(failures.count) of \(count) failed"] + list).joined(separator: "\n")
  }
}
