// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A connection to the agent's socket: takes what its client says, and has it done.
@Client final class AgentPeer {
  private let channel: LineChannel
  private unowned let server: AgentServer
  /// Of the socket by which it came.
  private let account: Account?
  /// Bounded by ``CommandLimits/agentRuns``.
  private var runs: [JSONValue: AgentRun] = [:]
  /// Requests that are looked at. Bounded by ``CommandLimits/agentRuns``.
  private var pending: Set<JSONValue> = []
  /// Signals for what these ask for, once it runs. Bounded by ``pending``.
  private var earlySignals: [JSONValue: Int32] = [:]
  /// Nothing more is asked; what runs may end.
  private var hasSaidAll = false
  /// Nobody is there any more.
  private var isGone = false

  init(_ channel: LineChannel, of server: AgentServer, account: Account?) {
    self.channel = channel
    self.server = server
    self.account = account
    channel.onLine = { [weak self] in self?.take($0) }
    channel.onLastLine = { [weak self] in
      self?.hasSaidAll = true
      self?.leaveIfDone()
    }
    channel.onEnd = { [weak self] ending in
      if ending == .tooLong { self?.complain(.init(AgentLanguage.Failure.badRequest, "The line is too long.")) }
      self?.ended()
    }
  }

  /// What runs for it.
  var running: [AgentRun] { Array(runs.values) }
  /// Whether it has asked for something that is not answered.
  var isBusy: Bool { !runs.isEmpty || !pending.isEmpty }

  /// It has asked for the end of this process, which is when its connection ends.
  private(set) var waitsForTheEnd = false

  /// Lets it go.
  func close() {
    channel.close()
    ended()
  }

  private func ended() {
    isGone = true
    let left = runs.values
    runs = [:]
    for run in left { run.desert() }
    server.left(self)
  }

  private func leaveIfDone() {
    guard hasSaidAll, !isBusy else { return }
    channel.whenSent { [weak self] in self?.close() }
  }

  // MARK: What it says

  private func take(_ line: [UInt8]) {
    guard !line.isEmpty else { return }
    do throws(AgentLanguage.Failure) {
      switch try AgentLanguage.read(line) {
      case .request(let id, let method, let parameters): request(id, method, parameters)
      case .notification(let method, let parameters): try notified(method, parameters)
      case .result(let id, let result): answered(id, result["answer"].text)
      case .failure(let id, _): answered(id, nil)
      }
    } catch {
      // Whoever speaks another language is not listened to any longer.
      complain(error)
      close()
    }
  }

  private func complain(_ failure: AgentLanguage.Failure) { channel.send(AgentLanguage.failure(.null, failure)) }

  private func answered(_ question: JSONValue, _ text: String?) {
    for run in runs.values { run.answered(question, text) }
  }

  private func request(_ id: JSONValue, _ method: String, _ parameters: JSONValue) {
    switch method {
    case "version": channel.send(AgentLanguage.result(id, server.description))
    case "stop": stop(id)
    default:
      guard runs[id] == nil, pending.insert(id).inserted else {
        channel.send(AgentLanguage.failure(id, .init(AgentLanguage.Failure.badRequest, "This 'id' is in use.")))
        return
      }
      guard runs.count + pending.count <= CommandLimits.agentRuns else {
        pending.remove(id)
        let text = "\(CommandLimits.agentRuns) commands run already."
        channel.send(AgentLanguage.failure(id, .init(AgentLanguage.Failure.busy, text)))
        return
      }
      EventLoop.main.start { [self] in
        do throws(AgentLanguage.Failure) {
          try await begin(id, method, parameters)
        } catch {
          channel.send(AgentLanguage.failure(id, error))
        }
        pending.remove(id)
        earlySignals[id] = nil
        leaveIfDone()
      }
    }
  }

  private func stop(_ id: JSONValue) {
    guard let stop = server.onStop else {
      let text = "This Jackdaw was not started as an agent: it ends where it runs."
      channel.send(AgentLanguage.failure(id, .init(AgentLanguage.Failure.declined, text)))
      return
    }
    waitsForTheEnd = true
    channel.send(AgentLanguage.result(id, JSONObjectText()))
    stop()
  }

