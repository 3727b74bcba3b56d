// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("Files of contacts")
struct ContactFormatTests {
  static func records() throws -> [ContactRecord] {
    [
      ContactRecord(jid: try JID("bob@example.org"), subscription: .both),
      ContactRecord(
        jid: try JID("carol@example.org"), name: "Carol, \"C\"\nsecond line\r\n;\u{1F600}",
        groups: ["A,B", "'q\"", "two\nlines", " edge "], subscription: .to, ask: false),
      ContactRecord(
        jid: try JID("d.arc@example.org"), name: " Jeanne", groups: ["A,B"], subscription: RosterItem.Subscription.none,
        ask: true),
      ContactRecord(jid: try JID("conference.example.org"), name: "=1+1", subscription: .from),
    ]
  }

  @Test("give back what was written", arguments: ContactFormat.allCases)
  func roundTrip(format: ContactFormat) throws {
    let records = try Self.records()
    let document = format.document(of: records)
    #expect(ContactFormat(content: document) == format)
    #expect(format.entries(of: document).map { try? $0.record.get() } == records)
    // As editors save it.
    #expect(ContactFormat(content: [0xEF, 0xBB, 0xBF] + document) == format)
    #expect(format.entries(of: [0xEF, 0xBB, 0xBF] + document).compactMap { try? $0.record.get() } == records)
    #expect(format.entries(of: format.document(of: [])).isEmpty)
  }

  @Test("in CSV every line has as many fields (RFC 4180 2.4), and lines end in CR LF")
  func shape() throws {
    var reader = CSVReader(ContactFormat.csv.document(of: try Self.records()))
    var counts: [Int] = []
    while let row = reader.next() { counts.append(try row.fields.get().count) }
    #expect(counts == [8, 8, 8, 8, 8])
    #expect(ContactFormat.csv.document(of: []) == Array("jid,name,subscription,ask\r\n".utf8))
  }

  @Test(
    "in CSV run no formula in a spreadsheet, and are read back as they were: CWE-1236",
    arguments: [
      "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''=1", "=\"a\",b", "=\n", "'", "'it's", "1-1", " =1",
    ])
  func formulas(text: String) throws {
    let record = ContactRecord(jid: try JID("=x@example.org"), name: text, groups: [text, "b"])
    let document = ContactFormat.csv.document(of: [record])
    #expect(ContactFormat.csv.entries(of: document).map { try? $0.record.get() } == [record])
    var reader = CSVReader(document)
    _ = reader.next()
    let fields = try #require(try reader.next()?.fields.get())
    #expect(fields.allSatisfy { field in !"=+-@\t\r".utf8.contains { $0 == field.utf8.first } }, "\(fields)")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    /// `line jid name|groups`, or `line ! what is wrong`.
    var found: [String]
    var testDescription: String { text }
  }

