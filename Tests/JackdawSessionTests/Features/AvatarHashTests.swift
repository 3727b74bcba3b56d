// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

/// XEP-0153: what our presence says of our picture.
@Client @Suite(.onLoop) struct AvatarHashTests {
  /// Of `hello`.
  private nonisolated static let hash = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"

  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  private func settleIn(card: String?) async throws {
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("vCard", VCardTemp.namespace) == true, let card else {
        return SessionFixture.manners(element)
      }
      return [iq.result(try? Element(parsing: "<vCard xmlns='vcard-temp'>\(card)</vCard>")).element]
    }
    try await fixture.logIn()
    try await fixture.session.settleIn(showing: Presence())
    await fixture.clock.settle()
  }

  /// What the presences sent since the last call say of it: `-` where nothing of a picture.
  private var photos: [String] {
    fixture.sent().filter { $0.name == "presence" }.compactMap { presence in
      presence.child("x", AvatarHash.namespace).map { $0.child("photo", AvatarHash.namespace)?.text ?? "-" }
    }
  }

  private func announceAgain() async throws {
    try fixture.session.features[PresenceBoard.self].announce(Presence())
    await fixture.clock.settle()
  }

  private nonisolated static let picture =
    "<FN>Alice</FN><PHOTO><TYPE>image/png</TYPE><BINVAL>aGVs\nbG8=</BINVAL></PHOTO>"

  @Test(
    "Our presence contains the hash of the picture in our vCard",
    arguments: [(picture, hash), ("<FN>Alice</FN>", "-"), ("<PHOTO><BINVAL>?</BINVAL></PHOTO>", "-"), (nil, "-")])
  func ourPresenceNamesThePictureInOurCard(_ card: String?, _ photo: String) async throws {
    try await settleIn(card: card)
    #expect(photos == [photo])
  }

  @Test("a card that the server does not send holds up no log-in: after some seconds we are shown without a picture")
  func aCardThatDoesNotCome() async throws {
    fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("vCard", VCardTemp.namespace) == true else {
        return SessionFixture.manners(element)
      }
      return []
    }
    try await fixture.logIn()
    let fixture = fixture
    let settling = StartedTask { try await fixture.session.settleIn(showing: Presence()) }
    await fixture.clock.elapse(.seconds(4))
    #expect(!settling.hasEnded && photos.isEmpty)
    await fixture.clock.elapse(.seconds(2))
    #expect(settling.hasEnded && settling.error == nil && photos == ["-"])
  }

  @Test("Unavailable presence contains no hash") func goingOfflineSaysNothingOfIt() async throws {
    try await settleIn(card: Self.picture)
    _ = photos
    try fixture.session.features[PresenceBoard.self].announce(Presence(kind: .unavailable))
    await fixture.clock.settle()
    #expect(photos.isEmpty)
  }

  @Test(
    "Our presence names the picture no longer when another client of ours announces another one",
    arguments: [
      // Another client of ours: it names another, none, the same; it does not know yet, or knows nothing of pictures.
      ("alice@example.org/phone", "<x xmlns='vcard-temp:x:update'><photo>0\(hash.dropFirst())</photo></x>", "-"),
      ("alice@example.org/phone", "<x xmlns='vcard-temp:x:update'><photo/></x>", "-"),
      ("alice@example.org/phone", "", "-"),
      ("alice@example.org/phone", "<x xmlns='vcard-temp:x:update'><photo>\(hash)</photo></x>", hash),
      ("alice@example.org/phone", "<x xmlns='vcard-temp:x:update'><photo>\(hash.uppercased())</photo></x>", hash),
      ("alice@example.org/phone", "<x xmlns='vcard-temp:x:update'/>", hash),
      // Ourselves, and others, have no say.
      ("alice@example.org/here", "", hash), ("bob@example.net/x", "", hash),
    ])
  func anotherClientOfOursMayKnowBetter(_ from: String, _ update: String, _ photo: String) async throws {
    try await settleIn(card: Self.picture)
    _ = photos
    await fixture.receive("<presence from='\(from)'>\(update)</presence>")
    try await announceAgain()
    #expect(photos == [photo])
  }
}
