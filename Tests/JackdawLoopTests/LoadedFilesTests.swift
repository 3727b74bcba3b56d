// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Testing

@Suite struct LoadedFilesTests {
  /// Kilobytes of files that are mapped and present.
  private func mapped() throws -> Int {
    let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
    return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
  }

  @Test func pagesThatWereUsedAreUnmappedAndComeBack() throws {
    // Where another test runs meanwhile, it may bring some back.
    let before = try mapped()
    LoadedFiles.giveBackPages()
    let after = try mapped()
    #expect(after < before * 3 / 4, "\(before) KB before, \(after) KB after")
    #expect("aus".uppercased() == "AUS")
  }
}
