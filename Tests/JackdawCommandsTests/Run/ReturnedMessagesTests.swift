// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawXML
import Support
import Testing

@testable import JackdawCommands

/// Messages that the server says it has, and then sends back, as ejabberd does for addresses that nobody has.
@Client @Suite("A message that comes back at once", .onLoop)
struct ReturnedMessagesTests {
  private let nobody = "nobody@example.org"

  /// The server answers the question behind a message, and sends the message back when it is asked once more.
  private func sendBack(_ rig: ApplicationRig) {
    var taken: [String] = []
    var questions = 0
    rig.fixture.answer = { element in
      if element.name == "message", let id = element.attribute("id") {
        taken.append(id)
        questions = 0
        return []
      }
      guard element.child("ping", Ping.namespace) != nil else { return SessionFixture.manners(element) }
      questions += 1
      guard questions > 1 else { return SessionFixture.manners(element) }
      let returned = taken.map {
        Message(
          kind: .error, id: $0, from: try? JID("nobody@example.org"), to: nil, body: nil,
          error: StanzaError(kind: .cancel, condition: "service-unavailable")
        ).element
      }
      taken = []
      return returned + SessionFixture.manners(element)
    }
  }

  @Test("fails the line of a script that sent it")
  func inScript() async throws {
    let rig = try ApplicationRig(TypedLines("/send \(nobody) hello\n"))
    sendBack(rig)
    let run = try await rig.start()
    #expect(run.value == .unavailable)
    #expect(rig.output.failures.count == 1 && rig.output.rows(SentRow.self).isEmpty)
  }

  @Test("fails a script at its end where no line waited", arguments: ["/to nobody@example.org\nhello\n"])
  func unconfirmed(_ script: String) async throws {
    let rig = try ApplicationRig(TypedLines(script))
    sendBack(rig)
    #expect(try await rig.start().value == .unavailable)
    #expect(rig.output.failures.count == 1)
  }

  @Test("is no news of whom we see, of ourselves, and of other servers' people")
  func others() async throws {
    let rig = try ApplicationRig(TypedLines("/wait message --for 5\n"))
    let roster = """
      <query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/>\
      <item jid='eve@example.org' subscription='none'/></query>
      """
    rig.fixture.answer = { element in
      guard let iq = try? IQ(element), iq.payload?.matches("query", Namespace.roster) == true else {
        return SessionFixture.manners(element)
      }
      var answer = iq.result(try? Element(parsing: roster))
      answer.from = iq.to
      return [answer.element]
    }
    let run = try await rig.start()
    let expected = [
      ("bob@example.org", false), ("eve@example.org", true), (nobody, true), ("alice@example.org", false),
      ("carol@elsewhere.example", false), ("tea@rooms.example.org/x", true), ("tea@rooms.example.org", false),
      ("cake@rooms.elsewhere.example/x", false),
    ]
    for room in ["tea@rooms.example.org", "cake@rooms.elsewhere.example"] {
      rig.fixture.session.features[Groupchat.self].learn(try JID(room))
    }
    for (address, mayReturn) in expected {
      #expect(rig.fixture.session.mayReturn(to: try JID(address)) == mayReturn, "\(address)")
    }
    await rig.fixture.clock.elapse(.seconds(5))
    #expect(run.hasEnded)
  }
}
