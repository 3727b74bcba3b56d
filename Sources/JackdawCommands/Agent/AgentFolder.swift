// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
package import JackdawProtocol

/// The folder with the sockets of the user's running Jackdaws: `$XDG_RUNTIME_DIR/jackdaw`, or `run` in the data folder where there is
/// no runtime folder that is the user's own. Nobody else may look into it.
package struct AgentFolder: Sendable, Equatable {
  /// Where it is, or would be.
  package let path: String

  /// A folder at a path that has been chosen.
  package init(path: String) { self.path = path }

  /// The user's.
  /// - Parameters:
  ///   - dataFolder: nil: there is none.
  /// - Returns: nil: there is no place for one.
  package init?(environment: EnvironmentVariables, dataFolder: String?) {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), Self.isPrivate(runtime) {
      path = runtime + "/jackdaw"
    } else if let dataFolder {
      path = dataFolder + "/run"
    } else {
      return nil
    }
  }

  /// The name of an account's socket: its address, cut where that is long, and told from others by a number then.
  package static func name(of account: JID) -> String {
    let address = account.bare.description
    guard address.utf8.count > CommandLimits.agentName else { return address.replacing("/", with: "%") }
    // FNV-1a, 64 bits
    let number = address.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    var start = ""
    for character in address.replacing("/", with: "%") {
      guard start.utf8.count + character.utf8.count <= CommandLimits.agentName - 20 else { break }
      start.append(character)
    }
    return "\(start)~\(String(number, radix: 16))"
  }

  /// The sockets that are there, by name, in no order.
  /// - Returns: none where the folder is not there, or not private.
  package func sockets() -> [String] {
    guard isUsable, let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < CommandLimits.agentSockets, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), isSocket(name) { names.append(name) }
    }
    return names
  }

  /// Whether the user's own socket of this name is there: no symbolic link, no file.
  package func isSocket(_ name: String) -> Bool { identity(of: name) != nil }

  /// What tells a socket from one that is made in its place.
  struct Identity: Equatable {
    var device: UInt
    var inode: UInt
  }

  /// - Returns: nil: the user has no socket of this name.
  func identity(of name: String) -> Identity? {
    var status = stat()
    guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid()
    else { return nil }
    return Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  /// The file that whoever makes a socket of this name locks meanwhile.
  package func lock(of name: String) -> String { "\(path)/.\(name).lock" }

  /// Whether it is there, and nobody else can have put anything into it.
  package var isUsable: Bool { Self.isPrivate(path) }

  /// Makes it, if it is not there.
  /// - Throws: ``CommandFailure`` with code 74 where it cannot be made or is not only the user's.
  package func make() throws(CommandFailure) {
    try PrivateFolder.make(path)
    guard isUsable else {
      throw CommandFailure(
        .inputOutput, "permissions",
        "\(path) is not a folder that only you can use, so no other command can go through this Jackdaw.")
    }
  }

  /// Whether a path is a folder, and no link to one, that belongs to the user and to nobody else.
  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }
}
