// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The prompt's commands that take their time: those that wait for the network one after the other, each in sight once it takes long;
/// beside them those that begin at once. Ctrl-C stops them.
@Client final class RunningCommands {
  private let queue = SerialQueue()
  private let output: any Output
  private let clock: any LoopClock
  /// Whom the one that runs may ask something.
  private let secrets: (any SecretAsking)?
  /// As they were typed, the one that runs first. Bounded by what a person types.
  private var lines: [(number: Int, line: String)] = []
  private var next = 0
  /// Bounded by ``lines``.
  private var notices: [Int: LoopTimer] = [:]
  /// Those that begin at once. Bounded by what a person types.
  private var beside: [Int: Task<Void, Never>] = [:]

  init(output: any Output, clock: any LoopClock, secrets: (any SecretAsking)?) {
    self.output = output
    self.clock = clock
    self.secrets = secrets
  }

  /// Adds a command; it begins at once if none runs.
  /// - Parameter line: what stands for it on the screen.
  func add(_ line: String, _ work: @escaping @Client () async -> Void) {
    let number = next
    next += 1
    lines.append((number, line))
    wait(number)
    queue.add {
      await work()
      self.ended(number)
    }
  }

  /// Begins a command at once, whatever runs.
  func addBeside(_ work: @escaping @Client () async -> Void) {
    let number = next
    next += 1
    beside[number] = EventLoop.main.start {
      await work()
      self.beside[number] = nil
    }
  }

  /// Stops those that run, which say so themselves, and forgets those behind, which is said here.
  func cancel() {
    for task in beside.values { task.cancel() }
    let forgotten = lines.dropFirst().map(\.line)
    for (number, _) in lines.dropFirst() { notices[number] = nil }
    lines = Array(lines.prefix(1))
    queue.cancel()
    if !forgotten.isEmpty { output.notice("Not run: \(forgotten.joined(separator: ", "))") }
  }

  var isBusy: Bool { queue.isBusy || !beside.isEmpty }

  private func wait(_ number: Int) {
    notices[number] = clock.schedule(after: CommandLimits.silence) { [weak self] in self?.takesLong(number) }
  }

  private func takesLong(_ number: Int) {
    // Whoever is asked knows what is waited for.
    guard secrets?.isAsking != true else { return wait(number) }
    notices[number] = nil
    guard let place = lines.firstIndex(where: { $0.number == number }) else { return }
    let line = lines[place].line
    output.notice(
      place == 0
        ? "\(line) is still running. Ctrl-C stops it." : "\(line) waits until \(lines[0].line) is done.")
  }

  private func ended(_ number: Int) {
    notices[number] = nil
    lines.removeAll { $0.number == number }
  }

  /// A typed line as it stands for its command in a sentence: on one line and cut; without what may be a password.
  /// - Parameter command: the command's words.
  static func label(of line: String, command: String, mayHoldPassword: Bool) -> String {
    if mayHoldPassword { return "/" + command }
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > CommandLimits.lineLabel ? words.prefix(CommandLimits.lineLabel - 1) + "…" : words
  }
}
