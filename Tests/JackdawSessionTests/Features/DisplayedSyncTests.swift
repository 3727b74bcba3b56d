// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawXML
import Support
import Testing

@testable import JackdawSession
@testable import JackdawStore

/// The node of what was read, at a server in memory.
@Client private final class DisplayedNode {
  /// What is there, by conversation, in the order of publishing; nil: there is no node.
  var items: [(conversation: String, id: String)]?
  /// Each publication and configuration that came.
  private(set) var heard: [String] = []
  /// The node's whole configuration is refused with an item, as by ejabberd 23.01.
  var refusesConfiguration = false
  /// Everything is refused.
  var refusesAll = false
  /// Nothing is answered.
  var isSilent = false
  /// Sends what was published to us too.
  var echo: (@Client (String) -> Void)?

  func answer(_ element: Element, else next: (Element) -> [Element]) -> [Element] {
    guard let iq = try? IQ(element), let payload = iq.payload, payload.name == "pubsub" else { return next(element) }
    guard !isSilent else { return [] }
    guard !refusesAll else { return [Self.refusal(iq)] }
    if let configure = payload.child("configure", PubSub.ownerNamespace) {
      let form = configure.child("x", DataForm.namespace).flatMap { try? DataForm($0) }
      heard.append("configure \(form?.value(of: "pubsub#max_items") ?? "")")
      return [iq.result().element]
    }
    if let publish = payload.child("publish", PubSub.namespace), let item = publish.child("item", PubSub.namespace) {
      let options = payload.child("publish-options", PubSub.namespace)?.child("x", DataForm.namespace)
        .flatMap { try? DataForm($0) }
      guard options?.value(of: "pubsub#access_model") == "whitelist" else { return [Self.refusal(iq)] }
      let isWhole = options?.value(of: "pubsub#max_items") == "max"
      if isWhole, refusesConfiguration {
        heard.append("refused")
        return [iq.failure(StanzaError(kind: .wait, condition: "resource-constraint")).element]
      }
      let (name, id) = (
        item.attribute("id") ?? "",
        item.firstChild?.child("stanza-id", StanzaID.namespace)?.attribute("id") ?? ""
      )
      heard.append("\(name) \(id)")
      items = (items ?? []).filter { $0.conversation != name } + [(name, id)]
      echo?(Self.event(name, id))
      return [iq.result().element]
    }
    guard let list = payload.child("items", PubSub.namespace) else { return next(element) }
    heard.append("items \(list.attribute("max_items") ?? "")")
    guard let items else { return [iq.failure(StanzaError(kind: .cancel, condition: "item-not-found")).element] }
    let content = items.map { Self.item($0.conversation, $0.id) }.joined()
    let answer = try? Element(
      parsing: "<pubsub xmlns='\(PubSub.namespace)'><items node='\(DisplayedMark.namespace)'>\(content)</items>"
        + "</pubsub>")
    return [iq.result(answer).element]
  }

  private static func refusal(_ iq: IQ) -> Element {
    iq.failure(StanzaError(kind: .auth, condition: "forbidden")).element
  }

  static func item(_ conversation: String, _ id: String, by account: String = "alice@example.org") -> String {
    "<item id='\(conversation)'><displayed xmlns='\(DisplayedMark.namespace)'>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' id='\(id)' by='\(account)'/></displayed></item>"
  }

  static func event(_ conversation: String, _ id: String, from sender: String? = "alice@example.org") -> String {
    "<message\(sender.map { " from='\($0)'" } ?? "") to='alice@example.org/here' type='headline'>"
      + "<event xmlns='\(PubSubEvent.namespace)'><items node='\(DisplayedMark.namespace)'>\(item(conversation, id))</items>"
      + "</event></message>"
  }
}

/// What is read on one device is read on the others: a session, its log, and a server with the node and an archive.
@Client @Suite("What was read", .onLoop) struct DisplayedSyncTests {
  private let store = AccountStore.inMemory()
  private let archive = ArchiveServer()
  private let node = DisplayedNode()
  private let bob = "bob@example.net"

  init() throws {
    try store.messages.keepArchiveCursor(ArchiveCursor.beginning)
    archive.features?.append(PublishOptions.formType)
  }

  private func run(_ role: SessionRole = .interactive(Presence())) throws -> LiveRig {
    let rig = try LiveRig(
      role,
      stores: SessionStores(messages: store.messages, log: store.log, readMarks: store.readMarks),
      features: SessionFixture.core + [
        MessageArchive.self, StanzaIDs.self, PubSub.self, PersonalEvents.self, DisplayedSync.self,
      ])
    archive.serve(rig.fixture)
    let answer = rig.fixture.answer
    rig.fixture.answer = { [node] in node.answer($0, else: answer) }
    return rig
  }

  /// A session that is up to date.
  private func started() async throws -> LiveRig {
    let rig = try run()
    try await rig.start()
    await rig.fixture.clock.elapse(SessionLimits.secondLook)
    return rig
  }

  private var unread: Int { get throws { try store.log.unread().messages } }

  /// Reads up to the message with this body.
  private func read(_ body: String) throws {
    let page = try store.log.page(LogQuery(), after: nil)
    let message = try #require(page.messages.first { $0.event.body == body })
    try store.log.markRead(message.conversation, through: message.number)
  }

  private func live(_ body: String, _ id: String) -> String {
    "<message from='bob@example.net/x' to='alice@example.org' type='chat'><body>\(body)</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\(id)'/></message>"
  }

  @Test("elsewhere before the log-in is read here, once the archive has told what that was")
  func atLogin() async throws {
    archive.bodies = ["one", "two", "three"]
    node.items = [(bob, "a2")]
    let rig = try await started()
    #expect(try unread == 1)
    #expect(node.heard == ["items 1000"])
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(node.heard == ["items 1000"], "it is asked for once, and nothing is published for it")
  }

