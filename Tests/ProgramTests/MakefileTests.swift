// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("The Makefile")
struct MakefileTests {
  @Test("a user without the folders of dnsmasq and ejabberdctl in PATH gets them, after the user's own")
  func path() async throws {
    let words = ["-s", "-C", SourceTree.path(""), "--eval", "show-path: ; @echo \"$$PATH\"", "show-path"]
    let outcome = try await TestProcess.run(.init("env", ["PATH=/opt/own:/usr/bin:/bin", "make"] + words))
    #expect(outcome.lines == ["/opt/own:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"], "\(outcome.errors)")
  }
}
