// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

/// Docs/events.schema.json is what the events, rows and failures encode; whatever the program tests print is held against it.
@Client @Suite("Docs/events.schema.json", .onLoop)
struct EventSchemaTests {
  /// A kind of line: where its keys are from, and which examples there are of it.
  private struct Definition {
    var name: String
    var event: String
    /// Of results; empty: any.
    var commands: [String] = []
    var shape: JSONShape
    var keys: [String] { shape.members.map(\.key) }
  }

  /// Help is asked of any command: each is named in what it shows.
  private static let ofAnyCommand = "HelpRow"

  private static func definitions() throws -> [Definition] {
    var definitions: [Definition] = []
    func add(_ definition: Definition) {
      var definition = definition
      // What has other keys is a kind of its own, and named by the first of them; an event that is a row too is one.
      let same = definitions.filter { $0.name == definition.name || $0.name == definition.event }
      if let index = definitions.firstIndex(where: { one in
        one.event == definition.event && same.contains { $0.name == one.name } && one.keys == definition.keys
      }) {
        definitions[index].shape.merge(definition.shape)
        definitions[index].commands += definition.commands.filter { !definitions[index].commands.contains($0) }
        return
      }
      if let other = same.first(where: { $0.name == definition.name }) {
        definition.name += "-with-" + (definition.keys.first { !other.keys.contains($0) } ?? "less")
      }
      definitions.append(definition)
    }
    for event in try JSONPageTests.events() {
      let name = Swift.type(of: event).name
      add(Definition(name: name == ScriptEvent.name ? "x" : name, event: name, shape: try JSONShape(of: event)))
    }
    for (command, row) in try JSONPageTests.rows() + RoomRowExamples.rows() {
      let (type, event) = ("\(Swift.type(of: row))", Swift.type(of: row).event)
      let commands = event == "result" && type != ofAnyCommand ? [command] : []
      add(Definition(name: name(of: type, event), event: event, commands: commands, shape: try JSONShape(of: row)))
    }
    for (failure, _) in JSONPageTests.failures() {
      add(Definition(name: "error", event: CommandFailure.event, shape: try JSONShape(of: failure)))
    }
    let examples = definitions.reduce(into: [:]) { $0.merge($1.shape.examples()) { one, _ in one } }
    for definition in definitions { definition.shape.complete(from: examples) }
    return definitions
  }

  /// `FriendStepRow` is `result.friend-step`; what an event is too, `FriendRow`, is `friend.friend`.
  private static func name(of type: String, _ event: String) -> String {
    var words = ""
    var isWithin = false
    for character in type.dropLast(type.hasSuffix("Row") ? 3 : 0) {
      if character.isUppercase, isWithin { words += "-" }
      words += character.lowercased()
      isWithin = character.isLowercase
    }
    return "\(event).\(words)"
  }

  // MARK: The file

  private static func schema() throws -> String {
    let definitions = try definitions()
    let references = definitions.map { "    {\"$ref\": \"#/$defs/\($0.name)\"}" }
    let bodies = definitions.map { "    \"\($0.name)\": \(text(of: $0))" }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line that jackdaw --json prints",
        "description": "Made of the program's events and rows. Keys stand in the order of 'required'; later versions may add keys.",
        "anyOf": [
      \(references.joined(separator: ",\n"))
        ],
        "$defs": {
          "time": {"type": "string", "format": "date-time"},
      \(bodies.joined(separator: ",\n"))
        }
      }

