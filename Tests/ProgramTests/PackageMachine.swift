// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// A machine as the scripts in `.ci` see it: its programs for packages are small scripts that a test writes, and there are
/// no others but the coreutils and the like.
struct PackageMachine {
  let directory: TestDirectory
  private var programs: String { directory.file("bin") }

  /// What Debian has on every machine, and the scripts use.
  private static let essential = [
    "basename", "bash", "cat", "chmod", "dirname", "grep", "head", "mktemp", "mv", "rm", "sed", "sh", "sort",
  ]

  /// A machine of root's with apt-get and without systemd, on which nothing is installed and all can be.
  ///
  /// `state` is its directory for what the scripts note: `calls` has a line for each call of what changes something,
  /// `installed/NAME` stands for a package, and `policy-rc.d` is the one of `/usr/sbin`.
  static func with<Result>(_ body: (PackageMachine) async throws -> Result) async throws -> Result {
    try await TestDirectory.with { directory in
      let machine = PackageMachine(directory: directory)
      for folder in ["bin", "installed"] { try #require(mkdir(directory.file(folder), 0o755) == 0) }
      for program in essential {
        try #require(symlink("/usr/bin/" + program, machine.programs + "/" + program) == 0)
      }
      try machine.add("id", "echo 0")
      // What root runs comes on standard input and begins here. The tests are not to change the machine, whatever it says.
      try machine.add(
        "env",
        #"""
        case "$*" in */usr/sbin/*) echo "a path of the machine: $*" >&2; exit 99 ;; esac
        sed "s#/usr/sbin/#$state/#g" | /usr/bin/env "$@"
        """#)
      try machine.add("flock", locking)
      // Called where the machine that tests has an init script of that name.
      try machine.add("update-rc.d", ":")
      // On every Debian, with systemd or without.
      try machine.add("deb-systemd-helper", ":")
      try machine.add("sleep", #"echo "sleep $*" >>"$state/calls""#)
      // dpkg-query -W -f FORMAT NAME
      try machine.add("dpkg-query", #"[ -e "$state/installed/$4" ] && echo installed"#)
      try machine.add(
        "dpkg",
        #"""
        [ -e "$state/installed/$2" ] || { echo "dpkg-query: package '$2' is not installed" >&2; exit 1; }
        printf '%s\n' /. /lib/systemd/system "/lib/systemd/system/$2.service" "/lib/systemd/system/$2@.service"
        """#)
      try machine.add("apt-get", installing)
      return try await body(machine)
    }
  }

  /// flock, with a file of this machine: flock --close --timeout SECONDS --conflict-exit-code CODE FILE COMMAND...
  static let locking = #"shift 6; exec /usr/bin/flock --close "$state/lock" "$@""#

  /// What apt-get does where nothing is wrong: `install` installs, and notes what may start meanwhile.
  static let installing = #"""
    echo "apt-get $*" >>"$state/calls"
    case " $* " in *" install "*) ;; *) exit 0 ;; esac
    "$state/policy-rc.d" || echo "policy $?" >>"$state/calls"
    while [ "$1" != install ]; do shift; done
    shift
    for name in "$@"; do : >"$state/installed/$name"; done
    """#

  /// Makes a program, a script of `sh`.
  func add(_ name: String, _ script: String) throws {
    _ = unlink(programs + "/" + name)
    let file = try directory.write("#!/bin/sh\nstate='\(directory.path)'\n\(script)\n", to: "bin/" + name)
    try #require(chmod(file, 0o755) == 0)
  }

  /// Takes a program away.
  func remove(_ name: String) throws { try #require(unlink(programs + "/" + name) == 0) }

  /// Systemd is there.
  func addSystemd() throws { try add("systemctl", #"echo "systemctl $*" >>"$state/calls""#) }

  /// Its user is not root.
  func becomeUser() throws { try add("id", "echo 1000") }

  func markInstalled(_ name: String) throws { try directory.write("", to: "installed/" + name) }

  /// The calls of what changes something, so far.
  func calls() async throws -> [String] { try await lines(of: "calls") }

  /// The lines of a file in the directory; none where there is no file.
  func lines(of name: String) async throws -> [String] {
    guard access(directory.file(name), F_OK) == 0 else { return [] }
    return try await TestProcess.run(.init("cat", [directory.file(name)])).lines
  }

  /// Runs `.ci/install-packages`.
  func install(
    _ names: String..., terminal: TestProcess.Invocation.Size? = nil
  ) async throws -> TestProcess.Outcome {
    let script = SourceTree.path(".ci/install-packages")
    return try await TestProcess.run(
      .init("env", ["PATH=\(programs)", script] + names, terminal: terminal))
  }

  /// Runs `.ci/check-swift`.
  func checkSwift(_ words: String..., environment: [String: String] = [:]) async throws -> TestProcess.Outcome {
    let script = SourceTree.path(".ci/check-swift")
    return try await TestProcess.run(
      .init("env", ["PATH=\(programs)", script] + words, environment: environment))
  }
}
