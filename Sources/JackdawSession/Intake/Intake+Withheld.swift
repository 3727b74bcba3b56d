// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// Messages that came before the connection was lost and are not in the log, as another program has that locked: the server is asked to
/// send them again where the stream is resumed (XEP-0198), by an `h` that leaves them out.
extension Intake {
  /// The server is asked to resume, with such an `h`.
  func withhold() {
    withheld = (arrivals, inbounds)
    (arrivals, inbounds) = ([], [])
  }

  /// The server does not send them again, or was not asked after all: they are logged as they came.
  func takeBack() {
    guard !withheld.arrivals.isEmpty else { return }
    arrivals = withheld.arrivals + arrivals
    inbounds = withheld.inbounds + inbounds
    withheld = ([], [])
    isTriedAnew()
    logArrivals()
  }

  /// The server sends them again.
  /// - Returns: whether there were some.
  func dropWithheld() -> Bool {
    guard !withheld.arrivals.isEmpty else { return false }
    for message in withheld.inbounds { routes.comesAgain(message) }
    withheld = ([], [])
    isTriedAnew()
    return true
  }

  /// Nobody tried meanwhile whether the log takes something.
  private func isTriedAnew() {
    if case .trying = log { log = .free }
  }
}
