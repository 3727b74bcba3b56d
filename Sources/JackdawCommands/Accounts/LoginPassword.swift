// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// The password of an account's log-ins: where it comes from by now, and what becomes of it once the server has refused it.
@Client final class LoginPassword {
  private let jid: JID
  private let settings: Settings
  private let parts: ApplicationParts
  private let children: ChildGroup
  private var reader: PasswordReader
  /// The server refused it: another look where it comes from may find another.
  private var isRefused = false
  /// It is being asked for by a log-in.
  private(set) var isAsking = false

  /// - Parameter children: the programs that are run; a `password_command` is one.
  init(of jid: JID, settings: Settings, parts: ApplicationParts, children: ChildGroup) {
    self.jid = jid
    self.settings = settings
    self.parts = parts
    self.children = children
    reader = Self.reader(settings.password, jid, settings, parts, children)
  }

  private static func reader(
    _ source: PasswordSource?, _ jid: JID, _ settings: Settings, _ parts: ApplicationParts, _ children: ChildGroup
  ) -> PasswordReader {
    PasswordReader(
      source: source, account: jid, terminal: parts.secrets, sharesInput: parts.isStandardInputTerminal,
      timeout: settings.timeout, clock: parts.clock, children: children)
  }

  private func makeReader(_ source: PasswordSource?) -> PasswordReader {
    Self.reader(source, jid, settings, parts, children)
  }

  /// The password, from where the settings say or as it is typed.
  /// - Throws: ``CommandFailure``; `CancellationError`.
  func text() async throws -> String { try await reader.password() }

  /// The server has refused it: the next time that a log-in asks, it is looked for anew.
  func wasRefused() { isRefused = true }

  /// The password where a log-in that is under way needs it after all.
  func textInLogin() async throws -> String {
    isAsking = true
    defer { isAsking = false }
    // The question is written by another way.
    parts.output.progress(nil)
    parts.output.settle()
    if isRefused {
      isRefused = false
      if !isReadOnce {
        reader = makeReader(sourceNow)
      } else if parts.secrets != nil {
        reader = makeReader(nil)
      }
    }
    do {
      return try await reader.password()
    } catch let failure as CommandFailure {
      throw ConnectionError(.authentication, failure.text, condition: failure.condition)
    }
  }

  /// The password as a file of it, or the configuration file, has it by now; nil: it comes from elsewhere, or cannot be read.
  func changedText() async -> String? {
    let source = sourceNow
    switch source {
    case .inline: break
    // Of a pipe nothing is left, or nobody writes into it now.
    case .file(let path): if PrivateFile(path: path).mayBlock { return nil }
    case .command, .environment, nil: return nil
    }
    let reader = makeReader(source)
    guard let text = try? await reader.password() else { return nil }
    self.reader = reader
    return text
  }

  /// It comes from a descriptor of this process, of which nothing is left once it was read.
  private var isReadOnce: Bool {
    guard case .file(let path)? = settings.password else { return false }
    return PasswordSource.file(toKeep: path) == nil
  }

  /// The configuration says in which file the password is, and it can be read there again.
  var hasConfiguredFile: Bool {
    guard case .file(let path)? = settings.password, let name = settings.accountName, !PrivateFile(path: path).mayBlock,
      !isReadOnce,
      case .file(path)? = try? settings.configurationFile.load()[name]?.password
    else { return false }
    return true
  }

  /// Where the password comes from by now: one that stood in the configuration file may have been changed there.
  private var sourceNow: PasswordSource? {
    guard case .inline? = settings.password, let name = settings.accountName,
      case .inline(let text)? = try? settings.configurationFile.load()[name]?.password
    else { return settings.password }
    return .inline(text)
  }

  /// Of a password that was not typed, where it comes from, or what replaces it: nobody else can say what is to be put right once the server
  /// refuses it, as when it was changed elsewhere.
  /// - Returns: nil: it is typed, or nothing is left of where it came from.
  var advice: String? {
    switch settings.password {
    case .inline:
      "'jackdaw account add \(jid.bare)' replaces the one in \(settings.configurationFile.path)."
    case .file(let path):
      PasswordSource.file(toKeep: path) == nil ? nil : "The password came from \(path)."
    case .command(let words): "The password came from '\(words.first ?? "")'."
    case .environment: "The password came from JACKDAW_PASSWORD."
    case nil: nil
    }
  }
}
