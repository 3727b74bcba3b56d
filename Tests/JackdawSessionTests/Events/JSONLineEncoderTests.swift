// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Foundation
import JackdawProtocol
import Testing

@testable import JackdawSession

@Suite("A line of JSON")
struct JSONLineEncoderTests {
  private func text(of value: some Encodable, after leading: KeyValuePairs<String, String?> = [:]) throws -> String {
    let line = String(decoding: try JSONLineEncoder.line(of: value, after: leading), as: UTF8.self)
    #expect(line.hasSuffix("\n"))
    #expect(line.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    return String(line.dropLast())
  }

  struct One<Value: Encodable & Sendable>: Encodable, Sendable { var v: Value }

  @Test("keeps the order of keys, the leading ones first")
  func keepsTheOrderOfKeys() throws {
    struct Row: Encodable {
      var zebra = 1
      var apple = "a"
      var missing: String?
      var missingNumber: Int?
      var missingRow: One<Int>?
      var mango = [true, false]
    }
    #expect(
      try text(of: Row(), after: ["event": "result", "account": nil])
        == #"{"event":"result","account":null,"zebra":1,"apple":"a","missing":null,"missingNumber":null,"#
        + #""missingRow":null,"mango":[true,false]}"#)
  }

  @Test(
    "writes numbers without exponents",
    arguments: [
      (0, "0"), (1, "1"), (-1, "-1"), (1.5, "1.5"), (0.1, "0.1"), (0.001, "0.001"), (1e-5, "0.00001"),
      (-2.5e-7, "-0.00000025"), (1e15, "1000000000000000"), (1e16, "10000000000000000"),
      (1.5e20, "150000000000000000000"),
      (123_456.789, "123456.789"), (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (-0.0, "-0"),
      (63.999, "63.999"), (100, "100"),
    ] as [(Double, String)])
  func writesNumbersWithoutExponents(value: Double, expected: String) throws {
    #expect(try text(of: One(v: value)) == #"{"v":\#(expected)}"#)
  }

  @Test("gives every number back exactly")
  func givesEveryNumberBack() throws {
    var values: [Double] = [.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, .ulpOfOne]
    values += (0..<2000).map { _ in Double(bitPattern: .random(in: .min ... .max)) }.filter(\.isFinite)
    for value in values {
      let text = try text(of: One(v: value))
      #expect(Double(text.dropFirst(5).dropLast()) == value)
      #expect(!text.contains("e"))
    }
    #expect(try text(of: One(v: Float(0.1))) == #"{"v":0.1}"#)
    #expect(try text(of: One(v: Int64.min)) == #"{"v":-9223372036854775808}"#)
    #expect(try text(of: One(v: UInt64.max)) == #"{"v":18446744073709551615}"#)
    #expect(try text(of: One(v: Int8(-128))) == #"{"v":-128}"#)
  }

  @Test(
    "escapes what has an effect instead of a shape",
    arguments: [
      ("plain", "plain"), ("", ""), ("\"\\/", #"\"\\/"#), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
      ("\0\u{1B}[31m\u{1F}", #"\u0000\u001b[31m\u001f"#), ("\u{7F}", #"\u007f"#),
      ("\u{80}\u{9B}2J\u{9F}\u{A0}", "\\u0080\\u009b2J\\u009f\u{A0}"), ("\u{2028}\u{2029}", #"\u2028\u2029"#),
      ("\u{202A}\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}", #"\u202a\u202e\u2066\u2069\u200e\u200f\u061c"#),
      ("\u{200B}\u{FEFF}\u{AD}\u{FFF9}", #"\u200b\ufeff\u00ad\ufff9"#), ("\u{E0041}", #"\udb40\udc41"#),
      ("\u{1D173}x", #"\ud834\udd73x"#), ("äß€😀한", "äß€😀한"), ("👩\u{200D}💻", #"👩\u200d💻"#),
      ("\u{FFFD}\u{FFFF}\u{10FFFF}", "\u{FFFD}\u{FFFF}\u{10FFFF}"),
    ])
  func escapesWhatHasAnEffect(text: String, expected: String) throws {
    #expect(try self.text(of: One(v: text)) == #"{"v":"\#(expected)"}"#)
  }

  @Test("C1 controls U+0080–9F are legal XML: no such character reaches the line, a parser gives back every one")
  func aParserGivesBackEveryCharacter() throws {
    let scalars = (0...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
    for start in stride(from: 0, to: scalars.count, by: 65536) {
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<min(start + 65536, scalars.count)])
      let original = String(piece)
      let line = try JSONLineEncoder.line(of: One(v: original), after: [original: nil])
      let parsed = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      #expect((parsed?["v"] as? String)?.unicodeScalars.elementsEqual(original.unicodeScalars) == true)
      for scalar in String(decoding: line.dropLast(), as: UTF8.self).unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.value) is there")
        default: continue
        }
      }
    }
  }

  @Test("nests objects, arrays and dictionaries as a parser expects")
  func nests() throws {
    struct Inner: Encodable { var names: [String?], map: [String: [Int]], empty: [Int], none: One<[One<Int>]>? }
    struct Outer: Encodable { var inner: [Inner], tail: String }
    let value = Outer(
      inner: [
        Inner(names: ["a", nil], map: ["k": [1, 2]], empty: [], none: nil),
        Inner(names: [], map: [:], empty: [3], none: One(v: [One(v: 1), One(v: 2)])),
      ], tail: "end")
    #expect(
      try text(of: value)
        == #"{"inner":[{"names":["a",null],"map":{"k":[1,2]},"empty":[],"none":null},"#
        + #"{"names":[],"map":{},"empty":[3],"none":{"v":[{"v":1},{"v":2}]}}],"tail":"end"}"#)
  }

  @Test("nested containers, superclasses and values that write nothing make whole JSON")
  func nestedContainersMakeWholeJSON() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    struct Odd: Encodable {
      enum Key: CodingKey { case a, b, c, d }
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        var list = object.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
        try list.encodeNil()
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode("deep", forKey: .b)
        _ = list.nestedUnkeyedContainer()
        #expect(list.count == 4)
        try object.encode(Nothing(), forKey: .b)
        _ = object.superEncoder(forKey: .c)
        var again = encoder.container(keyedBy: Key.self)
        try again.encodeNil(forKey: .d)
        _ = object.superEncoder()
      }
    }
    #expect(try text(of: Odd()) == #"{"a":[1,null,{"b":"deep"},[]],"b":{},"c":{},"d":null,"super":{}}"#)
  }

  @Test("refuses what would not be an object with keys of its own")
  func refusesWhatIsNoObject() {
    struct Late: Encodable {
      enum Key: CodingKey { case a, b }
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        var list = object.nestedUnkeyedContainer(forKey: .a)
        try object.encode(1, forKey: .b)
        try list.encode(2)
      }
    }
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var one = encoder.singleValueContainer()
        try one.encode(1)
        try one.encode(2)
      }
    }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: [1]) }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: "text") }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: One(v: 1), after: ["v": "taken"]) }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: Late()) }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: One(v: 1).v as Int?) }
    #expect(throws: EncodingError.self) { try JSONLineEncoder.line(of: Twice()) }
  }
}
