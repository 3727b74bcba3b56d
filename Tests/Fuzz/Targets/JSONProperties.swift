// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol

@testable import JackdawCommands
@testable import JackdawSession

/// What goes out as JSON is one line of valid JSON that holds the text as it is, and shows nothing that could steer a terminal;
/// what comes in is read as JSON exactly where it is.
enum JSONProperties {
  static func check(_ input: inout FuzzInput) throws {
    let bytes = input.rest()
    try checkReading(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    try checkText(text)
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try checkNumber(Double(bitPattern: number))
  }

  private static func checkReading(_ bytes: [UInt8]) throws {
    var reader = JSONReader(bytes)
    let value = try? reader.value()
    var checker = JSONChecker(bytes)
    switch checker.document() {
    case .valid: try require(value != nil, "valid JSON is refused")
    case .invalid: try require(value == nil, "what is no JSON is read as \(value.map { "\($0)" } ?? "")")
    case .undecided: break
    }
  }

  private static func checkText(_ text: String) throws {
    let jid = try JID("bob@example.org")
    let event = MessageArrived(id: text, from: jid, to: jid, kind: .chat, body: text)
    let line = try event.jsonLine(at: Timestamp(milliseconds: 0), account: text)
    let members = try object(line)
    for key in ["id", "body", "account"] {
      try require(
        members[key] == .string(text), "'\(key)' is not what was written: \(String(decoding: line, as: UTF8.self))")
    }
    let failure = CommandFailure(.badInput, "bad-input", text, command: text)
    let told = try object(failure.jsonLine(at: Timestamp(milliseconds: 0), account: nil))
    try require(told["text"] == .string(text) && told["account"] == .null, "a failure is not what was written")
    try require(try object(JSONLineEncoder.line(of: [text: [text]]))[text] == .array([.string(text)]), "a key is lost")
  }

  private static func checkNumber(_ number: Double) throws {
    let written = try object(JSONLineEncoder.line(of: ["n": number]))["n"]
    guard number.isFinite else { return try require(written == .null, "\(number) is written") }
    guard case .number(let digits)? = written else { throw PropertyFailure(description: "\(number) is no number") }
    try require(Double(digits) == number, "\(number) is written as \(digits)")
  }

  /// The members of a line, which is valid JSON and safe to show.
  private static func object(_ line: [UInt8]) throws -> JSONObject {
    let text = String(decoding: line, as: UTF8.self)
    try require(line.last == 0x0A && ScreenProperties.isSafe(String(text.dropLast())), "not one safe line: \(text)")
    var checker = JSONChecker(line)
    try require(checker.document() == .valid, "not valid JSON: \(text)")
    var reader = JSONReader(line)
    guard case .object(let members) = try reader.value() else {
      throw PropertyFailure(description: "no object: \(text)")
    }
    return members
  }
}
