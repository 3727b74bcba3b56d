// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A command that runs here for a client of the agent, from its admission to its exit code.
@Client final class AgentRun {
  /// How its client reads it.
  enum Form {
    /// As a process that has streams: it says what it has written.
    case streams(RunRequest)
    /// As objects: each as a notification (`streams`), or all of them in the answer. Where the client confirms, a message counts as
    /// presented once it has said so.
    case objects(streams: Bool, confirms: Bool)
  }

  /// Where it stands.
  private enum State {
    case running
    /// It ends, so that it can go on in the client's process.
    case handedOver(@Client () -> Handover)
    case cutOff
    /// Its client has been told to go on, and hears nothing more.
    case told
    case ended
  }

  let id: JSONValue
  /// What it is, for whoever asks what goes on.
  let name: String
  private let form: Form
  private let request: CommandTable.ShellRequest
  private let application: Application
  private let channel: LineChannel
  private let output: RunStream
  private let errors: RunStream
  private let input: RunInput
  private let asker: RunAsker?
  private let onEnd: @Client (AgentRun) -> Void
  private var state = State.running
  private var rows = AnswerRows()
  private var sent = SentObjects()
  /// The command has begun, and can be interrupted.
  private var hasBegun = false
  /// Came before.
  private var earlySignal: Int32?

  init(
    _ admission: AgentServer.Admission, id: JSONValue, as form: Form, on channel: LineChannel, host: Application,
    parts: AgentParts, onEnd: @escaping @Client (AgentRun) -> Void
  ) {
    self.id = id
    self.form = form
    self.channel = channel
    self.onEnd = onEnd
    request = admission.request
    name = admission.name
    let clock = host.clock
    let input = RunInput()
    self.input = input
    var application = host.parts
    switch form {
    case .streams(let run):
      output = RunStream(columns: run.outputColumns, isUnconfirmed: false, clock: clock)
      errors =
        run.hasOneOutput ? output : RunStream(columns: run.errorColumns, isUnconfirmed: true, clock: clock)
      asker = run.mayAsk ? RunAsker(channel, id) : nil
      application.isStandardInputTerminal = run.isInputTerminal
      application.output = parts.makeOutput(output, errors, admission.settings, run.caller.environment)
    case .objects(let streams, _):
      output = RunStream(columns: nil, isUnconfirmed: false, isCollected: !streams, clock: clock)
      errors = RunStream(columns: nil, isUnconfirmed: true, clock: clock)
      asker = nil
      application.isStandardInputTerminal = false
      application.output = parts.makeOutput(output, errors, admission.settings, parts.environment)
    }
    application.secrets = asker
    application.standardInput = parts.makeLines(input)
    application.agent = nil
    self.application = Application(
      settings: admission.settings, parts: application, sharing: admission.accounts, for: admission.caller)
    connect()
  }

  /// If this process is killed, the client alone knows how much it has written: it gets the messages' numbers with the output, so that it
  /// can move the cursor itself then.
  private func tellWhatIsPresented() {
    guard case .streams = form else { return }
    application.onPresenting = { [weak self] account, place, reader in
      // The numbers of a database that was replaced are others' in the next process.
      guard let self, place.beginning == 0 else { return }
      let message = PresentedMessage(
        bytes: output.taken, account: account.bare.description, reader: reader, number: place.seq)
      channel.send(AgentLanguage.notification("presents", message.added(to: parameters)))
    }
  }

  private func connect() {
    tellWhatIsPresented()
    output.onPiece = { [weak self] in self?.send($0, of: "stdout") }
    if errors !== output { errors.onPiece = { [weak self] in self?.send($0, of: "stderr") } }
    input.onWanted = { [weak self] in
      guard let self else { return }
      channel.send(AgentLanguage.notification("read", parameters))
    }
  }

  /// What each notification about it has.
  private var parameters: JSONObjectText {
    var object = JSONObjectText()
    object.add("run", raw: id.json)
    return object
  }

  // MARK: Running

  /// Begins, if the client can be sure of that: it has been told, or will be whatever becomes of this process.
  /// - Parameter text: what stdin holds; nil: the client is asked for it.
  /// - Returns: false: nobody is there any more, and nothing was done.
  func start(givenInput text: String? = nil) -> Bool {
    if case .streams = form {
      guard !channel.isDeserted else { return false }
      var object = parameters
      object.add("timeout", milliseconds(application.settings.timeout))
      object.add("pager", isPaged)
      // A client that reads slowly is told later, and then it is begun.
      guard channel.send(AgentLanguage.notification("started", object)) || channel.waiting > 0 else { return false }
      channel.whenSent { [self] in begin() }
      return true
    }
    if let text {
      _ = input.take(.bytes(Array(text.utf8)))
      _ = input.take(.end)
    } else {
      _ = input.take(.end)
    }
    begin()
    return true
  }

  private func begin() {
    EventLoop.main.start { [self] in
      hasBegun = true
      // Once there is something that it ends.
      if let earlySignal { application.clock.nextTurn { [self] in application.interrupted(by: earlySignal) } }
      let code = await application.carryOut(request)
      ended(code)
    }
  }

  private func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

  private var isPaged: Bool {
    guard case .command(let command, _) = request, !application.settings.isJSON else { return false }
    return type(of: command).declaration.isPaged && output.columns != nil
  }