  static let rows = [
    Row(text: "", found: []),
    Row(text: "\n\r\n \n", found: ["3 ! is not an address"]),
    Row(text: "bob@x\ncarol@x,Carol,G,H\n", found: ["1 bob@x |", "2 carol@x Carol|G,H"]),
    Row(text: "name,jid,mail,group\r\nBob,bob@x,b@m,G\r\n,carol@x\r\n", found: ["2 bob@x Bob|G", "3 carol@x |"]),
    Row(text: "JID,Name\n\"bob@x\",\"B\"\"\n,b\"\nz@x", found: ["2 bob@x B\"\n,b|", "4 z@x |"]),
    Row(text: "\"bob@x\nnext@x\n", found: ["1 ! an opening quote", "2 next@x |"]),
    Row(text: "\"bob@x\"y,B\nnext@x", found: ["1 ! behind a closing quote", "2 next@x |"]),
    Row(text: ",Nobody\nb@@x,B\na@x,\u{1}", found: ["1 ! has no address", "2 ! is not an address", "3 ! control"]),
    Row(text: "a@x,A\u{9B}B\nb@x,B,G\u{202E}", found: ["1 ! U+009B", "2 ! U+202E"]),
    Row(text: "a@x,b@x\na@x,a@x", found: ["1 ! somebody else", "2 a@x a@x|"]),
    Row(text: "b\u{43E}b@x,B", found: ["1 ! mixes scripts"]),
    Row(text: "a@x,'=1\nb@x,=1,'',+1\nc@x,'it", found: ["1 a@x =1|", "2 b@x =1|'',+1", "3 c@x 'it|"]),
    Row(text: "jid,subscription\na@x,maybe", found: ["2 ! 'maybe'"]),
    Row(text: "bob@x/phone", found: ["1 bob@x |"]),
    Row(text: #"{"jid":"bob@x","name":null,"groups":null,"x":[{"y":1.5e3}]}"#, found: ["1 bob@x |"]),
    Row(text: "[\n{\"jid\":\"a@x\"},\n{\"jid\":\"b@x\",\n\"name\":\"B\"}]\n", found: ["2 a@x |", "3 b@x B|"]),
    Row(text: "[\n{\"jid\":\"a@x\"},\n", found: ["2 a@x |", "3 ! cut off"]),
    Row(text: "[{\"jid\":\"a@x\"}", found: ["1 a@x |", "1 ! cut off"]),
    Row(text: "[{\"jid\":\"a@x\"}, {\"jid\":", found: ["1 a@x |", "1 ! ends in the middle"]),
    Row(text: "[{\"jid\":\"a@x\"}]\n[{\"jid\":\"b@x\"}]]", found: ["1 a@x |", "2 b@x |"]),
    Row(text: #"{"jid":"a@x","name":"\u0041\ud83d\ude00\n\/"}"#, found: ["1 a@x A\u{1F600}\n/|"]),
    Row(text: #"{"jid":"a@x","name":"\ud83d"}"# + "\n" + #"{"jid":"b@x"}"#, found: ["1 ! surrogate", "2 b@x |"]),
    Row(text: #"{"jid":"a@x","name":"\u12"}"#, found: ["1 ! hexadecimal"]),
    Row(text: #"{"jid":"a@x","name":"\x"}"#, found: ["1 ! escape"]),
    Row(
      text: "{\"jid\":\"a@x\n\"}\n{\"jid\":\"b@x\"}",
      found: ["1 ! control character", "3 b@x |"].map { $0 == "3 b@x |" ? "2 b@x |" : $0 }),
    Row(text: #"{"jid":"a@x""#, found: ["1 ! ends in the middle"]),
    Row(text: #"{"jid" "a@x"}"#, found: ["1 ! colon"]),
    Row(text: #"{"jid":"a@x" 1}"#, found: ["1 ! comma"]),
    Row(text: #"{jid:1}"#, found: ["1 ! key in quotes"]),
    Row(text: #"{"jid":nope}"#, found: ["1 ! 'nope'"]),
    Row(text: #"{"jid":5} {"name":"x"} "#, found: ["1 ! not text", "1 ! has no address"]),
    Row(text: #"{"jid":"a@x","groups":"G"}"#, found: ["1 ! not a list"]),
    Row(text: #"{"jid":"a@x","groups":[1]}"#, found: ["1 ! group that is not text"]),
    Row(text: "{} 5\n\"x\"", found: ["1 ! has no address", "1 ! not a JSON object", "2 ! not a JSON object"]),
    Row(text: "{\"a\":" + String(repeating: "[", count: 100_000), found: ["1 ! nested too deep"]),
    Row(text: "{}}\n{\"jid\":\"a@x\"}", found: ["1 ! has no address", "1 ! not JSON", "2 a@x |"]),
  ]

  @Test("name what is wrong by its line, and go on", arguments: rows)
  func reading(_ row: Row) throws {
    let document = Array(row.text.utf8)
    let entries = ContactFormat(content: document).entries(of: document)
    #expect(entries.count == row.found.count, "\(entries)")
    for (entry, found) in zip(entries, row.found) {
      switch entry.record {
      case .success(let record):
        #expect("\(entry.line) \(record.jid) \(record.name ?? "")|\(record.groups.joined(separator: ","))" == found)
      case .failure(let problem):
        let parts = found.split(separator: " ! ", maxSplits: 1).map(String.init)
        #expect(parts.first == "\(entry.line)", "\(entry)")
        #expect(problem.description.contains(parts.last ?? ""), "\(problem)")
      }
    }
  }

  @Test("that are no UTF-8 spoil one line only")
  func noUTF8() {
    let csv = Array("a@x,".utf8) + [0xFF, 0x0A] + Array("b@x\n".utf8)
    #expect(ContactFormat.csv.entries(of: csv).map { (try? $0.record.get())?.jid.description } == [nil, "b@x"])
    let json = Array("{\"jid\":\"a".utf8) + [0xC0] + Array("\"}\n{\"jid\":\"b@x\"}".utf8)
    #expect(ContactFormat.json.entries(of: json).map { (try? $0.record.get())?.jid.description } == [nil, "b@x"])
  }

  @Test(
    "cost no more than their length where each line opens a quote that none closes",
    arguments: ["x\",\"\n", "x\"\",\"y\n", "\"\n"])
  func openQuotes(line: String) {
    func looks(_ lines: Int) -> Int {
      var reader = CSVReader(Array(String(repeating: line, count: lines).utf8))
      while reader.next() != nil {}
      return reader.looks
    }
    #expect(looks(4_000) <= 2 * looks(2_000) + 200)
  }

  @Test("with a quote that is never closed give the rows behind it, of several lines too")
  func stray() {
    let csv = "a@x,\"Ann\nb@x,\"Bob\"\nc@x,\"two\nlines\"\nd@x,\"Dan\n"
    #expect(
      ContactFormat.csv.entries(of: Array(csv.utf8)).map { (try? $0.record.get())?.name } == [
        nil, "Bob", "two\nlines", nil,
      ])
  }

  @Test(
    "hold no number that JSON does not know (RFC 8259 6)",
    arguments: [
      ("0x10", false), ("01", false), ("1.", false), ("-.5", false), ("-inf", false), ("1e", false), ("1_0", false),
      ("0", true), ("-0.50", true), ("12e+03", true), ("1E9", true),
    ])
  func numbers(word: String, isNumber: Bool) {
    var reader = JSONReader(Array(word.utf8))
    #expect((try? reader.value()) == (isNumber ? .number(word) : nil))
  }

  @Test("are read whatever noise they are", .timeLimit(.minutes(15)))
  func noise() {
    var generator = SystemRandomNumberGenerator()
    let signs = Array("{}[]\",:\\u0n@.\n\r a".utf8) + [0xFF, 0xC3]
    for _ in 0..<2_000 {
      let document = (0..<Int.random(in: 0...60)).map { _ in signs.randomElement(using: &generator) ?? 0 }
      for format in ContactFormat.allCases {
        let lines = document.count { $0 == 0x0A } + 1
        #expect(format.entries(of: document).allSatisfy { (1...lines).contains($0.line) }, "\(document)")
      }
    }
  }

  @Test("say whose presence was wanted")
  func wants() throws {
    let jid = try JID("bob@x")
    func record(_ subscription: RosterItem.Subscription?, ask: Bool = false) -> Bool {
      ContactRecord(jid: jid, subscription: subscription, ask: ask).wantsPresence
    }
    #expect(
      record(nil) && record(.to) && record(.both) && record(RosterItem.Subscription.none, ask: true)
        && record(.from, ask: true))
    #expect(!record(RosterItem.Subscription.none) && !record(.from))
  }

  @Test("are named by what they are")
  func names() {
    #expect(ContactFormat(path: "/x/Friends.CSV") == .csv && ContactFormat(path: "a.json") == .json)
    #expect(ContactFormat(path: "csv") == nil && ContactFormat(path: "-") == nil)
  }
}
