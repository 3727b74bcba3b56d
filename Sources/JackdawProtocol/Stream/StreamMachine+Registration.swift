// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

/// Making an account before anybody is logged in (XEP-0077 3.1). It happens under verified TLS only, and all that the
/// server may send are the answers to the two requests; anything else ends the stream, as it does before a log-in.
///
/// The stream feature that announces it is optional (XEP-0077 10), so it is asked for without.
extension StreamMachine {
  mutating func askForForm(_ registration: Registration) -> [Action] {
    ask(registration, IQ.Kind.get, Element("query", RegistrationForm.namespace))
  }

  private mutating func ask(_ registration: Registration, _ kind: IQ.Kind, _ query: Element) -> [Action] {
    var bytes: [UInt8] = []
    do throws(XMLWriteError) {
      let request = Element(
        "iq", Namespace.client,
        ["type": kind.rawValue, "id": registration.currentID, "to": registration.account.domain], [query])
      try StanzaWriter.append(request, to: &bytes)
    } catch {
      return leave(StreamFailure(.refused, condition: "bad-input", sentence: "The answers cannot be sent: \(error)"))
    }
    state = .registering(registration)
    return [.send(bytes)]
  }

  mutating func register(_ element: Element, _ registration: Registration) -> [Action] {
    // Features once more change nothing.
    if element.matches("features", Namespace.streams) { return [] }
    guard let answer = registration.answer(element) else { return unexpected(element) }
    switch (registration.step, answer.error) {
    case (.askingForForm, nil): return formReceived(answer, registration)
    case (.askingForForm, let error?): return leave(registration.notOffered(error))
    case (.askingForAccount, nil):
      state = .closing(delivering: false)
      return [.send(StanzaWriter.streamEnd), .registered]
    case (.askingForAccount, let error?): return leave(registration.refused(error))
    }
  }

  private mutating func formReceived(_ answer: IQ, _ registration: Registration) -> [Action] {
    guard let query = answer.payload else { return violate("The server asks for nothing before it makes an account.") }
    let filled: Element
    do {
      let form = try RegistrationForm(query)
      if registration.canAsk, try !form.questions(besides: registration.values).isEmpty {
        // Whoever answers takes more time than servers have for a stream without a log-in.
        state = .closing(delivering: false)
        return [.send(StanzaWriter.streamEnd), .asked(form)]
      }
      filled = try form.filled(with: registration.values)
    } catch let error as RegistrationFormError {
      return leave(
        StreamFailure(.refused, condition: error.code.name, sentence: error.sentence, peerText: error.peerText))
    } catch {
      return violate("The server's questions for a new account cannot be read: \(error)")
    }
    var registration = registration
    registration.step = .askingForAccount
    return ask(registration, .set, filled)
  }
}

extension StreamMachine.Registration {
  /// - Throws: ``StreamFailure`` when the account or the password cannot be.
  init(_ request: RegistrationRequest) throws(StreamFailure) {
    guard let localpart = request.account.localpart else {
      throw StreamFailure(
        .refused, condition: "jid-malformed", sentence: "\(request.account) is a server, not a user.")
    }
    account = request.account.bare
    id = request.id
    language = request.language
    canAsk = request.canAsk
    values = request.fields
    values["username"] = localpart
    do {
      // As it is sent at each log-in later on: the server keeps what it gets here.
      values["password"] = try SASLprep.prepare(request.password)
    } catch {
      throw StreamFailure(
        .refused, condition: "bad-input", sentence: "The password cannot be sent to a server: \(error)")
    }
  }

  /// Nil unless `element` is the server's own answer to the request that is out.
  fileprivate func answer(_ element: Element) -> IQ? {
    guard let iq = try? IQ(element), iq.kind == .result || iq.kind == .error, iq.id == currentID else { return nil }
    return OwnAddresses(account).acceptsAnswer(from: iq.from, to: account.server) ? iq : nil
  }

  fileprivate func notOffered(_ error: StanzaError) -> StreamFailure {
    StreamFailure(
      .refused, condition: error.condition, sentence: notOffered, peerText: error.text.map(PeerText.cut),
      mayRetry: error.kind == .wait)
  }

  private var notOffered: String {
    "\(account.domain) does not let you register over XMPP: ask its operator, or look at its website"
  }

  /// What it means that the server ended the stream as one that is not authorized.
  func unwanted(_ failure: StreamFailure) -> StreamFailure {
    guard case .askingForForm = step else { return failure }
    var failure = failure
    failure.sentence = notOffered
    return failure
  }

  fileprivate func refused(_ error: StanzaError) -> StreamFailure {
    let sentence =
      switch error.condition {
      case "conflict": "The name '\(account.localpart ?? "")' is taken at \(account.domain)"
      case "not-acceptable": "\(account.domain) does not take the name, the password or what else was given"
      default: "\(account.domain) does not make the account: \(error.meaning)"
      }
    return StreamFailure(
      .refused, condition: error.condition, sentence: sentence, peerText: error.text.map(PeerText.cut),
      mayRetry: error.kind == .wait)
  }
}
