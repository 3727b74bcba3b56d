// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// A server that takes a known time for each answer, by the clock of the test, and offers all that a log-in asks for.
@Client final class SlowServer {
  /// How long it takes for requests of a namespace; one that is not here is never answered.
  var delays: [String: Duration]
  /// What it refuses, by namespace.
  var refusals: [String: StanzaError] = [:]
  /// What it says of itself.
  var information = DiscoveryInformation(
    identities: [.init(category: "server", type: "im", name: nil)], features: [MessageCarbons.namespace])
  private var answers: [LoopTimer] = []

  nonisolated static let requests: [String: Duration] = [
    Namespace.roster: .milliseconds(120), MessageCarbons.namespace: .milliseconds(250),
    Blocking.namespace: .milliseconds(180), VCardTemp.namespace: .milliseconds(400),
    ServiceDiscovery.information: .milliseconds(310),
  ]

  /// What nobody waits for, and is answered at once: the bookmarks.
  nonisolated static let inBackground = PubSub.namespace

  init(_ delays: [String: Duration] = SlowServer.requests) {
    self.delays = delays
    self.delays[Self.inBackground] = .zero
  }

  /// Is from now on what the fixture's session talks to.
  func serve(_ fixture: SessionFixture) {
    fixture.answer = { [weak self, unowned fixture] element in
      guard let self, let iq = try? IQ(element), let payload = iq.payload, let delay = delays[payload.namespace] else {
        return []
      }
      let bytes = fixture.server.bytes(of: answer(iq, payload).element)
      answers.append(fixture.clock.schedule(after: delay) { fixture.connector.transport?.deliver(bytes) })
      return []
    }
  }

  private func answer(_ iq: IQ, _ payload: Element) -> IQ {
    var answer: IQ
    if let refusal = refusals[payload.namespace] {
      answer = iq.failure(refusal)
    } else {
      switch payload.name {
      case "enable": answer = iq.result()
      case "query" where payload.namespace == ServiceDiscovery.information: answer = iq.result(information.element())
      case "pubsub":
        answer = iq.result(Element("pubsub", payload.namespace, [Element("items", payload.namespace)]))
      default: answer = iq.result(Element(payload.name, payload.namespace))
      }
    }
    answer.from = iq.to
    return answer
  }
}
