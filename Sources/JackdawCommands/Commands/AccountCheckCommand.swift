// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import ArgumentParser
import JackdawLoop

/// `account check`: does everything that a log-in needs, one thing after the other, and says what is wrong.
package struct AccountCheckCommand: ClientCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Log in step by step, and say what works and what is wrong.",
    discussion: "The steps are \(CheckRow.Step.allCases.map(\.rawValue).joined(separator: ", ")).")
  package static let declaration = CommandDeclaration(
    place: .shell,
    runsApart: true, meanings: ["check", "test", "diagnose", "doctor"],
    examples: [
      .init("account check", "Find out why a log-in fails."),
      .init("account check --account work", "Of another account."),
    ])

  @OptionGroup(title: SharedOptions.title) package var shared: SharedOptions
  package init() {}

  /// Each step has the time of `--timeout`.
  package var isLimited: Bool { false }

  @Client package func run(in context: CommandContext) async throws {
    try await context.application.check { context.show($0) }
  }
}

/// One step of a check that succeeded. A step that fails ends the check with its failure.
package struct CheckRow: CommandRow {
  /// The steps, in their order.
  package enum Step: String, Encodable, CaseIterable, Sendable {
    case dns, tcp, tls, sasl, bind, features, ping

    /// The step that comes after this one.
    var next: Step {
      let all = Self.allCases
      guard let index = all.firstIndex(of: self), index + 1 < all.count else { return self }
      return all[index + 1]
    }
  }

  /// The step that succeeded.
  package var step: Step
  /// What it found, as a sentence for people: may hold words from the network.
  package var finding: String

  package init(_ step: Step, _ finding: String) {
    self.step = step
    self.finding = finding
  }

  package var cells: [Cell] { [Cell("ok", .good), Cell(step.rawValue, .heading), Cell(finding)] }
}
