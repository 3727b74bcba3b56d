// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One line of JSON in the making. Containers write into it as they are filled, so nothing is kept twice; a container
/// that is written to after its parent went on is an error, not a tree.
final class JSONWriter {
  /// An object or array that has been opened and not yet closed.
  struct Scope {
    enum Kind: UInt8 {
      case object = 0x7D
      case array = 0x5D
    }
    let kind: Kind
    /// Where its bracket stands: names it, as no other can stand there.
    let start: Int
    var isEmpty = true
  }

  private(set) var bytes: [UInt8] = []
  /// Bounded by how deep our own events are nested.
  private var scopes: [Scope] = []
  /// Where a value has been promised, by a key or by its place in an array.
  private var promised: Int?
  private let leadingKeys: [String]

  init(leading: KeyValuePairs<String, String?>) {
    bytes.reserveCapacity(256)
    leadingKeys = leading.map(\.key)
    open(.object)
    for (key, value) in leading {
      separate()
      bytes.appendJSONString(key)
      bytes.append(UInt8(ascii: ":"))
      if let value { bytes.appendJSONString(value) } else { bytes.append(contentsOf: "null".utf8) }
    }
  }

  /// Whose value's members go on after the leading ones.
  var rootEncoder: JSONValueEncoder { JSONValueEncoder(writer: self, position: 0) }

  /// Closes what is open and ends the line.
  func finish() -> [UInt8] {
    keepPromise()
    while let scope = scopes.popLast() { bytes.append(scope.kind.rawValue) }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The scope that a value at `position` is written in: the one that stands there, or a new one. nil when the place is
  /// taken by something else.
  func scope(_ kind: Scope.Kind, at position: Int) -> Int? {
    if let open = scopes.last(where: { $0.start == position }) { return open.kind == kind ? position : nil }
    guard bytes.count == position else { return nil }
    return open(kind)
  }

  /// Writes a key of the object at `start`, and promises its value.
  func begin(_ key: some CodingKey, in start: Int?) throws {
    try settle(on: start)
    if start == 0, leadingKeys.contains(key.stringValue) { throw error("the key '\(key.stringValue)' is taken") }
    separate()
    bytes.appendJSONString(key.stringValue)
    bytes.append(UInt8(ascii: ":"))
    promised = bytes.count
  }

  /// Begins the next value of the array at `start`, and promises it.
  func beginElement(in start: Int?) throws {
    try settle(on: start)
    separate()
    promised = bytes.count
  }

  /// Where a value is to be written that has been promised just now.
  var position: Int { bytes.count }

  /// Writes a plain value at `position`.
  func write(at position: Int, _ append: (inout [UInt8]) -> Void) throws {
    guard bytes.count == position else { throw error("two values in one place") }
    append(&bytes)
  }

  @discardableResult private func open(_ kind: Scope.Kind) -> Int {
    let start = bytes.count
    scopes.append(Scope(kind: kind, start: start))
    bytes.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    return start
  }

  /// Closes whatever is open within the scope at `start`.
  private func settle(on start: Int?) throws {
    guard let start else { throw error("a value of another shape is there already") }
    keepPromise()
    while let last = scopes.last, last.start > start {
      bytes.append(last.kind.rawValue)
      scopes.removeLast()
    }
    guard scopes.last?.start == start else { throw error("the container is closed already") }
  }

  /// A value that wrote nothing is an empty object.
  private func keepPromise() {
    if promised == bytes.count { bytes.append(contentsOf: "{}".utf8) }
    promised = nil
  }

  private func separate() {
    guard let last = scopes.indices.last else { return }
    if !scopes[last].isEmpty { bytes.append(UInt8(ascii: ",")) }
    scopes[last].isEmpty = false
  }

  private func error(_ flaw: String) -> EncodingError {
    .invalidValue(flaw, EncodingError.Context(codingPath: [], debugDescription: flaw))
  }
}
