// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

extension SessionFixture {
  /// A server whose roster has these contacts, and that knows how some of them answer; all else as ``manners(_:)``.
  func befriend(_ subscriptions: [String: String], answers: @escaping @Client (IQ) -> Element? = { _ in nil }) {
    answer = { element in
      guard let iq = try? IQ(element), let payload = iq.payload else { return SessionFixture.manners(element) }
      var reply: IQ
      if payload.matches("query", Namespace.roster) {
        let items = subscriptions.sorted { $0.key < $1.key }.map {
          Element("item", Namespace.roster, ["jid": $0.key, "subscription": $0.value])
        }
        reply = iq.result(Element("query", Namespace.roster, items))
      } else if let answer = answers(iq) {
        reply = iq.result(answer)
      } else {
        return SessionFixture.manners(element)
      }
      reply.from = iq.to
      return [reply.element]
    }
  }

  /// Asks us something, and returns our answer.
  func ask(_ payload: String, from: String) async throws -> IQ {
    _ = sent()
    await receive("<iq type='get' id='q1' from='\(from)' to='alice@example.org/here'>\(payload)</iq>")
    guard let answer = sent().lazy.compactMap({ try? IQ($0) }).first(where: { $0.id == "q1" }) else {
      throw RequestError(.timedOut, "there was no answer")
    }
    return answer
  }
}
