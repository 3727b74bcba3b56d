// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawSession
import JackdawTerminal

/// A prompt with nothing behind it, for tests that type at it in a pseudo-terminal. What the delegate is told, it prints
/// above the line; lines of its own make it do things:
///
///     /say N TEXT   prints N lines above, in one turn
///     /later TEXT   prints a line when the next key has been typed
///     /secret       asks for a password, until a moment after SIGUSR1 at most
///     /state NAME   talks to NAME; /state -N: offline, the next try in N seconds
///     /later-back TEXT   puts a line back a moment later, and says so
///     refused TEXT  is put back
///     /quit         ends
///
/// With PROBE_SPOKEN in the environment it is one for screen readers, with PROBE_OFFERS each key for another conversation offers a line.
/// Its one argument is the history file; without stdin on a terminal it prints the lines it reads.
@main struct PromptProbe {
  static func main() {
    let start = clock()
    EventLoop.main.runMain {
      let probe = Probe(start: start)
      await probe.run()
    }
    exit(Probe.code)
  }
}

@Client private final class Probe: PromptDelegate {
  nonisolated(unsafe) static var code: Int32 = 0

  private let output: StandardStream
  private var prompt: Prompt?
  private var secrets: SecretPrompt?
  private var ended: CheckedContinuation<Void, Never>?
  private let start: clock_t

  init(start: clock_t) {
    self.start = start
    var looks = LookSettings()
    looks.isSpoken = getenv("PROBE_SPOKEN") != nil
    output = StandardStream(
      descriptor: STDOUT_FILENO, name: "stdout", colors: .auto, looks: looks,
      environment: { getenv($0).map { String(cString: $0) } }, clock: EventLoop.main)
  }

  func run() async {
    guard isatty(STDIN_FILENO) == 1 else {
      await readLines()
      return
    }
    let history = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : nil
    let prompt = Prompt(loop: .main, output: output, delegate: self, historyFile: history)
    self.prompt = prompt
    secrets = SecretPrompt(loop: .main, prompt: prompt)
    prompt.onInterrupt = { prompt.write("interrupted\n") }
    do {
      try prompt.start()
    } catch {
      output.write("cannot start: \(error)\n")
      try? await output.flush(within: nil)
      return
    }
    if getenv("PROBE_TIMES") != nil {
      prompt.write("started after \((clock() - start) * 1_000_000 / clock_t(CLOCKS_PER_SEC)) us\n")
    }
    prompt.update(PromptState(presence: "available", conversation: "Bob", connection: .online))
    await withCheckedContinuation { ended = $0 }
    // A terminal that is stopped is not waited for.
    try? await output.flush(within: .milliseconds(100))
  }

  private func readLines() async {
    let reader = LineReader(descriptor: STDIN_FILENO, loop: .main)
    while true {
      do {
        guard let line = try await reader.nextLine() else { break }
        output.write("line: \(Escaper.line(line))\n")
      } catch {
        output.write("failure \(error.code.value): \(error)\n")
        if error.code != .badInput { break }
      }
    }
    output.write("end\n")
    do {
      try await output.flush(within: nil)
    } catch {
      Self.code = error.code.value
    }
  }

  func promptEntered(_ line: String) -> Bool {
    guard let prompt else { return false }
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "/say" where words.count == 3:
      for number in 1...(Int(words[1]) ?? 1) { prompt.write("\(words[2]) \(number)\n") }
    case "/later":
      // The driver answers the mark with keys; the line comes between them.
      let text = line.dropFirst(7)
      let timer = EventLoop.main.schedule(after: .milliseconds(50)) { prompt.write("\(text)\n") }
      timers.append(timer)
    case "/later-back":
      let text = String(line.dropFirst(12))
      let timer = EventLoop.main.schedule(after: .milliseconds(50)) {
        prompt.putBack(text)
        // What the driver waits for: by then it has been tried.
        EventLoop.main.nextTurn { prompt.write("put back\n") }
      }
      timers.append(timer)
    case "refused":
      prompt.write("refused \(Escaper.line(line))|\n")
      prompt.putBack(line)
    case "/secret":
      let asking = EventLoop.main.start { await self.ask() }
      end = EventLoop.main.onSignal(SIGUSR1) { [weak self] in
        // What the driver typed before is on its way to the terminal.
        self?.timers.append(EventLoop.main.schedule(after: .milliseconds(50)) { asking.cancel() })
      }
    case "/state" where words.count > 1:
      if words[1].hasPrefix("-"), let seconds = Int(words[1].dropFirst()) {
        prompt.update(PromptState(conversation: "Bob", connection: .retrying, retryIn: seconds))
      } else {
        prompt.update(PromptState(presence: "away", conversation: String(line.dropFirst(7)), connection: .online))
      }
    case "/quit":
      prompt.stop()
      finish()
    case "/password":
      prompt.write("entered a password\n")
      return false
    default:
      prompt.write("entered \(Escaper.line(line))|\n")
    }
    return true
  }

  private var timers: [LoopTimer] = []
  /// Of a question.
  private var end: SignalWatch?

  private func ask() async {
    do {
      let secret = try await secrets?.askSecret("Password: ") ?? ""
      prompt?.write("the secret has \(secret.count) characters\n")
    } catch {
      prompt?.write("failure \(error.code.value)\n")
    }
  }

  func promptCompletions(words: [String], partial: String) -> [Completion] {
    let candidates: [String]
    switch words.first {
    case nil where partial.hasPrefix("/"): candidates = ["/friends", "/from", "/quit"]
    case "/friends" where words.count == 1: candidates = ["add", "accept"]
    case "/to": candidates = ["Al Ice", "Al Ibi", "bob@example.org", "O'Hara", "Ev\u{9B}il"]
    case "/many": candidates = (100...300).map { "friend\($0)" }
    case "/option": return [Completion("--group=", endsWord: false)].filter { $0.text.hasPrefix(partial) }
    default: candidates = partial.hasPrefix("@") ? ["@Bob"] : []
    }
    return candidates.filter { $0.hasPrefix(partial) }.map { Completion($0) }
  }

  func promptSwitches(_ key: SwitchKey) {
    prompt?.write("switches \(key)\n")
    if getenv("PROBE_OFFERS") != nil { prompt?.offer("offered") }
  }

  func promptEnded() {
    output.write("ended\n")
    finish()
  }

  func promptSuspends() { prompt?.write("suspends\n") }
  func promptResumed() { prompt?.write("resumed\n") }

  private func finish() {
    ended?.resume()
    ended = nil
  }
}
