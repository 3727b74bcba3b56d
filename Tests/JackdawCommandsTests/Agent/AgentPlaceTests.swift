// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("The place of an agent's socket", .onLoop)
struct AgentPlaceTests {
  enum Obstacle: CaseIterable {
    case file, folder, link
    /// In the place of what is locked while the socket is made.
    case lock
  }

  /// It was taken for an agent that runs, which no command found.
  @Test("What else is in it is named, and left there", arguments: Obstacle.allCases)
  func obstacle(_ obstacle: Obstacle) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let place = obstacle == .lock ? folder.lock(of: "alice@example.org") : folder.path + "/alice@example.org"
      switch obstacle {
      case .file: close(open(place, O_CREAT | O_WRONLY, 0o600))
      case .folder, .lock: mkdir(place, 0o700)
      case .link:
        close(open(directory.path + "/precious", O_CREAT | O_WRONLY, 0o600))
        symlink(directory.path + "/precious", place)
      }
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("agent", "run")
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .inputOutput)
      #expect(rig.output.failures.map { $0.text.hasPrefix(place) } == [true], "\(rig.output.failures.map(\.text))")
      var status = stat()
      #expect(lstat(place, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK)
    }
  }
}
