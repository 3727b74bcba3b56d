// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawHosts
import JackdawLoop
import JackdawProtocol
package import JackdawSession
import JackdawTransport

/// Sessions in the test's own process, with accounts on real servers.
extension TestServer {
  /// Logs in and settles in, as a session that remains online does.
  /// - Parameters:
  ///   - resource: the device's name.
  ///   - features: what it can do.
  ///   - body: is given the session while it is online; it is left afterwards.
  /// - Throws: what the log-in and `body` throw.
  @Client package func withSession<Result: Sendable>(
    of account: TestAccount, resource: String, features: [any Feature.Type] = FeatureList.all,
    _ body: @Client (Session) async throws -> Result
  ) async throws -> Result {
    let jid = try JID("\(account.jid)/\(resource)")
    let ids = StanzaIDSource()
    let session = Session(
      SessionConfiguration(
        account: jid, password: account.password,
        plan: ConnectionPlan(domain: jid.asciiDomain, server: address, tls: .starttls, caFile: caFile),
        timeout: .seconds(30), role: .script(Presence())),
      environment: SessionEnvironment(
        connector: Connector(loop: .main), clock: EventLoop.main, calendar: Self.now,
        freshID: { ids.next() + ids.next() },
        deriveKeys: { derivation in try? await EventLoop.main.offload { derivation.run() } }, remark: { _ in }),
      stores: SessionStores(), features: features)
    do {
      try await session.logIn()
      try await session.settleIn(showing: Presence())
      let result = try await body(session)
      await session.leave()
      return result
    } catch {
      await session.leave()
      throw error
    }
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
