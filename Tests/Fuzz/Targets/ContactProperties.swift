// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

@testable import JackdawCommands

/// Contacts that were read from a file of any kind are the same when they are written in either format and read again, and no
/// reading looks at more than some times the file.
enum ContactProperties {
  static func check(_ input: inout FuzzInput) throws {
    let document = input.rest()
    for format in ContactFormat.allCases {
      let records = format.entries(of: document).compactMap { try? $0.record.get() }
      for other in ContactFormat.allCases {
        let again = other.entries(of: other.document(of: records)).map { try? $0.record.get() }
        try require(again == records.map(Optional.some), "\(format) is written as \(other) and read back differently")
      }
    }
    var reader = CSVReader(document)
    var rows = 0
    while let row = reader.next() {
      rows += 1
      try require(row.line >= 1 && rows <= document.count, "more rows than bytes")
    }
    try require(reader.looks <= 8 * document.count + 8, "\(document.count) bytes, \(reader.looks) looks")
  }
}
