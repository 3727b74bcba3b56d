// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

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
    let configuration = try await configuration()
    var next = CheckRow.Step.dns
    func succeeded(_ row: CheckRow) {
      show(row)
      next = row.step.next
    }
    if let server = configuration.plan.server {
      succeeded(CheckRow(.dns, "not asked: \(ServerAddress(host: server.host, port: server.port)) is named"))
    }
    do {
      let live = makeLive(configuration, mode: .once)
      live.session.onLoginStep = { succeeded(Self.row($0)) }
      live.start()
      let session = try await live.online(within: settings.timeout + CommandLimits.lastWord)
      succeeded(CheckRow(.features, Self.features(session)))
      let time = try await session.features[Ping.self].ping(timeout: settings.timeout)
      succeeded(CheckRow(.ping, PingRow.text(time)))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw CommandFailure(error).located(Self.step(of: error, after: next).rawValue)
    }
  }

  private static func row(_ step: LoginStep) -> CheckRow {
    switch step {
    case .found(let targets): CheckRow(.dns, targets.joined(separator: ", "))
    case .connected(let address): CheckRow(.tcp, address)
    case .secured(let version, let cipher): CheckRow(.tls, "\(version), \(cipher), certificate verified")
    case .authenticated(let mechanism, let binding):
      CheckRow(.sasl, mechanism + (binding.map { ", bound to the channel by \($0)" } ?? ""))
    case .bound(let jid): CheckRow(.bind, jid.description)
    }
  }

  /// The step that failed: the one that comes after the last success, unless the failure itself knows better.
  private static func step(of error: any Error, after next: CheckRow.Step) -> CheckRow.Step {
    switch (error as? ConnectionError)?.code {
    case .unresolved?: .dns
    case .unreachable?: .tcp
    case .unsafe?: .tls
    case .authentication?: .sasl
    default: next
    }
  }

  /// What the stream offers, by the names that people know.
  private static func features(_ session: Session) -> String {
    let known: [(name: String, element: String, namespace: String)] = [
      ("stream management", "sm", "urn:xmpp:sm:3"), ("client state", "csi", ClientState.namespace),
      ("roster versioning", "ver", "urn:xmpp:features:rosterver"),
      ("pre-approval", "sub", "urn:xmpp:features:pre-approval"),
    ]
    let found = known.filter { session.identity.streamFeatures?.child($0.element, $0.namespace) != nil }
    return found.isEmpty ? "none beyond the core" : found.map(\.name).joined(separator: ", ")
  }
}