  /// This process ends. What can go on in the client's process does.
  /// - Returns: whether it ends by that.
  func handOver() -> Bool {
    guard case .running = state, case .streams = form, let handover = application.handover else { return false }
    state = .handedOver(handover)
    // What it has not written by now is shown by who goes on with it.
    channel.send(AgentLanguage.notification("leaving", parameters))
    application.interrupted(by: SIGINT)
    return true
  }

  /// This process ends. What a program asked for that goes on for as long as it likes ends with it, and the program is told how far it got.
  /// - Returns: whether it ends by that.
  func leaveOff() -> Bool {
    guard case .running = state, case .objects(let streams, _) = form, let handover = application.handover else {
      return false
    }
    guard streams else {
      // Rows that were collected do not go out: the command has got nowhere.
      cutOff()
      return true
    }
    state = .handedOver(handover)
    application.interrupted(by: SIGINT)
    return true
  }

  /// This process ends, and waits no longer.
  func cutOff() {
    switch state {
    case .running:
      state = .cutOff
      interrupted(by: SIGTERM)
    case .handedOver(let handover):
      // Whoever reads what its client writes takes nothing at present: that is shown by the client when it goes on.
      state = .told
      tell(handover)
    case .cutOff, .told, .ended: break
    }
  }

  /// The client is gone.
  func desert() {
    output.end()
    errors.end()
    asker?.end()
    if case .ended = state { return }
    interrupted(by: SIGHUP)
  }

  private func ended(_ code: ExitCode) {
    let before = state
    state = .ended
    switch before {
    case .handedOver(let handover): tell(handover)
    case .told: break
    case .cutOff:
      channel.send(
        AgentLanguage.failure(id, .init(AgentLanguage.Failure.leaving, "The Jackdaw that ran this has ended.")))
    case .running, .ended:
      channel.send(answer(code))
      if code == .success, !rows.isTooLong { channel.whenSent { [self] in answerIsOut() } }
    }
    onEnd(self)
  }

  /// From where the command goes on in the client's process.
  private func tell(_ handover: @Client () -> Handover) {
    channel.send(
      AgentLanguage.failure(
        id, .init(AgentLanguage.Failure.leaving, "The Jackdaw that ran this ends.", data: handover().json)))
  }

  /// The rows that were collected count as presented.
  private func answerIsOut() {
    output.answered()
    application.noteShown()
  }

  private func answer(_ code: ExitCode) -> [UInt8] {
    var result = JSONObjectText()
    guard case .objects = form else {
      result.add("code", Int(code.value))
      return AgentLanguage.result(id, result)
    }
    if rows.isTooLong {
      let text = "The rows are more than \(CommandLimits.agentAnswer) bytes: let them stream."
      return AgentLanguage.failure(id, .init(AgentLanguage.Failure.tooLong, text))
    }
    guard code == .success else {
      return AgentLanguage.failure(
        id, .init(Int(code.value), rows.errorText ?? code.meaning, data: rows.error))
    }
    result.add("rows", raw: rows.joined, in: ("[", "]"))
    return AgentLanguage.result(id, result)
  }

  // MARK: What it prints

  private func send(_ piece: [UInt8], of stream: String) {
    switch form {
    case .streams:
      var object = parameters
      object.add("stream", stream)
      AgentLanguage.add(piece, to: &object)
      channel.send(AgentLanguage.notification("output", object))
    case .objects(let streams, let confirms):
      guard stream == "stdout" else {
        var object = parameters
        object.add("text", String(decoding: piece, as: UTF8.self))
        channel.send(AgentLanguage.notification("notice", object))
        return
      }
      for line in piece.split(separator: 0x0A) { take(Array(line), streams: streams, confirms: confirms) }
    }
  }

  private func take(_ object: [UInt8], streams: Bool, confirms: Bool) {
    let place = sent.add(object.count + 1)
    let isError = AnswerRows.isError(object)
    if !streams || isError, !rows.add(object) { application.interrupted(by: SIGTERM) }
    guard streams else { return output.confirm(place) }
    guard !isError else { return sentLast(place, isCounted: false, confirms: confirms) }
    var event = parameters
    event.add("object", raw: object)
    channel.send(AgentLanguage.notification("event", event))
    sentLast(place, isCounted: true, confirms: confirms)
  }

  private func sentLast(_ place: Int, isCounted: Bool, confirms: Bool) {
    guard confirms else { return channel.whenSent { [weak self] in self?.output.confirm(place) } }
    present(sent.wait(for: place, isCounted: isCounted))
  }

  // MARK: What the client says

  /// It has written so many bytes of stdout since the beginning, or taken so many objects.
  func confirmed(bytes: Int?, objects: Int?) {
    if let bytes { output.confirm(bytes) }
    if let objects { present(sent.confirm(objects)) }
  }

  private func present(_ places: [Int]) {
    for place in places { output.confirm(place) }
  }

  /// Its stdout cannot be written any more, and why.
  func outputBroke(_ reason: CommandFailure) {
    output.end(reason)
    application.outputBroke(reason)
  }

  /// A piece of its stdin.
  /// - Returns: false: far more than was asked for.
  func take(_ piece: InputPiece) -> Bool { input.take(piece) }

  /// What was typed in answer to a question; nil: Ctrl-C, or there is no terminal any more.
  func answered(_ question: JSONValue, _ text: String?) { asker?.answered(question, text) }

  func interrupted(by signal: Int32) {
    guard hasBegun else { return earlySignal = signal }
    application.interrupted(by: signal)
  }

  func resized(to columns: Int?) {
    guard output.columns != nil, let columns else { return }
    output.columns = columns
  }
}
