// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import JackdawTransport
import JackdawXML
import Testing

@testable import JackdawCommands
@testable import JackdawLoop
@testable import JackdawSession

@Suite("Errors of every layer as exit codes")
struct CommandFailureTests {
  static func connection(_ code: ConnectionError.Code) -> ConnectionError { ConnectionError(code, "so it is") }

  static func stanza(_ condition: String) -> StanzaError { StanzaError(kind: .cancel, condition: condition) }

  struct Row: Sendable {
    var error: any Error
    var code: ExitCode
    var condition: String

    init(_ error: any Error, _ code: ExitCode, _ condition: String) {
      self.error = error
      self.code = code
      self.condition = condition
    }
  }

  static func rows() throws -> [Row] {
    let jid = try JID("bob@example.org")
    let cause = RequestError(.connectionGone, "gone", cause: connection(.lost))
    return [
      Row(CommandFailure(.bug, "x", "y"), .bug, "x"),
      Row(connection(.unresolved), .noHost, "unresolved"),
      Row(connection(.unreachable), .noHost, "unreachable"),
      Row(connection(.timedOut), .tryAgain, "timeout"),
      Row(connection(.lost), .tryAgain, "connection-lost"),
      Row(connection(.serverGone), .tryAgain, "server-gone"),
      Row(connection(.closed), .tryAgain, "closed"),
      Row(connection(.unsafe), .unsafe, "unsafe"),
      Row(connection(.protocolViolation), .unsafe, "protocol-violation"),
      Row(connection(.authentication), .authentication, "authentication"),
      Row(ConnectionError(.authentication, "no.", condition: "not-authorized"), .authentication, "not-authorized"),
      Row(connection(.refused), .unavailable, "refused"),
      Row(connection(.conflict), .unavailable, "conflict"),
      Row(connection(.configuration), .configuration, "configuration"),
      Row(TransportError(.certificate, "bad"), .unsafe, "unsafe"),
      Row(TransportError(.tls, "bad"), .unsafe, "unsafe"),
      Row(TransportError(.notOffered, "no."), .noHost, "unresolved"),
      Row(TransportError(.unreachable, "no."), .noHost, "unreachable"),
      Row(TransportError(.caFile, "no."), .configuration, "configuration"),
      Row(ChildProcessError(program: "bot", errno: ENOENT), .configuration, "program"),
      Row(ChildProcessError(program: "bot", errno: EAGAIN), .tryAgain, "resources"),
      Row(ChildProcessError(program: "bot", errno: ETXTBSY), .tryAgain, "resources"),
      Row(RequestError(.timedOut, "late"), .tryAgain, "timeout"),
      Row(RequestError(.cancelled, "stop"), .interrupted, "interrupted"),
      Row(RequestError(.malformedReply, "odd"), .unsafe, "malformed-reply"),
      Row(RequestError(.refused, "no.", stanzaError: stanza("forbidden")), .unavailable, "forbidden"),
      Row(RequestError(.alreadyTracked, "twice"), .bug, "already-tracked"),
      Row(cause, .tryAgain, "connection-lost"),
      Row(stanza("item-not-found"), .noUser, "item-not-found"),
      Row(stanza("gone"), .noUser, "gone"),
      Row(stanza("remote-server-not-found"), .noUser, "remote-server-not-found"),
      Row(stanza("remote-server-timeout"), .tryAgain, "remote-server-timeout"),
      Row(stanza("jid-malformed"), .badInput, "jid-malformed"),
      Row(stanza("service-unavailable"), .unavailable, "service-unavailable"),
      Row(stanza("invented"), .unavailable, "invented"),
      Row(
        MessageBounced(id: "1", to: jid, error: stanza("item-not-found"), reason: "no one"), .noUser, "item-not-found"),
      Row(FriendError(.isOurselves, jid), .badInput, "own-address"),
      Row(FriendError(.isBlocked(jid.server), jid), .unavailable, "not-acceptable"),
      Row(FriendError(.notOnList, jid), .noUser, "item-not-found"),
      Row(FriendError(.hasNotAsked, jid), .noUser, "item-not-found"),
      Row(FriendError(.notAsked, jid), .noUser, "item-not-found"),
      Row(FriendError(.cannotApprove, jid), .unavailable, "feature-not-implemented"),
      Row(FriendError(.unconfirmed("it"), jid), .tryAgain, "timeout"),
      Row(CancellationError(), .interrupted, "interrupted"),
      Row(HelperThreadError(), .tryAgain, "resources"),
      Row(Unknown(), .bug, "internal"),
    ]
  }

  struct Unknown: Error {}

  @Test("are each known, with a sentence")
  func areEachKnown() throws {
    for row in try Self.rows() {
      let failure = CommandFailure(row.error)
      #expect(failure.code == row.code && failure.condition == row.condition, "\(row.error)")
      #expect(!failure.text.isEmpty && failure.command == nil && !failure.isShown)
    }
  }

  @Test("of parsing are bad input")
  func ofParsing() {
    for address in ["", "@", "a@b@c", "a@-", "bob\u{200B}@example.org", String(repeating: "a", count: 1_100) + "@b"] {
      do {
        _ = try JID(address)
        Issue.record("\(address) is an address")
      } catch {
        #expect(CommandFailure(error).code == .badInput && CommandFailure(error).condition == "jid-malformed")
      }
    }
  }

  @Test("of a wrong password say so, whatever the server calls it", arguments: ["not-authorized", "invalid-proof"])
  func wrongPassword(_ condition: String) {
    let text = "Wrong user name or password."
    #expect(CommandFailure(ConnectionError(.authentication, "no: nope", condition: condition)).text == text)
    var bound = ConnectionError(.authentication, "no: nope", condition: condition)
    bound.advice = "There is a way out."
    #expect(CommandFailure(bound).text == text + " There is a way out.")
    // An account that is shut, or a stream that is, is another matter.
    #expect(CommandFailure(ConnectionError(.authentication, "no.", condition: "account-disabled")).text == "no.")
    #expect(CommandFailure(ConnectionError(.refused, "no.", condition: condition)).text == "no.")
  }

  @Test("say where in a script they happened")
  func sayWhere() {
    let failure = CommandFailure(.noUser, "item-not-found", "nobody", command: "ping")
    #expect(failure.located("line 3").text == "line 3: nobody" && failure.located(nil) == failure)
    #expect(failure.located("line 3").command == "ping")
  }

  @Test("have the numbers of sysexits.h")
  func haveTheNumbers() {
    let codes: [ExitCode] = [
      .success, .usage, .badInput, .noUser, .noHost, .unavailable, .bug, .inputOutput, .tryAgain, .unsafe,
      .authentication, .configuration, .interrupted,
    ]
    #expect(codes.map(\.value) == [0, 64, 65, 67, 68, 69, 70, 74, 75, 76, 77, 78, 130])
  }
}
