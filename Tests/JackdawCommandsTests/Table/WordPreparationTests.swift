// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("Words before they are parsed")
struct WordPreparationTests {
  struct Row: Sendable {
    var words: String
    var prepared: String
    var place = CommandPlace.shell
  }

  static let rows: [Row] = [
    Row(words: "", prepared: ""),
    Row(words: "--json", prepared: "--json"),
    Row(words: "friends", prepared: "friends list"),
    Row(words: "friends --json", prepared: "friends list --json"),
    Row(words: "friends --group Work", prepared: "friends list --group Work"),
    Row(words: "friends --json add bob@x", prepared: "friends add --json bob@x"),
    Row(words: "friends --group Work add bob@x", prepared: "friends add --group Work bob@x"),
    Row(words: "friends --help", prepared: "friends --help"),
    Row(words: "--account home friends", prepared: "--account home friends list"),
    Row(words: "--account friends send bob hi", prepared: "--account friends send bob -- hi"),
    Row(words: "--account=home send bob hi", prepared: "--account=home send bob -- hi"),
    Row(words: "-- send bob hi", prepared: "send bob -- hi"),
    Row(words: "--keep-going run f", prepared: "run --keep-going f"),
    Row(words: "--json run --keep-going -", prepared: "run --json --keep-going -"),
    Row(words: "send bob hello there", prepared: "send bob -- hello there"),
    Row(words: "send --wait sent bob hello", prepared: "send --wait sent bob -- hello"),
    Row(words: "send bob --wait sent hello", prepared: "send bob --wait sent -- hello"),
    Row(words: "send bob -- --wait sent", prepared: "send bob -- --wait sent"),
    Row(words: "send -- -bob@x hello --json", prepared: "send -- -bob@x hello --json"),
    // After the text, long options of the command count where nothing but them is left.
    Row(words: "send bob hello --json", prepared: "send bob --json -- hello"),
    Row(words: "send bob hello --wait sent --json", prepared: "send bob --wait sent --json -- hello"),
    Row(words: "send bob hello --wait=sent", prepared: "send bob --wait=sent -- hello"),
    Row(words: "send bob try --json now", prepared: "send bob -- try --json now"),
    Row(words: "send bob try --force", prepared: "send bob -- try --force"),
    Row(words: "send bob try ls -v", prepared: "send bob -- try ls -v"),
    Row(words: "send bob hello --wait", prepared: "send bob -- hello --wait"),
    Row(words: "send bob it is -5 outside", prepared: "send bob -- it is -5 outside"),
    // What stands before '--' are people.
    Row(words: "send bob carol -- hi there", prepared: "send bob --also carol -- hi there"),
    Row(words: "send a b c -- hi --json", prepared: "send a --also b --also c -- hi --json"),
    Row(words: "send --wait sent a --json b -- hi", prepared: "send --wait sent a --json --also b -- hi"),
    Row(words: "send a b --", prepared: "send a --also b --"),
    Row(words: "send a b -- -v", prepared: "send a --also b -- -v", place: .lines),
    Row(words: "xml <a/> -- <b/>", prepared: "xml -- <a/> -- <b/>"),
    // What the archive had has numbers below one.
    Row(words: "goto -4", prepared: "goto #-4", place: .lines),
    Row(words: "goto 12", prepared: "goto 12", place: .lines),
    Row(words: "goto --json -4", prepared: "goto --json #-4", place: .lines),
    Row(words: "goto -x", prepared: "goto -x", place: .lines),
    // A name may have several words.
    Row(words: "chat Bob Smith", prepared: "chat Bob Smith"),
    Row(words: "friends rename bob Bob Smith", prepared: "friends rename bob -- Bob Smith"),
    Row(words: "friends rename bob Bob Smith --json", prepared: "friends rename bob --json -- Bob Smith"),
    Row(words: "vcard set fn Bob Smith --json", prepared: "vcard set fn --json -- Bob Smith"),
    Row(words: "status away gone fishing", prepared: "status away -- gone fishing"),
    Row(words: "ping bob@x --json", prepared: "ping bob@x --json"),
    // A line is taken as it is typed.
    Row(words: "send bob hello --json", prepared: "send bob -- hello --json", place: .lines),
    Row(words: "send bob try --wait sent", prepared: "send bob -- try --wait sent", place: .lines),
    Row(words: "send --wait sent bob hi", prepared: "send --wait sent bob -- hi", place: .lines),
    Row(words: "--help", prepared: "help", place: .lines),
    Row(words: "help friends", prepared: "help friends", place: .lines),
    // Aliases, of commands, of groups, of subcommands, with words of their own.
    Row(words: "msg bob hi --wait", prepared: "send bob -- hi --wait", place: .lines),
    Row(words: "query bob", prepared: "to bob", place: .lines),
    Row(words: "roster", prepared: "friends list", place: .lines),
    Row(words: "roster add bob@x", prepared: "friends add bob@x", place: .lines),
    Row(words: "who", prepared: "friends list --online", place: .lines),
    Row(words: "w --group Work", prepared: "friends list --online --group Work", place: .lines),
    Row(words: "away out for lunch", prepared: "status away -- out for lunch", place: .lines),
    Row(words: "--timeout 3 q", prepared: "--timeout 3 quit", place: .lines),
    Row(words: "? send", prepared: "help send", place: .lines),
  ]

