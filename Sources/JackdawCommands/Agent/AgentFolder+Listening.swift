// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop

extension AgentFolder {
  /// Makes a socket of this name, and listens there.
  /// - Returns: its descriptor; nil: another process listens there.
  /// - Throws: ``CommandFailure`` with code 74 where something else is in its place, or it cannot be made.
  func listen(as name: String) throws(CommandFailure) -> Int32? {
    // Between looking whether somebody listens and taking their place nobody else may do the same, for this account.
    let lock = Glibc.open(self.lock(of: name), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    defer { if lock >= 0 { close(lock) } }
    guard lock >= 0 else {
      throw noPlace("\(self.lock(of: name)) cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return nil }
    do throws(LocalSocket.Failure) {
      let other = try LocalSocket.connect(folder: path, name: name)
      close(other)
      // No command follows a link: wherever it leads, it is in the way here.
      if isSocket(name) { return nil }
    } catch {
      switch error.errno {
      case ENOENT: break
      // Who listened there was killed. Nothing but a socket of ours is taken away.
      case ECONNREFUSED where isSocket(name): unlink("\(path)/\(name)")
      // Something else is there, or whoever listened has ended meanwhile, and has taken it away.
      case ECONNREFUSED: break
      default: return nil
      }
    }
    do throws(LocalSocket.Failure) {
      return try LocalSocket.listen(folder: path, name: name)
    } catch {
      throw noPlace(
        error.errno == EADDRINUSE
          ? "\(path)/\(name) is in the way, and is not a socket of yours"
          : "\(path)/\(name) cannot be made: \(error)")
    }
  }

  private func noPlace(_ reason: String) -> CommandFailure {
    CommandFailure(.inputOutput, "file", "\(reason). No command can go through this Jackdaw.")
  }
}
