// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

@Suite("What is typed at the prompt")
struct CompletionProgramTests {
  @Test("is not completed with controls in a friend's name: CVE-2003-0063")
  func controls() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await alice.does("friends", "rename", bob.jid, "Ev\u{9B}2J\u{202E}il")
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        prompt.send("/to Ev" + Key.tab + Key.tab + Key.tab + Key.controlU + "/to bob" + Key.tab + Key.enter)
        try await prompt.expectScreen(showing: "\\u{9b}2J\\u{202e}il")
        let written = prompt.standardOutput.unicodeScalars
        #expect(!written.contains("\u{9B}") && !written.contains("\u{202E}"))
      }
    }
  }

  @Test("goes into the history, but for stanzas with a password")
  func history() async throws {
    try await withPair(on: .prosody) { alice, _ in
      try await alice.atThePrompt { prompt in
        try await prompt.expectScreen(showing: "online")
        let register = "<query xmlns='jabber:iq:register'><password>hunter2</password></query>"
        prompt.send("/xml \"<iq type='result' id='1'>\(register)</iq>\"" + Key.enter)
        prompt.send("/xml \"<iq type='result' id='kept'/>\"" + Key.enter + "/quit" + Key.enter)
        #expect(try await prompt.wait() == .exited(0))
      }
      let kept = try #require(KernelFile.read(alice.home.file(".local/share/jackdaw/history")))
      #expect(kept.contains("id='kept'") && !kept.contains("hunter2"))
    }
  }
}

@Suite("Completion in a shell")
struct ShellCompletionProgramTests {
  /// Calls the generated script's function as bash does when Tab is pressed at the end of a line.
  private static let script = """
    source "$1"
    tab() {
      COMP_LINE="$1" COMP_POINT=${#1} COMP_WORDS=($1) COMPREPLY=()
      [[ "$1" == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _jackdaw jackdaw "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s:' "$1"
      printf ' [%s]' "${COMPREPLY[@]}"
      printf '\\n'
    }
    while IFS= read -r line; do tab "$line"; done
    """

