// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("The agent's language")
struct AgentLanguageTests {
  private func read(_ line: String) throws(AgentLanguage.Failure) -> AgentLanguage.Message {
    try AgentLanguage.read(Array(line.utf8))
  }

  @Test("reads requests, notifications, results and errors")
  func messages() throws {
    #expect(
      try read(#"{"jsonrpc":"2.0","id":7,"method":"send","params":["bob","hi"]}"#)
        == .request(id: .number("7"), method: "send", parameters: .array([.string("bob"), .string("hi")])))
    #expect(
      try read(#" {"jsonrpc":"2.0","method":"read","params":{"run":1}} "#)
        == .notification(method: "read", parameters: .object(["run": .number("1")])))
    #expect(try read(#"{"jsonrpc":"2.0","id":"a","result":null}"#) == .result(id: .string("a"), .null))
    #expect(
      try read(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#)
        == .failure(id: .null, .init(-32700, "no", data: Array("null".utf8))))
  }

  @Test(
    "names what is wrong with a line",
    arguments: [
      ("rubbish", AgentLanguage.Failure.notJSON), (#"{"jsonrpc":"2.0","#, AgentLanguage.Failure.notJSON),
      ("\u{0}\u{1}", AgentLanguage.Failure.notJSON), ("[1]", AgentLanguage.Failure.badRequest),
      ("{}", AgentLanguage.Failure.badRequest), (#"{"jsonrpc":"1.0","method":"x"}"#, AgentLanguage.Failure.badRequest),
      (#"{"jsonrpc":"2.0","method":"x"} {}"#, AgentLanguage.Failure.badRequest),
      (#"{"jsonrpc":"2.0","id":[1],"method":"x"}"#, AgentLanguage.Failure.badRequest),
      (#"{"jsonrpc":"2.0","id":1}"#, AgentLanguage.Failure.badRequest),
      (String(repeating: "[", count: 5_000), AgentLanguage.Failure.notJSON),
    ])
  func wrong(_ line: String, _ code: Int) {
    #expect { try read(line) } throws: { ($0 as? AgentLanguage.Failure)?.code == code }
  }

  @Test("What is written is read again, one object a line")
  func roundTrip() throws {
    var object = JSONObjectText()
    object.add("text", "a \"b\"\n\u{1B}[2J ü 😀")
    object.add("none", String?.none)
    object.add("number", 3)
    object.add("words", ["x", "y"])
    object.add("objects", [JSONObjectText(), JSONObjectText()])
    let line = AgentLanguage.request(.string("i"), "m", object)
    #expect(line.last == 0x0A && line.dropLast().allSatisfy { $0 != 0x0A })
    #expect(
      try AgentLanguage.read(Array(line.dropLast()))
        == .request(
          id: .string("i"), method: "m",
          parameters: .object([
            "text": .string("a \"b\"\n\u{1B}[2J ü 😀"), "none": .null, "number": .number("3"),
            "words": .array([.string("x"), .string("y")]), "objects": .array([.object([:]), .object([:])]),
          ])))
  }

  @Test("Bytes that are no text are carried too", arguments: [[], [0x68, 0x69], [0xFF, 0x00, 0xC3]] as [[UInt8]])
  func bytes(_ bytes: [UInt8]) throws {
    var object = JSONObjectText()
    AgentLanguage.add(bytes, to: &object)
    var reader = JSONReader(object.text)
    #expect(AgentLanguage.bytes(of: try reader.value()) == bytes)
  }

  @Test("A command line is carried whole; another version is refused")
  func runRequest() throws {
    let request = RunRequest(
      words: ["send", "bob", "ü"], caller: Caller(directory: "/tmp", environment: ["TZ": "Europe/Rome", "A": ""]),
      for: try JID("work@example.org"),
      isInputTerminal: true, outputColumns: 80, errorColumns: nil, hasOneOutput: true, mayAsk: true)
    var reader = JSONReader(request.parameters.text)
    let value = try reader.value()
    #expect(try RunRequest(value) == request)
    var other = JSONReader(Array(#"{"version":99,"words":[],"environment":{},"directory":"/"}"#.utf8))
    let later = try other.value()
    #expect { try RunRequest(later) } throws: {
      ($0 as? AgentLanguage.Failure)?.code == AgentLanguage.Failure.otherVersion
    }
  }

  @Test(
    "What is left of a command is carried",
    arguments: [Handover(), Handover(count: 0), Handover(count: 3, seconds: 1.5)])
  func handover(_ handover: Handover) throws {
    var reader = JSONReader(handover.json)
    #expect(Handover(try reader.value()) == handover)
    #expect(Handover(.null) == nil)
  }
}
