// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawProtocol
import JackdawSession
import JackdawTransport
import TOMLKit

/// Reads the text of `config.toml`; a wrong line is named by file, line and what is expected.
struct ConfigurationParser {
  private let path: String
  private let home: String?
  private let text: String

  /// - Parameters:
  ///   - path: the file's: its folder is where paths in it begin.
  ///   - home: what `~` means; nil: nothing.
  /// - Throws: ``CommandFailure`` with code 78.
  static func parse(_ text: String, path: String, home: String? = nil) throws(CommandFailure) -> Configuration {
    // A byte order mark would hide from the check what the first line begins with.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    if let (line, problem) = TOMLFault.first(in: text) { throw failure(path, line, problem) }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      // 'accounts' has a list and tables: the parser calls the first table an array that cannot be redefined.
      if error.description.contains("'accounts."), error.description.contains("array"),
        let line = TOMLLines(text).lineOfValue(["accounts"])
      {
        throw failure(path, line, Self.accountsExpected)
      }
      throw failure(path, error.source.begin.line, error.description)
    } catch {
      throw failure(path, nil, "it cannot be read: \(error)")
    }
    return try ConfigurationParser(path: path, home: home, text: text).configuration(root)
  }

  private func configuration(_ root: TOMLTable) throws(CommandFailure) -> Configuration {
    var configuration = Configuration()
    for key in root.keys.sorted() {
      guard let value = root[key] else { continue }
      switch key {
      case "default_account": configuration.defaultAccounts = try names(value, key)
      case "show_presence": configuration.showsPresence = try flag(value, [key])
      case "when_removed":
        guard let policy = WhenRemoved(rawValue: try text(value, [key])) else {
          throw wrong([key], "expected \"keep\", \"remove\" or \"ask\"")
        }
        configuration.whenRemoved = policy
      case "archive": configuration.history.archive = try extent(value, key)
      case "history_keep":
        configuration.history.days = try bound(value, key, Self.time, HistorySettings.days)
      case "history_size":
        configuration.history.bytes = try bound(value, key, #"a size like "500MB" or "2GB""#, HistorySettings.bytes)
      case "history_lines": configuration.history.lines = try lines(value, key)
      case "retracted":
        guard let word = value.string, ["keep", "remove"].contains(word) else {
          throw wrong([key], "expected \"keep\" or \"remove\"")
        }
        configuration.history.removesRetracted = word == "remove"
      case "bell": configuration.notifications.bell = try kinds(value, key)
      case "attention": configuration.notifications.ringsForAttention = try flag(value, [key])
      case "desktop": configuration.notifications.desktop = try kinds(value, key)
      case "desktop_through": configuration.notifications.terminal = try terminal(value, key)
      case "notify": configuration.notifications.program = try words(value, [key])
      case "notify_for": configuration.notifications.programKinds = try kinds(value, key)
      case "quiet_hours":
        guard let hours = QuietHours(try text(value, [key])) else {
          throw wrong([key], "expected hours like \"22:00-07:00\"")
        }
        configuration.notifications.quiet = hours
      case "idle_after": configuration.idleAfter = try idleTime(value, key)
      case "agent": configuration.startsAgent = try flag(value, [key])
      case "agent_idle": configuration.agentIdle = try idleTime(value, key)
      case "receipts": if try !flag(value, [key]) { configuration.discloses.remove(.receipts) }
      case "markers": if try !flag(value, [key]) { configuration.discloses.remove(.markers) }
      case "typing": if try !flag(value, [key]) { configuration.discloses.remove(.typing) }
      case "styling": configuration.isStyling = try flag(value, [key])
      case "title": configuration.setsTitle = try flag(value, [key])
      case "screen_reader": configuration.looks.isSpoken = try flag(value, [key])
      case "theme": configuration.looks.theme = try theme(value, key)
      case "colors": try colors(value, key, into: &configuration.looks)
      case "accounts":
        guard let accounts = value.table else { throw wrong([key], Self.accountsExpected) }
        for name in accounts.keys.sorted() {
          guard let table = accounts[name]?.table else {
            throw wrong([key, name], "expected a table [accounts.\(name)]")
          }
          configuration.accounts.append(try account(name, table))
        }
      default:
        throw unknown(
          [key],
          among: [
            "default_account", "show_presence", "when_removed", "archive", "history_keep", "history_size",
            "history_lines", "retracted", "bell", "attention", "desktop", "desktop_through", "notify", "notify_for",
            "quiet_hours", "idle_after", "agent", "agent_idle", "receipts", "markers", "typing", "styling", "title",
            "screen_reader", "theme", "colors", "accounts",
          ])
      }
    }
    if let name = configuration.defaultAccounts.first(where: { configuration[$0] == nil }) {
      throw wrong(["default_account"], "expected the name of an account, and there is no [accounts.\(name)]")
    }
    return configuration
  }

  private static let accountsExpected =
    "expected [accounts.NAME] tables; which of them are used at once says default_account = [\"NAME\", \"NAME\"]"

  /// A name, or a list of them.
  private func names(_ value: any TOMLValueConvertible, _ key: String) throws(CommandFailure) -> [String] {
    guard let list = value.array else { return [try text(value, [key])] }
    return try list.map { value throws(CommandFailure) in try text(value, [key]) }
  }

  /// A text in its unit; "all" means that there is no bound.
  private func bound(
    _ value: any TOMLValueConvertible, _ key: String, _ like: String, _ read: (String) -> Int?
  ) throws(CommandFailure) -> Int? {
    let text = try text(value, [key])
    if text == "all" { return nil }
    guard let number = read(text) else { throw wrong([key], "expected \"all\", or \(like)") }
    return number
  }

  private static let time = #"a time like "90d", "12w" or "2y""#

  private func extent(_ value: any TOMLValueConvertible, _ key: String) throws(CommandFailure) -> ArchiveExtent {
    if value.string == "none" { return .nothing }
    return try bound(value, key, "\"none\", or \(Self.time)", HistorySettings.days).map { .days($0) } ?? .everything
  }

  private func lines(_ value: any TOMLValueConvertible, _ key: String) throws(CommandFailure) -> Int {
    guard let lines = value.int, 1...CommandLimits.unreadLines ~= lines else {
      throw wrong([key], "expected a number from 1 to \(CommandLimits.unreadLines)")
    }
    return lines
  }

  private func kinds(
    _ value: any TOMLValueConvertible, _ key: String
  ) throws(CommandFailure) -> [NotificationSettings.Kind] {
    let known = NotificationSettings.Kind.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
    let expected = "expected a list of \(known), or []"
    guard let list = value.array else { throw wrong([key], expected) }
    var kinds: [NotificationSettings.Kind] = []
    for entry in list {
      guard let kind = entry.string.flatMap(NotificationSettings.Kind.init) else { throw wrong([key], expected) }
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }

  private func terminal(
    _ value: any TOMLValueConvertible, _ key: String
  ) throws(CommandFailure) -> NotificationSettings.Terminal {
    guard let terminal = NotificationSettings.Terminal(rawValue: try text(value, [key])) else {
      throw wrong([key], "expected \"auto\", \"osc9\", \"osc777\" or \"osc99\"")
    }
    return terminal
  }

  private func idleTime(_ value: any TOMLValueConvertible, _ key: String) throws(CommandFailure) -> Duration {
    let text = try text(value, [key])
    let units: [Character: Int] = ["m": 60, "h": 3_600]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number > 0, text.first != "+",
      number <= 1_440, .seconds(number * unit) <= CommandLimits.longestIdle
    else { throw wrong([key], "expected a time like \"10m\" or \"1h\"") }
    return .seconds(number * unit)
  }

  private func account(_ name: String, _ table: TOMLTable) throws(CommandFailure) -> Configuration.Account {
    let path = ["accounts", name]
    guard let jidValue = table["jid"] else { throw wrong(path, "expected a line like jid = \"you@example.org\"") }
    var account = Configuration.Account(name: name, jid: try jid(jidValue, path + ["jid"]))
    for key in table.keys.sorted() {
      guard let value = table[key] else { continue }
      let path = path + [key]
      switch key {
      case "jid": break
      case "server":
        let text = try text(value, path)
        guard HostPort(text) != nil else { throw wrong(path, "expected \"host\" or \"host:port\"") }
        account.server = text
      case "tls":
        guard let mode = ConnectionPlan.TLSMode(rawValue: try text(value, path)) else {
          throw wrong(path, "expected \"auto\", \"starttls\" or \"direct\"")
        }
        account.tls = mode
      case "ca_file": account.caFile = try file(value, path)
      case "channel_binding":
        let text = try text(value, path)
        guard text == "auto" || text == "off" else { throw wrong(path, "expected \"auto\" or \"off\"") }
        account.bindsChannel = text == "auto"
      case "store":
        guard let store = Configuration.SecretStore(rawValue: try text(value, path)) else {
          throw wrong(path, "expected \"password\", \"keys\" or \"none\"")
        }
        account.store = store
      case "password": account.password = try onlyPassword(account, .inline(try text(value, path)), path)
      case "new_password": account.newPassword = try text(value, path)
      case "password_file": account.password = try onlyPassword(account, .file(try file(value, path)), path)
      case "password_command": account.password = try onlyPassword(account, .command(try words(value, path)), path)
      default:
        throw unknown(
          path,
          among: [
            "jid", "server", "tls", "channel_binding", "ca_file", "password", "new_password", "password_file",
            "password_command", "store",
          ])
      }
    }
    if case .inline = account.password, let store = account.store, store != .password {
      throw wrong(path + ["password"], "expected no password in this file, as store = \"\(store.rawValue)\" says")
    }
    if account.newPassword != nil {
      guard case .inline = account.password else {
        throw wrong(path + ["new_password"], "expected only beside password")
      }
    }
    return account
  }

  private func onlyPassword(
    _ account: Configuration.Account, _ source: PasswordSource, _ path: [String]
  ) throws(CommandFailure) -> PasswordSource {
    guard account.password == nil else {
      throw wrong(path, "expected only one of password, password_file and password_command")
    }
    return source
  }

  private func jid(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> JID {
    let written = try text(value, path)
    do {
      let jid = try JID(written).folded
      guard jid.localpart != nil else { throw wrong(path, "expected an address with a user: \"you@\(jid.domain)\"") }
      return jid
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw wrong(path, "expected an address like \"you@example.org\": \(error)")
    }
  }

  func text(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> String {
    guard let text = value.string else { throw wrong(path, "expected a text in quotes") }
    return text
  }

  /// A path: from the home folder with `~/`, else from the folder of the configuration file.
  private func file(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> String {
    let file = try text(value, path)
    if file.isEmpty { throw wrong(path, "expected a path") }
    if file.hasPrefix("~/"), let home { return home + file.dropFirst() }
    if file.hasPrefix("/") { return file }
    let folder = PrivateFolder.above(self.path)
    return folder.isEmpty ? file : folder + "/" + file
  }

  private func flag(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> Bool {
    guard let flag = value.bool else { throw wrong(path, "expected true or false") }
    return flag
  }

  /// A program: a list of words, or one text that is split as a shell would, without a shell.
  private func words(_ value: any TOMLValueConvertible, _ path: [String]) throws(CommandFailure) -> [String] {
    var words: [String] = []
    if let text = value.string {
      do {
        words = try ShellWords.split(text)
      } catch {
        throw wrong(path, "expected a program: \(error)")
      }
    } else if let list = value.array {
      for entry in list {
        guard let word = entry.string else { throw wrong(path, "expected a list of texts") }
        words.append(word)
      }
    }
    if words.isEmpty { throw wrong(path, "expected a program, like [\"pass\", \"show\", \"xmpp\"]") }
    return words
  }

  func unknown(_ path: [String], among known: [String]) -> CommandFailure {
    let key = path.last ?? ""
    let hint = Suggestion.nearest(to: key, among: known).map { "; did you mean '\($0)'?" } ?? ""
    return wrong(path, "'\(key)' is not known; expected one of \(known.joined(separator: ", "))\(hint)")
  }

  func wrong(_ path: [String], _ expected: String) -> CommandFailure {
    Self.failure(self.path, TOMLLines(text).line(of: path), expected)
  }

  private static func failure(_ path: String, _ line: Int?, _ text: String) -> CommandFailure {
    CommandFailure(
      .configuration, "configuration", Sentence.ended("\(path)\(line.map { ", line \($0)" } ?? ""): \(text)"))
  }
}
