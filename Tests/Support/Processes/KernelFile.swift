// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// Files that the kernel makes up as they are read.
package enum KernelFile {
  /// The whole text; nil where there is no such file.
  package static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { text += piece.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }
}
