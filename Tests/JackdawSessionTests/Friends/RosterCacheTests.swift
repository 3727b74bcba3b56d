// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// The versioned roster (RFC 6121 2.6) and its cache.
@Client @Suite(.onLoop) struct RosterCacheTests {
  /// A store in memory, which fails when told to.
  @Client private final class Store: RosterStore {
    private var version: String?
    private var items: [JID: RosterItem] = [:]
    private var isEmpty = true
    private(set) var replacements = 0
    /// Whom each change of the whole list was about.
    private(set) var changes: [[JID]] = []
    var isBroken = false

    init(_ snapshot: RosterSnapshot? = nil) {
      if let snapshot { put(snapshot) }
    }

    var kept: RosterSnapshot? {
      isEmpty
        ? nil
        : RosterSnapshot(
          version: version, items: items.values.sorted { $0.jid.description < $1.jid.description })
    }

    private func put(_ snapshot: RosterSnapshot) {
      isEmpty = false
      version = snapshot.version
      items = [:]
      for item in snapshot.items { items[item.jid] = item }
    }

    func loadRoster() throws -> RosterSnapshot? {
      if isBroken { throw Broken() }
      return kept
    }

    func replaceRoster(_ snapshot: RosterSnapshot) throws {
      if isBroken { throw Broken() }
      replacements += 1
      put(snapshot)
    }

    func changeRoster(from earlier: String?, keep: [RosterItem], forget: [JID], version: String?) throws -> Bool {
      if isBroken { throw Broken() }
      guard self.version == earlier else { return false }
      changes.append(keep.map(\.jid) + forget)
      for jid in forget { items[jid] = nil }
      for item in keep { items[item.jid] = item }
      self.version = version
      return true
    }

    func keep(_ item: RosterItem, version: String?) throws {
      if isBroken { throw Broken() }
      items[item.jid] = item
      self.version = version
    }

    func forget(_ jid: JID, version: String?) throws {
      if isBroken { throw Broken() }
      items[jid] = nil
      self.version = version
    }

    private(set) var time: Timestamp?

    func timeOfRoster() throws -> Timestamp? {
      if isBroken { throw Broken() }
      return time
    }

    func confirmRoster(at time: Timestamp) throws {
      if isBroken { throw Broken() }
      if !isEmpty { self.time = time }
    }

    private struct Broken: Error {}
  }

  @Test("without roster versioning no version is sent") func withoutVersioningNoVersionIsAskedFor() async throws {
    let store = Store(RosterSnapshot(version: "7", items: []))
    let rig = try await FriendRig([FriendRig.item()], store: store)
    #expect(rig.server.requests.first?.payload == Element("query", Namespace.roster))
    #expect(store.kept == RosterSnapshot(version: nil, items: [try FriendRig.item()]))
  }

  @Test("the first roster request has an empty version") func theFirstTimeTheVersionIsEmpty() async throws {
    let store = Store()
    let rig = try await FriendRig([FriendRig.item()], store: store, version: 3)
    #expect(rig.server.requests.first?.payload?.attribute("ver") == "")
    #expect(store.kept == RosterSnapshot(version: "3", items: [try FriendRig.item()]))
  }

  @Test("an empty answer means that the cached roster is current")
  func anEmptyAnswerMeansThatTheCacheHolds() async throws {
    let item = try FriendRig.item("bob@example.org", .both, name: "Bob")
    let store = Store(RosterSnapshot(version: "3", items: [item]))
    let rig = try await FriendRig(store: store, version: 3)
    #expect(rig.server.requests.first?.payload?.attribute("ver") == "3")
    #expect(rig.friends.friends == [item])
    #expect(store.replacements == 0)
  }

  @Test("the cache has the time up to which the server told of each change")
  func confirmed() async throws {
    let item = try FriendRig.item("bob@example.org", .both, name: "Bob")
    let store = Store(RosterSnapshot(version: "3", items: [item]))
    let rig = try await FriendRig(store: store, version: 3)
    #expect(store.time == rig.fixture.date && rig.friends.timeOfList == store.time)
    rig.fixture.date = Timestamp(milliseconds: rig.fixture.date.milliseconds + 1_000)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    #expect(store.time == rig.fixture.date && rig.friends.timeOfList == store.time)
  }

  @Test("an old cache is replaced") func anOldCacheIsReplaced() async throws {
    let store = Store(RosterSnapshot(version: "2", items: [try FriendRig.item("old@example.org")]))
    let rig = try await FriendRig([FriendRig.item()], store: store, version: 3)
    #expect(rig.friends.friends == [try FriendRig.item()])
    #expect(store.kept == RosterSnapshot(version: "3", items: [try FriendRig.item()]))
  }

