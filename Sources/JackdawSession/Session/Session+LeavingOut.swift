// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML

/// What the server sends and nobody can use: one stanza of it must not keep the account offline.
extension Session {
  /// Counts as handled, as it would come again otherwise, for ever.
  func connectionLeftOut(_ envelope: Element, _ reason: DecodeError) {
    if envelope.name != "message" { intake.logArrivals() }
    let isAnswer = envelope.name == "iq" && requests.awaits(envelope.attribute("id"))
    router.route(leftOut: envelope, reason: reason.description)
    // Who asked is told by the request.
    if !isAnswer, let notice = leftOutNotices.notice(of: envelope, reason) {
      environment.notice(notice)
    } else {
      let sender = (try? envelope.jid("from"))?.bare
      environment.remark(LeftOutNotices.sentence(envelope, from: sender, reason))
    }
    wire.handled(isAllSafe: isAllSafe)
  }

  /// The second time, what cannot be read is acknowledged: the server has it out of the stream then, and out of its storage. What is
  /// in the archive stays there: it is not read any more.
  func connectionIsFaulty(losesStanza: Bool) {
    history.streamIsFaulty()
    guard losesStanza else { return }
    if catchUp.streamIsFaulty() {
      environment.notice("Your server's archive holds data that broke the connection twice; it is not read any more.")
    }
    guard history.expectsFaults, wire.isStreamManagementEnabled, allIsLogged() else { return }
    wire.handled(isAllSafe: isAllSafe)
    wire.sayFarewell()
    environment.notice("Skipped a stanza with XML that XMPP does not allow; it had ended the connection twice.")
  }
}
