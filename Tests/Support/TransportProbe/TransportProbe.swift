// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawTransport

/// `transport-probe DOMAIN CA-FILE`: looks a domain up and connects as the program does, with the resolver of the
/// system as it is where this runs, and prints what it found. Tests run it where they have put a resolv.conf of their
/// own.
@main enum TransportProbe {
  static func main() {
    EventLoop.main.runMain { await probe() }
  }

  @Client private static func probe() async {
    guard CommandLine.arguments.count == 3 else { exit(64) }
    let domain = CommandLine.arguments[1]
    let resolver = SystemResolver(loop: .main)
    for service in ["_xmpps-client", "_xmpp-client"] {
      print(service, describe(await resolver.services("\(service)._tcp.\(domain)")))
    }
    let connector = Connector(loop: .main, resolver: resolver)
    do {
      let plan = ConnectionPlan(domain: domain, caFile: CommandLine.arguments[2])
      let (transport, security) = try await connector.connect(plan)
      print("connected", security?.version ?? "in the clear")
      transport.abort()
    } catch let error as TransportError {
      print("error", error.code.name, error.description)
    } catch {
      print("error", error)
    }
    exit(0)
  }

  private static func describe(_ answer: ServiceAnswer) -> String {
    switch answer {
    case .records(let records):
      records.map { "\($0.priority) \($0.weight) \($0.port) \($0.target.isEmpty ? "." : $0.target)" }.sorted().joined(
        separator: ", ")
    case .absent: "absent"
    case .failed(let failure): "failed \(failure)"
    }
  }
}
