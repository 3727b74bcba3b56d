// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawSession
import Testing

@testable import JackdawCommands

/// A client of an agent that runs in the same process, as tests need one.
@Client final class AgentClient {
  private let channel: LineChannel
  /// nil once the channel has closed it: the number may be another test's then.
  private var socket: Int32?
  private let schema: AgentSchema
  private(set) var lines: [String] = []
  private(set) var hasEnded = false
  /// Says of all output that it is out.
  var confirms = true

  init(_ folder: AgentFolder, _ name: String = "alice@example.org") throws {
    schema = try AgentSchema.current
    let socket = try LocalSocket.connect(folder: folder.path, name: name)
    self.socket = socket
    channel = LineChannel(adopting: socket, lineLimit: 1 << 24, queueLimit: 1 << 24)
    channel.onLine = { [weak self] in self?.take(String(decoding: $0, as: UTF8.self)) }
    channel.onEnd = { [weak self] _ in
      self?.socket = nil
      self?.hasEnded = true
    }
  }

  private func take(_ line: String) {
    lines.append(line)
    #expect((try? schema.allows(line)) == true, "\(line)")
    guard confirms, line.contains(#""method":"output""#), line.contains(#""stream":"stdout""#) else { return }
    var reader = JSONReader(Array(line.utf8))
    guard let run = (try? reader.value())?["params"]["run"] else { return }
    let count = said("output").filter { $0["run"] == run && $0["stream"].text == "stdout" }
      .compactMap(\.["text"].text).joined().utf8.count
    let id = String(decoding: run.json, as: UTF8.self)
    channel.send(
      Array("{\"jsonrpc\":\"2.0\",\"method\":\"written\",\"params\":{\"run\":\(id),\"bytes\":\(count)}}\n".utf8))
  }

  /// Says something, and waits until all that it could cause has happened.
  func say(_ line: String) async {
    channel.send(Array((line + "\n").utf8))
    await Self.settle()
  }

  /// Says something without a newline, and that nothing follows.
  func sayLast(_ text: String) async {
    channel.send(Array(text.utf8))
    if let socket { shutdown(socket, Int32(SHUT_WR)) }
    await Self.settle()
  }

  /// Is killed when it has said so much.
  func say(only bytes: some Sequence<UInt8>) async {
    channel.send(Array(bytes))
    await close()
  }

  static func settle() async {
    // What is written to a socket is there at once; each side has its turns to read it and to answer.
    for _ in 0..<20 { await EventLoop.main.idle() }
  }

  /// Asks for a command as a process does.
  func run(
    _ words: String..., id: Int = 1, environment: [String: String] = [:], directory: String = "/"
  ) async {
    channel.send(Self.request(words, id: id, environment: environment, directory: directory))
    await Self.settle()
  }

  /// What a process says to ask for a command.
  static func request(
    _ words: [String], id: Int = 1, environment: [String: String] = [:], directory: String = "/"
  ) -> [UInt8] {
    let account = [
      "HOME": "/nonexistent", "JACKDAW_JID": "alice@example.org/here", "JACKDAW_OUTPUT": "text",
    ].merging(environment) { $1 }
    let caller = Caller(directory: directory, environment: EnvironmentVariables(account))
    let request = RunRequest(words: words, caller: caller)
    return AgentLanguage.request(.number("\(id)"), "run", request.parameters)
  }

  func close() async {
    guard let socket = socket.take() else { return await Self.settle() }
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    channel.close()
    await Self.settle()
    // A process that another test starts holds a copy, too, until it is another program: to close them is not yet the end.
    shutdown(copy, Int32(SHUT_RDWR))
    Glibc.close(copy)
    await Self.settle()
  }

  /// What was said to a method, or in answer (`result`, `error`), by the run's id; nil: in answer to nothing.
  func said(_ method: String, _ id: Int? = 1) -> [JSONValue] {
    let wanted = id.map { JSONValue.number("\($0)") } ?? .null
    return lines.compactMap { line in
      var reader = JSONReader(Array(line.utf8))
      guard let value = try? reader.value() else { return nil }
      if value["method"].text == method { return value["params"] }
      return value["id"] == wanted && value[method] != .null ? value[method] : nil
    }
  }

  /// What was printed.
  func output(_ stream: String = "stdout") -> String {
    said("output").filter { $0["stream"].text == stream }.compactMap(\.["text"].text).joined()
  }

  /// The code that the command ended with.
  func code(_ id: Int = 1) -> Int? { said("result", id).first?["code"].integer }
}
