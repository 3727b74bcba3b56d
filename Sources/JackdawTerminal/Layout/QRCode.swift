// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A text as a QR code (ISO/IEC 18004): byte mode, error correction level M, the smallest of the versions 1 to 40 that holds
/// it, and of the eight masks the one with the least penalty.
struct QRCode: Equatable {
  /// Modules on each side.
  let size: Int
  /// Row after row; true: dark.
  private var modules: [Bool]

  /// Nil for a text of more than the 2,331 bytes that the largest code holds.
  /// - Parameter masks: those to choose from, of 0 to 7.
  init?(_ text: String, masks: ClosedRange<Int> = 0...7) {
    let bytes = Array(text.utf8)
    for version in 1...40 {
      let grid = QRGrid(version: version)
      let blocks = QRBlocks(version: version, codewords: grid.freeModules / 8)
      guard let data = Self.codewords(of: bytes, version: version, capacity: blocks.dataCodewords) else { continue }
      self.init(grid, blocks.interleaved(data), masks)
      return
    }
    return nil
  }

  private init(_ grid: QRGrid, _ codewords: [UInt8], _ masks: ClosedRange<Int>) {
    size = grid.size
    let filled = grid.filled(with: codewords)
    let candidates = masks.map { filled.masked(by: $0) }
    let best = candidates.min { QRPenalty.of($0.modules, $0.size) < QRPenalty.of($1.modules, $1.size) }
    modules = best?.modules ?? filled.modules
  }

  /// Whether the module is dark; those around the code are light.
  subscript(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }

  /// The data codewords: mode, length, bytes, terminator and padding (7.4); nil when there is no room.
  private static func codewords(of bytes: [UInt8], version: Int, capacity: Int) -> [UInt8]? {
    let lengthBits = version < 10 ? 8 : 16
    guard 4 + lengthBits + 8 * bytes.count <= 8 * capacity else { return nil }
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
    }
    append(0b0100, 4)
    append(bytes.count, lengthBits)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, 8 * capacity - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    while codewords.count < capacity { codewords += [0xEC, 0x11] }
    return Array(codewords.prefix(capacity))
  }
}
