// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Does what a ``FirstStart`` decides: asks on the terminal, and talks to the server.
@Client final class FirstStartDialogue {
  /// What it came to.
  struct Result {
    var entry: Configuration.Account
    var account: Account
    var live: LiveSession
    /// What has happened on the session, which nobody was shown.
    var heard: HeardEvents
  }

  private enum Answer {
    case typed(String)
    /// Ctrl-D.
    case ended
    /// The server turned out to be none while the user was typing.
    case refused(FirstStartRefusal)
  }

  private let application: Application
  private let terminal: any SecretAsking
  private var start = FirstStart()
  /// Given by options or environment; of use once.
  private var given: PasswordSource?
  /// Where the password that is tried came from, if it was not typed.
  private var source: PasswordSource?
  /// Whose server was found.
  private var found: JID?
  private var result: Result?

  init(_ application: Application, terminal: any SecretAsking) {
    self.application = application
    self.terminal = terminal
    given = application.settings.password
  }

  /// Goes on until there is a session that is logged in.
  /// - Throws: ``CommandFailure`` where the user leaves, or nothing that can be typed helps.
  func run() async throws -> Result {
    var turn = start.begin()
    while true {
      for text in turn.says { application.output.notice(text) }
      // The question is written by another way.
      application.output.settle()
      if case .leave(let failure) = turn.step { throw failure }
      do {
        turn = try await next(turn.step)
      } catch let failure as CommandFailure where failure.code == .interrupted {
        turn = start.left()
      }
      if let result { return result }
    }
  }

  private func next(_ step: FirstStart.Step) async throws -> FirstStart.Turn {
    switch step {
    case .askAddress(let suggestion):
      let question = suggestion.map { "Address [\($0)]: " } ?? "Address: "
      return try await taken(ask { try await self.terminal.askLine(question) }) { $0.addressTyped($1) }
    case .askNewAddress:
      return try await taken(ask { try await self.terminal.askLine("New address: ") }) { $0.addressTyped($1) }
    case .askPassword(let jid):
      return try await taken(password(of: jid)) { $0.passwordTyped($1) }
    case .askNewPassword(let jid):
      source = nil
      let answer = try await ask(jid) {
        try await NewPassword(for: jid, terminal: self.terminal).ask(otherwise: "")
      }
      return taken(answer) { $0.passwordTyped($1) }
    case .register(let jid, let password, let fields):
      return try await attempt(jid) {
        do {
          try await application.register(jid, password: password, fields: fields ?? [:], canAsk: fields == nil)
        } catch let asked as RegistrationAsked {
          return start.asked(asked.form)
        }
        return start.registered()
      }
    case .askFields(let jid, let form):
      do {
        let dialogue = RegistrationDialogue(with: jid.domain, output: application.output, terminal: terminal)
        return start.fieldsTyped(try await dialogue.answers(to: form, besides: [:]))
      } catch let failure as CommandFailure where failure.condition == "no-input" {
        return start.left()
      }
    case .logIn(let jid, let password):
      return try await attempt(jid) {
        result = try await logIn(jid, password)
        return start.loggedIn()
      }
    case .finish, .leave: preconditionFailure("nothing is left to do")
    }
  }

  private func taken(_ answer: Answer, _ take: (inout FirstStart, String) -> FirstStart.Turn) -> FirstStart.Turn {
    switch answer {
    case .typed(let text): take(&start, text)
    case .ended: start.left()
    case .refused(let refusal): start.refused(refusal)
    }
  }

  // MARK: Asking

  private func password(of jid: JID) async throws -> Answer {
    source = given
    guard let given else {
      return try await ask(jid) { try await self.terminal.askSecret("Password for \(jid.bare): ") }
    }
    self.given = nil
    let settings = application.settings
    return .typed(
      try await PasswordReader(
        source: given, account: jid, terminal: nil, sharesInput: true, timeout: settings.timeout,
        clock: application.clock, children: application.children
      ).password())
  }

  /// Asks, and looks meanwhile whether there is a server of `jid`: where there is none, the question is taken back.
  private func ask(_ jid: JID? = nil, _ question: @escaping @Client () async throws -> String) async throws -> Answer {
    let asking: Task<String, any Error> = EventLoop.main.start(question)
    var refusal: FirstStartRefusal?
    var looking: Task<Void, Never>?
    if let jid, found?.domain != jid.domain {
      looking = EventLoop.main.start { [application] in
        do {
          try await application.reach(jid)
          self.found = jid
        } catch is CancellationError {
          // Answered before.
        } catch {
          refusal = FirstStartRefusal(error, of: jid)
          asking.cancel()
        }
      }
    }
    defer { looking?.cancel() }
    do {
      let text = try await withTaskCancellationHandler {
        try await asking.value
      } onCancel: {
        asking.cancel()
      }
      return .typed(text)
    } catch {
      if let refusal { return .refused(refusal) }
      let failure = CommandFailure(error)
      if failure.condition == "no-input" { return .ended }
      // A new password that was typed differently each time, or none.
      if failure.code == .badInput { return .refused(.other(failure.text)) }
      throw failure
    }
  }

  // MARK: The server

  private func attempt(_ jid: JID, _ work: @Client () async throws -> FirstStart.Turn) async throws -> FirstStart.Turn {
    let patience = application.clock.schedule(after: CommandLimits.silence) { [application] in
      application.output.notice("Connecting to \(jid.domain) ...")
    }
    defer { patience.cancel() }
    do {
      return try await work()
    } catch {
      return start.refused(FirstStartRefusal(error, of: jid))
    }
  }

  private func logIn(_ jid: JID, _ password: String) async throws -> Result {
    var entry = Configuration.Account(jid)
    entry.take(application.settings.given)
    switch source {
    case .file(let path): entry.password = .file(toKeep: path) ?? .inline(password)
    case .command, .inline, .environment, nil: entry.password = .inline(password)
    }
    return try await application.leavingNoData(of: jid) { [entry] in try await self.logIn(entry) }
  }

  private func logIn(_ entry: Configuration.Account) async throws -> Result {
    let account = application.candidate(entry)
    var configuration = try await account.configuration()
    configuration.proof = .password
    let live = account.makeLive(configuration, as: .interactive(Presence()), triesOnce: true)
    let heard = HeardEvents(live.session)
    live.start()
    do {
      _ = try await live.online(within: application.settings.timeout + CommandLimits.lastWord)
    } catch {
      await live.leave()
      throw error
    }
    return Result(entry: entry, account: account, live: live, heard: heard)
  }
}
