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
    Row(words: "help friends add", prepared: "friends add --help"),
    Row(words: "--keep-going run f", prepared: "run --keep-going f"),
    Row(words: "help", prepared: "help"),
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
  ]

  @Test("are put in the parser's order", arguments: rows)
  func arePutInOrder(_ row: Row) throws {
    let words = row.words.split(separator: " ").map(String.init)
    #expect(try WordPreparation(words, in: row.place, of: .standard).words.joined(separator: " ") == row.prepared)
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
      ("frends", CommandPlace.shell, "there is no command 'frends'; did you mean 'friends'?"),
      ("friends ad bob", .shell, "there is no command 'friends ad'; did you mean 'friends add'?"),
      ("help frends", .shell, "there is no command 'frends'; did you mean 'friends'?"),
      ("xyzzy", .shell, "there is no command 'xyzzy'; 'jackdaw help' lists the commands"),
      ("xyzzy", .lines, "there is no command '/xyzzy'; '/help' lists the commands"),
      ("qiut", .lines, "there is no command '/qiut'; did you mean '/quit'?"),
      ("sleep 5", .shell, "there is no command 'sleep'; 'jackdaw help' lists the commands"),
      ("chat bob", .lines, "there is no command '/chat'; 'jackdaw"),
      ("account add x@y", .lines, "there is no command '/account add'"),
      ("account", .shell, "'account' needs one of add, list, remove, check, register, password, unregister after it"),
      ("-", .shell, "there is no command '-'"),
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
}