  /// Of a whole list that comes again only what differs is written.
  @Test("only what differs from the cache is written") func onlyWhatDiffersFromTheCacheIsWritten() async throws {
    let same = try FriendRig.item("same@example.org", .both, name: "Same", groups: ["A"])
    let store = Store(
      RosterSnapshot(
        version: "2",
        items: [
          same, try FriendRig.item("gone@example.org"), try FriendRig.item("other@example.org", .both, name: "Other"),
        ]))
    let now = [
      same, try FriendRig.item("other@example.org", .to, name: "Other"), try FriendRig.item("new@example.org"),
    ]
    let rig = try await FriendRig(now, store: store, version: 3)
    #expect(Set(rig.friends.unsorted.map(\.jid)) == Set(now.map(\.jid)))
    for item in now { #expect(rig.friends.item(for: item.jid) == item) }
    #expect(store.replacements == 0)
    #expect(store.changes.map { Set($0.compactMap(\.localpart)) } == [["gone", "other", "new"]])
    #expect(store.kept?.version == "3" && store.kept?.items.count == 3)
  }

  @Test("what another program has kept meanwhile goes where it is not in the whole list that comes")
  func anotherProgramKeptMore() async throws {
    let store = Store(RosterSnapshot(version: "5", items: [try FriendRig.item()]))
    let rig = try await FriendRig([FriendRig.item()], store: store, version: 5)
    // It made an entry and left; a third device has removed it since.
    try store.keep(try FriendRig.item("new@example.org"), version: "6")
    rig.server.version = 7
    try await rig.fixture.settleIn()
    #expect(store.kept == RosterSnapshot(version: "7", items: [try FriendRig.item()]))
  }

  /// After a write that failed it is not known what the cache has.
  @Test("after a failed write the cached roster is replaced as a whole")
  func aCacheThatIsBehindIsReplacedWhole() async throws {
    let store = Store(RosterSnapshot(version: "2", items: [try FriendRig.item("old@example.org")]))
    let rig = try await FriendRig([FriendRig.item()], store: store)
    store.isBroken = true
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    store.isBroken = false
    try await rig.fixture.settleIn()
    #expect(store.replacements == 1)
    #expect(store.kept?.items == [try FriendRig.item("bob@example.org", .both)])
  }

  @Test("roster pushes are cached with their version") func pushesAreCachedWithTheirVersion() async throws {
    let store = Store()
    let rig = try await FriendRig(store: store, version: 3)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    #expect(store.kept == RosterSnapshot(version: "4", items: [try FriendRig.item("bob@example.org", .both)]))
    await rig.fixture.receive(
      rig.server.push(Element("item", Namespace.roster, ["jid": "bob@example.org", "subscription": "remove"])))
    #expect(store.kept == RosterSnapshot(version: "5", items: []))
  }

  @Test("the next stream asks with the version that this one knows")
  func theNextStreamGoesOnFromWhatThisOneKnows() async throws {
    let rig = try await FriendRig([FriendRig.item()], version: 3)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    try await rig.fixture.settleIn()
    #expect(rig.server.requests.map { $0.payload?.attribute("ver") } == ["", "4"])
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .both)])
  }

  /// With the answer still to come, a push is about what is cached.
  @Test("a push before an empty answer is kept") func aPushBeforeAnEmptyAnswerIsKept() async throws {
    let fixture = try SessionFixture(
      stores: SessionStores(roster: Store(RosterSnapshot(version: "3", items: [try FriendRig.item()]))))
    fixture.script.moreFeatures = FriendRig.versioning
    fixture.answer = { _ in [] }
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    let loading = fixture.start { try await friends.load() }
    await fixture.clock.settle()
    let id = try #require(fixture.sent().first?.attribute("id"))
    await fixture.receive(
      "<iq type='set' id='p1'><query xmlns='jabber:iq:roster' ver='4'><item jid='bob@example.org' subscription='to'/>"
        + "</query></iq><iq type='result' id='\(id)'/>")
    #expect(loading.hasEnded && loading.error == nil)
    #expect(friends.friends == [try FriendRig.item("bob@example.org", .to)])
  }

  private static let push =
    "<iq type='set' id='p1'><query xmlns='jabber:iq:roster' ver='9'><item jid='new@example.org' subscription='to'/>"
    + "</query></iq>"

  /// With the stream of a run that was killed, which is taken up again, changes come before anything is asked for; from ejabberd on a
  /// new one, too.
  @Test("a push before the roster request is added to the cached roster")
  func aPushBeforeTheListIsAskedForAddsToWhatIsCached() async throws {
    let items = try (1...8).map { try FriendRig.item("friend\($0)@example.org", .both) }
    let fixture = try SessionFixture(
      stores: SessionStores(roster: Store(RosterSnapshot(version: "8", items: items))))
    fixture.script.moreFeatures = FriendRig.versioning
    try await fixture.logIn()
    let friends = fixture.session.features[FriendManager.self]
    await fixture.receive(Self.push)
    #expect(friends.unsorted.count == 9)
    #expect(fixture.events(FriendChanged.self).map(\.item.jid.description) == ["new@example.org"])
    fixture.answer = { element in (try? IQ(element)).map { [$0.result().element] } ?? [] }
    _ = fixture.sent()
    try await friends.load()
    #expect(fixture.sent().first.flatMap { try? IQ($0) }?.payload?.attribute("ver") == "")
    #expect(friends.unsorted.count == 9)
  }

  /// ejabberd pushes to everybody who is online, a single command that never asks for the list included.
  @Test("a push before the roster request does not hide earlier changes")
  func aPushBeforeTheListIsAskedForDoesNotHideWhatChangedBefore() async throws {
    let known = try FriendRig.item("bob@example.org", .both)
    let missed = try FriendRig.item("carol@example.org", .both)
    let pushed = try FriendRig.item("new@example.org", .to)
    let store = Store(RosterSnapshot(version: "7", items: [known]))
    let fixture = try SessionFixture(stores: SessionStores(roster: store))
    fixture.script.moreFeatures = FriendRig.versioning
    let server = RosterServer(fixture)
    server.version = 9
    for item in [known, missed, pushed] { server.items[item.jid.description] = item }
    try await fixture.logIn()
    await fixture.receive(Self.push)
    #expect(store.kept == RosterSnapshot(version: nil, items: [known, pushed]))
    try await fixture.session.features[FriendManager.self].load()
    #expect(store.kept == RosterSnapshot(version: "9", items: [known, missed, pushed]))
  }

  /// The same on a later stream of one run, which knows the list of the one before.
  @Test("on a new stream a push before the roster request does not hide earlier changes")
  func aPushBeforeTheListOfANewStreamDoesNotHideWhatChangedBefore() async throws {
    let store = Store()
    let rig = try await FriendRig([FriendRig.item()], store: store, version: 7)
    rig.fixture.session.drop(ConnectionError(.lost, "gone"))
    rig.server.items["carol@example.org"] = try FriendRig.item("carol@example.org", .both)
    rig.server.items["new@example.org"] = try FriendRig.item("new@example.org", .to)
    rig.server.version = 9
    try await rig.fixture.logIn()
    await rig.fixture.receive(Self.push)
    try await rig.friends.load()
    #expect(rig.server.requests.map { $0.payload?.attribute("ver") } == ["", "7"])
    #expect(rig.friends.friends.map(\.jid.localpart) == ["bob", "carol", "new"])
    #expect(store.kept?.version == "9" && store.kept?.items.count == 3)
    // Pushes that come after the list have its version.
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    #expect(store.kept?.version == "10")
  }

  /// Else the server would send what changed since, and the rest would never come.
  @Test("after a push without a known roster the whole roster is requested")
  func thePushOfAListThatIsNotKnownGivesItNoVersion() async throws {
    let fixture = try SessionFixture(stores: SessionStores(roster: Store()))
    fixture.script.moreFeatures = FriendRig.versioning
    try await fixture.logIn()
    await fixture.receive(Self.push)
    fixture.answer = { _ in [] }
    _ = fixture.sent()
    let loading = fixture.start { try await fixture.session.features[FriendManager.self].load() }
    await fixture.clock.settle()
    #expect(fixture.sent().first.flatMap { try? IQ($0) }?.payload?.attribute("ver") == "")
    _ = loading
  }

  @Test("an answer that is not a roster is refused") func answersThatAreNoRosterAreRefused() async throws {
    let fixture = try SessionFixture()
    fixture.answer = { element in (try? IQ(element)).map { [$0.result(Element("query", "urn:x")).element] } ?? [] }
    try await fixture.logIn()
    let error = await #expect(throws: RequestError.self) {
      try await fixture.session.features[FriendManager.self].load()
    }
    #expect(error?.code == .malformedReply)
  }

  /// A full disk, or a locked or corrupt database, gives one warning and does not stop the session.
  @Test("a roster store that fails is one remark") func aBrokenStoreIsOneRemark() async throws {
    let store = Store()
    store.isBroken = true
    let rig = try await FriendRig([FriendRig.item()], store: store, version: 3)
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    #expect(rig.friends.friends == [try FriendRig.item("bob@example.org", .both)])
    #expect(rig.fixture.remarks.count == 1)
  }

  /// A cache that missed a push must not claim the version of a later one.
  @Test("a cache that missed a push is not updated before the next stream")
  func aCacheThatMissedAPushIsNotWrittenOn() async throws {
    let store = Store()
    let rig = try await FriendRig(store: store, version: 3)
    store.isBroken = true
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("bob@example.org", .both)))
    store.isBroken = false
    await rig.fixture.receive(rig.server.keep(try FriendRig.item("carol@example.org", .both)))
    #expect(store.kept == RosterSnapshot(version: "3", items: []))
    // The next stream makes it whole again, even where it transfers nothing.
    try await rig.fixture.settleIn()
    #expect(store.kept?.version == "5")
    #expect(store.kept?.items.map(\.jid.localpart) == ["bob", "carol"])
  }
}
