// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The prompt in tmux, a terminal that wraps lines anew and joins emoji, in its own way.
@Suite("The line being typed in tmux", .serialized) struct TmuxTests {
  /// A tmux with the prompt in it.
  private struct Tmux {
    let socket: String

    /// - Parameter inputrc: what the user has set in readline; nil: nothing.
    static func with(columns: Int, inputrc: String? = nil, _ body: (Tmux) async throws -> Void) async throws {
      try await TestDirectory.with { directory in
        let tmux = Tmux(socket: directory.file("tmux"))
        var options = ["-x", "\(columns)", "-y", "24"]
        if let inputrc { options += ["-e", "INPUTRC=" + (try directory.write(inputrc, to: "inputrc"))] }
        try await tmux.run(["-f", "/dev/null", "-u", "new-session", "-d"] + options + [PromptProbe.program])
        do {
          try await body(tmux)
        } catch {
          try await tmux.run(["kill-server"])
          throw error
        }
        try await tmux.run(["kill-server"])
      }
    }

    @discardableResult private func run(_ words: [String]) async throws -> String {
      try await TestProcess.run(.init("tmux", ["-S", socket] + words)).output
    }

    func type(_ text: String, _ keys: String...) async throws {
      try await run(["send-keys", "-l", text])
      for key in keys { try await run(["send-keys", key]) }
    }

    /// Returns when the program may see it: tmux tells it a while later.
    func resize(_ columns: Int) async throws {
      try await run(["resize-window", "-x", "\(columns)", "-y", "24"])
      let terminal = try await run(["display-message", "-p", "#{pane_tty}"]).filter { !$0.isNewline }
      try await reach("\(columns) columns") {
        try await TestProcess.run(.init("stty", ["-F", terminal, "size"])).output
      } where: {
        $0.hasPrefix("24 \(columns)")
      }
    }

    /// What is on the screen and scrolled off it, with rows that go on in the next one joined to it.
    func expect(_ what: Comment, _ holds: ([String]) -> Bool) async throws {
      try await reach(what) {
        try await run(["capture-pane", "-p", "-J", "-S", "-"]).split(separator: "\n").map { line in
          String(line.reversed().drop { $0 == " " }.reversed())
        }
      } where: {
        holds($0)
      }
    }

    private func reach<State>(
      _ what: Comment, _ state: () async throws -> State, where holds: (State) -> Bool
    ) async throws {
      let clock = ContinuousClock()
      let end = clock.now + TestProcess.patience
      while true {
        let now = try await state()
        if holds(now) { return }
        guard clock.now < end else {
          Issue.record("expected \(what): \(now)")
          return
        }
      }
    }
  }

  private static let above = (1...12).map { "line \($0)" }

  /// Six rows at 40 columns, and others; with 195 and 200 the cursor is in the same column before and after, with 235 at the edge.
  @Test("40, 100 and 40 columns again erase no line above and leave no row twice", arguments: [195, 200, 220, 235])
  func resizing(_ length: Int) async throws {
    try await Tmux.with(columns: 40) { tmux in
      try await tmux.expect("the prompt") { $0.last == "Bob>" }
      try await tmux.type("/say 12 line", "Enter")
      try await tmux.expect("the lines") { $0.suffix(2) == ["line 12", "Bob>"] }
      var typed = String((1...60).map { "word\($0)" }.joined(separator: " ").prefix(length - 1)) + "."
      try await tmux.type(typed)
      for columns in [100, 40, 100, 40] {
        try await tmux.expect("the line") { Self.isWhole(typed, $0) }
        try await tmux.resize(columns)
        // With the key on the screen the new width has been dealt with.
        typed += "+"
        try await tmux.type("+")
      }
      try await tmux.expect("the line at last") { Self.isWhole(typed, $0) }
    }
  }

  @Test("no row stays twice where readline shows its mode before the prompt")
  func mode() async throws {
    let inputrc = "set editing-mode vi\nset show-mode-in-prompt on\n"
    try await Tmux.with(columns: 60, inputrc: inputrc) { tmux in
      try await tmux.expect("the prompt") { $0.last == "(ins)Bob>" }
      try await tmux.type("/say 12 line", "Enter")
      try await tmux.expect("the lines") { $0.suffix(2) == ["line 12", "(ins)Bob>"] }
      var typed = (1...12).map { "word\($0)" }.joined(separator: " ")
      func stands(_ lines: [String]) -> Bool {
        lines.filter { $0.hasPrefix("(ins)Bob> word1 ") }.count == 1
          && lines.joined().filter { $0 != " " }.hasSuffix("(ins)Bob>" + typed.filter { $0 != " " })
      }
      try await tmux.type(typed)
      for columns in [40, 70] {
        try await tmux.expect("the line", stands)
        try await tmux.resize(columns)
        typed += "+"
        try await tmux.type("+")
      }
      try await tmux.expect("the line at last", stands)
    }
  }

  @Test("joined emoji wider than the window write over no line above")
  func emoji() async throws {
    try await Tmux.with(columns: 40) { tmux in
      try await tmux.expect("the prompt") { $0.last == "Bob>" }
      try await tmux.type("/say 12 line", "Enter")
      try await tmux.expect("the lines") { $0.suffix(2) == ["line 12", "Bob>"] }
      let typed = String(repeating: "👩‍🚀", count: 15)
      try await tmux.type(typed, "C-a", "C-e")
      try await tmux.type("!", "C-a", "C-e", "Enter")
      try await tmux.expect("the line entered, below the others") { lines in
        lines.filter { $0.hasPrefix("line ") } == Self.above && lines.contains("entered \(typed)!|")
      }
    }
  }

  private static func isWhole(_ typed: String, _ lines: [String]) -> Bool {
    let all = lines.joined().filter { $0 != " " }
    return lines.filter { $0.hasPrefix("line ") } == above && lines.filter { $0.hasPrefix("Bob> word1 ") }.count == 1
      && all.hasSuffix("line12Bob>" + typed.filter { $0 != " " })
  }
}
