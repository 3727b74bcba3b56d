// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

/// Places that were asked for on connections which ended before the answer (``PlaceLeftOpen``), of this run and of the one before.
extension Session {
  /// The connection is ending.
  func notePlace(of connection: StreamConnection) {
    if connection.isAskingForPlace { history.leftPlace(at: environment.clock.now) }
    keepPlaceAskedFor(false)
  }

  /// A program that is killed while it waits for its place leaves that to the next one.
  func keepPlaceAskedFor(_ isAsking: Bool) {
    guard configuration.stays, let streams = stores.streams else { return }
    guard isAsking || !history.hasPlaceLeftOpen(at: environment.clock.now) else { return }
    streams.keepPlaceAskedFor(since: isAsking ? environment.calendar() : nil)
  }

  func lookForPlaceLeftOpen(in streams: any StreamStore) {
    guard let time = streams.loadPlaceAskedFor() else { return }
    let age = Duration.milliseconds(environment.calendar().milliseconds - time.milliseconds)
    if age >= .zero { history.leftPlace(at: environment.clock.now + (.zero - age)) }
  }
}
