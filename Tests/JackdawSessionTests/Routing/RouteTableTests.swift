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

  @Test("A request is routed by its type and the name and namespace of its payload")
  func aRequestGoesByItsKindAndItsPayloadsWholeName() {
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

  @Test("Messages pass the stages in their order") func messagesPassTheStagesInTheirOrder() throws {
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

  @Test("A message that is dropped is seen by no later handler") func aMessageThatIsDroppedIsSeenByNobodyElse() throws {
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

  @Test("A handler that is added behind a message sees the next one, in its stage's place")
  func aHandlerAddedLater() {
    let routes = RouteTable()
    var passed: [String] = []
    func add(_ name: String, _ stage: InboundStage) {
      routes.onMessage(stage) { _ in
        passed.append(name)
        return .pass
      }
    }
    add("verify", .verify)
    add("deliver", .deliver)
    _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "x")))
    add("decrypt", .decrypt)
    _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "y")))
    #expect(passed == ["verify", "deliver", "verify", "decrypt", "deliver"])
  }

  @Test("A message that a stage hands over is whole at its new owner, and no later stage sees it")
  func aMessageIsHandedOver() {
    let routes = RouteTable()
    var taken: [InboundMessage] = []
    var passed: [String] = []
    routes.onMessage(.interpret) {
      $0.message.subject = "changed"
      return .pass
    }
    routes.onMessage(.record) { _ in .taken { taken.append($0) } }
    for stage in [InboundStage.record, .deliver] {
      routes.onMessage(stage) { _ in
        passed.append("\(stage)")
        return .pass
      }
    }
    for body in ["x", "y"] {
      let passage = routes.pass(InboundMessage(Message(id: body, to: nil, body: body)))
      if case .dropped = passage { continue }
      Issue.record("it goes on as well")
    }
    #expect(passed == [])
    #expect(taken.map(\.message.body) == ["x", "y"])
    #expect(taken.map(\.message.id) == ["x", "y"])
    #expect(taken.map(\.message.subject) == ["changed", "changed"])
  }

  @Test("A stage may change the message that the next ones see") func aStageMayChangeWhatTheNextOnesSee() throws {
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

  /// What passed of a message with such payloads: the names of the handlers.
  private func passed(_ payloads: [Element], _ fill: (RouteTable, @escaping @Client (String) -> Void) -> Void)
    -> [String]
  {
    let routes = RouteTable()
    var passed: [String] = []
    fill(routes) { passed.append($0) }
    // The second finds what the first has made.
    for body in ["x", "y"] {
      _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: body, payloads: payloads)))
    }
    #expect(passed[..<(passed.count / 2)] == passed[(passed.count / 2)...])
    return Array(passed[..<(passed.count / 2)])
  }

  @Test("A handler sees only messages with the payload that it looks for")
  func aHandlerSeesOnlyMessagesThatHoldWhatItLooksFor() {
    func fill(_ routes: RouteTable, _ note: @escaping @Client (String) -> Void) {
      for (name, namespaces) in [("a", ["urn:a"]), ("ab", ["urn:a", "urn:b"]), ("none", [])] {
        routes.onMessage(.interpret, holding: namespaces) { _ in
          note(name)
          return .pass
        }
      }
      routes.onMessage(.interpret) { _ in
        note("all")
        return .pass
      }
    }
    #expect(passed([], fill) == ["all"])
    #expect(passed([Element("x", "urn:a")], fill) == ["a", "ab", "all"])
    #expect(passed([Element("x", "urn:c"), Element("y", "urn:b")], fill) == ["ab", "all"])
    #expect(passed([Element("urn:a", "urn:c")], fill) == ["all"])
  }

  @Test("The payloads of a message are looked at anew once it was changed")
  func whatAMessageHoldsIsLookedAtAnewOnceItWasChanged() {
    func fill(_ routes: RouteTable, _ note: @escaping @Client (String) -> Void) {
      routes.onMessage(.unwrap, holding: ["urn:wrapped"]) { inbound in
        note("unwraps")
        inbound.message.payloads = [Element("x", "urn:inner")]
        return .pass
      }
      for namespace in ["urn:wrapped", "urn:inner"] {
        routes.onMessage(.interpret, holding: [namespace]) { _ in
          note(namespace)
          return .pass
        }
      }
    }
    #expect(passed([Element("x", "urn:wrapped")], fill) == ["unwraps", "urn:inner"])
    #expect(passed([Element("x", "urn:inner")], fill) == ["urn:inner"])
  }

  @Test("A handler sees only messages of the types that it looks at")
  func aHandlerSeesOnlyMessagesOfTheKindsThatItLooksAt() {
    let routes = RouteTable()
    var passed: [String] = []
    for (name, kinds) in [("room", [Message.Kind.groupchat]), ("both", [.error, .groupchat]), ("none", [])] {
      routes.onMessage(.interpret, of: kinds) { _ in
        passed.append(name)
        return .pass
      }
    }
    routes.onMessage(.interpret, holding: ["urn:a"]) { _ in
      passed.append("holding")
      return .pass
    }
    func passes(_ kind: Message.Kind, _ payloads: [Element] = []) -> [String] {
      passed = []
      _ = routes.pass(InboundMessage(Message(kind: kind, id: nil, to: nil, body: "x", payloads: payloads)))
      return passed
    }
    for kind in [Message.Kind.chat, .normal, .headline] {
      #expect(passes(kind) == [])
      #expect(passes(kind, [Element("x", "urn:a")]) == ["holding"])
    }
    #expect(passes(.error) == ["both"])
    #expect(passes(.groupchat) == ["room", "both"])
    #expect(passes(.groupchat, [Element("x", "urn:a")]) == ["room", "both", "holding"])
  }

  @Test("The type of a message is looked at anew once it was changed")
  func ofWhichKindAMessageIsIsLookedAtAnewOnceItWasChanged() {
    let routes = RouteTable()
    var passed: [Message.Kind] = []
    routes.onMessage(.unwrap, of: [.chat]) { inbound in
      inbound.message.kind = .groupchat
      return .pass
    }
    for kind in Message.Kind.allCases {
      routes.onMessage(.interpret, of: [kind]) { _ in
        passed.append(kind)
        return .pass
      }
    }
    _ = routes.pass(InboundMessage(Message(kind: .chat, id: nil, to: nil, body: "x")))
    #expect(passed == [.groupchat])
  }

  @Test("A handler that is registered later is asked too") func aHandlerThatComesLaterIsAskedToo() {
    let routes = RouteTable()
    var passed: [String] = []
    for namespace in ["urn:a", "urn:b"] {
      routes.onMessage(.interpret, holding: [namespace]) { _ in
        passed.append(namespace)
        return .pass
      }
      _ = routes.pass(InboundMessage(Message(id: nil, to: nil, body: "x", payloads: [Element("x", namespace)])))
    }
    #expect(passed == ["urn:a", "urn:b"])
  }

  @Test("Whom a message concerns does not depend on what the message before it held")
  func eachMessageIsLookedAtByItself() {
    let routes = RouteTable()
    var passed: [String] = []
    func look(for namespace: String) {
      routes.onMessage(.interpret, holding: [namespace]) { _ in
        passed.append(namespace)
        return .pass
      }
    }
    func passes(_ namespaces: [String], _ kind: Message.Kind = .chat) -> [String] {
      passed = []
      let payloads = namespaces.map { Element("x", $0) }
      _ = routes.pass(InboundMessage(Message(kind: kind, id: nil, to: nil, body: "x", payloads: payloads)))
      return passed
    }
    for namespace in ["urn:a", "urn:b"] { look(for: namespace) }
    routes.onMessage(.interpret, of: [.groupchat]) { _ in
      passed.append("room")
      return .pass
    }
    let lists = [["urn:a"], ["urn:a", "urn:b"], ["urn:b", "urn:a"], ["urn:b"], ["urn:c"], ["urn:c", "urn:b"], []]
    for first in lists {
      for second in lists {
        _ = passes(first)
        for _ in 0..<2 { #expect(passes(second) == ["urn:a", "urn:b"].filter(second.contains)) }
        #expect(passes(second, .groupchat) == ["urn:a", "urn:b"].filter(second.contains) + ["room"])
      }
    }
    // Looked for since.
    #expect(passes(["urn:c"]) == [])
    look(for: "urn:c")
    #expect(passes(["urn:c"]) == ["urn:c"])
  }
}
