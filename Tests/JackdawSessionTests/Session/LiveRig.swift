// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML
import Support
import Testing

/// A live session in memory.
@Client struct LiveRig {
  let fixture: SessionFixture
  let live: LiveSession

  init(
    _ role: SessionRole = .interactive(Presence()), password: String = "secret",
    stores: SessionStores = SessionStores(), features: [any Feature.Type] = SessionFixture.core
  ) throws {
    fixture = try SessionFixture(password: password, role: role, stores: stores, features: features)
    live = LiveSession(fixture.session, clock: fixture.clock)
  }

  /// How long tests wait, by the manual clock, for what comes at once.
  static let patience = Duration.seconds(30)

  /// Online, and everything sent that is sent at log-in.
  func start() async throws {
    live.start()
    _ = try await live.online(within: Self.patience)
    await fixture.clock.settle()
  }

  /// The states that were announced.
  var states: [ConnectionChanged.State] { fixture.events(ConnectionChanged.self).map(\.state) }
}
