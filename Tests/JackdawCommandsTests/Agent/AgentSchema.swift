// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession
import Support
import Testing

/// Docs/agent.schema.json, as far as its keywords go (JSON Schema 2020-12).
struct AgentSchema {
  private let root: JSONValue

  /// Read once: every client holds what it hears against it.
  static var current: AgentSchema { get throws { try loaded.get() } }
  private static let loaded = Result { try AgentSchema() }

  private init() throws {
    var reader = JSONReader(try #require(SourceTree.bytes("Docs/agent.schema.json")))
    root = try reader.value()
  }

  /// Whether a line is one of those that the schema has.
  func allows(_ line: String) throws -> Bool {
    var reader = JSONReader(Array(line.utf8))
    return Self.allows(try reader.value(), root)
  }

  private static func allows(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    if let isAllowed = schema.isTrue { return isAllowed }
    if case .array(let options) = schema["anyOf"], !options.contains(where: { allows(value, $0) }) { return false }
    if schema["not"] != .null, allows(value, schema["not"]) { return false }
    if schema["const"] != .null, schema["const"] != value { return false }
    if case .array(let choices) = schema["enum"], !choices.contains(value) { return false }
    let kinds = [schema["type"].text].compactMap { $0 } + schema["type"].elements.compactMap(\.text)
    if !kinds.isEmpty, !kinds.contains(where: { isOne(value, $0) }) { return false }
    if case .array(let elements) = value, schema["items"] != .null {
      return elements.allSatisfy { allows($0, schema["items"]) }
    }
    guard case .object(let members) = value else { return true }
    if let most = schema["maxProperties"].integer, members.members.count > most { return false }
    if schema["required"].elements.contains(where: { members[$0.text ?? ""] == nil }) { return false }
    return members.members.allSatisfy { key, value in
      let rule = schema["properties"][key]
      if rule != .null { return allows(value, rule) }
      return schema["additionalProperties"] == .null || allows(value, schema["additionalProperties"])
    }
  }

  private static func isOne(_ value: JSONValue, _ kind: String) -> Bool {
    switch value {
    case .null: kind == "null"
    case .bool: kind == "boolean"
    case .number(let text): kind == "number" || kind == "integer" && Int(text) != nil
    case .string: kind == "string"
    case .array: kind == "array"
    case .object: kind == "object"
    }
  }
}

@Suite("Docs/agent.schema.json")
struct AgentSchemaTests {
  @Test("has every line of Docs/AGENT.md")
  func page() throws {
    let schema = try AgentSchema.current
    let page = try #require(SourceTree.text("Docs/AGENT.md"))
    let lines = page.matches(of: /```json\n([^`]*)```/).flatMap { $0.output.1.split(separator: "\n") }
    #expect(lines.count >= 6)
    for line in lines { #expect(try schema.allows(String(line)), "\(line)") }
  }

  @Test("has the 'id' that JSON-RPC allows, 'null', in requests and in what comes of them")
  func nullIdentifier() throws {
    let schema = try AgentSchema.current
    for line in [
      #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":null,"result":{"rows":[]}}"#,
      #"{"jsonrpc":"2.0","method":"event","params":{"run":null,"object":{}}}"#,
    ] {
      #expect(try schema.allows(line), "\(line)")
    }
  }

  @Test(
    "has no others",
    arguments: [
      "{}", "[]", "1", #"{"jsonrpc":"2.0","method":"output","params":{"run":1}}"#,
      #"{"jsonrpc":"2.0","method":"output","params":{"run":1,"stream":"stdlog","text":""}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{"code":"0"}}"#, #"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
      #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"message":"no code"}}"#,
    ])
  func others(_ line: String) throws { #expect(try !AgentSchema.current.allows(line)) }
}
