// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

extension TestProcess.Invocation {
  /// What stands before a program that root alone may run.
  ///
  /// `sudo` stays the program's parent, and SIGKILL ends it alone: the kernel then ends the program.
  package static var asRoot: [String] { geteuid() == 0 ? [] : ["sudo", "-n", "setpriv"] + endingWithSudo }

  /// For `setpriv`. Without sudo the parent would be a thread of the tests, which may end at any time.
  private static var endingWithSudo: [String] { geteuid() == 0 ? [] : ["--pdeathsig", "KILL"] }

  /// The same program with files of its own where others have the machine's: root arranges that, in a mount namespace, and
  /// the program is its user's again.
  /// - Parameter words: what root runs; it gets the program's words as arguments, and becomes the program.
  package func arranged(by words: [String]) -> Self {
    var changed = self
    // What comes through `sudo` has lost its environment.
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let user =
      ["setpriv", "--reuid=\(geteuid())", "--regid=\(getegid())", "--clear-groups"] + Self.endingWithSudo + ["env"]
    let whole = Self.asRoot + words + user + variables + [program] + arguments
    changed.program = whole[0]
    changed.arguments = Array(whole.dropFirst())
    return changed
  }

  /// The same program where another file is `/etc/resolv.conf`.
  package func resolving(by file: String) -> Self {
    arranged(by: ["unshare", "-m", "sh", "-c", #"mount --bind "$0" /etc/resolv.conf && exec "$@""#, file])
  }
}
