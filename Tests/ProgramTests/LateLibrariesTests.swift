// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("Libraries that are loaded late")
struct LateLibrariesTests {
  @Test("every start loads what encrypts, and none that only a prompt, a picture or a name outside ASCII needs")
  func start() async throws {
    let loaded = try await TestProcess.run(.init("ldd", [SourceTree.program]))
    #expect(loaded.output.contains("libssl.so"), "\(loaded.errors)")
    for library in ["libreadline", "libtinfo", "libidn2", "libunistring", "libqrencode"] {
      #expect(!loaded.output.contains(library), "\(loaded.output)")
    }
  }
}
