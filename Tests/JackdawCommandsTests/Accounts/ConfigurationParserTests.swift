// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import JackdawTransport
import Testing

@testable import JackdawCommands

@Suite("config.toml")
struct ConfigurationParserTests {
  static func parse(_ text: String) throws(CommandFailure) -> Configuration {
    try ConfigurationParser.parse(text, path: "/etc/j/config.toml", home: "/home/me")
  }

  @Test("may be empty")
  func mayBeEmpty() throws {
    for text in ["", "\n\n", "# a remark\n", "show_presence = true"] {
      #expect(try Self.parse(text) == Configuration())
    }
  }

  @Test("may begin with a byte order mark, and is checked behind it")
  func byteOrderMark() throws {
    #expect(try Self.parse("\u{FEFF}[accounts.home]\njid = 'me@example.org'").accounts.count == 1)
    let failure = #expect(throws: CommandFailure.self) { try Self.parse("\u{FEFF}[\u{FFFD}= 1\n") }
    #expect(failure?.code == .configuration && failure?.text.contains("line 1: ") == true)
  }

  @Test("says everything of each account")
  func saysEverything() throws {
    let configuration = try Self.parse(
      """
      default_account = "work"   # the usual one
      show_presence = false

      [accounts.home]
      jid = "me@example.org/desk"
      password_command = ["pass", "show", "xmpp home"]
      ca_file = "ca.pem"

      [accounts.work]
      jid = 'boss@example.com'
      server = "xmpp.example.com:5223"
      tls = "direct"
      password_file = "~/.secret"

      [accounts."a.b c"]
      jid = "x@example.net"
      password = "tr\\u00FCb\\\\\\"sal"
      ca_file = "/etc/ca.pem"

      [accounts.plain]
      jid = "y@example.net"
      password_command = "pass show 'xmpp plain'"
      """)
    #expect(configuration.defaultAccount == "work" && !configuration.showsPresence)
    #expect(configuration.accounts.map(\.name) == ["a.b c", "home", "plain", "work"])
    let home = try #require(configuration["home"])
    #expect(home.jid.description == "me@example.org/desk")
    #expect(home.password == .command(["pass", "show", "xmpp home"]) && home.caFile == "/etc/j/ca.pem")
    let work = try #require(configuration["work"])
    #expect(work.server == "xmpp.example.com:5223" && work.tls == .direct && work.password == .file("/home/me/.secret"))
    #expect(configuration["a.b c"]?.password == .inline("tr\u{FC}b\\\"sal"))
    #expect(configuration["a.b c"]?.caFile == "/etc/ca.pem")
    #expect(configuration["plain"]?.password == .command(["pass", "show", "xmpp plain"]))
  }

  @Test("says what becomes of an entry when its friend has left", arguments: WhenRemoved.allCases)
  func whenRemoved(policy: WhenRemoved) throws {
    #expect(try Self.parse("when_removed = \"\(policy.rawValue)\"").whenRemoved == policy)
    #expect(try Self.parse("").whenRemoved == .keep)
  }

  @Test("says whether channel binding is off", arguments: [("", true), ("auto", true), ("off", false)])
  func channelBinding(_ word: String, _ isOn: Bool) throws {
    let line = word.isEmpty ? "" : "channel_binding = \"\(word)\""
    #expect(try Self.parse(Self.jid + line)["home"]?.bindsChannel == isOn)
  }

  @Test("says what is kept of an account's secrets", arguments: Configuration.SecretStore.allCases)
  func store(_ store: Configuration.SecretStore) throws {
    #expect(try Self.parse(Self.jid + "store = \"\(store.rawValue)\"")["home"]?.store == store)
    #expect(try Self.parse(Self.jid)["home"]?.store == nil)
  }

  struct Wrong: Sendable {
    var text: String
    var line: Int?
    var expected: String
  }

  static let jid = "[accounts.home]\njid = \"me@example.org\"\n"

  @Test("the settings of what is kept are read with their units") func whatIsKeptIsReadWithItsUnits() throws {
    #expect(try Self.parse("").history == HistorySettings())
    let some = try Self.parse(
      "archive = \"12w\"\nhistory_keep = \"2y\"\nhistory_size = \"500MB\"\nhistory_lines = 25")
    #expect(some.history == HistorySettings(archive: .days(84), lines: 25, days: 730, bytes: 500_000_000))
    let all = try Self.parse("archive = \"none\"\nhistory_keep = \"all\"\nhistory_size = \"all\"")
    #expect(all.history == HistorySettings(archive: .nothing))
    #expect(try Self.parse("archive = \"all\"\nhistory_size = \"2GB\"").history.bytes == 2_000_000_000)
  }

