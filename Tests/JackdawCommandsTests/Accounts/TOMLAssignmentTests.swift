// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("A line of TOML")
struct TOMLAssignmentTests {
  @Test(
    "gets another value and keeps what stands around it",
    arguments: [
      (#"password = "old""#, #"password = "new""#),
      (#"  password="old"  # mine"#, #"  password="new"  # mine"#),
      ("\tpassword\t= 'a # b'#c", "\tpassword\t= \"new\"#c"),
      ("password = \"a\\\"# b\" # c", "password = \"new\" # c"),
      ("password = [\"a\", \"]\", ['b']] # c", #"password = "new" # c"#),
      ("password = true# c", "password = \"new\"# c"),
      ("password = \"old\"\r", "password = \"new\"\r"),
      ("password = \"\"", "password = \"new\""),
    ])
  func exchanged(_ line: String, _ expected: String) throws {
    let assignment = try #require(TOMLAssignment(line))
    #expect(assignment.key == "password")
    #expect(assignment.with(TOMLText.Entry(key: "password", value: "\"new\"")) == expected)
  }

  @Test(
    "is none where its value goes on in the next one, or there is none",
    arguments: [
      "password = \"\"\"", "password = [", "password = [\"a\",", "# a = b", "", "[accounts.a]", "password =",
      "a = \"b", "a = 1 2", "= 1",
    ])
  func none(_ line: String) { #expect(TOMLAssignment(line) == nil) }
}
