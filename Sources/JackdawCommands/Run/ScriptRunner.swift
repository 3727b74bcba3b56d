// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop

/// Where a line stands in a script. It is put into words for commands, and where a message fails: most lines are messages that do not.
struct ScriptLine {
  /// The file that the script includes; nil: the line is the script's own.
  var file: String?
  var number: Int

  /// `line 3`
  var description: String { file.map { "\($0): line \(number)" } ?? "line \(number)" }
}

/// Runs a script line by line: each line waits until the one before has ended well, and at the end every message has
/// reached the server.
@Client package final class ScriptRunner {
  /// A file whose lines are run, or stdin.
  private struct Source {
    var lines: any LineSource
    /// As it can be opened; nil: stdin.
    var path: String?
    /// It is named beside the number of a line: the script itself is not.
    var isIncluded = false

    func line(_ number: Int) -> ScriptLine { ScriptLine(file: isIncluded ? path ?? "" : nil, number: number) }
  }

  private let script: Source
  private let runner: LineRunner
  private let output: any Output
  private let keepsGoing: Bool
  private let place: @Client (String) -> String
  private let open: @Client (String) throws(CommandFailure) -> any LineSource
  /// The file whose line runs, behind those that include it. Bounded by ``CommandLimits/includeDepth``.
  private var sources: [Source] = []
  private var last: CommandFailure?
  private var linesRun = 0
  /// Lines since the loop last had its turn for them.
  private var linesInTurn = 0
  private var linesFailed = 0

  /// - Parameters:
  ///   - path: where the lines are from; nil: they are no file.
  ///   - keepsGoing: a failure is shown and does not end the script.
  ///   - place: what this process has to call a file: the path need not be from where it is itself.
  ///   - open: opens a file that the script includes.
  package init(
    lines: any LineSource, path: String? = nil, runner: LineRunner, output: any Output, keepsGoing: Bool,
    place: @escaping @Client (String) -> String = { $0 },
    open: @escaping @Client (String) throws(CommandFailure) -> any LineSource
  ) {
    script = Source(lines: lines, path: path)
    self.runner = runner
    self.output = output
    self.keepsGoing = keepsGoing
    self.place = place
    self.open = open
    runner.state.script = ScriptState(
      variables: ScriptVariables(environment: runner.environment),
      command: { [weak runner] words throws(CommandFailure) in
        guard let runner else { return }
        try await runner.finish(runner.take(.command(words)))
      },
      file: { [weak self] file throws(CommandFailure) in try await self?.include(file) })
  }

  /// Runs everything.
  /// - Throws: the failure that ended it, or with `keepsGoing` the last of those that have been shown already.
  package func run() async throws(CommandFailure) {
    try await run(script)
    defer { tellFailures() }
    do throws(CommandFailure) {
      try await runner.confirm()
    } catch {
      throw error.located("at the end")
    }
    if let last { throw last }
  }

  private func run(_ source: Source) async throws(CommandFailure) {
    sources.append(source)
    defer { sources.removeLast() }
    var number = 0
    while !runner.state.isLeaving {
      var code = ExitCode.success
      do throws(CommandFailure) {
        // A line that cannot be read is one too, and the source names it.
        number += 1
        var next = try readyLine(of: source)
        if next == nil { next = try await nextLine(of: source) }
        guard let text = next else { break }
        if Line.isBlank(text, inScript: true) { continue }
        linesRun += 1
        do throws(CommandFailure) {
          runner.scriptLine = source.line(number)
          runner.state.script?.lineBegins()
          let step = try runner.take(text)
          if try !runner.finishAtOnce(step) { try await runner.finish(step) }
        } catch {
          throw placed(error, source, number)
        }
      } catch {
        code = error.code
        try await failed(error)
      }
      runner.state.script?.lineEnded(code)
    }
  }

  /// The next line, where nothing has to be waited for. What may wait takes longer to be called than most lines to be read.
  private func readyLine(of source: Source) throws(CommandFailure) -> String? {
    guard !runner.isEnding, linesInTurn + 1 < CommandLimits.linesBetweenTurns else { return nil }
    try runner.writeOut()
    guard !output.holdsBack else { return nil }
    do throws(CommandFailure) {
      guard let line = try source.lines.readyLine() else { return nil }
      linesInTurn += 1
      return line
    } catch {
      throw unreadable(error, source)
    }
  }

  /// The next line; nil at the end. Once the run was asked to end, a line that is there already is still run, and nobody is waited
  /// for: neither who writes the lines, nor who reads what they print.
  private func nextLine(of source: Source) async throws(CommandFailure) -> String? {
    guard runner.isEnding else { return try await awaitedLine(of: source) }
    let reading = EventLoop.main.start { () async -> Result<String?, CommandFailure> in
      do throws(CommandFailure) {
        return .success(try await self.awaitedLine(of: source))
      } catch {
        return .failure(error)
      }
    }
    let limit = runner.clock.schedule(after: CommandLimits.lastLine) { reading.cancel() }
    defer { limit.cancel() }
    return try await withTaskCancellationHandler {
      await reading.value
    } onCancel: {
      reading.cancel()
    }.get()
  }

  private func awaitedLine(of source: Source) async throws(CommandFailure) -> String? {
    try runner.writeOut()
    do {
      // Lines are read no faster than what they print is.
      if output.holdsBack { try await output.makeRoom() }
    } catch {
      throw CommandFailure(error)
    }
    do throws(CommandFailure) {
      if let line = try source.lines.readyLine() {
        await giveTurn()
        return line
      }
      return try await source.lines.nextLine()
    } catch {
      throw unreadable(error, source)
    }
  }

  private func unreadable(_ failure: CommandFailure, _ source: Source) -> CommandFailure {
    linesRun += 1
    runner.state.lineWasUnreadable()
    guard source.isIncluded else { return failure }
    var failure = failure.located(source.path)
    failure.namesFile = true
    return failure
  }

  /// Lets the loop have its turn now and then.
  private func giveTurn() async {
    linesInTurn += 1
    guard linesInTurn == CommandLimits.linesBetweenTurns else { return }
    linesInTurn = 0
    await withCheckedContinuation { continuation in runner.clock.nextTurn { continuation.resume() } }
  }

  private func placed(_ failure: CommandFailure, _ source: Source, _ number: Int) -> CommandFailure {
    var failure = failure
    // A line that could not be understood is of the account that lines are about.
    failure.account = failure.account ?? runner.account
    if failure.namesFile { return failure }
    var placed = failure.located(source.line(number).description)
    placed.namesFile = source.isIncluded
    return placed
  }

  private func failed(_ failure: CommandFailure) async throws(CommandFailure) {
    guard keepsGoing, runner.state.script?.isTried != true, failure.code != .interrupted, failure.code != .inputOutput
    else {
      // What was sent before is still to reach the server.
      if sources.count == 1 {
        do throws(CommandFailure) {
          try await runner.confirm()
        } catch {
          throw failure.followed(by: error)
        }
      }
      throw failure
    }
    linesFailed += 1
    output.fail(failure, account: failure.account ?? runner.account)
    last = failure
    last?.isShown = true
  }

  private func tellFailures() {
    if linesFailed > 0 { output.notice("\(linesFailed) of \(linesRun) lines failed.") }
  }

  // MARK: Files in files

  /// Runs the lines of a file. Whom its plain lines go to, and from which account, is its own affair: those behind it go to whom
  /// the lines above it named, so that whoever reads one file sees who gets what.
  private func include(_ file: String) async throws(CommandFailure) {
    let path = Self.path(file, from: sources.last?.path)
    let named = resolved(path)
    if sources.contains(where: { $0.path.map(resolved) == named }) {
      throw CommandFailure(.badInput, "file", "\(path) includes itself.")
    }
    guard sources.count <= CommandLimits.includeDepth else {
      throw CommandFailure(
        .badInput, "file", "More than \(CommandLimits.includeDepth) files include one another: \(path) is left out.")
    }
    let lines = try open(path)
    let (direction, line) = (runner.state.direction, runner.scriptLine)
    defer {
      runner.state.restore(direction)
      runner.scriptLine = line
    }
    try await run(Source(lines: lines, path: path, isIncluded: true))
  }

  private static func path(_ file: String, from including: String?) -> String {
    guard !file.hasPrefix("/"), let including, let slash = including.lastIndex(of: "/") else { return file }
    return including[...slash] + file
  }

  /// The one name of a file that has several.
  private func resolved(_ path: String) -> String {
    let path = place(path)
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}
