// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CSQLite

/// What can be bound to a parameter of a statement.
protocol DatabaseValue {
  /// Binds it to the parameter of this number (the first is 1).
  /// - Parameter texts: where a text may be put; it has to stay there as long as the statement runs.
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32
}

/// Binds the values of a statement, from the first parameter to the last. A long statement that runs for each message binds them by this,
/// one line each: a list of values of any types costs 15 times as much, as each is copied and bound as what it turns out to be.
struct StatementValues {
  private let statement: OpaquePointer
  private let texts: BoundTexts
  /// How many there were.
  private(set) var count: Int32 = 0
  /// SQLite's result code of the first that could not be bound.
  private(set) var result = SQLITE_OK

  init(of statement: OpaquePointer, _ texts: BoundTexts) {
    self.statement = statement
    self.texts = texts
  }

  /// Binds the next one.
  mutating func bind(_ value: some DatabaseValue) {
    count += 1
    if result == SQLITE_OK { result = value.bind(to: statement, at: count, texts) }
  }
}

/// Has SQLite copy what is bound, so that no pointer outlives its call.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension String: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    let result = utf8.withContiguousStorageIfAvailable { Self.bind($0, to: statement, at: index, texts) }
    if let result { return result }
    var text = self
    return text.withUTF8 { Self.bind($0, to: statement, at: index, texts) }
  }

  private static func bind(
    _ bytes: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts
  ) -> Int32 {
    // An empty buffer may have no address, and no address means NULL.
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      return sqlite3_bind_text64(statement, index, "", 0, copied, UInt8(SQLITE_UTF8))
    }
    guard let held = texts.hold(bytes) else {
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
    // No destructor: it stays where it is.
    return sqlite3_bind_text64(statement, index, held, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }
}

extension Int64: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    sqlite3_bind_int64(statement, index, self ? 1 : 0)
  }
}

extension [UInt8]: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, bytes.count > 0 else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), copied)
    }
  }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
  func bind(to statement: OpaquePointer, at index: Int32, _ texts: BoundTexts) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index, texts)
    // As all are before a statement is bound (``Statement``).
    case .none: SQLITE_OK
    }
  }
}

/// The present row of a running statement; valid until the statement's next step. Columns count from 0.
struct Row {
  fileprivate let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func isText(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_TEXT }

  /// An integer or a real number; nil for anything else.
  func number(_ column: Int32) -> Double? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(statement, column)
    default: nil
    }
  }

  /// How many bytes a text or a blob has.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  /// The text, whole, NULs included; bytes that are no UTF-8 are repaired. Empty for NULL.
  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    return String(decoding: bytes, as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes; empty for NULL.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
