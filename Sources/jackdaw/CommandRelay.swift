// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawCommands
import JackdawLoop
import JackdawProtocol
import JackdawSession
import JackdawTerminal

/// Has another Jackdaw of the user's run this process's command, and is its stdin, stdout, stderr and terminal meanwhile.
@Client final class CommandRelay {
  /// Whose socket it is.
  let door: AgentDoor
  private let channel: LineChannel
  private let environment: Environment
  private let loop = EventLoop.main
  private var relay = AgentRelay()
  private var output: StandardStream
  private let errors: StandardStream
  private lazy var input = PieceReader(descriptor: STDIN_FILENO, loop: loop)
  private lazy var secrets = SecretPrompt(loop: loop)
  private let pager: Pager
  private var written = 0
  /// How much of what comes is written to stdout.
  private enum Extent {
    case all
    /// The rest of the line that has been begun.
    case line
    /// Something was left out: nothing is written behind it.
    case nothing
  }

  private var extent = Extent.all
  private var hasOpenLine = false
  /// What the other process said before it was gone, read after that. Bounded by what the system holds for us.
  private var late: [[UInt8]] = []
  private var isInterrupted = false
  private var reported = 0
  private var isReporting = false
  private var signals: [SignalWatch] = []
  private var timer: LoopTimer?
  private var outcome: AgentRelay.Outcome?
  private let finished = PendingResult<AgentRelay.Outcome>()
  private var begun: Latch?

  /// - Parameters:
  ///   - pager: what is longer than the screen goes through it; whoever made it ends it.
  ///   - account: of those that the words choose, the one that the command is to be run for; nil: all of them.
  /// - Returns: nil: nobody listens at the door, or our folder cannot be named to them.
  init?(_ door: AgentDoor, words: [String], environment: Environment, pager: Pager, for account: JID? = nil) {
    guard let directory = Self.directory, let descriptor = door.connect() else { return nil }
    self.door = door
    self.environment = environment
    self.pager = pager
    channel = LineChannel(
      adopting: descriptor, lineLimit: Self.lineLimit, queueLimit: Self.queueLimit)
    output = Self.stream(STDOUT_FILENO, environment)
    errors = Self.stream(STDERR_FILENO, environment, beside: output)
    let isInputTerminal = isatty(STDIN_FILENO) == 1
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    let request = RunRequest(
      words: words, caller: Caller(directory: directory, environment: environment.shared), for: account,
      isInputTerminal: isInputTerminal, outputColumns: output.columns, errorColumns: errors.columns,
      hasOneOutput: StandardStream.isSameFile(STDOUT_FILENO, STDERR_FILENO), mayAsk: isInputTerminal || isErrorTerminal)
    channel.onLine = { [weak self] in self?.heard($0) }
    channel.onEnd = { [weak self] _ in self?.otherIsGone() }
    watchOutput()
    channel.send(AgentRelay.opening(request))
  }

  /// Pieces of output are short; an answer that is longer is not an agent's.
  private static let lineLimit = 16 << 20
  private static let queueLimit = 16 << 20