      """
  }

  private static func text(of definition: Definition) -> String {
    var members = [
      (
        "event",
        definition.event == ScriptEvent.name
          ? #"{"type": "string", "pattern": "^x-."}"# : #"{"const": "\#(definition.event)"}"#
      ),
      ("time", ##"{"$ref": "#/$defs/time"}"##), ("account", #"{"type": ["string", "null"]}"#),
    ]
    if definition.event == "result" {
      members.append(
        (
          "command",
          definition.commands.isEmpty ? #"{"type": "string"}"# : #"{"enum": [\#(list(definition.commands))]}"#
        ))
    }
    for (key, shape) in definition.shape.members {
      let codes = ExitCode.all.filter { $0 != .success }.map { "\($0.value)" }.joined(separator: ", ")
      members.append(
        (key, definition.event == CommandFailure.event && key == "code" ? "{\"enum\": [\(codes)]}" : text(of: shape)))
    }
    return object(members, indentation: 6)
  }

  private static func object(_ members: [(String, String)], indentation: Int) -> String {
    let space = String(repeating: " ", count: indentation)
    let properties = members.map { "\(space)  \"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
    return """
      {
      \(space)"type": "object",
      \(space)"properties": {
      \(properties)
      \(space)},
      \(space)"required": [\(list(members.map(\.0)))]
      \(space.dropLast(2))}
      """
  }

  private static func text(of shape: JSONShape) -> String {
    var kinds = JSONShape.Kind.allCases.filter { shape.kinds.contains($0) }
    // Whatever is an integer is a number too.
    if kinds.contains(.number) { kinds.removeAll { $0 == .integer } }
    if !shape.members.isEmpty { return within(shape, isNull: kinds.contains(.null)) }
    let names = kinds.map(\.rawValue)
    var parts = ["\"type\": " + (names.count == 1 ? "\"\(names[0])\"" : "[\(list(names))]")]
    if let choices = shape.choices {
      parts = ["\"enum\": [\(list(choices))\(kinds.contains(.null) ? ", null" : "")]"]
    }
    if let elements = shape.elements { parts.append("\"items\": \(text(of: elements))") }
    if let values = shape.values { parts.append("\"additionalProperties\": \(text(of: values))") }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// An object within a line, on that one line of the file.
  private static func within(_ shape: JSONShape, isNull: Bool) -> String {
    let properties = shape.members.map { "\"\($0.key)\": \(text(of: $0.shape))" }.joined(separator: ", ")
    return "{\"type\": \(isNull ? "[\"object\", \"null\"]" : "\"object\""), \"properties\": {\(properties)}, "
      + "\"required\": [\(list(shape.members.map(\.key)))]}"
  }

  private static func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }

  // MARK: Tests

  @Test("is what the program's types encode")
  func isCurrent() throws {
    for definition in try Self.definitions() {
      #expect(definition.shape.unknown() == [], "\(definition.name): an example of Docs/JSON.md has to show them")
    }
    try RecordedFile.expect(try Self.schema(), at: "Docs/events.schema.json")
  }

  private static let line =
    #"{"event":"typing","time":"2026-11-21T08:00:00.000Z","account":"a@b","from":"c@d","state":"gone"}"#

  @Test("fails the test whose program prints a line that is not so; what is no line of JSON is none of its business")
  func check() {
    EventSchema.check(Array("\(Self.line)\n10:14 bob: {\"event\":7}\n{\"event\":\"typing\",".utf8))
    // At a prompt.
    EventSchema.check(Array("\r\u{1B}[K\(Self.line)\r\nbob> ".utf8))
    withKnownIssue { EventSchema.check(Array("\r\u{1B}[K\(Self.line.replacing("gone", with: "went"))\r\nbob> ".utf8)) }
    withKnownIssue { EventSchema.check(Array("\(Self.line)\n\(Self.line.replacing("gone", with: "went"))\n".utf8)) }
  }

  @Test("takes each example of Docs/JSON.md")
  func takesExamples() throws {
    let schema = try EventSchema.current
    let page = try #require(SourceTree.text("Docs/JSON.md"))
    let examples = page.split(separator: "\n").filter { $0.hasPrefix("{\"event\"") }
    #expect(examples.count > 100)
    for example in examples { #expect(schema.fault(of: Array(example.utf8)) == nil, "\(example)") }
    #expect(schema.fault(of: Array(Self.line.utf8)) == nil)
  }

  @Test(
    "refuses what is not so",
    arguments: [
      ("\"typing\"", "\"typed\"", "no event"), ("typing", "x-", "no event"), ("08:00:00.000Z", "08:00:00Z", "time"),
      ("\"a@b\"", "7", "account"), ("\"a@b\"", "null", nil), ("\"c@d\"", "null", "from"), ("gone", "went", "state"),
      ("\"state\"", "\"stated\"", "keys"), (",\"state\":\"gone\"", "", "keys"), ("}", ",\"more\":1}", "keys"),
      (#""from":"c@d","state":"gone""#, #""state":"gone","from":"c@d""#, "order"), ("}", "", "JSON"),
      ("}", "}}", "JSON"),
      ("{", "[{", "JSON"),
    ] as [(String, String, String?)])
  func refuses(_ old: String, _ new: String, _ fault: String?) throws {
    let changed = Self.line.replacing(old, with: new)
    let found = try EventSchema.current.fault(of: Array(changed.utf8))
    if let fault {
      #expect(found?.contains(fault) == true, "\(changed): \(found ?? "nothing")")
    } else {
      #expect(found == nil)
    }
  }
}