  @Test("messages of one day expire together") func allOfADayIsTooOldTogether() {
    let day: Int64 = 86_400_000
    let settings = HistorySettings(days: 90)
    for moment in [0, day / 2, day - 1] {
      #expect(
        settings.start(at: Timestamp(milliseconds: 20_000 * day + moment)) == Timestamp(milliseconds: 19_910 * day))
    }
    #expect(
      settings.start(at: Timestamp(milliseconds: day)) == Timestamp(milliseconds: 0), "a clock that was never set")
    #expect(HistorySettings().start(at: Timestamp(milliseconds: 20_000 * day)) == nil)
  }

  @Test("the settings of notifications and of idleness are read") func howTheUserIsCalledIsRead() throws {
    let usual = try Self.parse("")
    #expect(usual.notifications == NotificationSettings() && usual.idleAfter == nil && usual.setsTitle)
    #expect(try !Self.parse("title = false").setsTitle)
    #expect(try usual.isStyling && !Self.parse("styling = false").isStyling)
    #expect(usual.notifications.bell == [.message, .request, .mention] && usual.notifications.program == nil)
    #expect(
      try !usual.notifications.ringsForAttention && Self.parse("attention = true").notifications.ringsForAttention)
    let some = try Self.parse(
      """
      bell = []
      desktop = ["online"]
      desktop_through = "osc777"
      notify = "tell -x 'a b'"
      notify_for = ["message", "message"]
      quiet_hours = "22:00-7:30"
      idle_after = "2h"
      """)
    var expected = NotificationSettings()
    (expected.bell, expected.desktop, expected.terminal) = ([], [.online], .osc777)
    (expected.program, expected.programKinds) = (["tell", "-x", "a b"], [.message])
    expected.quiet = QuietHours("22:00-07:30")
    #expect(some.notifications == expected && expected.quiet != nil && some.idleAfter == .seconds(7_200))
  }

  @Test("the settings of theme, colors and times are read") func howTextLooksIsRead() throws {
    #expect(try Self.parse("").looks == LookSettings() && LookSettings().theme == .auto)
    for theme in LookSettings.Theme.allCases {
      #expect(try Self.parse("theme = \"\(theme.rawValue)\"").looks.theme == theme)
    }
    #expect(try Self.parse("screen_reader = true").looks.isSpoken && !LookSettings().isSpoken)
    let looks = try Self.parse(
      """
      [colors]
      names = ["#D70087", "bright-cyan", "bold 208"]
      own = "bold blue"
      time = "default"
      error = "reverse underline 7"
      """
    ).looks
    #expect(looks.names == [Paint(.rgb(0xD7, 0, 0x87)), Paint(.ansi(14)), Paint(.palette(208), .bold)])
    #expect(
      looks.colors == [
        .own: Paint(.ansi(4), .bold), .time: Paint(nil), .error: Paint(.ansi(7), .reverse, .underline),
      ])
  }

  static let wrong: [Wrong] = [
    Wrong(text: "\ntheme = \"drak\"", line: 2, expected: #"did you mean "dark"?"#),
    Wrong(
      text: "theme = \"color-blind\"", line: 1,
      expected: #"expected one of "auto", "dark", "light", "color-blind-dark", "color-blind-light", "none""#),
    Wrong(text: "colors = 1", line: 1, expected: "expected a table [colors]"),
    Wrong(text: "[colors]\nowm = \"red\"", line: 2, expected: "did you mean 'own'?"),
    Wrong(text: "[colors]\nown = \"rde\"", line: 2, expected: #"expected a look like "blue", "bold bright-green""#),
    Wrong(text: "[colors]\nown = \"red blue\"", line: 2, expected: "expected a look"),
    Wrong(text: "[colors]\nown = \"bold bold\"", line: 2, expected: "expected a look"),
    Wrong(text: "[colors]\nown = \"\"", line: 2, expected: "expected a look"),
    Wrong(text: "[colors]\nown = \"256\"", line: 2, expected: "expected a look"),
    Wrong(text: "[colors]\n\nown = \"#12345\"", line: 3, expected: "expected a look"),
    Wrong(text: "[colors]\nnames = []", line: 2, expected: "expected a list, each of it a look"),
    Wrong(text: "[colors]\nnames = [\"red\", 1]", line: 2, expected: "expected a look"),
    Wrong(
      text: "bell = \"message\"", line: 1,
      expected: #"expected a list of "message", "request", "mention", "online", or []"#),
    Wrong(text: "desktop = [\"messages\"]", line: 1, expected: #"expected a list of "message""#),
    Wrong(text: "desktop_through = \"osc8\"", line: 1, expected: #"expected "auto", "osc9""#),
    Wrong(text: "notify = []", line: 1, expected: "expected a program"),
    Wrong(text: "quiet_hours = \"22-7\"", line: 1, expected: #"expected hours like "22:00-07:00""#),
    Wrong(text: "quiet_hours = \"22:00-25:00\"", line: 1, expected: "expected hours"),
    Wrong(text: "quiet_hours = \"07:00-07:00\"", line: 1, expected: "expected hours"),
    Wrong(text: "idle_after = \"0m\"", line: 1, expected: #"expected a time like "10m" or "1h""#),
    Wrong(text: "idle_after = \"25h\"", line: 1, expected: "expected a time"),
    Wrong(text: "a b", line: 1, expected: ""),
    Wrong(text: "\n\n[accounts.home\njid = 1", line: 3, expected: ""),
    Wrong(text: "x = \"", line: 1, expected: ""),
    Wrong(text: "a = 1\na = 2", line: 2, expected: ""),
    Wrong(text: "\ndefualt_account = \"x\"", line: 2, expected: "did you mean 'default_account'?"),
    Wrong(text: "\n[account.home]\njid = \"me@a\"", line: 2, expected: "did you mean 'accounts'?"),
    Wrong(
      text: "colour = 1", line: 1,
      expected:
        "expected one of default_account, show_presence, when_removed, archive, history_keep, history_size, history_lines, retracted, bell, attention, desktop, desktop_through, notify, notify_for, quiet_hours, idle_after, agent, agent_idle, receipts, markers, typing, styling, title, screen_reader, theme, colors, accounts"
    ),
    Wrong(text: "archive = 90", line: 1, expected: "expected a text in quotes"),
    Wrong(text: "archive = \"0d\"", line: 1, expected: #"expected "all", or "none", or a time like "90d""#),
    Wrong(text: "history_keep = \"-1d\"", line: 1, expected: #"expected "all", or a time like "90d""#),
    Wrong(text: "history_keep = \"99999999999999999999y\"", line: 1, expected: #"expected "all", or a time"#),
    Wrong(text: "history_size = \"500\"", line: 1, expected: #"expected "all", or a size like "500MB""#),
    Wrong(text: "retracted = true", line: 1, expected: "expected \"keep\" or \"remove\""),
    Wrong(text: "history_lines = 0", line: 1, expected: "expected a number from 1 to 100"),
    Wrong(text: "when_removed = true", line: 1, expected: "expected a text in quotes"),
    Wrong(text: "\n\nwhen_removed = \"never\"", line: 3, expected: #"expected "keep", "remove" or "ask""#),
    Wrong(text: "show_presence = \"yes\"", line: 1, expected: "expected true or false"),
    Wrong(text: "accounts = 1", line: 1, expected: "expected [accounts.NAME] tables"),
    Wrong(
      text: "agent = true\naccounts = [\"home\"]\n" + jid, line: 2,
      expected: "which of them are used at once says default_account = ["),
    Wrong(text: "[accounts]\n[accounts.home]\njid = \"a@b\"\njid = 1", line: 4, expected: "'jid'"),
    Wrong(text: "accounts = {}\na b", line: 2, expected: ""),
    Wrong(text: "[accounts]\nhome = 1", line: 2, expected: "expected a table [accounts.home]"),
    Wrong(text: "default_account = 1", line: 1, expected: "expected a text in quotes"),
    Wrong(text: "# one\ndefault_account = \"x\"\n" + jid, line: 2, expected: "there is no [accounts.x]"),
    Wrong(text: "[accounts.home]\nserver = \"x\"", line: 1, expected: "expected a line like jid = \"you@example.org\""),
    Wrong(text: "[accounts.home]\n\njid = 5", line: 3, expected: "expected a text in quotes"),
    Wrong(text: "[accounts.home]\njid = \"example.org\"", line: 2, expected: "with a user: \"you@example.org\""),
    Wrong(text: "[accounts.home]\njid = \"a@b@c\"", line: 2, expected: "expected an address like"),
    Wrong(text: jid + "server = \"a b\"", line: 3, expected: "expected \"host\" or \"host:port\""),
    Wrong(text: jid + "server = \"x:0\"", line: 3, expected: "expected \"host\" or \"host:port\""),
    Wrong(text: jid + "tls = \"none\"", line: 3, expected: "expected \"auto\", \"starttls\" or \"direct\""),
    Wrong(text: jid + "channel_binding = \"on\"", line: 3, expected: "expected \"auto\" or \"off\""),
    Wrong(text: jid + "channel_binding = false", line: 3, expected: "expected a text in quotes"),
    Wrong(text: jid + "ca_file = \"\"", line: 3, expected: "expected a path"),
    Wrong(text: jid + "store = \"secret\"", line: 3, expected: "expected \"password\", \"keys\" or \"none\""),
    Wrong(
      text: jid + "store = \"keys\"\npassword = \"x\"", line: 4,
      expected: "expected no password in this file, as store = \"keys\" says"),
    Wrong(text: jid + "passwrd = \"x\"", line: 3, expected: "did you mean 'password'?"),
    Wrong(text: jid + "password = \"x\"\npassword_file = \"y\"", line: 4, expected: "only one of password"),
    Wrong(text: jid + "new_password = \"x\"", line: 3, expected: "expected only beside password"),
    Wrong(
      text: jid + "password_file = \"x\"\nnew_password = \"y\"", line: 4, expected: "expected only beside password"),
    Wrong(text: jid + "password_command = []", line: 3, expected: "expected a program, like"),
    Wrong(text: jid + "password_command = [1]", line: 3, expected: "expected a list of texts"),
    Wrong(
      text: jid + "password_command = \"a 'b\"", line: 3, expected: "expected a program: The line has an opening '"),
    Wrong(text: jid + "password = \"a\\u0000b\"", line: 3, expected: "there is a NUL"),
    Wrong(text: jid + "password = \"\"\"\n\\\na\\U00000000\"\"\"", line: 5, expected: "there is a NUL"),
    Wrong(text: jid + "[accounts.\"a\\u0000b\"]\njid = \"b@c\"", line: 3, expected: "there is a NUL"),
    // The parser takes these for impossible.
    Wrong(text: "[é]\n", line: 1, expected: "expected the name of a table"),
    Wrong(text: jid + "[ .a]\n", line: 3, expected: "expected the name of a table"),
    Wrong(text: "\n[[\u{FFFD}]]", line: 2, expected: "expected the name of a table"),
    Wrong(text: "[\n", line: 1, expected: "expected the name of a table"),
    Wrong(text: "notify = [\n[+1],\n[{}]]", line: 1, expected: "expected"),
    Wrong(text: jid + "# \u{0}\npassword = \"x\"", line: 3, expected: "there is a NUL"),
    Wrong(text: jid + "ca_file = '''x'''\npassword = \"\\u0000\"", line: 4, expected: "there is a NUL"),
    Wrong(text: jid + "[accounts.work]\njid = \"b@c\"\ntls = 1", line: 5, expected: "expected a text in quotes"),
    // Line ends of another system count as one.
    Wrong(text: "# x\r\n\r\ntls = 1\r\n", line: 3, expected: "'tls' is not known"),
  ]

  @Test(
    "may hold what only looks like a NUL",
    arguments: [
      ("# \\u0000", nil), ("password = '\\u0000'", "\\u0000"), ("password = \"\\\\u0000\"", "\\u0000"),
      ("password = '''\\u0000'''", "\\u0000"), ("password = \"x\" # \"\\u0000", "x"),
      ("password = \"\"\"x\"\"\"\" # \\u0000", "x\""), ("password = \"\\u0001\"", "\u{1}"),
    ] as [(String, String?)])
  func looksLikeNUL(_ line: String, _ password: String?) throws {
    #expect(try Self.parse(Self.jid + line)["home"]?.password == password.map { .inline($0) })
  }

  @Test("that is wrong is named by file, line and what is expected", arguments: wrong)
  func thatIsWrong(_ row: Wrong) {
    #expect {
      try Self.parse(row.text)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      let place = row.line.map { "/etc/j/config.toml, line \($0): " } ?? "/etc/j/config.toml: "
      return failure.code == .configuration && failure.text.hasPrefix(place) && failure.text.contains(row.expected)
        && !failure.text.contains("\n")
    }
  }
}
