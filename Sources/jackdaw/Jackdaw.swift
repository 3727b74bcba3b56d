// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop

/// The program: reads its words, makes each object once, and ends with the code that the run came to.
@main struct Jackdaw {
  static func main() {
    ProcessMemory.keepPrivate()
    EventLoop.ignoreWriteSignals()
    StandardDescriptors.occupy()
    EventLoop.main.runMain { exit(await run().value) }
  }

  @Client private static func run() async -> ExitCode {
    let environment = Environment()
    let pager = Pager(environment)
    defer { pager.end() }
    var words: [String] = []
    do throws(CommandFailure) {
      words = try Arguments.words()
      var errand = Errand(words, environment, pager)
      // Before anything is parsed: where another process runs the command, that one does it.
      if let code = await errand.attempt() { return code }
      let request = try CommandTable.standard.parse(shell: words, isInputTerminal: isatty(STDIN_FILENO) == 1)
      if case .text(let text) = request { return await Composition.printed(text, environment) }
      if case .completion(let completion) = request { return await Composition.completed(completion, environment) }
      guard let options = request.shared else { return .success }
      let settings = try SettingsReader(options: options, environment: environment.variables).settings()
      let composition = Composition(settings: settings, environment: environment, pager: pager)
      switch await errand.carryOut(request, settings, composition) {
      case .ended(let code): return code
      case .left(let request, let isRest): return await composition.run(request, isRest: isRest)
      }
    } catch {
      return await Composition.failed(error, words, environment)
    }
  }
}
