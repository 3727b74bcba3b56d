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
    case file, folder, link, linkToNothing
    /// Somebody listens there.
    case linkToSocket
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
      var elsewhere: Int32 = -1
      defer { if elsewhere >= 0 { close(elsewhere) } }
      switch obstacle {
      case .file: close(open(place, O_CREAT | O_WRONLY, 0o600))
      case .folder, .lock: mkdir(place, 0o700)
      case .linkToNothing: symlink(directory.path + "/missing", place)
      case .linkToSocket:
        elsewhere = try LocalSocket.listen(folder: directory.path, name: "other")
        symlink(directory.path + "/other", place)
      case .link:
        close(open(directory.path + "/precious", O_CREAT | O_WRONLY, 0o600))
        symlink(directory.path + "/precious", place)
      }
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("agent", "run")
      await rig.fixture.clock.elapse(.seconds(10))
      #expect(host.value == .inputOutput)
      let reason = obstacle == .lock ? " cannot be opened: " : " is in the way, "
      #expect(
        rig.output.failures.map { $0.text.hasPrefix(place + reason) } == [true], "\(rig.output.failures.map(\.text))")
      var status = stat()
      #expect(lstat(place, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK)
    }
  }

  /// Who takes it away.
  enum Loss: CaseIterable {
    /// The socket alone.
    case socket
    /// The folder as well, as the system does with XDG_RUNTIME_DIR when the user has logged out.
    case folder
    /// Another agent, which has one in its place.
    case successor
  }

  @Test("An agent whose socket is taken away ends: no command finds it", arguments: Loss.allCases)
  func loss(_ loss: Loss) async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("agent", "run")
      await AgentClient.settle()
      // What goes beside it is nothing to it.
      unlink(folder.lock(of: "alice@example.org"))
      await AgentClient.settle()
      #expect(rig.application.agent?.isOpen == true)
      unlink(folder.path + "/alice@example.org")
      if loss == .folder { #expect(rmdir(folder.path) == 0) }
      let successor =
        loss == .successor ? try LocalSocket.listen(folder: folder.path, name: "alice@example.org") : -1
      defer { if successor >= 0 { close(successor) } }
      await AgentClient.settle()
      await rig.fixture.clock.elapse(.seconds(10))
      await AgentClient.settle()
      #expect(host.value == .tryAgain)
      #expect(rig.output.failures.map(\.condition) == ["socket-lost"])
      #expect(folder.isSocket("alice@example.org") == (loss == .successor))
    }
  }

  @Test("One that hears nobody any more, as too many wait, is said not to answer, and not to be missing")
  func fullQueue() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      var sockets = [try LocalSocket.listen(folder: folder.path, name: "alice@example.org")]
      defer { for socket in sockets { close(socket) } }
      while sockets.count < 10_000, let next = try? LocalSocket.connect(folder: folder.path, name: "alice@example.org")
      {
        sockets.append(next)
      }
      for command in ["status", "start", "stop"] {
        let rig = try ApplicationRig(agentFolder: folder)
        #expect(try await rig.run("agent", command) == .tryAgain)
        #expect(rig.output.failures.map(\.text) == ["The Jackdaw that commands go through does not answer."])
      }
    }
  }

  /// Commands went by themselves then, and 'status away' was refused, though somebody was online.
  @Test("What began beside another one that has the socket has it a minute after that one has ended")
  func succession() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let other = try LocalSocket.listen(folder: folder.path, name: "alice@example.org")
      let rig = try ApplicationRig(agentFolder: folder)
      let host = try await rig.start("listen")
      await AgentClient.settle()
      await rig.fixture.clock.elapse(CommandLimits.agentSuccession)
      #expect(rig.application.agent?.isOpen == false)
      close(other)
      unlink(folder.path + "/alice@example.org")
      await AgentClient.settle()
      await rig.fixture.clock.elapse(CommandLimits.agentSuccession - .seconds(1))
      #expect(folder.sockets().isEmpty)
      await rig.fixture.clock.elapse(.seconds(1))
      #expect(folder.sockets() == ["alice@example.org"])
      let client = try AgentClient(folder)
      await client.run("status")
      #expect(client.said("started").count == 1)
      rig.application.interrupted(by: SIGINT)
      await AgentClient.settle()
      await rig.fixture.clock.elapse(.seconds(10))
      await AgentClient.settle()
      #expect(host.value == .success && folder.sockets().isEmpty)
    }
  }

  /// Its socket stays, and nothing goes from the folder.
  @Test("What began beside another one that has the socket has it a minute after that one was killed")
  func successionOfTheKilled() async throws {
    try await TestDirectory.onLoop { directory in
      let folder = AgentFolder(path: directory.path + "/run")
      try folder.make()
      let name = "alice@example.org"
      let listening = """
        import socket, sys, time
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1])
        listener.listen(9)
        print("there", flush=True)
        time.sleep(600)
        """
      let other = try TestProcess.start(.init(SourceTree.python, ["-c", listening, "\(folder.path)/\(name)"]))
      do {
        try await other.expect("there")
        let rig = try ApplicationRig(agentFolder: folder)
        let host = try await rig.start("listen")
        await AgentClient.settle()
        await rig.fixture.clock.elapse(CommandLimits.agentSuccession)
        #expect(rig.application.agent?.isOpen == false)
        kill(other.id, SIGKILL)
        _ = try await other.wait()
        await AgentClient.settle()
        #expect(folder.isSocket(name))
        await rig.fixture.clock.elapse(CommandLimits.agentSuccession - .seconds(1))
        #expect(rig.application.agent?.isOpen == false)
        await rig.fixture.clock.elapse(.seconds(1))
        #expect(rig.application.agent?.isOpen == true && folder.sockets() == [name])
        rig.application.interrupted(by: SIGINT)
        await AgentClient.settle()
        await rig.fixture.clock.elapse(.seconds(10))
        await AgentClient.settle()
        #expect(host.value == .success && folder.sockets().isEmpty)
      } catch {
        await other.stop()
        throw error
      }
      await other.stop()
    }
  }
}
