// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawTransport

/// `config.toml`: read, and changed an account at a time; what else is in it, comments too, stays as it is.
package struct ConfigurationFile: Sendable {
  /// Where the file is, or would be: it need not exist. Empty: there is no place for one, and it is an empty configuration.
  package let path: String
  private let home: String?

  /// - Parameter home: what `~` means in the file's paths; nil: nothing.
  package init(path: String, home: String? = nil) {
    self.path = path
    self.home = home
  }

  /// Reads the file; one that does not exist is an empty configuration.
  /// - Throws: ``CommandFailure`` with code 78.
  package func load() throws(CommandFailure) -> Configuration { try read()?.configuration ?? Configuration() }

  /// Appends an account. The default account stays the one it was, and where there were several and none was it, none is; the first account
  /// becomes it.
  /// - Throws: ``CommandFailure`` with code 78 when the name is taken, 74 when the file cannot be written.
  package func add(_ account: Configuration.Account) throws(CommandFailure) {
    try requirePlace()
    let file = PrivateFile(path: path)
    try file.makeFolder()
    try file.alone { () throws(CommandFailure) in try append(account) }
  }

  private func append(_ account: Configuration.Account) throws(CommandFailure) {
    let (text, before) = try read() ?? ("", Configuration())
    if before[account.name] != nil {
      throw CommandFailure(.configuration, "conflict", "There is an account '\(account.name)' already, in \(path).")
    }
    var wanted = before
    wanted.accounts.append(account)
    wanted.accounts.sort { $0.name < $1.name }
    let isWithoutDefault = before.defaultAccounts.isEmpty && before.accounts.count < 2
    if isWithoutDefault { wanted.defaultAccounts = [(before.accounts.first ?? account).name] }
    var lines = TOMLLines(text).lines
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    if isWithoutDefault {
      lines.insert(TOMLText.defaultAccounts(wanted.defaultAccounts), at: Self.endOfHead(text))
    }
    var changed = lines.map { $0 + "\n" }.joined()
    if !changed.isEmpty { changed += "\n" }
    try replace(with: changed + TOMLText.table(of: account), expecting: wanted)
  }

  /// Takes an account's table away, and its name from `default_account`.
  /// - Throws: ``CommandFailure`` with code 78 when there is none of this name, 74 when the file cannot be written.
  package func remove(_ name: String) throws(CommandFailure) {
    guard !path.isEmpty else { throw Self.noFile(with: name) }
    try PrivateFile(path: path).alone { () throws(CommandFailure) in try take(name) }
  }

  /// For an account by name where no file is named and there is no folder that it could be in.
  static func noFile(with name: String) -> CommandFailure {
    CommandFailure(
      .configuration, "no-account",
      "There is no account '\(name)'. HOME is not set, so name the configuration with --config.")
  }

  private func take(_ name: String) throws(CommandFailure) {
    guard let (text, before) = try read(), before[name] != nil else {
      throw CommandFailure(.configuration, "item-not-found", "There is no account '\(name)' in \(path).")
    }
    var wanted = before
    wanted.accounts.removeAll { $0.name == name }
    let places = TOMLLines(text)
    var gone: Set<Int> = []
    for table in places.tables where table.path.starts(with: ["accounts", name]) {
      // Remarks before the next table are about that.
      gone.formUnion(table.lines.reversed().drop(while: places.isRemark))
    }
    var changed: [Int: String] = [:]
    if before.defaultAccounts.contains(name) {
      wanted.defaultAccounts.removeAll { $0 == name }
      if let line = places.line(of: ["default_account"]) {
        if wanted.defaultAccounts.isEmpty {
          gone.insert(line)
        } else {
          changed[line] = TOMLText.defaultAccounts(wanted.defaultAccounts)
        }
      }
    }
    var lines = places.lines.enumerated().filter { !gone.contains($0.offset + 1) }
      .map { changed[$0.offset + 1] ?? String($0.element) }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    try replace(with: lines.map { $0 + "\n" }.joined(), expecting: wanted)
  }

  /// Puts another password in place of the one that an account's table holds, and `new` in place of its `new_password`.
  /// - Parameter new: nil: there is to be no `new_password`.
  /// - Throws: ``CommandFailure`` with code 78 when there is no account of this name that has its password there, or it is
  ///   not on a line of its own; 74 when the file cannot be written.
  package func setPassword(_ password: String, new: String? = nil, of name: String) throws(CommandFailure) {
    try PrivateFile(path: path).alone { () throws(CommandFailure) in
      guard var account = try load()[name], case .inline = account.password else {
        throw CommandFailure(.configuration, "item-not-found", "\(path) holds no password of an account '\(name)'.")
      }
      account.password = .inline(password)
      account.newPassword = new
      try change(account)
    }
  }

  /// Makes the table of the account of this name say what `account` does; of it only the lines that say something else are written
  /// anew, with their comments.
  /// - Throws: ``CommandFailure`` with code 78 when there is no account of this name, or what is to be changed is not on a line of its
  ///   own; 74 when the file cannot be written.
  package func update(_ account: Configuration.Account) throws(CommandFailure) {
    try PrivateFile(path: path).alone { () throws(CommandFailure) in try change(account) }
  }

  private func change(_ account: Configuration.Account) throws(CommandFailure) {
    guard let (text, before) = try read(), let index = before.accounts.firstIndex(where: { $0.name == account.name })
    else {
      throw CommandFailure(.configuration, "item-not-found", "There is no account '\(account.name)' in \(path).")
    }
    var wanted = before
    wanted.accounts[index] = account
    if wanted == before { return }
    let places = TOMLLines(text)
    var changed: [Int: [String]] = [:]
    // After which line something is to be added.
    var last: (number: Int, line: TOMLAssignment)?
    for (old, new) in zip(TOMLText.entries(of: before.accounts[index]), TOMLText.entries(of: account)) {
      if let old {
        guard let number = places.line(of: ["accounts", account.name, old.key]),
          let line = TOMLAssignment(places.lines[number - 1]), line.key == old.key
        else { throw unknownForm }
        changed[number] = new == old ? [places.lines[number - 1]] : new.map { [line.with($0)] } ?? []
        last = (number, line)
      } else if let new, let last {
        changed[last.number, default: []].append(last.line.beside(new))
      }
    }
    let lines = places.lines.enumerated().flatMap { changed[$0.offset + 1] ?? [$0.element] }
    try replace(with: lines.joined(separator: "\n"), expecting: wanted)
  }

  /// The index of the line before the first table and the remarks on it; the end when there is no table.
  private static func endOfHead(_ text: String) -> Int {
    let places = TOMLLines(text)
    guard var line = places.tables.first?.lines.lowerBound else {
      return places.lines.count - (places.lines.last?.isEmpty ?? false ? 1 : 0)
    }
    while line > 1, places.isRemark(line - 1) { line -= 1 }
    return line - 1
  }

  /// Writes the file, unless the text does not say what it should: then the file is one that is better changed by hand.
  private func replace(with text: String, expecting wanted: Configuration) throws(CommandFailure) {
    let result: Configuration?
    do throws(CommandFailure) {
      result = try ConfigurationParser.parse(text, path: path, home: home)
    } catch {
      result = nil
    }
    var wanted = wanted
    wanted.stamp = nil
    guard result == wanted else { throw unknownForm }
    try requirePlace()
    if let trust = Self.trust(in: wanted) { try requireOwnFolder(trust) }
    try PrivateFile(path: path).replace(with: text)
  }

  private var unknownForm: CommandFailure {
    CommandFailure(
      .configuration, "configuration",
      "\(path) does not have a table for each account, which is all that this command can change: edit it by hand.")
  }

  /// - Throws: ``CommandFailure`` with code 78 where nothing says where the file could be.
  func requirePlace() throws(CommandFailure) {
    guard path.isEmpty else { return }
    throw CommandFailure(
      .configuration, "configuration",
      "There is nowhere to keep the configuration. Set HOME, or name a file with --config.")
  }

  /// - Throws: ``CommandFailure`` with code 78 where others can put another file in its place: one with an account would not be read
  ///   there again; as ``requirePlace()``.
  func requireOwnFolder(_ what: String = accountsTrust) throws(CommandFailure) {
    try requirePlace()
    let file = PrivateFile(path: path)
    if let changer = file.folderChanger() { throw file.changeable(what, changer) }
  }

  private static let accountsTrust = "says which server gets a password"

  /// What it decides that nobody but the user may decide, as a sentence goes on; nil: nothing of that kind.
  private static func trust(in configuration: Configuration) -> String? {
    let isCommand = configuration.accounts.contains { if case .command = $0.password { true } else { false } }
    if isCommand { return "names a program to run (password_command)" }
    if configuration.notifications.program != nil { return "names a program to run (notify)" }
    // Whoever may write `server`, `ca_file` and `password_file` has any password sent to themselves, within TLS that is verified.
    return configuration.accounts.isEmpty ? nil : accountsTrust
  }

  private func read() throws(CommandFailure) -> (text: String, configuration: Configuration)? {
    let file = PrivateFile(path: path)
    guard let contents = try file.read(limit: CommandLimits.configurationBytes) else { return nil }
    guard let text = String(validating: contents.bytes, as: UTF8.self) else {
      throw CommandFailure(.configuration, "configuration", "\(path): it is not UTF-8.")
    }
    var configuration = try ConfigurationParser.parse(text, path: path, home: home)
    configuration.stamp = contents.stamp
    let holdsPassword = configuration.accounts.contains { if case .inline = $0.password { true } else { false } }
    if holdsPassword, contents.isOpenToOthers { throw file.openToOthers() }
    if let changer = contents.changer, let trust = Self.trust(in: configuration) {
      throw file.changeable(trust, changer)
    }
    return (text, configuration)
  }
}
