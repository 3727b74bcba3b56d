// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Bytes as they come, taken out as lines. A value.
struct LineBuffer {
  enum Line: Equatable {
    case text(String)
    case tooLong
    case notUTF8
  }

  private var bytes: [UInt8] = []
  /// Where the line that comes next begins.
  private var start = 0
  /// Up to where no newline was found.
  private var searched = 0
  /// The line that is coming is too long: what is still to come of it is dropped.
  private var isSkipping = false
  /// Bytes that were dropped of it.
  private(set) var skipped = 0
  private var isFirst = true
  private let limit: Int

  init(limit: Int = TerminalLimits.inputLineBytes) { self.limit = limit }

  mutating func append(_ more: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next whole line.
  mutating func next() -> Line? {
    while let end = bytes[searched...].firstIndex(of: 0x0A) {
      let line = bytes[start..<end]
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
        skipped = 0
        return .tooLong
      }
      return text(line)
    }
    searched = bytes.count
    if bytes.count - start > limit {
      skipped += bytes.count - start
      bytes = []
      start = 0
      searched = 0
      isSkipping = true
    }
    return nil
  }

  /// The line that the end of the input completes, if anything came of it.
  mutating func last() -> Line? {
    let line = bytes[start...]
    let skipped = isSkipping
    start = bytes.count
    searched = start
    isSkipping = false
    if skipped { return .tooLong }
    return line.isEmpty ? nil : text(line)
  }

  /// All that was not taken out as lines.
  mutating func rest() -> [UInt8] {
    defer { self = LineBuffer(limit: limit) }
    return Array(bytes[start...])
  }

  /// A CR before the newline and a byte order mark before the first line are of editors' making.
  private mutating func text(_ line: ArraySlice<UInt8>) -> Line {
    var line = line
    if line.last == 0x0D { line.removeLast() }
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirst = false
    guard line.count <= limit else { return .tooLong }
    // `String(validating:as:)` is generic code of the library, which takes twice as long.
    guard let text = try? UTF8Span(validating: line.span) else { return .notUTF8 }
    return .text(String(copying: text))
  }
}
