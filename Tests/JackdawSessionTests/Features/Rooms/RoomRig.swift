// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// A session whose requests are answered by a test, and what was asked.
@Client final class RoomRig {
  let fixture: SessionFixture
  /// What a request is answered with: the text of a payload, an error; nil: nothing at all.
  var answers: @Client (IQ, Element) -> Answer? = { _, _ in .error("service-unavailable") }
  /// Requests as they came, without those of the log-in: kind, to whom, the payload.
  private(set) var asked: [String] = []

  enum Answer {
    case result(String)
    case empty
    case error(String)
  }

  init(timeout: Duration = .seconds(30)) async throws {
    fixture = try SessionFixture(timeout: timeout)
    try await fixture.settleIn()
    fixture.answer = { [weak self] element in self?.answer(element) ?? [] }
  }

  let room = RoomRig.address("tea@rooms.example.org")
  var administration: RoomAdministration { RoomAdministration(fixture.session.requests, timeout: .seconds(30)) }

  private static func address(_ text: String) -> JID {
    guard let jid = try? JID(text) else { preconditionFailure("\(text) is no address") }
    return jid
  }

  private func answer(_ element: Element) -> [Element] {
    guard let iq = try? IQ(element), iq.kind == .get || iq.kind == .set, let payload = iq.payload else { return [] }
    asked.append("\(iq.kind) \(iq.to?.description ?? "") \(payload)")
    guard let wanted = answers(iq, payload) else { return [] }
    var answer: IQ =
      switch wanted {
      case .empty: iq.result()
      case .error(let condition): iq.failure(StanzaError(kind: .cancel, condition: condition))
      case .result(let text): iq.result((try? Element(parsing: text)) ?? Element("broken", "urn:x"))
      }
    answer.from = iq.to
    return [answer.element]
  }
}
