// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// `.ci/install-packages`, which every target of the Makefile begins with.
@Suite("Installing Debian packages")
struct InstallPackagesTests {
  @Test("on systemd, a server that comes without ejabberd's erlang-base is installed and disabled")
  func withoutCompanion() async throws {
    try await PackageMachine.with { machine in
      try machine.addSystemd()
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors == "Installing prosody\n")
      #expect(outcome.output == "")
      #expect(
        try await machine.calls() == [
          "apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install prosody", "policy 101",
          "systemctl --quiet disable prosody.service",
        ])
      #expect(try await machine.lines(of: "policy-rc.d") == [])
    }
  }

  @Test("on systemd, what comes with a server and would start with the machine is disabled too")
  func withCompanion() async throws {
    try await PackageMachine.with { machine in
      try machine.addSystemd()
      try machine.add("apt-get", PackageMachine.installing + #"; : >"$state/installed/erlang-base""#)
      #expect(try await machine.install("ejabberd").ending == .exited(0))
      #expect(
        try await machine.calls().suffix(2) == [
          "systemctl --quiet disable ejabberd.service", "systemctl --quiet disable erlang-base.service",
        ])
    }
  }

  @Test("without systemd, what packages enable for it all the same is disabled too")
  func withoutSystemd() async throws {
    try await PackageMachine.with { machine in
      try machine.add(
        "deb-systemd-helper", #"echo "$DPKG_MAINTSCRIPT_PACKAGE: deb-systemd-helper $*" >>"$state/calls""#)
      try machine.markInstalled("erlang-base")
      #expect(try await machine.install("prosody").ending == .exited(0))
      #expect(try await machine.calls().last == "prosody: deb-systemd-helper disable prosody.service")
    }
  }

  @Test("a unit that cannot be disabled is named, and the rest goes on")
  func notDisabled() async throws {
    try await PackageMachine.with { machine in
      try machine.add("systemctl", #"[ "$3" != one.service ] || { echo "Failed: read-only" >&2; exit 1; }"#)
      let outcome = try await machine.install("one", "two")
      #expect(outcome.ending == .exited(0))
      #expect(
        outcome.errors
          == "Installing one two\nFailed: read-only\none.service could not be disabled and may start with the machine.\n"
      )
    }
  }

  @Test("where nothing is missing, neither apt-get nor root is asked for")
  func nothingMissing() async throws {
    try await PackageMachine.with { machine in
      try machine.markInstalled("prosody")
      try machine.becomeUser()
      try machine.remove("apt-get")
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.output + outcome.errors == "")
    }
  }

  @Test("where the lists of packages are missing, they are fetched")
  func oldLists() async throws {
    try await PackageMachine.with { machine in
      try machine.add(
        "apt-get",
        #"""
        case " $* " in
          *" update "*) : >"$state/lists"; echo "W: something old" ;;
          *) [ -e "$state/lists" ] || { echo "E: Unable to locate package prosody"; exit 100; } ;;
        esac
        """#)
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors == "Installing prosody\n")
    }
  }

  private static let summary = """
    These Debian packages are needed and not installed: prosody
    They could not be installed; what apt-get or sudo said of it is above.

    """

  @Test("where apt-get fails, its own words and the packages are shown")
  func aptFails() async throws {
    try await PackageMachine.with { machine in
      try machine.addSystemd()
      try machine.add(
        "apt-get",
        #"case " $* " in *" install "*) echo "E: No space left on device" >&2; exit 100 ;; esac"#)
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(1))
      #expect(outcome.errors == "Installing prosody\nE: No space left on device\n" + Self.summary)
      #expect(try await machine.lines(of: "policy-rc.d") == [], "nothing keeps other packages from starting now")
    }
  }

  @Test("without a network, the warnings of `apt-get update`, which succeeds, are shown too")
  func noNetwork() async throws {
    try await PackageMachine.with { machine in
      try machine.add(
        "apt-get",
        #"""
        case " $* " in
          *" update "*) echo "W: Temporary failure resolving 'deb.debian.org'" ;;
          *) echo "E: Unable to locate package prosody"; exit 100 ;;
        esac
        """#)
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(1))
      #expect(
        outcome.errors == """
          Installing prosody
          W: Temporary failure resolving 'deb.debian.org'
          E: Unable to locate package prosody

          """ + Self.summary)
    }
  }

  /// Of apt 2.6, for dpkg's lock.
  private static let locked =
    "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?"

  @Test("while another program has dpkg's lock, it waits and says so")
  func lockFor() async throws {
    try await PackageMachine.with { machine in
      try machine.add(
        "apt-get",
        #"""
        echo x >>"$state/tries"
        [ "$(cat "$state/tries")" = "$(printf 'x\nx\nx')" ] || { echo "\#(Self.locked)"; exit 100; }
        """#)
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(0))
      #expect(outcome.errors == "Installing prosody\nWaiting for another program that installs packages\n")
      #expect(try await machine.calls() == ["sleep 5", "sleep 5"])
    }
  }

  @Test(
    "a lock that is not given back in five minutes is what apt-get says of it",
    arguments: [locked, "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 12 (apt-get)"])
  func lockForEver(_ words: String) async throws {
    try await PackageMachine.with { machine in
      try machine.add("apt-get", "echo '\(words)'; exit 100")
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(1))
      #expect(outcome.errors.hasSuffix("\n\(words)\n" + Self.summary))
      #expect(try await machine.calls().count == 59)
    }
  }

  @Test("a policy of the machine's own is put back, whether the installation succeeds or fails", arguments: [0, 100])
  func policy(_ code: Int) async throws {
    try await PackageMachine.with { machine in
      let own = ["#!/bin/sh", "exit 7"]
      try machine.directory.write(own.map { $0 + "\n" }.joined(), to: "policy-rc.d")
      try machine.add("apt-get", #"cat "$state/policy-rc.d" >"$state/during"; exit \#(code)"#)
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(code == 0 ? 0 : 1))
      #expect(try await machine.lines(of: "during").last == "exit 101")
      #expect(try await machine.lines(of: "policy-rc.d") == own)
      #expect(try await machine.lines(of: "policy-rc.d.before-jackdaw") == [])
    }
  }

  @Test("two installations at once leave the machine's own policy as it was")
  func policyOfTwo() async throws {
    try await PackageMachine.with { machine in
      let own = ["#!/bin/sh", "exit 7"]
      try machine.directory.write(own.map { $0 + "\n" }.joined(), to: "policy-rc.d")
      // The first goes on when the second waits for the lock.
      try machine.add("flock", #"echo x >>"$state/waiting"; "# + PackageMachine.locking)
      try machine.add(
        "apt-get", #"until [ "$(cat "$state/waiting")" = "$(printf 'x\nx')" ]; do /usr/bin/sleep 0.05; done"#)
      async let first = machine.install("prosody")
      async let second = machine.install("openssl")
      #expect(try await first.ending == .exited(0))
      #expect(try await second.ending == .exited(0))
      #expect(try await machine.lines(of: "policy-rc.d") == own)
    }
  }

  @Test("where another installation does not end, that is said")
  func endless() async throws {
    try await PackageMachine.with { machine in
      try machine.add("flock", "exit $5")
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(1))
      #expect(
        outcome.errors.hasSuffix("\nAnother installation of packages for Jackdaw has not ended within ten minutes.\n"))
    }
  }

  @Test("where there is no apt-get, that is said")
  func noApt() async throws {
    try await PackageMachine.with { machine in
      try machine.remove("apt-get")
      let outcome = try await machine.install("prosody", "openssl")
      #expect(outcome.ending == .exited(1))
      #expect(
        outcome.errors == """
          These Debian packages are needed and not installed: prosody openssl
          There is no apt-get to install them with.

          """)
    }
  }

  @Test(
    "a user who cannot become root is told why, and what root is to run",
    arguments: [
      (nil, "You are not root, and sudo is not installed."),
      ("echo 'sudo: a password is required' >&2; exit 1", "sudo: a password is required (no terminal to ask at)."),
    ])
  func notRoot(_ sudo: String?, _ reason: String) async throws {
    try await PackageMachine.with { machine in
      try machine.becomeUser()
      if let sudo { try machine.add("sudo", sudo) }
      let outcome = try await machine.install("prosody")
      #expect(outcome.ending == .exited(1))
      #expect(
        outcome.errors == """
          These Debian packages are needed and not installed: prosody
          \(reason) Run this as root: \(SourceTree.path(".ci/install-packages")) prosody

          """)
    }
  }

  @Test("where sudo needs a password and there is a terminal, sudo asks at it")
  func atTerminal() async throws {
    try await PackageMachine.with { machine in
      try machine.becomeUser()
      try machine.add(
        "sudo",
        #"""
        case $1 in
          -n) exit 1 ;;
          true) echo asked >>"$state/calls" ;;
          *) "$@" ;;
        esac
        """#)
      #expect(try await machine.install("prosody", terminal: .init()).ending == .exited(0))
      #expect(try await machine.calls().first == "asked")
    }
  }

  @Test("a user whom sudo lets become root gets the packages, and one whom it refuses that is told so")
  func bySudo() async throws {
    try await PackageMachine.with { machine in
      try machine.becomeUser()
      try machine.add("sudo", #"[ "$1" != -n ] || shift; "$@""#)
      #expect(try await machine.install("prosody").ending == .exited(0))
      try machine.add("sudo", #"[ "$2" = true ] || { echo "Sorry, user alice is not allowed" >&2; exit 1; }"#)
      let outcome = try await machine.install("openssl")
      #expect(outcome.ending == .exited(1))
      #expect(
        outcome.errors == """
          Installing openssl
          Sorry, user alice is not allowed
          These Debian packages are needed and not installed: openssl
          They could not be installed; what apt-get or sudo said of it is above.

          """)
    }
  }
}