  @Test("are put in the parser's order", arguments: rows)
  func arePutInOrder(_ row: Row) throws {
    let words = row.words.split(separator: " ").map(String.init)
    #expect(try WordPreparation(words, in: row.place, of: .standard).words.joined(separator: " ") == row.prepared)
  }

  @Test(
    "whose text is nothing but addresses are refused without a terminal, and with it, or behind a '--', are a message",
    arguments: [
      ("send alice@example.org bob@example.org", "send alice@example.org bob@example.org --"),
      ("send --wait sent al bob@example.org carol@example.org", "send al bob@example.org carol@example.org --"),
      ("send alice@example.org bob@example.org --json", "send alice@example.org bob@example.org --"),
      ("send alice@example.org -- bob@example.org", nil), ("send alice@example.org bob@example.org --", nil),
      ("send alice@example.org ask bob@example.org", nil), ("send alice@example.org bob@example.org/here", nil),
      ("send alice@example.org example.org", nil), ("send alice@example.org", nil), ("send alice@example.org -", nil),
      ("send --correct 1 alice@example.org bob@example.org", nil), ("send --reply-to=1 al bob@example.org", nil),
      ("friends rename alice@example.org bob@example.org", nil), ("ping alice@example.org bob@example.org", nil),
    ] as [(String, String?)])
  func addressesAsText(_ words: String, _ form: String?) throws {
    let given = words.split(separator: " ").map(String.init)
    guard let form else {
      #expect(throws: Never.self) { try CommandTable.standard.parse(shell: given, isInputTerminal: false) }
      return
    }
    let failure = try #require(throws: CommandFailure.self) {
      try CommandTable.standard.parse(shell: given, isInputTerminal: false)
    }
    #expect(failure.code == .usage && failure.text.contains("type '\(form)'"), "\(failure.text)")
    guard case .command = try CommandTable.standard.parse(shell: given) else {
      Issue.record("It is no command.")
      return
    }
  }

  @Test(
    "that are one name become one argument",
    arguments: [
      ("chat Bob Smith", ["chat", "Bob Smith"], .shell),
      ("chat Bob --json Smith", ["chat", "Bob Smith", "--json"], .shell),
      ("to Bob van Smith", ["to", "Bob van Smith"], .lines), ("to bob", ["to", "bob"], .lines),
      ("to -- Bob Smith", ["to", "--", "Bob", "Smith"], .lines),
      ("history Bob Smith --limit 5", ["history", "show", "Bob Smith", "--limit", "5"], .lines),
      ("history Bob --search x -C 1", ["history", "show", "Bob", "--search", "x", "-C", "1"], .shell),
      ("history -C 1 Bob Smith", ["history", "show", "-C", "1", "Bob Smith"], .shell),
      ("vcard a@b c@d", ["vcard", "show", "a@b", "c@d"], .shell),
      ("chat -q Bob Smith", ["chat", "-q", "Bob Smith"], .shell),
      ("vcard Bob Smith", ["vcard", "show", "Bob Smith"], .lines),
      ("friends show Bob Smith", ["friends", "show", "Bob Smith"], .shell),
      ("account remove my home", ["account", "remove", "my home"], .shell),
      // Several may be meant here.
      ("ping bob smith", ["ping", "bob", "smith"], .shell),
      ("friends group bob Old Friends", ["friends", "group", "bob", "Old", "Friends"], .shell),
    ] as [(String, [String], CommandPlace)])
  func thatAreOneName(_ words: String, _ prepared: [String], _ place: CommandPlace) throws {
    let given = words.split(separator: " ").map(String.init)
    #expect(try WordPreparation(given, in: place, of: .standard).words == prepared)
  }

  @Test(
    "that name no command are refused with what was probably meant",
    arguments: [
      ("frends", CommandPlace.shell, "There is no command 'frends'; did you mean 'friends'?"),
      ("friends ad bob", .shell, "There is no command 'friends ad'; did you mean 'friends add'?"),
      ("help frends", .shell, "There is no command 'frends'; did you mean 'friends'?"),
      ("xyzzy", .shell, "There is no command 'xyzzy'; 'jackdaw help all' lists the commands"),
      ("xyzzy", .lines, "There is no command '/xyzzy'; '/help all' lists the commands"),
      ("qiut", .lines, "There is no command '/qiut'; did you mean '/quit'?"),
      ("sleep 5", .shell, "There is no command 'sleep'; it is one of the prompt and of scripts: '/sleep'"),
      ("chat bob", .lines, "There is no command '/chat'; 'jackdaw"),
      ("run x", .lines, "There is no command '/run'; the shell has one: 'jackdaw run'"),
      ("account add x@y", .lines, "There is no command '/account add'; the shell has one: 'jackdaw account add'."),
      (
        "account register x@y", .lines,
        "There is no command '/account register'; the shell has one: 'jackdaw account register'."
      ),
      (
        "account use x", .shell,
        "There is no command 'account use'; it is one of the prompt and of scripts: '/account use'."
      ),
      // By what a word means elsewhere.
      ("add bob", .shell, "There is no command 'add'; did you mean 'friends add'?"),
      ("add bob", .lines, "There is no command '/add'; did you mean '/friends add'?"),
      ("WHO", .lines, "There is no command '/WHO'; did you mean '/who'?"),
      ("dm bob hi", .lines, "There is no command '/dm'; did you mean '/send'?"),
      ("ADD bob", .lines, "There is no command '/ADD'; did you mean '/friends add'?"),
      (
        "invite bob", .shell,
        "There is no command 'invite'; did you mean 'friends add', 'friends invite' or 'rooms invite'?"
      ),
      ("buddies", .lines, "There is no command '/buddies'; did you mean '/friends'?"),
      ("contacts", .shell, "There is no command 'contacts'; did you mean 'friends'?"),
      ("connect", .lines, "There is no command '/connect'; did you mean '/reconnect'?"),
      ("login", .shell, "There is no command 'login'; did you mean 'account add'?"),
      ("nick Al", .shell, "There is no command 'nick'; did you mean 'rooms nick' or 'vcard set nickname'?"),
      ("bye", .lines, "There is no command '/bye'; did you mean '/quit'?"),
      ("logout", .lines, "There is no command '/logout'; did you mean '/quit'?"),
      ("whois bob", .lines, "There is no command '/whois'; did you mean '/friends show' or '/info'?"),
      ("log", .lines, "There is no command '/log'; did you mean '/history'?"),
      ("search x", .shell, "There is no command 'search'; did you mean 'history --search'?"),
      ("ignore x", .lines, "There is no command '/ignore'; did you mean '/block'?"),
      ("accept x", .lines, "There is no command '/accept'; did you mean '/friends accept' or '/rooms accept'?"),
      ("decline x", .lines, "There is no command '/decline'; did you mean '/friends reject' or '/rooms decline'?"),
      ("version", .shell, "There is no command 'version'; did you mean '--version'?"),
      ("version bob", .lines, "There is no command '/version'; did you mean '/info'?"),
      ("whoami", .lines, "There is no command '/whoami'; did you mean '/account list'?"),
      ("redraw", .lines, "There is no command '/redraw'; did you mean '/clear'?"),
      ("friends delete x", .lines, "There is no command '/friends delete'; did you mean '/friends remove'?"),
      ("msg bob hi", .shell, "There is no command 'msg'; did you mean 'send'?"),
      ("away", .shell, "There is no command 'away'; did you mean 'status away'?"),
      ("join room@x", .shell, "There is no command 'join'; did you mean 'rooms join'?"),
      ("room", .shell, "There is no command 'room'; did you mean 'rooms'?"),
      (
        "theme dark", .lines,
        "There is no command '/theme': what you can set stands in config.toml; CONFIGURATION.md, which is installed with README.md, describes it."
      ),
      ("read", .lines, "There is no command '/read'; did you mean '/unread --mark'?"),
      ("export", .lines, "There is no command '/export'; did you mean '/friends export' or '/history --export'?"),
      // What is near to nothing gets no advice that has nothing to do with it.
      ("nope", .lines, "There is no command '/nope'; '/help all' lists the commands."),
      ("layout", .lines, "There is no command '/layout'; '/help all' lists the commands."),
      ("mode +m", .lines, "There is no command '/mode'; '/help all' lists the commands."),
      ("disconect", .lines, "There is no command '/disconect'; did you mean '/quit'?"),
      // What other programs have one command for, which allows, declines and asks.
      (
        "sub deny bob", .lines,
        "There is no command '/sub'; did you mean '/friends add', '/friends requests', '/friends accept' or '/friends reject'?"
      ),
      (
        "authorization cancel bob", .lines,
        "There is no command '/authorization'; did you mean '/friends add', '/friends accept', '/friends unsubscribe' or '/friends revoke'?"
      ),
      // What the shell alone has.
      (
        "register al x", .lines,
        "There is no command '/register'; did you mean '/rooms register', or the shell's 'jackdaw account register'?"
      ),
      ("signup", .lines, "There is no command '/signup'; the shell has one: 'jackdaw account register'."),
      ("os", .lines, "There is no command '/os'; '/help all' lists the commands."),
      ("omemo", .lines, "There is no command '/omemo': end-to-end encryption is not supported yet"),
      // Beginnings are for people at the prompt.
      ("fri", .lines, "There is no command '/fri'; did you mean '/friends'?"),
      ("se", .lines, "There is no command '/se'; did you mean '/send', '/search' or '/set'?"),
      ("fri", .shell, "There is no command 'fri'; did you mean 'friends'?"),
      (
        "account", .shell,
        "'account' needs one of add, list, remove, check, register, password, logout, unregister after it"
      ),
      ("-", .shell, "There is no command '-'"),
    ])
  func thatNameNoCommand(_ words: String, _ place: CommandPlace, _ text: String) {
    #expect {
      try WordPreparation(words.split(separator: " ").map(String.init), in: place, of: .standard)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.code == .usage && failure.text.hasPrefix(text.split(separator: "; 'jackdaw").first ?? "")
        && (!text.contains("did you mean") || failure.text == text)
    }
  }

  @Test(
    "at the prompt may be beginnings of names, where they are those of one thing only",
    arguments: [
      ("fri ad bob@x", "friends add bob@x"), ("unr", "unread"), ("t bob", "to bob"), ("que bob", "to bob"),
      ("ros", "friends list"), ("wh", "friends list --online"), ("aw lunch", "status away -- lunch"),
      ("fri --group Work", "friends list --group Work"), ("friends acc --all", "friends accept --all"),
      ("unb bob", "unblock bob"), ("sen bob hi", "send bob -- hi"), ("his sync", "history sync"),
      // Where arguments may follow a group its beginning may be one of those.
      ("history sy", "history show sy"),
      // Exact names win over what they are the beginning of.
      ("block bob", "block bob"), ("friends group bob", "friends group bob"), ("w", "friends list --online"),
    ])
  func beginnings(_ words: String, _ prepared: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let result = try WordPreparation(words, in: .lines, of: .standard, abbreviated: true).words
    #expect(result.joined(separator: " ") == prepared)
  }

  @Test(
    "of a line have options behind their text where nobody gets that",
    arguments: [
      ("search cafe nine --limit 3", "search --limit 3 -- cafe nine"), ("search cafe --here", "search --here -- cafe"),
      ("search cafe --nine", "search -- cafe --nine"), ("search cafe -- --here", "search -- cafe -- --here"),
      ("send bob cafe --lines", "send bob -- cafe --lines"),
    ])
  func optionsLast(_ words: String, _ prepared: String) throws {
    let words = words.split(separator: " ").map(String.init)
    #expect(try WordPreparation(words, in: .lines, of: .standard).words.joined(separator: " ") == prepared)
  }

  @Test(
    "at the prompt that may mean several things, or would take something away, do nothing",
    arguments: [
      ("s bob", "'/s' may mean '/send', '/status', '/search', '/show' or '/sleep'"),
      ("bl", "'/bl' may mean '/block' or '/blocked'"), ("qu", "'/qu' may mean '/quit' or '/query'"),
      ("qui", "'/qui' may mean '/quit', which has to be typed whole"),
      ("ex", "'/ex' may mean '/exit', which has to be typed whole"),
      ("friends rem bob@x", "'/friends rem' may mean '/friends remove', which has to be typed whole"),
      ("fri remove bob@x", "'/fri remove' may mean '/friends remove', which has to be typed whole"),
      ("hist delete bob@x", "'/hist delete' may mean '/history delete', which has to be typed whole"),
      ("fri re bob@x", "'/friends re' may mean '/friends remove', '/friends requests', '/friends reject', "),
      ("xyzzy", "There is no command '/xyzzy'; '/help all' lists the commands"),
    ])
  func severalMeanings(_ words: String, _ text: String) {
    #expect {
      try WordPreparation(
        words.split(separator: " ").map(String.init), in: .lines, of: .standard, abbreviated: true)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.code == .usage && failure.text.hasPrefix(text)
    }
  }
}
