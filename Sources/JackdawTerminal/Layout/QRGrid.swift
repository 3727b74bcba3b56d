// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The square of a QR code (ISO/IEC 18004 6.3): what every code of a version has in the same places, and where data goes.
struct QRGrid {
  let size: Int
  /// Row after row; true: dark.
  private(set) var modules: [Bool]
  /// What no data and no mask may touch.
  private var isFixed: [Bool]
  private let version: Int

  /// - Parameter version: 1 to 40.
  init(version: Int) {
    self.version = version
    size = 17 + 4 * version
    modules = Array(repeating: false, count: size * size)
    isFixed = modules
    for index in 0..<size {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
    drawAlignment()
    drawFormat(mask: 0)
    drawVersion()
  }

  /// How many modules data may have.
  var freeModules: Int { isFixed.count { !$0 } }

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    modules[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  /// 6.3.3, with its separator.
  private mutating func drawFinder(_ row: Int, _ column: Int) {
    for dy in -4...4 {
      for dx in -4...4 where (0..<size).contains(row + dy) && (0..<size).contains(column + dx) {
        let ring = max(abs(dx), abs(dy))
        set(row + dy, column + dx, ring != 2 && ring != 4)
      }
    }
  }

  /// 6.3.6 and annex E.
  private mutating func drawAlignment() {
    guard version > 1 else { return }
    let count = version / 7 + 2
    let last = size - 7
    // Even distances as large as they can be; version 32 is the exception of the table.
    let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    let places = [6] + (0..<count - 1).map { last - $0 * step }.reversed()
    for row in places {
      for column in places where !isInCorner(row, column) {
        for dy in -2...2 {
          for dx in -2...2 { set(row + dy, column + dx, max(abs(dx), abs(dy)) != 1) }
        }
      }
    }
  }

  private func isInCorner(_ row: Int, _ column: Int) -> Bool {
    let end = size - 7
    return row == 6 && (column == 6 || column == end) || row == end && column == 6
  }

  /// 7.9: level M and the mask, twice, with a code of their own.
  private mutating func drawFormat(mask: Int) {
    var remainder = mask
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let bits = (mask << 10 | remainder) ^ 0x5412
    for bit in 0..<15 {
      let isDark = bits >> bit & 1 == 1
      switch bit {
      case 0...5: set(bit, 8, isDark)
      case 6, 7: set(bit + 1, 8, isDark)
      case 8: set(8, 7, isDark)
      default: set(8, 14 - bit, isDark)
      }
      if bit < 8 { set(8, size - 1 - bit, isDark) } else { set(size - 15 + bit, 8, isDark) }
    }
    set(size - 8, 8, true)
  }

  /// 7.10: from version 7 on.
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    var remainder = version
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
    let bits = version << 12 | remainder
    for bit in 0..<18 {
      let isDark = bits >> bit & 1 == 1
      set(bit / 3, size - 11 + bit % 3, isDark)
      set(size - 11 + bit % 3, bit / 3, isDark)
    }
  }

  /// With data in pairs of columns from the right, upwards and downwards by turns (7.7.3).
  func filled(with codewords: [UInt8]) -> QRGrid {
    var grid = self
    var bit = 0
    var goesUp = true
    // The column of the timing pattern is none of a pair.
    for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
      for step in 0..<size {
        let row = goesUp ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          guard bit < codewords.count * 8 else { continue }
          grid.modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      goesUp.toggle()
    }
    return grid
  }

  /// With the data turned over where the mask says so (7.8.2), and the mask named.
  func masked(by mask: Int) -> QRGrid {
    var grid = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] && Self.turns(mask, row, column) {
        grid.modules[row * size + column].toggle()
      }
    }
    grid.drawFormat(mask: mask)
    return grid
  }

  private static func turns(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let product = row * column
    return switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: product % 2 + product % 3 == 0
    case 6: (product % 2 + product % 3) % 2 == 0
    default: ((row + column) % 2 + product % 3) % 2 == 0
    }
  }
}

/// How badly a code would be read (ISO/IEC 18004 7.8.3).
enum QRPenalty {
  static func of(_ modules: [Bool], _ size: Int) -> Int {
    var penalty = 0
    for line in 0..<size {
      let row = (0..<size).map { modules[line * size + $0] }
      let column = (0..<size).map { modules[$0 * size + line] }
      penalty += ofLine(row) + ofLine(column)
    }
    for row in 0..<size - 1 {
      for column in 0..<size - 1 {
        let first = row * size + column
        let isBlock = [first + 1, first + size, first + size + 1].allSatisfy { modules[$0] == modules[first] }
        if isBlock { penalty += 3 }
      }
    }
    let dark = modules.count { $0 }
    // Ten for each whole twentieth away from one half.
    return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
  }

  /// Runs of five and more, and what looks like a finder: 1:1:3:1:1 beside four light modules. Around the code all is light.
  private static func ofLine(_ line: [Bool]) -> Int {
    var penalty = 0
    var run = 0
    for (index, module) in line.enumerated() {
      run = index > 0 && module == line[index - 1] ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    let margin = Array(repeating: false, count: 4)
    let wide = margin + line + margin
    for start in 0...wide.count - finder.count where wide[start..<start + finder.count].elementsEqual(finder) {
      let before = start >= 4 && !wide[start - 4..<start].contains(true)
      let end = start + finder.count
      let after = end + 4 <= wide.count && !wide[end..<end + 4].contains(true)
      penalty += (before ? 40 : 0) + (after ? 40 : 0)
    }
    return penalty
  }

  private static let finder = [true, false, true, true, true, false, true]
}
