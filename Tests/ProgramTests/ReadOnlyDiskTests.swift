// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The disk takes no writes (EROFS), as the kernel makes one that has failed.
@Suite("A read-only disk")
struct ReadOnlyDiskTests {
  @Test("is named with the file that cannot be written to; messages pass, and what is there is read, all the same")
  func isNamed() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await TestDirectory.with { directory in
        try await SmallDisk.with(kilobytes: 2048, at: directory) { disk in
          var alice = alice
          alice.environment["JACKDAW_DATA_DIR"] = disk.path
          let before = try await TestProcess.run(disk.holding(alice.invocation(["send", bob.jid, "before"])))
          #expect(before.ending == .exited(0), "\(before.errors)")
          try await disk.makeReadOnly()

          let cause =
            "he database cannot be written to (cannot write to '\(disk.path)/\(alice.jid).sqlite3': Read-only file system)."
          let sent = try await TestProcess.run(disk.holding(alice.invocation(["send", bob.jid, "read-only"])))
          #expect(sent.ending == .exited(0))
          #expect(sent.errors == "Nothing is stored on disk until Jackdaw is started again: t\(cause)\n")
          let history = try await TestProcess.run(disk.holding(alice.invocation(["history", bob.jid])))
          #expect(history.ending == .exited(0))
          #expect(history.errors == "")
          #expect(history.output.hasSuffix("me: before\n"))
          let deleted = try await TestProcess.run(disk.holding(alice.invocation(["history", "delete", bob.jid])))
          #expect(deleted.ending == .exited(74))
          #expect(deleted.errors == "jackdaw: T\(cause)\n")
        }
      }
    }
  }
}
