// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// The two sides of a new pseudo-terminal.
package struct PseudoTerminal {
  /// What the test reads and writes.
  package let controller: CInt
  /// Kept open until the program has its own, else the controller reports the end of the file before it began.
  package let terminal: CInt
  /// The path of the program's side.
  let path: String

  /// TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// - Throws: ``TestProcessFailure`` when there is none to be had.
  package init(columns: Int, rows: Int) throws {
    // What posix_openpt, unlockpt and ptsname do: Swift does not import them.
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: CInt = 0
    var number: CInt = 0
    guard controller >= 0, ioctl(controller, Self.setLock, &locked) == 0,
      ioctl(controller, Self.getNumber, &number) == 0
    else { throw TestProcessFailure("no pseudo-terminal: \(String(cString: strerror(errno)))") }
    path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw TestProcessFailure("\(path): \(String(cString: strerror(errno)))") }
    Self.setSize(controller, columns: columns, rows: rows)
  }

  static func setSize(_ descriptor: CInt, columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }
}
