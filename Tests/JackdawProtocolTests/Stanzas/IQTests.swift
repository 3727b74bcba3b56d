// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct IQTests {
  static let conditions = "urn:ietf:params:xml:ns:xmpp-stanzas"

  @Test(
    "An IQ is the same when it is read and written again",
    arguments: [
      "<iq type='get' id='1' to='example.org'><ping xmlns='urn:xmpp:ping'/></iq>",
      "<iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='bob@example.org'/></query></iq>",
      "<iq type='result' id='1' from='bob@example.org/x' to='alice@example.org'/>",
      "<iq type='result' id='1'><query xmlns='jabber:iq:roster'/></iq>",
      "<iq type='error' id='1' from='example.org'><error type='auth'><forbidden xmlns='\(conditions)'/></error></iq>",
      """
      <iq type='error' id='1'><ping xmlns='urn:xmpp:ping'/><error type='cancel'>\
      <service-unavailable xmlns='\(conditions)'/></error></iq>
      """,
    ])
  func iqGoesBothWays(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(try IQ(element).element == element)
    #expect(try IQ(IQ(element).element) == IQ(element))
  }

  /// A request must be answered (RFC 6120 8.2.3): here with bad-request, to the requester, with the same id.
  @Test(
    "A malformed request is answered with an error",
    arguments: [
      "<iq type='get' id='i' from='bob@example.org/x'/>",
      "<iq type='set' id='i' from='bob@example.org/x'><a xmlns='urn:a'/><b xmlns='urn:b'/></iq>",
      "<iq type='get' id='i' from='bob@example.org/x'>text</iq>",
      "<iq type='get' id='i' from='bob@example.org/x' to='@@/'><a xmlns='urn:a'/></iq>",
      "<iq type='frob' id='i' from='bob@example.org/x'><a xmlns='urn:a'/></iq>",
      "<iq id='i' from='bob@example.org/x'><a xmlns='urn:a'/></iq>",
    ])
  func malformedRequestMustBeAnswered(_ xml: String) throws {
    let element = try Element(parsing: xml)
    let error = try #require(throws: StanzaFormatError.self) { try IQ(element) }
    let answer = try #require(error.answer)
    #expect(
      try answer.element
        == Element(
          parsing: """
            <iq type='error' id='i' to='bob@example.org/x'><error type='modify'>\
            <bad-request xmlns='\(Self.conditions)'/></error></iq>
            """))
  }

  @Test("A malformed request of our own server is answered to the server")
  func malformedRequestOfTheOwnServerIsAnsweredToIt() throws {
    let element = try Element(parsing: "<iq type='set' id='i'/>")
    let error = try #require(throws: StanzaFormatError.self) { try IQ(element) }
    #expect(error.answer?.to == nil && error.answer?.id == "i")
  }

  @Test(
    "A malformed IQ that is not a request is not answered",
    arguments: [
      "<iq type='get' from='bob@example.org'><a xmlns='urn:a'/></iq>", "<iq type='get' id='' from='bob@example.org'/>",
      "<iq type='get' id='i' from='@@/'/>", "<iq type='get' id='i' from=''><a xmlns='urn:a'/></iq>",
      "<iq type='result' id='i' from='bob@example.org'><a xmlns='urn:a'/><b xmlns='urn:b'/></iq>",
      "<iq type='result' from='bob@example.org'/>", "<iq type='error' id='i' to='@@/'/>", "<iq type='error'/>",
      "<iq xmlns='urn:evil' type='get' id='i'/>", "<message id='i'/>",
    ])
  func malformedIQIsNotAnsweredOtherwise(_ xml: String) throws {
    let element = try Element(parsing: xml)
    let error = try #require(throws: StanzaFormatError.self) { try IQ(element) }
    #expect(error.answer == nil)
  }

  @Test("An error without an error element still ends the request")
  func errorWithoutItsChildStillEndsTheRequest() throws {
    let iq = try IQ(Element(parsing: "<iq type='error' id='i'><ping xmlns='urn:xmpp:ping'/></iq>"))
    #expect(iq.error == .undefined && iq.payload?.name == "ping")
  }

  @Test("The result and the error of a request go to its sender") func answersGoBackToTheSender() throws {
    let request = try IQ(
      Element(parsing: "<iq type='get' id='i' from='bob@example.org/x' to='me@example.org'><a xmlns='urn:a'/></iq>"))
    #expect(try request.result() == IQ(kind: .result, id: "i", to: JID("bob@example.org/x")))
    let payload = Element("a", "urn:a")
    #expect(request.result(payload).payload == payload)
    let failure = request.failure(.serviceUnavailable)
    #expect(failure.kind == .error && failure.id == "i" && failure.error == .serviceUnavailable)
    #expect(failure.to == request.from && failure.from == nil)
  }
}
