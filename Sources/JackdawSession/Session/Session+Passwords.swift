// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol

extension FeatureError {
  /// The last change of the password was not answered: a third password would take the place of one that may be in force.
  package static var undecidedPassword: FeatureError {
    FeatureError(
      .refused,
      "The server did not confirm the last password change; connect again first to see whether it was made."
    )
  }
}

/// A password that changes, and one of which nobody knows whether it has.
extension Session {
  /// Changes the account's password, at the server and for the log-ins that this session has yet to do. Where the server's answer does
  /// not come, both are tried at the next one: ``SessionConfiguration/otherPassword`` is not nil then.
  /// - Throws: as ``InBandRegistration/changePassword(from:to:)``.
  package func changePassword(to password: String) async throws {
    guard configuration.otherPassword == nil else { throw FeatureError.undecidedPassword }
    let old = try await self.password()
    configuration.otherPassword = password
    do {
      try await features[InBandRegistration.self].changePassword(from: old, to: password)
    } catch {
      if Self.isDecided(error) { configuration.otherPassword = nil }
      throw error
    }
    configuration.password = password
    configuration.otherPassword = nil
    memory.keys = nil
  }

  /// Whether the server said no, or was not asked.
  private static func isDecided(_ error: any Error) -> Bool {
    switch error {
    case let error as RequestError: error.stanzaError != nil || error.code == .notSent
    case is CancellationError: false
    default: true
    }
  }

  /// Whether a log-in with the other password may do better than the one that was refused with `refusal`.
  func mayTryOtherPassword(after refusal: any Error) -> Bool {
    guard configuration.otherPassword != nil, !triesOtherPassword, leaving.isEmpty, !Task.isCancelled
    else { return false }
    return Self.isOfPassword(refusal)
  }

  private static func isOfPassword(_ refusal: any Error) -> Bool {
    guard let refusal = refusal as? ConnectionError, refusal.code == .authentication else { return false }
    return ConnectionError.wrongPassword.contains(refusal.condition ?? "")
  }

  /// `refusal` for a remark: the server's words say no more than ``ConnectionError/summary``.
  static func summary(of refusal: any Error) -> String { (refusal as? ConnectionError)?.summary ?? "\(refusal)" }

  /// `error`, with what the user can do about it where it is about a password that was not typed.
  func advised(_ error: any Error) -> any Error {
    guard let advice = configuration.adviceIfRefused, Self.isOfPassword(error), var advised = error as? ConnectionError
    else { return error }
    advised.advice = [advice, advised.advice].compactMap(\.self).joined(separator: " ")
    advised.description += " " + advice
    return advised
  }

  /// Tells what the user is to know of a log-in though it was refused, once: the next password may be mistyped, too.
  func warn(of refusal: any Error) {
    guard let warning = (refusal as? ConnectionError)?.warning, warning != warningOfRefusal else { return }
    warningOfRefusal = warning
    environment.notice(warning)
  }

  /// Takes another password in place of the one that was refused with `refusal`, where another program has written it down meanwhile: a
  /// session that nobody attends would end otherwise, though all that it needs is there.
  /// - Returns: whether there is another, to be tried now.
  func takeChangedPassword(after refusal: any Error) async -> Bool {
    guard !configuration.role.isOneShot, configuration.otherPassword == nil, Self.isOfPassword(refusal),
      let password = await configuration.lookForPassword?(), password != configuration.password, leaving.isEmpty,
      !Task.isCancelled
    else { return false }
    environment.remark(
      "\(Self.summary(of: refusal)) The password has been changed where it is kept: the new one is tried.")
    configuration.password = password
    memory.keys = nil
    return true
  }

  /// A refused password is of no more use to a session that remains online. The next log-in, which somebody wants who knows of this, begins with
  /// the question for another: it was mistyped, or has been changed meanwhile. Of two that are undecided none is given up.
  func giveUpPassword(after refusal: any Error) {
    guard !configuration.role.isOneShot, configuration.askPassword != nil, configuration.password != nil,
      configuration.otherPassword == nil, Self.isOfPassword(refusal)
    else { return }
    configuration.password = nil
    memory.keys = nil
    isPasswordRefused = true
    onPasswordRefused?()
  }

  /// - Throws: as ``password()``; it is asked for again the next time then.
  func replaceRefusedPassword() async throws {
    guard isPasswordRefused else { return }
    _ = try await password()
    isPasswordRefused = false
  }

  /// Does `logIn` with the other password in place of the one that was refused.
  /// - Throws: what it throws; the first one comes first again then.
  func tryOtherPassword(_ logIn: @Client () async throws -> Void) async throws {
    exchangePasswords()
    triesOtherPassword = true
    defer { triesOtherPassword = false }
    do {
      try await logIn()
    } catch {
      exchangePasswords()
      throw error
    }
  }

  private func exchangePasswords() {
    guard let other = configuration.otherPassword else { return }
    memory.keys = nil
    (configuration.password, configuration.otherPassword) = (other, configuration.password)
  }

  /// The server let us in. Of two passwords it is known now which one is right, unless the old one was for a stream that goes on: what was
  /// sent on that, the change too, may be yet to come.
  func passwordWasTaken(resuming: Bool) {
    guard configuration.otherPassword != nil, triesOtherPassword || !resuming else { return }
    configuration.otherPassword = nil
    if let password = configuration.password { onPasswordProved?(password, triesOtherPassword) }
  }
}
