// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

/// The conversation of a first start, where there is no account yet: asks for an address and a password, or makes an account, until a
/// log-in succeeds or the user leaves. A value: what was typed and what the server said go in, what to say and to do next comes out.
struct FirstStart: Equatable {
  /// What comes next.
  struct Turn: Equatable {
    /// Sentences for the user, each a line, before the step.
    var says: [String] = []
    var step: Step
  }

  enum Step: Equatable {
    /// - Parameter suggestion: what Enter alone stands for.
    case askAddress(suggestion: JID?)
    case askNewAddress
    /// Meanwhile the server may be looked for.
    case askPassword(JID)
    /// Asks twice for the password of an account that is to be made.
    case askNewPassword(JID)
    /// - Parameter fields: what the server's questions were answered with; nil: it has not asked any yet.
    case register(JID, password: String, fields: [String: String]?)
    /// Asks what the server wants to know before it makes the account.
    case askFields(JID, RegistrationForm)
    case logIn(JID, password: String)
    /// The log-in has succeeded: the account is to be stored.
    case finish(JID, password: String)
    case leave(CommandFailure)
  }

  private enum State: Equatable {
    case askingAddress(suggestion: JID?)
    case askingNewAddress
    case askingPassword(JID, wrong: Int)
    case askingNewPassword(JID)
    case registering(JID, password: String)
    case askingFields(JID, password: String)
    case loggingIn(JID, password: String, wrong: Int)
    case over
  }

  private var state = State.askingAddress(suggestion: nil)

  /// What is typed in the place of an address by who has none.
  static let newAccount = "new"

  /// The first words.
  func begin() -> Turn {
    Turn(
      says: [
        "Welcome to Jackdaw.", "What is your chat (XMPP) address?", "Type '\(Self.newAccount)' to make a new account.",
      ], step: .askAddress(suggestion: nil))
  }

  /// Something was typed where an address was asked for.
  mutating func addressTyped(_ text: String) -> Turn {
    let text = text.trimmed
    switch state {
    case .askingAddress(let suggestion):
      if text.isEmpty, let suggestion { return askPassword(suggestion) }
      if String(text).lowercased() == Self.newAccount {
        return askNewAddress(["Which address would you like? It is like name@server."])
      }
      return read(String(text), again: .askAddress(suggestion: suggestion)) { $0.askPassword($1) }
    case .askingNewAddress:
      if text.isEmpty { return askAddress([], suggestion: nil) }
      return read(String(text), again: .askNewAddress) { start, jid in
        start.state = .askingNewPassword(jid)
        return Turn(step: .askNewPassword(jid))
      }
    case .askingPassword, .askingNewPassword, .registering, .askingFields, .loggingIn, .over:
      preconditionFailure("no address was asked for")
    }
  }

  /// A password was typed; where a new one was asked for, twice the same.
  mutating func passwordTyped(_ password: String) -> Turn {
    switch state {
    case .askingPassword(let jid, let wrong):
      guard !password.isEmpty else { return askAddress([], suggestion: jid) }
      state = .loggingIn(jid, password: password, wrong: wrong)
      return Turn(step: .logIn(jid, password: password))
    case .askingNewPassword(let jid):
      state = .registering(jid, password: password)
      return Turn(step: .register(jid, password: password, fields: nil))
    case .askingAddress, .askingNewAddress, .registering, .askingFields, .loggingIn, .over:
      preconditionFailure("no password was asked for")
    }
  }

  /// The server has made the account.
  mutating func registered() -> Turn {
    guard case .registering(let jid, let password) = state else { preconditionFailure("no account was asked for") }
    state = .loggingIn(jid, password: password, wrong: 0)
    return Turn(says: ["\(jid.bare) is registered."], step: .logIn(jid, password: password))
  }

  /// The server wants to know more before it makes the account.
  mutating func asked(_ form: RegistrationForm) -> Turn {
    guard case .registering(let jid, let password) = state else { preconditionFailure("no account was asked for") }
    state = .askingFields(jid, password: password)
    return Turn(step: .askFields(jid, form))
  }

  /// Its questions are answered, by the names of its form's fields.
  mutating func fieldsTyped(_ fields: [String: String]) -> Turn {
    guard case .askingFields(let jid, let password) = state else { preconditionFailure("nothing was asked for") }
    state = .registering(jid, password: password)
    return Turn(step: .register(jid, password: password, fields: fields))
  }

  /// The log-in has succeeded.
  mutating func loggedIn() -> Turn {
    guard case .loggingIn(let jid, let password, _) = state else { preconditionFailure("there was no log-in") }
    state = .over
    return Turn(step: .finish(jid, password: password))
  }

  /// A log-in, a registration, the look for the server or the choice of a new password came to nothing.
  mutating func refused(_ refusal: FirstStartRefusal) -> Turn {
    switch refusal {
    case .final(let failure): return failure.code == .interrupted ? left() : leave(failure)
    case .wrongPassword: return passwordRefused()
    case .other(let text): return refused(text)
    }
  }

  private mutating func passwordRefused() -> Turn {
    guard case .loggingIn(let jid, _, let before) = state else { return refused("Wrong user name or password.") }
    let wrong = before + 1
    guard wrong < CommandLimits.passwordTries else {
      return leave(
        CommandFailure(
          .authentication, "not-authorized",
          "Wrong user name or password, \(wrong) times. If you have forgotten the password, ask whoever runs \(jid.domain). No account was stored; start jackdaw again to try once more."
        ))
    }
    state = .askingPassword(jid, wrong: wrong)
    return Turn(
      says: ["Wrong user name or password.", "Try again (or Enter: another address)."],
      step: .askPassword(jid))
  }

  private mutating func refused(_ sentence: String) -> Turn {
    switch state {
    case .askingPassword(let jid, _), .loggingIn(let jid, _, _): return askAddress([sentence], suggestion: jid)
    case .registering, .askingNewPassword, .askingFields:
      return askNewAddress([sentence, "Type another one (or Enter: an account you have)."])
    case .askingAddress(let suggestion): return askAddress([sentence], suggestion: suggestion)
    case .askingNewAddress: return askNewAddress([sentence])
    case .over: preconditionFailure("nobody was asked")
    }
  }

  /// Ctrl-C or Ctrl-D: the user does not want to.
  mutating func left() -> Turn {
    leave(CommandFailure(.interrupted, "interrupted", "No account was stored. Start jackdaw again when you like."))
  }

  // MARK: Steps

  private mutating func leave(_ failure: CommandFailure) -> Turn {
    state = .over
    return Turn(step: .leave(failure))
  }

  private mutating func askAddress(_ says: [String], suggestion: JID?) -> Turn {
    state = .askingAddress(suggestion: suggestion)
    return Turn(says: says, step: .askAddress(suggestion: suggestion))
  }

  private mutating func askNewAddress(_ says: [String]) -> Turn {
    state = .askingNewAddress
    return Turn(says: says, step: .askNewAddress)
  }

  private mutating func askPassword(_ jid: JID) -> Turn {
    state = .askingPassword(jid, wrong: 0)
    return Turn(step: .askPassword(jid))
  }

  private mutating func read(_ text: String, again: Step, _ then: (inout FirstStart, JID) -> Turn) -> Turn {
    switch TypedAddress(text) {
    case .address(let jid): then(&self, jid)
    case .mistake(let sentence): Turn(says: [sentence], step: again)
    }
  }
}
