// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// The prompt's commands that take their time: those of an account that wait for the network one after the other, each in sight once it
/// takes long; beside them those that begin at once. Ctrl-C stops them.
@Client final class RunningCommands {
  private let queues = AccountQueues()
  private let output: any Output
  private let clock: any LoopClock
  /// Whom the one that runs may ask something.
  private let secrets: (any SecretAsking)?
  /// As they were typed, of each account the one that runs first. Bounded by what a person types.
  private var lines: [(number: Int, line: String, account: Account?)] = []
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

  /// Adds a command; it begins at once if none of its account runs.
  /// - Parameter line: what stands for it on the screen.
  func add(_ line: String, of account: Account? = nil, _ work: @escaping @Client () async -> Void) {
    let number = next
    next += 1
    lines.append((number, line, account))
    wait(number)
    queues[account].add {
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
    let forgotten = lines.filter { running(of: $0.account)?.number != $0.number }
    for (number, _, _) in forgotten { notices[number] = nil }
    lines.removeAll { line in forgotten.contains { $0.number == line.number } }
    queues.cancel()
    if !forgotten.isEmpty { output.notice("Not run: \(forgotten.map(\.line).joined(separator: ", "))") }
  }

  var isBusy: Bool { queues.isBusy || !beside.isEmpty }

  /// The command of an account that the others of it wait for.
  private func running(of account: Account?) -> (number: Int, line: String, account: Account?)? {
    lines.first { $0.account === account }
  }

  private func wait(_ number: Int) {
    notices[number] = clock.schedule(after: CommandLimits.silence) { [weak self] in self?.takesLong(number) }
  }

  private func takesLong(_ number: Int) {
    // Whoever is asked knows what is waited for.
    guard secrets?.isAsking != true else { return wait(number) }
    notices[number] = nil
    guard let (_, line, account) = lines.first(where: { $0.number == number }), let running = running(of: account)
    else {
      return
    }
    output.notice(
      running.number == number
        ? "\(line) is still running. Ctrl-C stops it." : "\(line) waits until \(running.line) is done.")
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
