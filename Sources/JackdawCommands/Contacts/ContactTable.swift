// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession

/// Contacts as a table in CSV (RFC 4180): `jid,name,subscription,ask,group,group…`. Groups may hold any character, so each
/// has a column, and every line has as many of them as the contact with the most.
enum ContactTable {
  private static let columns = ["jid", "name", "subscription", "ask"]
  private static let groupColumn = "group"

  static func document(of records: [ContactRecord]) -> [UInt8] {
    let groups = records.map(\.groups.count).max() ?? 0
    var document = line(columns + Array(repeating: groupColumn, count: groups))
    for record in records {
      let fields = [
        record.jid.description, record.name ?? "", record.subscription?.rawValue ?? "", record.ask ? "true" : "false",
      ]
      document += line(fields + record.groups + Array(repeating: "", count: groups - record.groups.count))
    }
    return document
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    Array((fields.map { quoted(guarded($0)) }.joined(separator: ",") + "\r\n").utf8)
  }

  /// A spreadsheet takes what begins so for a formula and runs it: an apostrophe before it makes it text. One is written before
  /// such an apostrophe of the text's own too, so that reading takes away what writing added.
  private static let formulaSigns: Set<UInt8> = Set("=+-@\t\r".utf8)
  private static let apostrophe = UInt8(ascii: "'")

  private static func looksLikeFormula(_ field: some StringProtocol) -> Bool {
    field.utf8.first { $0 != apostrophe }.map(formulaSigns.contains) ?? false
  }

  private static func guarded(_ field: String) -> String { looksLikeFormula(field) ? "'" + field : field }

  private static func unguarded(_ field: String) -> String {
    field.utf8.first == apostrophe && looksLikeFormula(field) ? String(field.unicodeScalars.dropFirst()) : field
  }

  private static func quoted(_ field: String) -> String {
    guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) || field.first == " " else {
      return field
    }
    var quoted = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Without a header the columns are those that most programs write: address, name, then groups.
  static func entries(of document: [UInt8]) -> [ContactEntry] {
    var reader = CSVReader(document)
    var header = ["jid", "name"]
    var entries: [ContactEntry] = []
    var isFirst = true
    while let row = reader.next() {
      defer { isFirst = false }
      do throws(ContactProblem) {
        let fields = try row.fields.get()
        if isFirst, fields.contains(where: { $0.lowercased() == "jid" }) {
          header = fields.map { $0.lowercased() }
          continue
        }
        entries.append(ContactEntry(line: row.line, record: .success(try record(fields, header))))
      } catch {
        entries.append(ContactEntry(line: row.line, record: .failure(error)))
      }
    }
    return entries
  }

  private static func record(_ fields: [String], _ header: [String]) throws(ContactProblem) -> ContactRecord {
    var known: [String: String] = [:]
    var groups: [String] = []
    for (index, field) in fields.map(unguarded).enumerated() {
      let column = index < header.count ? header[index] : groupColumn
      if column == groupColumn { groups.append(field) } else { known[column] = known[column] ?? field }
    }
    return try ContactRecord(
      address: known["jid"], name: known["name"], groups: groups, subscription: known["subscription"],
      ask: known["ask"]?.lowercased() == "true")
  }
}
