// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Room for the texts that are bound to the statements that run, so that SQLite need not copy each to memory of its own.
///
/// Statements that run within each other give their room back in reverse order: what was taken since ``mark`` is given back at once.
final class BoundTexts {
  private let start: UnsafeMutableRawPointer
  private(set) var mark = 0

  init() { start = .allocate(byteCount: StoreLimits.boundTexts, alignment: 1) }

  deinit { start.deallocate() }

  /// Copies a text; it stays until its room is given back.
  /// - Returns: nil where there is no room for it.
  func hold(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard let bytes = text.baseAddress, text.count <= StoreLimits.boundTexts - mark else { return nil }
    let place = start + mark
    place.copyMemory(from: bytes, byteCount: text.count)
    mark += text.count
    return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
  }

  /// Gives back all that was taken since the mark was there.
  func release(to earlier: Int) { mark = earlier }
}
