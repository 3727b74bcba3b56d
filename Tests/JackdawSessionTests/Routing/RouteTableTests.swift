// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Who gets which stanza, and in which order.
@Client @Suite(.onLoop) struct RouteTableTests {
  private func request(_ kind: IQ.Kind, _ name: String, _ namespace: String) -> IQ {
    IQ(kind: kind, id: "1", payload: Element(name, namespace))
  }

  @Test func aRequestGoesByItsKindAndItsPayloadsWholeName() {
    let routes = RouteTable()
    var taken: [String] = []
    routes.onRequest(.get, "query", "urn:a") { _ in
      taken.append("get")
      return nil
    }
    routes.onRequest(.set, "query", "urn:a") { _ in
      taken.append("set")
      return nil
    }
    for kind in [IQ.Kind.set, .get] {
      _ = routes.handler(for: request(kind, "query", "urn:a"))?(request(kind, "q", "u"))
    }
    #expect(taken == ["set", "get"])
    #expect(routes.handler(for: request(.get, "query", "urn:b")) == nil)
    #expect(routes.handler(for: request(.get, "other", "urn:a")) == nil)
    #expect(routes.handler(for: request(.result, "query", "urn:a")) == nil)
    #expect(routes.handler(for: IQ(kind: .get, id: "1")) == nil)
  }

  @Test func messagesPassTheStagesInTheirOrder() throws {
    let routes = RouteTable()
    var passed: [InboundStage] = []
    for stage in InboundStage.allCases.reversed() {
      routes.onMessage(stage) { _ in
        passed.append(stage)
        return .pass
      }
    }
    _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "x")))
    #expect(passed == [.verify, .unwrap, .decrypt, .interpret, .record, .deliver])
  }

  @Test func aMessageThatIsDroppedIsSeenByNobodyElse() throws {
    let routes = RouteTable()
    var passed: [String] = []
    func add(_ name: String, _ stage: InboundStage, _ verdict: StageVerdict) {
      routes.onMessage(stage) { _ in
        passed.append(name)
        return verdict
      }
    }
    add("first", .unwrap, .pass)
    add("second", .unwrap, .drop)
    add("third", .unwrap, .pass)
    add("last", .deliver, .pass)
    _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "x")))
    #expect(passed == ["first", "second"])
  }

  @Test func aStageMayChangeWhatTheNextOnesSee() throws {
    let routes = RouteTable()
    var body: String?
    routes.onMessage(.deliver) {
      body = $0.message.body
      return .pass
    }
    routes.onMessage(.unwrap) {
      $0.message.body = "inner"
      return .pass
    }
    _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "outer")))
    #expect(body == "inner")
  }
}
