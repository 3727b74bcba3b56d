// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML
import Testing

@testable import JackdawProtocol

@Suite("How streams end")
struct EndingTests {
  @Test(
    "Each stream error of RFC 6120 4.9.3",
    arguments: [
      ("bad-format", StreamFailure.Code.refused, true), ("bad-namespace-prefix", .refused, true),
      ("conflict", .conflict, false), ("connection-timeout", .serverGone, true), ("host-gone", .refused, false),
      ("host-unknown", .refused, false), ("improper-addressing", .refused, true),
      ("internal-server-error", .serverGone, true), ("invalid-from", .refused, true), ("invalid-id", .refused, true),
      ("invalid-namespace", .refused, true), ("invalid-xml", .refused, true), ("not-authorized", .refused, false),
      ("not-well-formed", .refused, true), ("policy-violation", .refused, true),
      ("remote-connection-failed", .serverGone, true), ("reset", .serverGone, true),
      ("resource-constraint", .serverGone, true), ("restricted-xml", .refused, true),
      ("system-shutdown", .serverGone, true), ("undefined-condition", .serverGone, true),
      ("unsupported-encoding", .refused, true), ("unsupported-feature", .refused, false),
      ("unsupported-stanza-type", .refused, true), ("unsupported-version", .refused, true),
      ("frobnicated", .serverGone, true),
    ])
  func streamErrors(condition: String, code: StreamFailure.Code, mayRetry: Bool) throws {
    let driver = try StreamDriver.ready()
    driver.server(Say.streamError(condition, words: "\u{9B}2J because") + "<message/>")
    let failure = try #require(driver.failure)
    #expect(failure.code == code)
    #expect(failure.condition == condition)
    #expect(failure.mayRetry == mayRetry)
    #expect(failure.peerText == "\u{9B}2J because")
    #expect(!failure.sentence.isEmpty && !failure.sentence.contains("\u{9B}"))
    #expect(driver.sent.last == "</stream:stream>")
    #expect(driver.stanzas.isEmpty)
  }

  @Test(
    "ejabberd's conflict for an account that was removed is no other log-in's, and anybody's word before the log-in")
  func removed() throws {
    let driver = try StreamDriver.ready()
    driver.server(Say.streamError("conflict", words: "User removed"))
    #expect(driver.failure?.code == .refused && driver.failure?.mayRetry == false)
    #expect(driver.failure?.description == "The account was removed from its server.")
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(Say.header + Say.streamError("conflict", words: "User removed"))
    #expect(clear.failure?.isUnverified == true)
    #expect(clear.failure?.sentence == "The server speaks of a conflict before there is a log-in.")
  }

  @Test("A stream error at any time of the log-in, and an empty one")
  func early() throws {
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(Say.header + Say.streamError("host-unknown"))
    #expect(clear.failure?.condition == "host-unknown")

    let authenticating = try StreamDriver.authenticating()
    authenticating.server(Say.streamError("system-shutdown"))
    #expect(authenticating.failure?.code == .serverGone)

    let binding = try StreamDriver.binding()
    binding.server(Say.header + Say.streamError("resource-constraint"))
    #expect(binding.failure?.code == .serverGone)

    let ready = try StreamDriver.ready()
    ready.server("<stream:error/>")
    #expect(ready.failure?.code == .serverGone)
    #expect(ready.failure?.condition == nil)
  }

  @Test(
    "Redirect: see-other-host is followed within TLS, and not before it",
    arguments: ["other.example:5222", "[2001:db8::1]"])
  func redirect(target: String) throws {
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(Say.header + Say.streamError("see-other-host", target))
    #expect(clear.redirection == nil)
    #expect(clear.failure?.condition == "see-other-host")
    #expect(clear.failure?.isUnverified == true)
    #expect(clear.failure?.mayRetry == false)

    let secure = StreamDriver(try StreamDriver.request())
    secure.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    secure.server(Say.header + Say.streamError("see-other-host", target))
    #expect(secure.redirection == target)
    #expect(secure.sent.last == "</stream:stream>")
    #expect(secure.failure == nil)

    let ready = try StreamDriver.ready()
    ready.server(Say.streamError("see-other-host", target))
    #expect(ready.redirection == target)
  }

  @Test("Before TLS a conflict is anybody's word, and so is everything else", arguments: ["conflict", "host-unknown"])
  func unverified(condition: String) throws {
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(Say.header + Say.streamError(condition))
    #expect(clear.failure?.code == .refused)
    #expect(clear.failure?.isUnverified == true)

    let secure = StreamDriver(try StreamDriver.request())
    secure.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    secure.server(Say.header + Say.streamError(condition))
    #expect(secure.failure?.code == .refused)
    #expect(secure.failure?.isUnverified == false)
  }

