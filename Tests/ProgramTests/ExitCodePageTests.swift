// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import Support
import Testing

/// The exit codes of Docs/SCRIPTING.md: all that there are, and each as its example ends.
@Suite("The table of exit codes")
struct ExitCodePageTests {
  private struct Row {
    var code: Int32
    var meaning: String
    /// Nil: there is nothing to be run.
    var example: String?
  }

  private static func rows() throws -> [Row] {
    let page = try #require(SourceTree.text("Docs/SCRIPTING.md"))
    return page.split(separator: "\n").compactMap { line in
      // A pipe within a cell is escaped.
      let cells = line.replacing(#"\|"#, with: "\0").split(separator: "|").map {
        $0.replacing("\0", with: "|").trimmingPrefix(" ").reversed().trimmingPrefix(" ").reversed()
      }.map { String($0) }
      guard cells.count == 3, let code = Int32(cells[0]) else { return nil }
      let isCommand = cells[2].hasPrefix("`") && cells[2].hasSuffix("`")
      return Row(code: code, meaning: cells[1], example: isCommand ? String(cells[2].dropFirst().dropLast()) : nil)
    }
  }

  @Test("has each code with what it means, as help has it")
  func isWhole() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.code) == ExitCode.all.map(\.value))
    #expect(rows.map(\.meaning) == ExitCode.all.map(\.meaning))
    // A bug that could be shown would be mended.
    #expect(rows.filter { $0.example == nil }.map(\.code) == [ExitCode.bug.value])
  }

  @Test("has examples that end with their codes, and say why")
  func examples() async throws {
    try await withPair(on: .prosody) { alice, _ in
      let made = try await TestProcess.run(
        .init(
          "openssl",
          [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=other",
            "-keyout", alice.home.file("key.pem"), "-out", alice.home.file("other-ca.pem"),
          ]))
      #expect(made.ending == .exited(0), "\(made.errors)")
      let folder = SourceTree.program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
      for row in try Self.rows() {
        guard let example = row.example else { continue }
        var invocation = alice.invocation([])
        (invocation.program, invocation.arguments) = ("sh", ["-c", example])
        invocation.environment["PATH"] = "\(folder):/usr/bin:/bin"
        let outcome = try await TestProcess.run(invocation)
        #expect(outcome.ending == .exited(Int(row.code)), "\(example): \(outcome.errors)")
        #expect(outcome.errors.isEmpty == (row.code == 0), "\(example): \(outcome.errors)")
      }
    }
  }
}
