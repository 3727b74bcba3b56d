// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

extension TestProcess {
  /// The most memory that the program has had so far, in KB. It has to be running.
  /// - Throws: ``TestProcessFailure``.
  package var peakMemory: Int {
    get throws {
      guard let file = fopen("/proc/\(id)/status", "re") else { throw failure("expected to see its memory") }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = fread(&bytes, 1, bytes.count, file)
      let line = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").first {
        $0.hasPrefix("VmHWM:")
      }
      guard let size = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
      else { throw failure("expected to see its memory") }
      return size
    }
  }
}
