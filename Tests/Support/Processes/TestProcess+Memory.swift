// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension TestProcess {
  /// The most memory that the program has had so far, in KB. It has to be running.
  /// - Throws: ``TestProcessFailure``.
  package var peakMemory: Int {
    get throws {
      let line = KernelFile.read("/proc/\(id)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      guard let size = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
      else { throw failure("expected to see its memory") }
      return size
    }
  }
}
