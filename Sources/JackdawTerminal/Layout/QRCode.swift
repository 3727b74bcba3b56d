// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CQREncode

/// A text as a QR code (ISO/IEC 18004), by libqrencode: byte mode, error correction level M, in the smallest version that
/// holds it.
struct QRCode: Equatable {
  /// Modules on each side.
  let size: Int
  /// Row after row; true: dark.
  private let modules: [Bool]

  /// Nil for an empty text, and for one of more than the 2,331 bytes that the largest code holds.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Version 0 is the smallest that the text fits in.
    guard let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // The lowest bit of a module says that it is dark; the others, what it is there for.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark; those around the code are light.
  subscript(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }
}
