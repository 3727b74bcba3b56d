// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession

/// Nodes of our own account, written and read.
@Client @Suite(.onLoop) struct PubSubTests {
  /// What a service was asked, and how it answers.
  @Client private final class Service {
    var supportsOptions = true
    var unmet = 0
    var requests: [Element] = []
    var items: [Element] = []

    func answer(_ element: Element) -> [Element] {
      guard let iq = try? IQ(element), let payload = iq.payload else { return [] }
      if payload.namespace == ServiceDiscovery.information {
        let features = supportsOptions ? [PublishOptions.formType] : []
        return [reply(iq, DiscoveryInformation(features: features).element())]
      }
      guard payload.name == "pubsub" else { return SessionFixture.manners(element) }
      requests.append(payload)
      if let publish = payload.child("publish", PubSub.namespace) {
        if payload.child("publish-options", PubSub.namespace) != nil, unmet > 0 {
          unmet -= 1
          let condition = Element("precondition-not-met", PubSub.errorNamespace)
          return [iq.failure(StanzaError(kind: .cancel, condition: "conflict", application: condition)).element]
        }
        let item = Element(
          "item", PubSub.namespace, ["id": publish.child("item", PubSub.namespace)?.attribute("id") ?? "made"])
        return [
          reply(iq, Element("pubsub", PubSub.namespace, [Element("publish", PubSub.namespace, ["node": "n"], [item])]))
        ]
      }
      if payload.child("items", PubSub.namespace) != nil {
        return [
          reply(iq, Element("pubsub", PubSub.namespace, [Element("items", PubSub.namespace, ["node": "n"], items)]))
        ]
      }
      return [reply(iq, nil)]
    }

    private func reply(_ iq: IQ, _ payload: Element?) -> Element {
      var answer = iq.result(payload)
      answer.from = iq.to
      return answer.element
    }
  }

  private let service = Service()
  private let item = PubSubItem(id: "i", payload: Element("thing", "urn:thing", text: "secret"))

  private func pubSub() async throws -> PubSub {
    let fixture = try SessionFixture()
    try await fixture.settleIn()
    let service = service
    fixture.answer = { service.answer($0) }
    // The feature keeps the session alive by nothing.
    Self.alive.append(fixture)
    return fixture.session.features[PubSub.self]
  }

  private static var alive: [SessionFixture] = []

  @Test("Publishing sends the item and returns its ID") func publishingSendsTheItemAndGivesItsId() async throws {
    let pubSub = try await pubSub()
    #expect(try await pubSub.publish(item, to: "n") == "i")
    #expect(try await pubSub.publish(PubSubItem(payload: Element("thing", "urn:thing")), to: "n") == "made")
    #expect(
      service.requests.first?.description
        == "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='n'><item id='i'>"
        + "<thing xmlns='urn:thing'>secret</thing></item></publish></pubsub>")
  }

  @Test("Private data is published with its options") func privateDataGoesOutWithItsOptions() async throws {
    let pubSub = try await pubSub()
    try await pubSub.publish(item, to: "n", options: .secret)
    let form = try #require(
      service.requests.first?.child("publish-options", PubSub.namespace)?.child("x", DataForm.namespace))
    let options = try DataForm(form)
    #expect(options.kind == .submit)
    #expect(options.formType == "http://jabber.org/protocol/pubsub#publish-options")
    #expect(options.value(of: "pubsub#access_model") == "whitelist")
    #expect(options.value(of: "pubsub#persist_items") == "true")
    #expect(options.fields.count == 3)
  }

  @Test("Private data is not published where the server cannot keep it private")
  func privateDataIsNotGivenToAServerThatCannotKeepItPrivate() async throws {
    let pubSub = try await pubSub()
    service.supportsOptions = false
    let error = await #expect(throws: RequestError.self) { try await pubSub.publish(item, to: "n", options: .secret) }
    #expect(error?.stanzaError?.condition == "feature-not-implemented")
    #expect(service.requests.isEmpty)
  }

  @Test("A node with other options is reconfigured before private data is published")
  func aNodeThatIsOtherwiseIsChangedBeforePrivateDataGoesThere() async throws {
    let pubSub = try await pubSub()
    service.unmet = 1
    try await pubSub.publish(item, to: "n", options: .secret)
    #expect(service.requests.map { $0.firstChild?.name } == ["publish", "configure", "publish"])
    let form = try DataForm(
      try #require(service.requests[1].child("configure", PubSub.ownerNamespace)?.child("x", DataForm.namespace)))
    #expect(form.formType == "http://jabber.org/protocol/pubsub#node_config")
    #expect(form.value(of: "pubsub#access_model") == "whitelist")
  }

  @Test("Nothing is published to a node that cannot be reconfigured")
  func aNodeThatStaysOtherwiseGetsNothing() async throws {
    let pubSub = try await pubSub()
    service.unmet = 5
    let error = await #expect(throws: RequestError.self) { try await pubSub.publish(item, to: "n", options: .secret) }
    #expect(error?.stanzaError?.condition == "conflict")
    #expect(service.requests.count == 3)
  }

  @Test("Items are read with their ID, payload and publisher") func itemsAreRead() async throws {
    let pubSub = try await pubSub()
    service.items = [
      Element(
        "item", PubSub.namespace, ["id": "a", "publisher": "bob@example.org/x"], [Element("thing", "urn:thing")]),
      Element("item", PubSub.namespace, ["publisher": "@"]), Element("other", PubSub.namespace),
    ]
    let items = try await pubSub.items(of: "n", ids: ["a"], newest: 2)
    #expect(
      items == [
        PubSubItem(id: "a", payload: Element("thing", "urn:thing"), publisher: try JID("bob@example.org/x")),
        PubSubItem(),
      ])
    #expect(
      service.requests.first?.description
        == "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='n' max_items='2'><item id='a'/></items></pubsub>"
    )
  }

  @Test("Items are retracted, nodes are configured and deleted") func retractingConfiguringAndDeleting() async throws {
    let pubSub = try await pubSub()
    try await pubSub.retract("i", from: "n")
    try await pubSub.configure("n", PublishOptions(maxItems: .count(3), sendsLastItem: false))
    try await pubSub.delete("n")
    #expect(
      service.requests.map(\.description) == [
        "<pubsub xmlns='http://jabber.org/protocol/pubsub'><retract node='n' notify='true'><item id='i'/></retract></pubsub>",
        "<pubsub xmlns='http://jabber.org/protocol/pubsub#owner'><configure node='n'><x xmlns='jabber:x:data' "
          + "type='submit'><field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#node_config</value>"
          + "</field><field var='pubsub#max_items'><value>3</value></field><field var='pubsub#send_last_published_item'>"
          + "<value>never</value></field></x></configure></pubsub>",
        "<pubsub xmlns='http://jabber.org/protocol/pubsub#owner'><delete node='n'/></pubsub>",
      ])
  }
}
