// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// What came before a cut and is not in the log, as another program has that locked: the server is asked to send it again where the
/// stream goes on.
extension Intake {
  /// The server is asked.
  func withhold() {
    withheld = (arrivals, inbounds)
    (arrivals, inbounds) = ([], [])
  }

  /// It does not send them, or was not asked after all: they go into the log as they came.
  func takeBack() {
    guard !withheld.arrivals.isEmpty else { return }
    arrivals = withheld.arrivals + arrivals
    inbounds = withheld.inbounds + inbounds
    withheld = ([], [])
    isTriedAnew()
    logArrivals()
  }

  /// It sends them again.
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
