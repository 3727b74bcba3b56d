// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
package import JackdawProtocol
package import JackdawXML

/// Entity time: what time it is at the other side.
///
/// The zone says roughly where somebody is, so it is told only to those who may see our presence; to anybody else we are
/// as one who does not know the question.
@Client package final class EntityTime: Feature {
  package nonisolated static let about = FeatureDescription(
    "XEP-0202", "Entity Time", version: "2.0", discoFeatures: [LocalMoment.namespace],
    scope: "asked; answered to those who may see our presence")

  /// Seconds by which our clocks are ahead of UTC at a moment.
  var offset: @Client (Timestamp) -> Int = EntityTime.systemOffset

  private let context: FeatureContext

  package init(_ context: FeatureContext) { self.context = context }

  package func install(in routes: RouteTable) {
    routes.onRequest(.get, "time", LocalMoment.namespace) { [unowned self] request in
      guard context.links.maySeePresence(request.from) else { return request.failure(.serviceUnavailable) }
      let now = context.calendar()
      return request.result(LocalMoment(time: now, offset: offset(now)).element)
    }
  }

  /// What time it is at `jid`.
  package func time(of jid: JID, timeout: Duration? = nil) async throws(RequestError) -> LocalMoment {
    let request = IQ(kind: .get, to: jid, payload: Element("time", LocalMoment.namespace))
    let answer = try await context.requests.request(request, timeout: .after(timeout ?? context.timeout))
    guard let moment = answer.payload.flatMap({ LocalMoment($0) }) else { throw .unexpectedPayload }
    return moment
  }

  private static func systemOffset(_ moment: Timestamp) -> Int {
    var seconds = time_t(moment.seconds)
    var fields = tm()
    localtime_r(&seconds, &fields)
    return fields.tm_gmtoff
  }
}

/// A moment, and the zone of somebody's clocks (XEP-0202 2).
package struct LocalMoment: Sendable, Hashable {
  /// XEP-0202 section 2.
  package static let namespace = "urn:xmpp:time"

  /// The other side's time of day, in UTC.
  package var time: Timestamp
  /// Seconds by which the clocks are ahead of UTC; less than a day.
  package var offset: Int

  package init(time: Timestamp, offset: Int) {
    self.time = time
    self.offset = offset
  }

  /// Reads a `<time/>`; nil when it is none, or its time or zone is none (XEP-0082 3.2).
  package init?(_ element: Element) {
    guard element.matches("time", Self.namespace),
      let time = element.text(of: "utc", Self.namespace).flatMap({ Timestamp($0) }),
      let offset = element.text(of: "tzo", Self.namespace).flatMap(Self.offset)
    else { return nil }
    self.init(time: time, offset: offset)
  }

  /// The `<time/>` to send.
  package var element: Element {
    Element(
      "time", Self.namespace,
      [
        Element("tzo", Self.namespace, text: zone), Element("utc", Self.namespace, text: time.description),
      ])
  }

  /// `+02:00`; `Z` for UTC.
  package var zone: String {
    guard offset != 0 else { return "Z" }
    let minutes = abs(offset) / 60
    let (hours, rest) = (minutes / 60, minutes % 60)
    return (offset < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (rest < 10 ? "0" : "") + "\(rest)"
  }

  private static func offset(_ zone: String) -> Int? {
    if zone == "Z" { return 0 }
    let digits = Array(zone.utf8)
    guard digits.count == 6, digits[3] == UInt8(ascii: ":"), let hours = number(digits[1...2]), hours < 24,
      let minutes = number(digits[4...5]), minutes < 60
    else { return nil }
    switch digits[0] {
    case UInt8(ascii: "+"): return (hours * 60 + minutes) * 60
    case UInt8(ascii: "-"): return -(hours * 60 + minutes) * 60
    default: return nil
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
