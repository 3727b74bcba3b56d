// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawSession

/// A command that another process runs for this one, as this one sees it: what is heard and read goes in, what to do comes out. A value.
package struct AgentRelay: Sendable {
  /// What happened.
  package enum Input: Sendable {
    /// The other process said this, a line without its newline.
    case heard([UInt8])
    /// The other process is gone.
    case closed
    /// A piece of our stdin, which was asked for.
    case read(InputPiece)
    /// So many bytes of stdout have been written since the beginning.
    case written(Int)
    /// Stdout takes nothing any more: the condition, and a sentence.
    case outputBroke(String, String)
    /// SIGINT, SIGTERM or SIGHUP came.
    case signalled(Int32)
    /// What was typed in answer to a question; nil: nothing.
    case answered(JSONValue, String?)
    /// The terminal has so many columns now.
    case resized(Int)
    /// The time has passed that was asked for.
    case timePassed
  }

  /// What is to be done.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case writeOutput([UInt8])
    case writeErrors([UInt8])
    /// What was not written to stdout is to be left out: the command goes on here from there. ``Input/written(_:)`` is to say how much
    /// is, with the line that has been begun.
    case leaveOut
    case readInput
    /// What is written to stdout is to go through the user's pager.
    case startPager
    case ask(JSONValue, String, isSecret: Bool)
    /// ``Input/timePassed`` is to come after so long, instead of when it was asked for before.
    case wake(after: Duration)
    case finish(Outcome)
  }

  /// What it came to.
  package enum Outcome: Sendable, Equatable {
    /// It was run, and ended with this code.
    case ended(Int32)
    /// Nothing was done: this process is to run it.
    case declined
    /// It has been begun, and the rest of it is to be run by this process.
    case handedOver(Handover)
    /// It was begun, and the other process is gone or silent: nobody knows what was done.
    case lost
  }

  private enum State: Sendable {
    /// It was asked for.
    case asked
    case running
    case finished
  }

  /// The program through which somebody reads stdout.
  private enum Pager {
    case none
    case open
    /// They have seen enough, which is no failure.
    case left
  }

  private var state = State.asked
  private var timeout = Duration.seconds(30)
  /// A sign of life was asked for.
  private var isProbing = false
  private var interrupts = 0
  private var pager = Pager.none
  /// What the other process presents here, in the order of its output. Bounded by ``CommandLimits/agentPresented``.
  private var presented: [PresentedMessage] = []

  package init() {}

  /// Whether the command has been begun.
  package var isBegun: Bool { if case .asked = state { false } else { true } }

  /// What has been presented once so many bytes of stdout are out, as far as the other process may not have noted that.
  package func presented(within bytes: Int) -> [PresentedMessage] { presented.filter { $0.bytes <= bytes } }

  /// The request of every command: there is one on a connection.
  private static let id = JSONValue.number("1")
  private static let probe = JSONValue.string("alive")

  /// What asks for the command.
  package static func opening(_ request: RunRequest) -> [UInt8] {
    AgentLanguage.request(id, "run", request.parameters)
  }

  /// Something happened.
  /// - Returns: what is to be done, in this order.
  package mutating func handle(_ input: Input) -> [Action] {
    if case .finished = state { return [] }
    switch input {
    case .heard(let line): return heard(line)
    case .closed: return finish(isBegun ? .lost : .declined)
    case .read(let piece): return [.send(Self.line(of: piece))]
    case .written(let count):
      return [Self.notify("written") { $0.add("bytes", count) }]
    case .outputBroke(let condition, let text):
      if pager != .none { pager = condition == CommandFailure.brokenPipe ? .left : .open }
      return [
        Self.notify("broken") {
          $0.add("condition", condition)
          $0.add("text", text)
        }
      ]
    case .signalled(let signal): return signalled(signal)
    case .answered(let question, let text): return [.send(Self.answer(question, text))]
    case .resized(let columns): return [Self.notify("resize") { $0.add("columns", columns) }]
    case .timePassed: return timePassed()
    }
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    state = .finished
    return [.finish(outcome)]
  }

  // MARK: What is heard

  private mutating func heard(_ line: [UInt8]) -> [Action] {
    isProbing = false
    // What is no line of this language is not of an agent.
    guard let message = try? AgentLanguage.read(line) else { return finish(isBegun ? .lost : .declined) }
    switch message {
    case .result(Self.id, let result):
      guard isBegun, let code = result["code"].integer else { return finish(isBegun ? .lost : .declined) }
      return finish(.ended(pager == .left ? ExitCode.success.value : Int32(truncatingIfNeeded: code)))
    case .failure(Self.id, let failure): return failed(failure)
    case .failure(.null, _): return finish(isBegun ? .lost : .declined)
    case .notification(let method, let parameters): return notified(method, parameters)
    case .request(let id, "ask", let parameters):
      guard isBegun, let question = parameters["question"].text else { return [.send(Self.answer(id, nil))] }
      return [.ask(id, question, isSecret: parameters["secret"].isTrue ?? true)]
    case .result, .failure, .request: return alive
    }
  }

  private mutating func failed(_ failure: AgentLanguage.Failure) -> [Action] {
    guard isBegun else { return finish(.declined) }
    guard failure.code == AgentLanguage.Failure.leaving, let data = failure.data else { return finish(.lost) }
    var reader = JSONReader(data)
    guard let handover = (try? reader.value()).flatMap({ Handover($0) }) else { return finish(.lost) }
    // Both processes were told to end, as by Ctrl-C: what may go on anywhere ends well with an interrupt, and that one has been heard.
    return finish(interrupts == 0 ? .handedOver(handover) : .ended(ExitCode.success.value))
  }

  private var alive: [Action] { isBegun ? [.wake(after: silence)] : [] }

  /// After so long without a sign of life one is asked for: the answer is to come before the timeout is over.
  private var silence: Duration {
    max(CommandLimits.agentReaction, min(CommandLimits.agentSilence, timeout / 2))
  }

  private mutating func notified(_ method: String, _ parameters: JSONValue) -> [Action] {
    switch method {
    case "started":
      state = .running
      if let limit = parameters["timeout"].integer { timeout = .milliseconds(max(1, limit)) }
      guard parameters["pager"].isTrue == true else { return alive }
      pager = .open
      return [.startPager] + alive
    case "output":
      guard isBegun, let bytes = AgentLanguage.bytes(of: parameters) else { return [] }
      return [parameters["stream"].text == "stderr" ? .writeErrors(bytes) : .writeOutput(bytes)] + alive
    case "presents":
      if let message = PresentedMessage(parameters) { presented.append(message) }
      if presented.count >= CommandLimits.agentPresented { presented.removeFirst(presented.count / 2) }
      return alive
    case "read": return isBegun ? [.readInput] + alive : []
    case "leaving": return isBegun ? [.leaveOut] + alive : []
    default: return alive
    }
  }

  private mutating func timePassed() -> [Action] {
    guard isBegun else { return [] }
    if interrupts > 1 { return finish(.ended(ExitCode.interrupted.value)) }
    if isProbing { return finish(.lost) }
    isProbing = true
    return [
      .send(AgentLanguage.request(Self.probe, "version", JSONObjectText())),
      .wake(after: max(CommandLimits.agentReaction, timeout - silence)),
    ]
  }

  // MARK: What is said

  /// The first asks the command to end, the second ends the wait for it.
  private mutating func signalled(_ signal: Int32) -> [Action] {
    guard isBegun else { return [] }
    interrupts += 1
    let told = Self.notify("interrupt") { $0.add("signal", Int(signal)) }
    return interrupts > 1 ? [told, .wake(after: CommandLimits.agentPatience)] : [told]
  }

  private static func notify(_ method: String, _ add: (inout JSONObjectText) -> Void) -> Action {
    var object = JSONObjectText()
    object.add("run", raw: id.json)
    add(&object)
    return .send(AgentLanguage.notification(method, object))
  }

  private static func line(of piece: InputPiece) -> [UInt8] {
    var object = JSONObjectText()
    object.add("run", raw: id.json)
    switch piece {
    case .bytes(let bytes): AgentLanguage.add(bytes, to: &object)
    case .end: break
    case .failed(let reason): object.add("error", reason)
    }
    return AgentLanguage.notification("input", object)
  }

  private static func answer(_ question: JSONValue, _ text: String?) -> [UInt8] {
    guard let text else {
      return AgentLanguage.failure(question, .init(AgentLanguage.Failure.declined, "It was not answered."))
    }
    var result = JSONObjectText()
    result.add("answer", text)
    return AgentLanguage.result(question, result)
  }
}
