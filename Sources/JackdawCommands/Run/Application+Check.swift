// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTransport
import JackdawXML

/// `account check`.
extension Application {
  /// Logs in once, and shows each step as soon as it has succeeded.
  /// - Throws: what failed, named by its step.
  func check(_ show: @escaping @Client (CheckRow) -> Void) async throws {
    let account = try account()
    let configuration = try await account.configuration()
    let steps = CheckSteps(show)
    let named = configuration.plan.server
    do {
      let live = account.makeLive(configuration, as: .probe)
      live.session.onLoginStep = { step in
        if case .connected(let address) = step {
          steps.connected(address)
        } else {
          steps.succeeded(Self.row(step, named: named))
        }
      }
      live.start()
      let session = try await live.online(within: settings.timeout + CommandLimits.lastWord)
      steps.succeeded(CheckRow(.features, Self.features(session)))
      let time = try await session.features[Ping.self].ping(timeout: settings.timeout)
      steps.succeeded(CheckRow(.ping, PingRow.text(time)))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      steps.ended()
      var failure = CommandFailure(error)
      if let error = error as? ConnectionError, let advice = error.advice, advice != account.password.advice {
        failure.text = error.description
      }
      throw failure.located(Self.step(of: error, after: steps.next).rawValue)
    }
  }

  private static func row(_ step: LoginStep, named: HostPort?) -> CheckRow {
    switch step {
    case .found(let targets):
      CheckRow(.dns, named.map { "skipped: the account names \($0)" } ?? targets.joined(separator: ", "))
    case .connected(let address): CheckRow(.tcp, address)
    case .secured(let version, let cipher, let isResumed):
      CheckRow(
        .tls,
        "\(version), \(cipher), "
          + (isResumed ? "resumed: certificate verified on an earlier connection" : "certificate verified"))
    case .authenticated(let login):
      CheckRow(
        .sasl,
        login.mechanism + (login.mechanism.hasPrefix("HT-") ? ", with the token of the last log-in" : "")
          + (login.reliedOnKeptKeys ? ", with the keys of an earlier log-in" : "")
          + (login.channelBinding.map { ", bound to the channel by \($0)" } ?? "")
          + (login.upgrade.map { ", upgraded to \($0)" } ?? ""))
    case .bound(let jid, let roundTrips):
      CheckRow(.bind, "\(jid), \(roundTrips == 1 ? "1 round trip" : "\(roundTrips) round trips") after TLS")
    }
  }

  /// The step that failed: the one that comes after the last success, unless the failure itself knows better.
  private static func step(of error: any Error, after next: CheckRow.Step) -> CheckRow.Step {
    switch (error as? ConnectionError)?.code {
    case .unresolved?: .dns
    case .unreachable?: .tcp
    // What the configuration has wrong by now is the file of authorities.
    case .unsafe?, .configuration?: .tls
    case .authentication?: .sasl
    default: next
    }
  }

  /// What the stream offers, by the names that people know.
  private static func features(_ session: Session) -> String {
    let known: [(name: String, element: String, namespace: String)] = [
      ("stream management", "sm", StreamManagement.namespace), ("client state", "csi", Namespace.clientState),
      ("roster versioning", "ver", "urn:xmpp:features:rosterver"),
      ("pre-approval", "sub", "urn:xmpp:features:pre-approval"),
    ]
    let found = known.filter { session.identity.streamFeatures?.child($0.element, $0.namespace) != nil }
    return found.isEmpty ? "none beyond the core" : found.map(\.name).joined(separator: ", ")
  }
}
