// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawSession

/// Asks on the terminal of a client of the agent.
@Client final class RunAsker: SecretAsking {
  private let channel: LineChannel
  private let run: JSONValue
  private typealias Waiting = CheckedContinuation<Result<String, CommandFailure>, Never>
  /// Bounded by the command, which asks one thing at a time.
  private var waiting: [JSONValue: Waiting] = [:]
  private var count = 0

  /// - Parameter run: the id of the client's request.
  init(_ channel: LineChannel, _ run: JSONValue) {
    self.channel = channel
    self.run = run
  }

  func askSecret(_ prompt: String) async throws(CommandFailure) -> String { try await ask(prompt, isSecret: true) }
  func askLine(_ prompt: String) async throws(CommandFailure) -> String { try await ask(prompt, isSecret: false) }

  var isAsking: Bool { !waiting.isEmpty }

  private func ask(_ question: String, isSecret: Bool) async throws(CommandFailure) -> String {
    count += 1
    var object = JSONObjectText()
    object.add("run", raw: run.json)
    object.add("question", question)
    object.add("secret", isSecret)
    let id = JSONValue.string("\(String(decoding: run.json, as: UTF8.self))/\(count)")
    let line = AgentLanguage.request(id, "ask", object)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiting) in
        if Task.isCancelled { return continuation.resume(returning: .failure(.interrupted)) }
        waiting[id] = continuation
        channel.send(line)
      }
    } onCancel: {
      EventLoop.main.start { self.answered(id, nil) }
    }
    return try result.get()
  }

  /// - Parameter text: nil: it was not answered.
  func answered(_ question: JSONValue, _ text: String?) {
    let result = text.map { Result<String, CommandFailure>.success($0) } ?? .failure(.interrupted)
    waiting.removeValue(forKey: question)?.resume(returning: result)
  }

  /// Nobody is there any more.
  func end() {
    let left = waiting
    waiting = [:]
    for continuation in left.values { continuation.resume(returning: .failure(.interrupted)) }
  }
}
