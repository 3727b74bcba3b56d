// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Testing

@testable import JackdawCommands

@Suite("A script's variables")
struct ScriptVariablesTests {
  private static func variables() throws -> ScriptVariables {
    var variables = ScriptVariables(environment: ["HOME": "/home/alice", "who": "nobody", "EMPTY": ""])
    try variables.set("who", to: "bob@example.org")
    try variables.set("_x1", to: "two  words")
    try variables.set("sly", to: "'${HOME}' $? /quit")
    variables.lastCode = .noUser
    return variables
  }

  static let texts: [(text: String, expanded: String)] = [
    ("no variable", "no variable"),
    ("Hi ${who}, ${_x1}.", "Hi bob@example.org, two  words."),
    ("${HOME}${EMPTY}${who}", "/home/alicebob@example.org"),
    // Only with braces: what costs $5 does so.
    ("$who costs $5, 5$ or $$ and $? \\${who}", "$who costs $5, 5$ or $$ and $? \\bob@example.org"),
    ("'${who}' \"${who}\"", "'bob@example.org' \"bob@example.org\""),
    ("$${who} $$${who} $$$${who}", "${who} $bob@example.org $${who}"),
    ("${?}", "67"),
    // What a value holds is text.
    ("${sly}", "'${HOME}' $? /quit"),
  ]

  @Test("stand in a message wherever they are", arguments: texts)
  func text(_ row: (text: String, expanded: String)) throws {
    #expect(try Line(row.text, inScript: true, variables: Self.variables()) == .message(row.expanded))
    // Nothing is replaced at the prompt.
    #expect(try Line(row.text, inScript: false) == .message(row.text))
  }

