// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawCommands

@Suite("Objects that an agent's client confirms")
struct SentObjectsTests {
  @Test("count as presented once they are, an error with the object before it, and at once where there is none")
  func confirmed() {
    var sent = SentObjects()
    let ends = [sent.add(10), sent.add(5), sent.add(10)]
    #expect(ends == [10, 15, 25])
    #expect(sent.wait(for: 10, isCounted: true) == [])
    #expect(sent.wait(for: 15, isCounted: false) == [])
    #expect(sent.wait(for: 25, isCounted: true) == [])
    #expect(sent.confirm(1) == [10, 15])
    #expect(sent.confirm(1) == [])
    #expect(sent.confirm(9) == [25])
    #expect(sent.wait(for: 30, isCounted: false) == [30])
  }
}
