// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// `.ci/check-swift`, which tells somebody without a Swift that builds Jackdaw what is missing.
@Suite("Checking for Swift")
struct CheckSwiftTests {
  @Test("where no Swift is in PATH, that is said; to who uses sudo, that sudo has a PATH of its own")
  func none() async throws {
    try await PackageMachine.with { machine in
      let outcome = try await machine.checkSwift("6.3")
      #expect(outcome.ending == .exited(1))
      #expect(outcome.errors.hasPrefix("Swift is needed and no 'swift' is in PATH: see https://"))
      #expect(!outcome.errors.contains("sudo"))
      let asRoot = try await machine.checkSwift("6.3", environment: ["SUDO_USER": "alice"])
      #expect(asRoot.errors.hasSuffix("sudo has a PATH of its own: sudo env PATH=\"$PATH\" make ...\n"))
    }
  }

  @Test("a Swift that lacks a library does not run without a version, and is shown with its own words with one")
  func lacksLibrary() async throws {
    try await PackageMachine.with { machine in
      let words = "swift: error while loading shared libraries: libncurses.so.6: cannot open shared object file"
      try machine.add("swift", "echo '\(words)' >&2; exit 127")
      #expect(try await machine.checkSwift().ending == .exited(0))
      let outcome = try await machine.checkSwift("6.3")
      #expect(outcome.ending == .exited(1))
      #expect(outcome.errors.hasPrefix(words + "\n'"))
      #expect(outcome.errors.contains("/bin/swift --version' fails: Swift 6.3 or newer is needed; see https://"))
    }
  }

  @Test(
    "what Swift says of its version decides",
    arguments: [
      ("Swift version 6.3 (swift-6.3-RELEASE)", nil), ("Apple Swift version 6.10.1 (swiftlang-6.10)", nil),
      ("Swift version 6.2.4 (swift-6.2.4-RELEASE)", "/bin/swift is 6.2: see https://"),
      ("OpenStack Swift 2.30", "/bin/swift --version' does not tell its version: see https://"),
    ])
  func version(_ said: String, _ complaint: String?) async throws {
    try await PackageMachine.with { machine in
      try machine.add("swift", "echo '\(said)'; echo 'Target: x86_64-unknown-linux-gnu'")
      let outcome = try await machine.checkSwift("6.3")
      #expect(outcome.ending == .exited(complaint == nil ? 0 : 1))
      #expect(outcome.output == "")
      if let complaint { #expect(outcome.errors.contains(complaint)) } else { #expect(outcome.errors == "") }
    }
  }
}
