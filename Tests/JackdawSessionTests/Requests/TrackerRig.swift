// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support

@testable import JackdawSession

/// A tracker with a clock that stands still and a sender that keeps what it is given.
@Client final class TrackerRig {
  let clock = ManualClock()
  let sender = RecordingSender()
  let tracker: IQTracker

  init(account: String? = "me@example.org/cli") throws {
    tracker = IQTracker(clock: clock, sender: sender)
    tracker.account = try account.map { try JID($0) }
  }

  func get(_ id: String, to: String? = nil) -> Element {
    Element("iq", Namespace.client, ["type": "get", "id": id, "to": to], [Element("ping", "urn:xmpp:ping")])
  }

  func answer(_ id: String, from: String? = nil, type: String = "result", _ children: [Element] = []) -> Element {
    Element("iq", Namespace.client, ["type": type, "id": id, "from": from], children)
  }

  /// Answers the last request that was sent.
  @discardableResult func answerLast(_ children: [Element] = []) -> Bool {
    guard let request = sender.sent.last else { return false }
    return tracker.resolve(
      answer(request.attribute("id") ?? "", from: request.attribute("to"), children))
  }
}

@Client final class RecordingSender: StanzaSending {
  private(set) var sent: [Element] = []
  /// Runs before a stanza is kept; may throw instead of sending.
  var beforeSending: (@Client (Element) throws -> Void)?

  func send(_ element: Element) throws {
    try beforeSending?(element)
    sent.append(element)
  }
}

/// What handlers were told, in order, in words.
@Client final class Log {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }
}

extension RequestOutcome {
  /// One word.
  var word: String {
    switch self {
    case .reply: "reply"
    case .failed(let error, _): error.condition
    case .malformed: "malformed"
    case .leftOut: "left out"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .connectionGone(let reason): "gone: \(reason)"
    }
  }
}

struct Reason: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