  @Test("elsewhere is read here at once, and never becomes unread again")
  func live() async throws {
    archive.bodies = ["one", "two", "three"]
    let rig = try await started()
    #expect(try unread == 3)
    for (id, left) in [("a2", 1), ("a1", 1), ("a3", 0)] {
      await rig.fixture.receive(DisplayedNode.event(bob, id, from: id == "a3" ? nil : "alice@example.org"))
      #expect(try unread == left)
    }
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(node.heard == ["items 1000"])
  }

  @Test("is announced to the server, so that it tells of it")
  func announced() async throws {
    let rig = try await started()
    let answer = try await rig.fixture.ask("<query xmlns='\(ServiceDiscovery.information)'/>", from: "example.org")
    #expect(try DiscoveryInformation(try #require(answer.payload)).supports(DisplayedMark.namespace + "+notify"))
  }

  @Test(
    "is nobody else's to say",
    arguments: [
      "mallory@example.org", "bob@example.net", "example.org", "alice@example.org/other", "alice@examp1e.org",
    ])
  func impostors(sender: String) async throws {
    archive.bodies = ["one"]
    let rig = try await started()
    await rig.fixture.receive(DisplayedNode.event(bob, "a1", from: sender))
    #expect(try unread == 1)
  }

  @Test("elsewhere of a message that comes later is applied then")
  func later() async throws {
    let rig = try await started()
    await rig.fixture.receive(DisplayedNode.event(bob, "a2"))
    await rig.fixture.receive(live("one", "a1"))
    #expect(try unread == 1)
    await rig.fixture.receive(live("two", "a2") + live("three", "a3"))
    #expect(try unread == 1)
  }

  @Test("here is published a while later, once for many lines, and its echo is no news")
  func publishing() async throws {
    archive.bodies = ["one", "two", "three"]
    let rig = try await started()
    node.echo = { [fixture = rig.fixture] in fixture.connector.transport?.deliver(Array($0.utf8)) }
    for body in ["one", "two"] {
      try read(body)
      await rig.fixture.clock.elapse(.milliseconds(500))
    }
    #expect(node.heard == ["items 1000"])
    await rig.fixture.clock.elapse(.seconds(2))
    #expect(node.heard == ["items 1000", "\(bob) a2"])
    #expect(try unread == 1)
    try read("three")
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(node.heard == ["items 1000", "\(bob) a2", "\(bob) a3"])
  }

  @Test("here is published when the session is left, which waits for that no longer than a second")
  func leaving() async throws {
    archive.bodies = ["one", "two"]
    let rig = try await started()
    try read("one")
    await rig.live.leave()
    #expect(node.heard == ["items 1000", "\(bob) a1"])
    let next = try await started()
    node.isSilent = true
    try read("two")
    let left = StartedTask { await next.live.leave() }
    await next.fixture.clock.elapse(.milliseconds(500))
    #expect(!left.hasEnded)
    await next.fixture.clock.elapse(.seconds(3))
    #expect(left.hasEnded)
    node.isSilent = false
    _ = try await started()
    #expect(node.heard.last == "\(bob) a2", "the next run publishes it")
  }

  @Test("elsewhere alone keeps nobody who leaves waiting")
  func nothingToPublish() async throws {
    archive.bodies = ["one"]
    node.isSilent = true
    let rig = try await started()
    #expect(node.heard == [], "it was asked, and nothing came")
    let left = StartedTask { await rig.live.leave() }
    await rig.fixture.clock.settle()
    #expect(left.hasEnded)
  }

  @Test("here before the program was killed, or by a single command, is published by the next run that remains online")
  func killed() async throws {
    archive.bodies = ["one"]
    var first: LiveRig? = try await started()
    _ = first
    first = nil
    node.refusesAll = true
    try read("one")
    _ = try await started()
    #expect(node.items == nil)
    node.refusesAll = false
    _ = try await started()
    #expect(node.items?.map(\.id) == ["a1"])
  }

  @Test("here is not published over what another device has read further")
  func neverBackwards() async throws {
    archive.bodies = ["one", "two"]
    let first = try await started()
    await first.live.leave()
    try read("one")
    node.items = [(bob, "a2")]
    _ = try await started()
    #expect(node.heard == ["items 1000", "items 1000"])
    #expect(try unread == 0)
  }

  @Test("here goes to a server that takes no configuration with an item, which is changed once")
  func configuring() async throws {
    archive.bodies = ["one", "two"]
    node.refusesConfiguration = true
    let rig = try await started()
    for body in ["one", "two"] {
      try read(body)
      await rig.fixture.clock.elapse(.seconds(3))
    }
    #expect(node.heard == ["items 1000", "refused", "\(bob) a1", "configure max", "\(bob) a2"])
  }

  @Test("here is kept from a server that refuses it, which is not asked again on that stream")
  func refused() async throws {
    archive.bodies = ["one", "two"]
    let rig = try await started()
    node.refusesAll = true
    try read("one")
    await rig.fixture.clock.elapse(.seconds(3))
    node.refusesAll = false
    try read("two")
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(node.items == nil)
    await rig.live.leave()
    #expect(node.items == nil)
    _ = try await started()
    #expect(node.items?.map(\.id) == ["a2"])
  }

  @Test("goes nowhere where nobody vouches for the archive's ids")
  func noIDs() async throws {
    archive.features = [MessageArchive.namespace, PublishOptions.formType]
    let rig = try await started()
    await rig.fixture.receive(live("one", "a1"))
    try read("one")
    await rig.fixture.clock.elapse(.seconds(60))
    #expect(node.heard == ["items 1000"])
  }
}