  /// Where relative paths begin; nil: that is gone, or its name is not UTF-8, and another process would come to another folder by it.
  private static var directory: String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return String(validatingCString: folder)
  }

  private static func stream(
    _ descriptor: Int32, _ environment: Environment, screen: Int32? = nil, beside other: StandardStream? = nil
  ) -> StandardStream {
    // Colours are in the text when it comes.
    StandardStream(
      descriptor: descriptor, screen: screen, name: descriptor == STDERR_FILENO ? "stderr" : "stdout", colors: .never,
      environment: { environment.variables[$0] }, clock: EventLoop.main, beside: other,
      leavesOut: descriptor == STDERR_FILENO)
  }

  private func watchOutput() {
    output.whenBroken = { [weak self] in self?.feed(.outputBroke($0.condition, $0.text)) }
  }

  // MARK: Waiting for it

  /// Waits until it is begun or has come to something.
  /// - Parameter patience: how long at most.
  /// - Returns: nil: it is not known whether it will be begun.
  func result(within patience: Duration) async -> AgentRelay.Outcome? {
    if !relay.isBegun, outcome == nil {
      let begun = Latch(clock: loop)
      self.begun = begun
      try? await begun.wait(for: patience)
      self.begun = nil
      guard relay.isBegun || outcome != nil else { return nil }
    }
    let outcome = (try? await finished.value()) ?? .lost
    (signals, timer) = ([], nil)
    await settle(outcome)
    return outcome
  }

  /// Takes the command back, if it was not begun.
  /// - Returns: false: it has been begun, and goes on.
  func takeBack() -> Bool {
    guard outcome == nil else { return outcome == .declined }
    guard !relay.isBegun else { return false }
    // The other process cannot begin it any more; what it said before tells whether it has.
    for line in late + channel.abandon() { feed(.heard(line)) }
    late = []
    guard relay.isBegun else { return true }
    feed(.closed)
    return false
  }

  /// What is not out counts as not shown, once the other process has said how the command ended or is gone: whoever goes on with it, or
  /// comes next, shows that again.
  private func settle(_ outcome: AgentRelay.Outcome) async {
    switch outcome {
    case .ended where isInterrupted:
      // Nor is a reader waited for who takes nothing, as without another process.
      output.settle()
      errors.settle()
    case .handedOver, .lost:
      leaveOut()
      await flush()
    case .ended, .declined: await flush()
    }
  }

  /// The messages of the log that the other process presented here and whose lines are out, as far as it may not have noted that.
  var presented: [PresentedMessage] { relay.presented(within: written - output.waiting) }

  /// Nothing more is written, but for the rest of a line that has been begun.
  private func leaveOut() {
    let count = output.leaveOutLines()
    guard count > 0 else { return }
    extent = .nothing
    written -= count
  }

  private func flush() async {
    try? await output.flush(within: nil)
    try? await errors.flush(within: nil)
  }

  // MARK: What the other process says

  private func heard(_ line: [UInt8]) {
    if channel.isDeserted { late.append(line) } else { feed(.heard(line)) }
  }

  /// Where it said how the command ended, all that it printed is due. Else it was killed, and nobody can be told any more what of that is
  /// out: whoever comes next shows it.
  private func otherIsGone() {
    var foreseen = relay
    let hasEnded = late.contains { line in
      foreseen.handle(.heard(line)).contains { if case .finish = $0 { true } else { false } }
    }
    if extent == .all, !hasEnded { extent = .line }
    for line in late { feed(.heard(line)) }
    late = []
    feed(.closed)
  }

  // MARK: What the state machine decides

  private func feed(_ input: AgentRelay.Input) {
    let wasBegun = relay.isBegun
    for action in relay.handle(input) { perform(action) }
    guard relay.isBegun, !wasBegun else { return }
    if outcome == nil { watchSignals() }
    begun?.open()
  }

  private func perform(_ action: AgentRelay.Action) {
    switch action {
    case .send(let line): channel.send(line)
    case .writeOutput(let piece):
      let bytes: [UInt8]
      switch extent {
      case .all: bytes = piece
      case .line: bytes = restOfLine(piece)
      case .nothing: return
      }
      guard let last = bytes.last else { return }
      hasOpenLine = last != 0x0A
      output.write(line: bytes)
      written += bytes.count
      let count = written
      output.whenOut { [weak self] in self?.wrote(count) }
    case .writeErrors(let bytes): errors.write(line: bytes)
    case .leaveOut:
      leaveOut()
      feed(.written(written))
    case .readInput: read()
    case .startPager:
      guard let input = pager.start() else { return }
      output = Self.stream(input, environment, screen: STDOUT_FILENO)
      watchOutput()
    case .ask(let id, let question, let isSecret): ask(id, question, isSecret: isSecret)
    case .wake(let time): timer = loop.schedule(after: time) { [weak self] in self?.feed(.timePassed) }
    case .finish(let result):
      outcome = result
      channel.close()
      finished.give(.success(result))
      begun?.open()
    }
  }

  /// What of the last piece belongs to the line that has been begun.
  private func restOfLine(_ piece: [UInt8]) -> [UInt8] {
    guard hasOpenLine, let end = piece.firstIndex(of: 0x0A) else {
      if !hasOpenLine { extent = .nothing }
      return hasOpenLine ? piece : []
    }
    extent = .nothing
    return Array(piece[...end])
  }

  /// What was written in one turn of the loop is told once.
  private func wrote(_ count: Int) {
    reported = count
    guard !isReporting else { return }
    isReporting = true
    loop.nextTurn { [weak self] in
      guard let self else { return }
      isReporting = false
      feed(.written(reported))
    }
  }

  private func read() {
    loop.start { [self] in
      guard let piece = try? await input.nextPiece() else { return }
      feed(.read(piece))
    }
  }

  private func ask(_ id: JSONValue, _ question: String, isSecret: Bool) {
    loop.start { [self] in
      let text = try? await isSecret ? secrets.askSecret(question) : secrets.askLine(question)
      feed(.answered(id, text))
    }
  }

  private func interrupted(by signal: Int32) {
    isInterrupted = true
    // To the byte: what is out when the command ends is not shown again.
    feed(.written(written - output.waiting))
    feed(.signalled(signal))
  }

  private func watchSignals() {
    let wanted = pager.isRunning ? [SIGTERM, SIGHUP] : [SIGINT, SIGTERM, SIGHUP]
    signals = wanted.filter { $0 != SIGHUP || !EventLoop.isIgnored($0) }.map { signal in
      loop.onSignal(signal) { [weak self] in self?.interrupted(by: signal) }
    }
    guard let columns = output.columns else { return }
    var known = columns
    signals.append(
      loop.onSignal(SIGWINCH) { [weak self] in
        guard let self, let columns = output.columns, columns != known else { return }
        known = columns
        feed(.resized(columns))
      })
  }
}
