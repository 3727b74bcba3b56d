// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol
import JackdawSession
import Testing

/// Docs/events.schema.json, as far as its keywords go, and stricter: a line has the keys that it names, in their order, and no other.
package struct EventSchema: Sendable {
  /// What a value has to be.
  private struct Rule: Sendable {
    var kinds: Set<String> = []
    /// Texts, and numbers as they are written; nil: any.
    var choices: Set<String>?
    /// What a text begins with, and goes on behind.
    var beginning: String?
    var isTime = false
    /// Of an object, in the order of its keys; nil: it has whichever keys.
    var members: [Member]?
    /// Of an array's elements, or of an object's values: none or one.
    var within: [Rule] = []
    /// Of a result, the commands that it may be of; nil: any.
    var commands: Set<String>?

    /// Most results are of other commands than a line says.
    func mayBe(of command: String?) -> Bool {
      guard let command, let commands else { return true }
      return commands.contains(command)
    }
  }

  private struct Member: Sendable {
    var key: String
    var rule: Rule
  }

  /// By event; those of scripts by the beginning of theirs.
  private let rules: [String: [Rule]]

  /// - Throws: where there is no such file, or it cannot be read.
  package static var current: EventSchema { get throws { try loaded.get() } }
  private static let loaded = Result { try EventSchema() }

  private init() throws {
    let bytes = try #require(
      SourceTree.bytes("Docs/events.schema.json"), "Docs/events.schema.json is missing: record it")
    var reader = JSONReader(bytes)
    let definitions = try reader.value()["$defs"]
    guard case .object(let named) = definitions else { throw TestProcessFailure("events.schema.json has no $defs") }
    let all = named.members.filter { $0.key != "time" }.map { Self.rule($0.value) }
    rules = Dictionary(grouping: all) { rule in
      let event = rule.members?.first { $0.key == "event" }?.rule
      return event?.choices?.first ?? event?.beginning ?? ""
    }
  }

  private static func rule(_ schema: JSONValue) -> Rule {
    var rule = Rule()
    // The only definition that others refer to.
    if schema["$ref"].text != nil { rule.isTime = true }
    rule.kinds = Set([schema["type"].text].compactMap { $0 } + schema["type"].elements.compactMap(\.text))
    if let constant = schema["const"].text { rule.choices = [constant] }
    if case .array(let choices) = schema["enum"] { rule.choices = Set(choices.map(written)) }
    rule.beginning = schema["pattern"].text.map { String($0.dropFirst().dropLast()) }
    if case .array(let keys) = schema["required"] {
      rule.members = keys.compactMap(\.text).map { Member(key: $0, rule: Self.rule(schema["properties"][$0])) }
      rule.commands = rule.members?.first { $0.key == "command" }?.rule.choices
    }
    for key in ["items", "additionalProperties"] where schema[key] != .null { rule.within = [Self.rule(schema[key])] }
    return rule
  }

  private static func written(_ value: JSONValue) -> String {
    switch value {
    case .string(let text), .number(let text): text
    case .null: "null"
    case .bool(let isTrue): "\(isTrue)"
    case .array, .object: ""
    }
  }

  // MARK: A line

  /// What is wrong with a line, without its newline; nil: nothing.
  package func fault(of line: [UInt8]) -> String? {
    var reader = JSONReader(line)
    guard line.first == UInt8(ascii: "{"), let value = try? reader.value(), case .object(let members) = value,
      !reader.skipToValue()
    else { return "it is no JSON" }
    let event = value["event"].text ?? ""
    let isScripts = event.hasPrefix("x-") && event.utf8.count > 2
    guard let candidates = rules[isScripts ? "x-" : event], isScripts || event != "x-" else {
      return "there is no event '\(event)'"
    }
    var faults: [String] = []
    let command = value["command"].text
    for rule in candidates where rule.mayBe(of: command) {
      guard let fault = Self.fault(of: value, rule) ?? Self.disorder(of: members, rule) else { return nil }
      // Of results the command says which one it was to be.
      if !fault.hasPrefix("/command ") || members["command"] == nil { faults.append(fault) }
    }
    return faults.isEmpty ? "no result of '\(command ?? "")' is known" : faults.joined(separator: "; or ")
  }

  /// Where it is, and what is wrong there; nil: nothing.
  private static func fault(of value: JSONValue, _ rule: Rule) -> String? {
    if rule.isTime {
      guard let text = value.text, Timestamp(text)?.description == text else { return " is no time" }
      return nil
    }
    if let choices = rule.choices, !choices.contains(written(value)) { return " is '\(written(value))'" }
    if !rule.kinds.isEmpty, !isOne(value, of: rule.kinds) { return " is not \(rule.kinds.sorted())" }
    switch value {
    case .object(let object):
      let members = object.members
      guard let known = rule.members else {
        return members.lazy.compactMap { key, value in
          rule.within.first.flatMap { fault(of: value, $0) }.map { "/\(key)" + $0 }
        }.first
      }
      // Nearly always they stand in their order, where each is found at once.
      let values = known.indices.map { place in
        place < members.count && members[place].key == known[place].key
          ? members[place].value : object[known[place].key]
      }
      guard members.count == known.count, !values.contains(where: { $0 == nil }) else {
        return " has the keys \(members.map(\.key).sorted()), not \(known.map(\.key).sorted())"
      }
      for (member, value) in zip(known, values) {
        if let value, let fault = fault(of: value, member.rule) { return "/\(member.key)" + fault }
      }
      return nil
    case .array(let elements):
      guard let rule = rule.within.first else { return nil }
      return elements.lazy.compactMap { fault(of: $0, rule) }.first.map { "/[]" + $0 }
    case .string, .number, .bool, .null: return nil
    }
  }

  private static func isOne(_ value: JSONValue, of kinds: Set<String>) -> Bool {
    switch value {
    case .null: kinds.contains("null")
    case .bool: kinds.contains("boolean")
    case .number(let text): kinds.contains("number") || kinds.contains("integer") && Int64(text) != nil
    case .string: kinds.contains("string")
    case .array: kinds.contains("array")
    case .object: kinds.contains("object")
    }
  }

  /// Of an object that has all the keys.
  private static func disorder(of object: JSONObject, _ rule: Rule) -> String? {
    for (member, known) in zip(object.members, rule.members ?? []) where member.key != known.key {
      return "its keys are out of order at '\(known.key)'"
    }
    return nil
  }

  /// Has the test that runs fail for each line of JSON in `output` that is not as it has to be. A line that is not whole is none. In a
  /// terminal a line has around it what draws the prompt.
  package static func check(_ output: [UInt8]) {
    // It is being written.
    if getenv("JACKDAW_RECORD") != nil { return }
    // By the C library: without optimisation the standard library takes a hundred times as long for megabytes.
    output.withUnsafeBytes { bytes in
      guard var line = bytes.baseAddress else { return }
      let end = line + bytes.count
      while line < end, let newline = memchr(line, 0x0A, end - line).map({ UnsafeRawPointer($0) }) {
        defer { line = newline + 1 }
        guard let start = beginning(of: line, newline) else { continue }
        var last = newline
        while last > start, (last - 1).load(as: UInt8.self) != 0x7D { last -= 1 }
        check(line: Array(UnsafeRawBufferPointer(start: start, count: last - start)))
      }
    }
  }

  /// Where JSON begins in a line: at its beginning, or behind an escape sequence or a return.
  private static func beginning(of line: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
    var place = line
    while let brace = memchr(place, 0x7B, end - place).map({ UnsafeRawPointer($0) }) {
      place = brace + 1
      guard end - brace > Self.beginning.count, memcmp(brace, Self.beginning, Self.beginning.count) == 0 else {
        continue
      }
      let isFirst = brace == line || (brace - 1).load(as: UInt8.self) == 0x0D
      return isFirst || memchr(line, 0x1B, brace - line) != nil ? brace : nil
    }
    return nil
  }

  private static func check(line: [UInt8]) {
    do {
      guard let fault = try current.fault(of: line) else { return }
      Issue.record(
        "printed, and not as Docs/events.schema.json has it: \(fault): \(String(decoding: line, as: UTF8.self))")
    } catch {
      Issue.record(error)
    }
  }

  private static let beginning = Array(#"{"event":""#.utf8)
}
