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

  /// The processor's time that the program has had so far, in hundredths of a second, also where it has ended.
  /// - Throws: ``TestProcessFailure``.
  package var processorTime: Int {
    get throws {
      // Its name, in brackets, may hold anything; the 14th and 15th value are the time, of the program and of the kernel for it.
      let values = KernelFile.read("/proc/\(id)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
      let times = values.dropFirst(11).prefix(2).compactMap { Int($0) }
      guard times.count == 2 else { throw failure("expected to see its processor's time") }
      return times[0] + times[1]
    }
  }
}
