// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("Libraries that are loaded late")
struct LateLibrariesTests {
  @Test("a start loads what each command needs, and none of what one that another process carries out does not")
  func start() async throws {
    let loaded = try await TestProcess.run(.init("ldd", [SourceTree.program]))
    #expect(loaded.output.contains("libc.so"), "\(loaded.errors)")
    for library in [
      "libssl", "libcrypto", "libsqlite3", "libxml2", "libicu", "libreadline", "libtinfo", "libidn2", "libunistring",
      "libqrencode",
    ] { #expect(!loaded.output.contains(library), "\(loaded.output)") }
  }
}