  private func begin(
    _ id: JSONValue, _ method: String, _ parameters: JSONValue
  ) async throws(AgentLanguage.Failure) {
    guard server.takesCommands else { throw .init(AgentLanguage.Failure.leaving, "This Jackdaw ends.") }
    let form: AgentRun.Form
    let admission: AgentServer.Admission
    if method == "run" {
      let request = try RunRequest(parameters)
      form = .streams(request)
      admission = try await server.admit(request)
    } else {
      admission = try await server.admit(method: method, parameters, account: account)
      form = .objects(
        streams: parameters["stream"].isTrue ?? !admission.isLimited, confirms: parameters["confirm"].isTrue ?? false)
    }
    guard server.takesCommands else { throw .init(AgentLanguage.Failure.leaving, "This Jackdaw ends.") }
    let run = AgentRun(
      admission, id: id, as: form, on: channel, host: server.host, parts: server.parts
    ) { [weak self] in self?.ended($0) }
    guard run.start(givenInput: parameters["stdin"].text) else { return }
    runs[id] = run
    if let signal = earlySignals[id] { run.interrupted(by: signal) }
    if isGone { run.desert() }
    server.changed()
  }

  private func ended(_ run: AgentRun) {
    runs[run.id] = nil
    server.changed()
    leaveIfDone()
  }

  private func notified(_ method: String, _ parameters: JSONValue) throws(AgentLanguage.Failure) {
    let id = parameters["run"]
    if method == "interrupt", pending.contains(id) { earlySignals[id] = Self.signal(parameters) }
    // What comes for a command that has ended crossed its end.
    guard let run = runs[id] else { return }
    switch method {
    case "written": run.confirmed(bytes: parameters["bytes"].integer, objects: parameters["objects"].integer)
    case "broken":
      run.outputBroke(
        CommandFailure(
          .inputOutput, parameters["condition"].text ?? CommandFailure.brokenPipe, parameters["text"].text ?? ""))
    case "input":
      guard run.take(Self.piece(parameters)) else {
        throw .init(AgentLanguage.Failure.busy, "More input came than was asked for.")
      }
    case "interrupt": run.interrupted(by: Self.signal(parameters))
    case "resize": run.resized(to: RunRequest.columns(parameters["columns"]))
    // Of a later version of the language, which has to do without it.
    default: break
    }
  }

  private static func signal(_ parameters: JSONValue) -> Int32 {
    let signal = parameters["signal"].integer.flatMap { Int32(exactly: $0) } ?? SIGINT
    return [SIGTERM, SIGHUP].contains(signal) ? signal : SIGINT
  }

  private static func piece(_ parameters: JSONValue) -> InputPiece {
    if let bytes = AgentLanguage.bytes(of: parameters) { return .bytes(bytes) }
    if let reason = parameters["error"].text { return .failed(reason) }
    // What was cut off there would be taken for all.
    let isEnd = ["text", "base64", "error"].allSatisfy { parameters[$0] == .null }
    return isEnd ? .end : .failed("A piece of stdin came as neither 'text' nor 'base64'.")
  }
}

extension AgentServer.Admission {
  /// Whether the command ends by itself within its time.
  var isLimited: Bool { if case .command(let command, _) = request { command.isLimited } else { false } }
}

extension AgentServer {
  /// What it says of itself.
  fileprivate var description: JSONObjectText {
    var object = JSONObjectText()
    object.add("version", AgentLanguage.version)
    object.add("program", Version.number)
    object.add("process", Int(getpid()))
    object.add("agent", onStop != nil)
    object.add("commands", runCount)
    object.add(
      "accounts",
      host.hosting.map { account in
        var object = JSONObjectText()
        object.add("account", account.jid.bare.description)
        object.add("name", account.name)
        object.add("state", account.connectionState.rawValue)
        return object
      })
    return object
  }
}