  @Test(
    "What answers without TLS, or not in XMPP at all, is not believed",
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", Say.header + "<stream:features/>",
    ])
  func noTLS(answer: String) throws {
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(answer)
    #expect(clear.failure?.code == .protocolViolation)
    #expect(clear.failure?.isUnverified == true)
  }

  @Test("A stanza that exceeds a limit costs itself on a stream that is ready, and the stream before")
  func leftOut() throws {
    let many = (0..<140).map { " a\($0)=''" }.joined()
    let ready = try StreamDriver.ready()
    ready.server("<message from='a@b'><x\(many)/></message><iq id='1'\(many)/><presence/>")
    #expect(ready.leftOut.map(\.name) == ["message", "iq"])
    #expect(ready.stanzas.map(\.name) == ["presence"])
    #expect(ready.failure == nil)
    // What is no stanza is the server's own word.
    ready.server("<r xmlns='urn:xmpp:sm:3'\(many)/>")
    #expect(ready.failure?.condition == "policy-violation")

    let binding = try StreamDriver.binding()
    binding.server(Say.header + "<message\(many)/>")
    #expect(binding.failure?.condition == "policy-violation")
  }

  @Test("Redirect: a malformed host goes nowhere", arguments: ["", "-oProxyCommand=x", "a\nb.example", "a b", "a:b"])
  func malformedRedirect(target: String) throws {
    let driver = try StreamDriver.ready()
    driver.server(Say.streamError("see-other-host", target))
    #expect(driver.redirection == nil)
    #expect(driver.failure?.condition == "see-other-host")
  }

  @Test("Polite close: answered")
  func peerCloses() throws {
    let ready = try StreamDriver.ready()
    ready.server("</stream:stream>")
    #expect(ready.sent.last == "</stream:stream>")
    #expect(ready.isClosed)
    #expect(ready.failure == nil)
    #expect(!ready.machine.isReady)
  }

  @Test("A close in the middle of the log-in is a failure that says what we waited for")
  func peerClosesEarly() throws {
    let authenticating = try StreamDriver.authenticating()
    authenticating.server("</stream:stream>")
    #expect(authenticating.failure?.code == .serverGone)
    #expect(authenticating.failure?.sentence.contains("answer to the log-in") == true)
    #expect(authenticating.sent.last == "</stream:stream>")
    let clear = StreamDriver(try StreamDriver.request())
    clear.handle(.connected)
    clear.server(Say.header + "</stream:stream>")
    #expect(clear.failure?.code == .serverGone)
  }

  @Test("We leave: what still comes counts, until the server ends its side")
  func weClose() throws {
    let driver = try StreamDriver.ready()
    driver.handle(.closeRequested)
    driver.handle(.closeRequested)
    #expect(driver.sent.filter { $0 == "</stream:stream>" }.count == 1)
    #expect(!driver.machine.isReady)
    driver.server("<message><body>last</body></message></stream:stream>")
    #expect(driver.stanzas.count == 1)
    #expect(driver.isClosed)
    #expect(driver.sent.filter { $0 == "</stream:stream>" }.count == 1)
  }

  @Test(
    "We leave, and the server answers by an error or by rubbish: closed all the same",
    arguments: [
      Say.streamError("system-shutdown"), "<", "</wrong>",
    ])
  func weCloseRudely(said: String) throws {
    let driver = try StreamDriver.ready()
    driver.handle(.closeRequested)
    driver.server(said + (said == "<" ? "<" : ""))
    #expect(driver.isClosed)
    #expect(driver.failure == nil)
  }

  @Test("We leave before anything is up, or in the middle of the log-in")
  func weCloseEarly() throws {
    let idle = StreamDriver(try StreamDriver.request())
    idle.handle(.closeRequested)
    #expect(idle.isClosed)
    #expect(idle.sent.isEmpty)
    idle.handle(.connected)
    #expect(idle.sent.isEmpty)

    let securing = StreamDriver(try StreamDriver.request())
    securing.handle(.connected)
    securing.server(Say.header + Say.tlsFeatures)
    securing.server(Say.proceed)
    let sent = securing.sent.count
    securing.handle(.closeRequested)
    securing.handle(.secured(channelBindings: [:], version: "TLSv1.3"))
    #expect(securing.isClosed)
    #expect(securing.sent.count == sent)

    let authenticating = try StreamDriver.authenticating()
    authenticating.handle(.closeRequested)
    #expect(authenticating.sent.last == "</stream:stream>")
    authenticating.server(Say.saslText("success", "") + "<message/>")
    #expect(authenticating.stanzas.isEmpty)
    authenticating.server("</stream:stream>")
    #expect(authenticating.isClosed)
  }

  @Test("Broken XML: the condition goes back, nothing after it is taken")
  func brokenXML() throws {
    let driver = try StreamDriver.ready()
    driver.server("<message><body>1</body></message><message></wrong><message><body>2</body></message>")
    #expect(driver.stanzas.count == 1)
    #expect(driver.failure?.code == .protocolViolation)
    #expect(driver.failure?.condition == "not-well-formed")
    #expect(
      driver.sent.last
        == "<stream:error><not-well-formed xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"
    )
  }

  @Test("A failure reads as its sentence, then the peer's words")
  func description() {
    #expect(StreamFailure(.refused, sentence: "no.").description == "no.")
    #expect(StreamFailure(.refused, sentence: "no.", peerText: "because").description == "no: because.")
  }
}