  @Test("in bash offers friends, rooms and accounts, runs nothing of what a friend is called, and changes no file")
  func bash() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let proof = alice.home.file("proof")
      let carol = try await alice.server.account("carol")
      try await alice.does("friends", "rename", bob.jid, "Bobby", "Tables")
      try await alice.does("friends", "add", carol.jid, "--name", "$(touch \(proof))`touch \(proof)` '\";\u{9B}m")
      let room = "tea-\(alice.account.user)@rooms.\(alice.server.domain)"
      try await alice.does("rooms", "create", room, "--name", "Zzz $(touch \(proof))")
      let configuration = try alice.home.write(
        """
        [accounts.home]
        jid = "\(alice.jid)"
        [accounts.homework]
        jid = "\(bob.jid)"
        """, to: "config.toml")
      let generated = try await alice.does("--generate-completion-script=bash").joined(separator: "\n")
      let file = try alice.home.write(generated, to: "jackdaw.bash")
      let database = "\(alice.home.file(".local/share/jackdaw"))/\(alice.jid).sqlite3"
      let before = KernelFile.read(database)
      // The script calls what stands first in the line.
      let program = alice.invocation([]).program
      var environment = alice.invocation([]).environment
      environment["JACKDAW_PASSWORD"] = nil
      let prefix = bob.jid.prefix(3)
      let lines = [
        "\(program) send \(prefix)", "\(program) send Bo", "\(program) friends rename \(bob.jid.prefix { $0 != "@" })@",
        "\(program) send $", "\(program) --account h", "\(program) --config \(configuration) --account h",
        "\(program) --config \(configuration) --account homework send \(prefix)",
        "\(program) rooms leave tea-\(alice.account.user)@", "\(program) rooms leave Zzz",
      ]
      let outcome = try await TestProcess.run(
        .init(
          "bash", ["--norc", "-c", Self.script, "bash", file], environment: environment,
          input: .text(lines.joined(separator: "\n") + "\n")))
      #expect(
        outcome.lines == [
          "\(lines[0]): [\(bob.jid)]", "\(lines[1]): [Bobby Tables]", "\(lines[2]): [\(bob.jid)]", "\(lines[3]): []",
          "\(lines[4]): []", "\(lines[5]): [home] [homework]", "\(lines[6]): []",
          "\(lines[7]): [\(room)]", "\(lines[8]): []",
        ], "\(outcome.output)\(outcome.errors)")
      #expect(KernelFile.read(proof) == nil)
      #expect(KernelFile.read(database) == before)
    }
  }

  /// An interactive shell that has the generated script, and nothing else of its own.
  private static func invocation(_ shell: String, _ alice: Person, script: String) throws -> TestProcess.Invocation {
    let program = alice.invocation([]).program
    let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    var environment = alice.invocation([]).environment
    environment["JACKDAW_PASSWORD"] = nil
    environment["PATH"] = folder + ":/usr/bin:/bin"
    let terminal = TestProcess.Invocation.Size(columns: 120, rows: 30)
    guard shell == "zsh" else {
      let setup =
        "source \(script); set -g fish_greeting; set -g fish_autosuggestion_enabled 0"
        + "; function fish_prompt; echo '% '; end"
      return .init("fish", ["--private", "--no-config", "-C", setup], environment: environment, terminal: terminal)
    }
    try alice.home.write(
      "fpath=(\(alice.home.path) $fpath)\nautoload -Uz compinit\ncompinit -u -D\nPS1='%% '\nunsetopt beep\n",
      to: ".zshrc")
    environment["ZDOTDIR"] = alice.home.path
    return .init("zsh", ["-d", "-i"], environment: environment, terminal: terminal)
  }

  @Test(
    "in zsh and fish, at a terminal, offers commands, friends and accounts, and runs nothing of what a friend is called",
    arguments: ["zsh", "fish"])
  func interactive(shell: String) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      let proof = alice.home.file("proof")
      let carol = try await alice.server.account("carol")
      try await alice.does("friends", "rename", bob.jid, "Zoë", "Tables")
      try await alice.does("friends", "add", carol.jid, "--name", "$(touch \(proof))`touch \(proof)` '\";\u{9B}m")
      let configuration = try alice.home.write(
        "[accounts.home]\njid = \"\(alice.jid)\"\n[accounts.work]\njid = \"\(bob.jid)\"\n", to: "config.toml")
      let generated = try await alice.does("--generate-completion-script=\(shell)").joined(separator: "\n")
      let script = try alice.home.write(generated, to: "_jackdaw")
      let invocation = try Self.invocation(shell, alice, script: script)
      try await TestProcess.withProcess(invocation) { process in
        try await process.expectScreen("the shell's prompt") { $0.cursorLine.hasPrefix("%") }
        let local = bob.jid.prefix { $0 != "@" }
        for (typed, completed) in [
          ("jackdaw fri", "jackdaw friends"), ("jackdaw friends rena", "jackdaw friends rename"),
          ("jackdaw send \(local.dropLast(2))", "jackdaw send \(bob.jid)"),
          ("jackdaw send \(local)@", "jackdaw send \(bob.jid)"), ("jackdaw send Zo", "jackdaw send Zoë\\ Tables"),
          ("jackdaw friends remove \(bob.jid) \(local.dropLast(2))", "jackdaw friends remove \(bob.jid) \(bob.jid)"),
          ("jackdaw --config \(configuration) --account wo", "jackdaw --config \(configuration) --account work"),
          ("jackdaw --theme li", "jackdaw --theme light"), ("jackdaw send \\$", "jackdaw send \\$"),
        ] {
          process.send(typed + Key.tab)
          try await process.expectScreen("'\(completed)'") { $0.cursorLine == "% " + completed }
          process.send(Key.controlU)
          try await process.expectScreen("an empty line") { $0.cursorLine == "%" }
        }
        process.send("exit" + Key.enter)
        #expect(try await process.wait() == .exited(0))
      }
      #expect(KernelFile.read(proof) == nil)
    }
  }

  @Test("makes no database where there is none, and asks for nothing")
  func nothingThere() async throws {
    try await TestDirectory.with { home in
      let outcome = try await TestProcess.run(
        .jackdaw(
          ["---completion", "send", "--", "positional@0", "2", "0", "jackdaw", "send", ""], in: home,
          environment: ["JACKDAW_JID": "alice@example.org"]))
      #expect(outcome.ending == .exited(0) && outcome.output.isEmpty && outcome.errors.isEmpty)
      #expect(KernelFile.read(home.file(".local/share/jackdaw/alice@example.org.sqlite3")) == nil)
    }
  }
}
