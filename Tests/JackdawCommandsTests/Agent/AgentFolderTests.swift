// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import Support
import Testing

@testable import JackdawCommands

@Suite("The folder of the agents' sockets", .onLoop)
struct AgentFolderTests {
  @Test("is in the runtime folder where that is the user's alone, else in the data folder")
  func place() async throws {
    try await TestDirectory.with { directory in
      let runtime = directory.path + "/runtime"
      #expect(AgentFolder(environment: ["XDG_RUNTIME_DIR": runtime], dataFolder: "/data")?.path == "/data/run")
      mkdir(runtime, 0o700)
      #expect(AgentFolder(environment: ["XDG_RUNTIME_DIR": runtime], dataFolder: "/data")?.path == runtime + "/jackdaw")
      chmod(runtime, 0o750)
      #expect(AgentFolder(environment: ["XDG_RUNTIME_DIR": runtime], dataFolder: "/data")?.path == "/data/run")
      chmod(runtime, 0o700)
      symlink(runtime, directory.path + "/link")
      #expect(
        AgentFolder(environment: ["XDG_RUNTIME_DIR": directory.path + "/link"], dataFolder: nil) == nil)
      #expect(AgentFolder(environment: ["XDG_RUNTIME_DIR": "relative"], dataFolder: nil) == nil)
      #expect(AgentFolder(environment: [:], dataFolder: nil) == nil)
    }
  }

  @Test("is made, and refused where others can look into it or it is a link")
  func making() async throws {
    try await TestDirectory.with { directory in
      let folder = AgentFolder(path: directory.path + "/a/b")
      try folder.make()
      #expect(folder.isUsable)
      chmod(folder.path, 0o755)
      #expect(!folder.isUsable)
      #expect { try folder.make() } throws: { ($0 as? CommandFailure)?.code == .inputOutput }
      chmod(folder.path, 0o700)
      symlink(folder.path, directory.path + "/link")
      #expect { try AgentFolder(path: directory.path + "/link").make() } throws: {
        ($0 as? CommandFailure)?.code == .inputOutput
      }
    }
  }

  @Test("shows sockets, and neither files nor links")
  func sockets() async throws {
    try await TestDirectory.with { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let descriptor = try LocalSocket.listen(folder: folder.path, name: "alice@example.org")
      defer { close(descriptor) }
      symlink(folder.path + "/alice@example.org", folder.path + "/bob@example.org")
      close(open(folder.path + "/carol@example.org", O_CREAT | O_WRONLY, 0o600))
      #expect(folder.sockets() == ["alice@example.org"])
      #expect(!folder.isSocket("bob@example.org") && !folder.isSocket("carol@example.org"))
      var status = stat()
      #expect(lstat(folder.path + "/alice@example.org", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
  }

  @Test("A socket that is made anew shows its name once it takes connections, and leaves what is in its place")
  func listening() async throws {
    try await TestDirectory.with { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let name = "alice@example.org"
      let unfinished = ".\(name).new"
      let changes = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      defer { close(changes) }
      // Of one that was killed at that moment.
      close(open("\(folder.path)/\(unfinished)", O_CREAT | O_WRONLY, 0o600))
      #expect(inotify_add_watch(changes, folder.path, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0)
      let descriptor = try #require(try folder.listen(as: name))
      defer { close(descriptor) }
      #expect(
        Self.changes(read: changes).filter { !$0.name.hasSuffix(".lock") } == [
          Change(mask: UInt32(IN_CREATE), name: unfinished), Change(mask: UInt32(IN_MOVED_TO), name: name),
        ])
      #expect(throws: LocalSocket.Failure.self) { try LocalSocket.listen(folder: folder.path, name: name) }
      #expect(folder.sockets() == [name])
      #expect(access("\(folder.path)/\(unfinished)", F_OK) != 0)
    }
  }

  /// Of an `inotify_event` (inotify(7)).
  private struct Change: Equatable {
    var mask: UInt32
    var name: String
  }

  private static func changes(read descriptor: Int32) -> [Change] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    let header = MemoryLayout<inotify_event>.size
    var found: [Change] = []
    var start = 0
    while start + header <= count {
      let event = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self) }
      let name = bytes[(start + header)..<(start + header + Int(event.len))].prefix { $0 != 0 }
      found.append(Change(mask: event.mask, name: String(decoding: name, as: UTF8.self)))
      start += header + Int(event.len)
    }
    return found
  }

  @Test("Each account has a name of its own, however long it is, that is one name of a file")
  func names() throws {
    #expect(try AgentFolder.name(of: JID("alice@example.org/phone")) == "alice@example.org")
    let long = String(repeating: "ä", count: 200)
    let (one, other) = (
      try AgentFolder.name(of: JID(long + "@a.example")), try AgentFolder.name(of: JID(long + "@b.example"))
    )
    #expect(one != other && one.utf8.count <= CommandLimits.agentName && !one.contains("/"))
  }

  @Test("A path that is longer than an address is reached all the same")
  func longPath() async throws {
    try await TestDirectory.with { directory in
      let folder = AgentFolder(path: directory.path + "/" + String(repeating: "long", count: 40))
      try folder.make()
      let listener = try LocalSocket.listen(folder: folder.path, name: "alice@example.org")
      defer { close(listener) }
      let client = try LocalSocket.connect(folder: folder.path, name: "alice@example.org")
      close(client)
    }
  }
}
