// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The codewords of a QR code in blocks, each with its own error correction (ISO/IEC 18004 7.5 and 7.6), at level M.
struct QRBlocks {
  private let total: Int
  private let blocks: Int
  private let correction: Int

  /// Table 9, level M: how many blocks a version has, and how many codewords correct each.
  private static let counts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35,
    37, 38, 40, 43, 45, 47, 49,
  ]
  private static let corrections = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]

  /// - Parameters:
  ///   - version: 1 to 40.
  ///   - codewords: how many the version has in all.
  init(version: Int, codewords: Int) {
    total = codewords
    blocks = Self.counts[version - 1]
    correction = Self.corrections[version - 1]
  }

  var dataCodewords: Int { total - blocks * correction }

  /// The codewords in the order in which they are placed: the first of each block, the second of each, and so on; the
  /// blocks at the end may have one more of data.
  func interleaved(_ data: [UInt8]) -> [UInt8] {
    let short = dataCodewords / blocks
    let longer = dataCodewords % blocks
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    for block in 0..<blocks {
      let count = short + (block >= blocks - longer ? 1 : 0)
      pieces.append(data[start..<start + count])
      start += count
    }
    let corrector = ReedSolomon(count: correction)
    let corrections = pieces.map { corrector.remainder(of: $0) }
    let first = (0...short).flatMap { index in pieces.compactMap { index < $0.count ? $0[$0.startIndex + index] : nil }
    }
    return first + (0..<correction).flatMap { index in corrections.map { $0[index] } }
  }
}

/// Reed–Solomon codes over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004 7.5.2).
struct ReedSolomon {
  /// The coefficients of the generator, highest power first, without the leading 1.
  private let generator: [UInt8]

  /// - Parameter count: how many correcting codewords there are, at least 1.
  init(count: Int) {
    var generator = [UInt8](repeating: 0, count: count)
    generator[count - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<count {
      // Times (x - root); in this field plus and minus are the same.
      for index in 0..<count {
        generator[index] = Self.product(generator[index], root) ^ (index + 1 < count ? generator[index + 1] : 0)
      }
      root = Self.product(root, 2)
    }
    self.generator = generator
  }

  /// The correcting codewords.
  func remainder(of data: some Sequence<UInt8>) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder[0]
      remainder.removeFirst()
      remainder.append(0)
      for (index, coefficient) in generator.enumerated() { remainder[index] ^= Self.product(coefficient, factor) }
    }
    return remainder
  }

  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product = 0
    for bit in stride(from: 7, through: 0, by: -1) {
      product <<= 1
      if product & 0x100 != 0 { product ^= 0x11D }
      if right >> UInt8(bit) & 1 == 1 { product ^= Int(left) }
    }
    return UInt8(product)
  }
}
