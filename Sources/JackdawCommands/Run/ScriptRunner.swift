// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop

/// Runs a script line by line: each line waits until the one before has ended well, and at the end every message has
/// reached the server.
@Client package final class ScriptRunner {
  private let lines: any LineSource
  private let runner: LineRunner
  private let output: any Output
  private let keepsGoing: Bool
  private var last: CommandFailure?

  /// - Parameter keepsGoing: a failure is shown and does not end the script.
  package init(lines: any LineSource, runner: LineRunner, output: any Output, keepsGoing: Bool) {
    self.lines = lines
    self.runner = runner
    self.output = output
    self.keepsGoing = keepsGoing
  }

  /// Runs everything.
  /// - Throws: the failure that ended it, or with `keepsGoing` the last of those that have been shown already.
  package func run() async throws(CommandFailure) {
    var number = 0
    while !runner.state.isLeaving {
      do throws(CommandFailure) {
        // A line that cannot be read is one too, and the source names it.
        number += 1
        guard let text = try await nextLine() else { break }
        do throws(CommandFailure) {
          runner.location = "line \(number)"
          try await runner.finish(runner.take(text))
        } catch {
          throw error.located(runner.location)
        }
      } catch {
        try await failed(error)
      }
    }
    do throws(CommandFailure) {
      try await runner.confirm()
    } catch {
      throw error.located("at the end")
    }
    if let last { throw last }
  }

  private func nextLine() async throws(CommandFailure) -> String? {
    do {
      // Lines are read no faster than what they print is.
      try await output.makeRoom()
    } catch {
      throw CommandFailure(error)
    }
    do throws(CommandFailure) {
      return try await lines.nextLine()
    } catch {
      runner.state.conversation.lineWasUnreadable()
      throw error
    }
  }

  private func failed(_ failure: CommandFailure) async throws(CommandFailure) {
    guard keepsGoing, failure.code != .interrupted, failure.code != .inputOutput else {
      // What was sent before is still to reach the server; the failure that ended the script is the one told.
      do throws(CommandFailure) { try await runner.confirm() } catch {}
      throw failure
    }
    output.fail(failure, account: runner.account)
    last = failure
    last?.isShown = true
  }
}