  static let words: [(line: String, words: [String])] = [
    ("send ${who} ${_x1}", ["send", "bob@example.org", "two  words"]),
    (#"send "${_x1}!" '${_x1}' \${_x1} "\${_x1}""#, ["send", "two  words!", "${_x1}", "${_x1}", "${_x1}"]),
    ("${EMPTY}", [""]),
    ("x${EMPTY}y ${sly}", ["xy", "'${HOME}' $? /quit"]),
    ("expect $? ${?} '$?' $$? $$${who}", ["expect", "67", "67", "$?", "$?", "$bob@example.org"]),
    ("$who $ $5 a$", ["$who", "$", "$5", "a$"]),
  ]

  @Test("stand in a command's words, each in one", arguments: words)
  func inWords(_ row: (line: String, words: [String])) throws {
    #expect(try Line("/" + row.line, inScript: true, variables: Self.variables()) == .command(row.words))
    #expect(try ShellWords.split(row.line, Self.variables()) == row.words)
  }

  @Test("are in a text that a command takes as it is typed, and in one that begins with a slash")
  func otherLines() throws {
    let variables = try Self.variables()
    #expect(
      try Line("/reply don't, ${who}", inScript: true, variables: variables) { $0 == "reply" }
        == .command(["reply", "--", "don't, bob@example.org"]))
    #expect(try Line("//${who}", inScript: true, variables: variables) == .message("/bob@example.org"))
    #expect(
      try Line("/me greets ${who}", inScript: true, variables: variables) == .message("/me greets bob@example.org"))
    #expect(try Line("# ${none}", inScript: true, variables: variables) == .blank)
  }

  @Test("make no command of a message, nor a comment, nor two lines of one")
  func kind() throws {
    var variables = ScriptVariables()
    for value in ["/quit", "# x", "", "a\n/quit"] {
      try variables.set("x", to: value)
      #expect(try Line("${x}", inScript: true, variables: variables) == .message(value))
      #expect(try Line("/send ${x}", inScript: true, variables: variables) == .command(["send", value]))
    }
  }

  @Test(
    "that have no value, or no name, are bad input",
    arguments: [
      ("hello ${none}", "There is no variable 'none'"), ("/send bob ${none}", "There is no variable 'none'"),
      ("${}", "'' cannot be the name"), ("${1}", "'1' cannot be"), ("${a b}", "'a b' cannot be"),
      ("${é}", "'é' cannot be"), ("${who", "no closing '}'"), ("/send ${who", "no closing '}'"),
      ("${who:-x}", "'who:-x' cannot be"),
    ])
  func faults(line: String, words: String) throws {
    let variables = try Self.variables()
    #expect {
      try Line(line, inScript: true, variables: variables)
    } throws: { error in
      let failure = error as? CommandFailure
      return failure?.code == .badInput && failure?.text.contains(words) == true
    }
  }

  static let places: [(line: String, words: String?)] = [
    ("send bob ${x}", "send bob -- X"), ("send bob \"${x}\" y", "send bob -- X y"),
    ("send bob ''${EMPTY}${x}", "send bob -- X"), ("send --wait sent bob ${x}", "send --wait sent bob -- X"),
    // The text has begun.
    ("send bob Down: ${x}", "send bob Down: X"), ("send bob carol -- ${x}", "send bob carol -- X"),
    ("away ${x}", "away -- X"), ("status away ${x} ${x}", "status away -- X X"), ("set y ${x}", "set y -- X"),
    ("expect 0 /send bob ${x}", "expect 0 send bob -- X"), ("expect 0 -- send bob ${x}", "expect 0 -- send bob -- X"),
    ("if-online bob expect 0 send bob ${x}", "if-online bob expect 0 send bob -- X"),
    ("expect 0 send bob so ${x}", "expect 0 send bob so X"), ("expect 0 ${x}", nil), ("if-online ${x} ping", nil),
    ("send ${x} hello", nil), ("send bob --reply-to ${x} hello", "send bob --reply-to=X hello"),
    ("expect 0 friends list ${x}", nil),
    ("ping ${x}", nil), ("ping -- ${x}", "ping -- X"), ("friends ${x}", nil), ("${x}", nil),
    ("wait message --match=${x}", "wait message --match=X"),
    ("send ${EMPTY}--also carol bob hi", "send --also carol bob hi"),
  ]

  @Test("are no options: one that begins with '-' is a text, and refused where it can be none", arguments: places)
  func options(_ row: (line: String, words: String?)) throws {
    for value in ["--help", "--also=carol@example.org", "-q", "--"] {
      var variables = try Self.variables()
      try variables.set("x", to: value)
      let line = try? Line("/" + row.line, inScript: true, variables: variables) {
        _ in
        false
      } withoutOptions: { words, values throws(CommandFailure) in
        try CommandTable.standard.words(words, withoutOptionsAt: values)
      }
      let words = row.words.map { $0.split(separator: " ").map { String($0).replacing("X", with: value) } }
      #expect(line == words.map { .command($0) }, "\(value)")
    }
  }

  @Test("that are numbers, or a '-' alone, are what they were")
  func numbers() throws {
    let table = CommandTable.standard
    #expect(try table.words(["send", "bob", "-"], withoutOptionsAt: [2]) == ["send", "bob", "-"])
    #expect(try table.words(["react", "-4", "x"], withoutOptionsAt: [1]) == ["react", "-4", "x"])
    #expect(try table.words(["set", "x", "-5"], withoutOptionsAt: [2]) == ["set", "x", "--", "-5"])
    // What is no command is told as such.
    #expect(try table.words(["nonsense", "-x"], withoutOptionsAt: [1]) == ["nonsense", "-x"])
  }

  @Test("are bounded, however often a line names them")
  func bound() throws {
    var variables = ScriptVariables()
    try variables.set("x", to: String(repeating: "x", count: CommandLimits.expandedBytes / 2))
    #expect(try variables.expanded("${x}${x}").utf8.count == CommandLimits.expandedBytes)
    for line in ["${x}${x}${x}", "/send bob ${x} ${x} ${x}"] {
      #expect { try Line(line, inScript: true, variables: variables) } throws: {
        ($0 as? CommandFailure)?.condition == "too-long"
      }
    }
  }
}
