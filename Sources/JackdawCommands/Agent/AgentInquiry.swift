// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// A connection to the socket of an account, to ask what runs there, or to end it.
@Client final class AgentInquiry {
  private let channel: LineChannel
  private let clock: any LoopClock
  private let account: JID
  private let answer = PendingResult<JSONValue>()

  /// - Returns: nil: nobody listens there.
  /// - Throws: ``CommandFailure`` with code 75 where so many connections wait there that it takes no more.
  init?(of account: JID, in application: Application) throws(CommandFailure) {
    guard let folder = application.parts.agent?.folder else { return nil }
    let found: Int32?
    do throws(LocalSocket.Failure) {
      found = try AgentDoor(folder: folder, name: AgentFolder.name(of: account)).reach()
    } catch {
      guard error.errno != EAGAIN else { throw Self.silent }
      return nil
    }
    guard let descriptor = found else { return nil }
    clock = application.clock
    self.account = account.bare
    channel = LineChannel(
      adopting: descriptor, lineLimit: CommandLimits.agentLine, queueLimit: CommandLimits.agentQueue)
    channel.onLine = { [weak self] in self?.take($0) }
    channel.onEnd = { [weak self] _ in self?.answer.give(.success(.null)) }
  }

  private func take(_ line: [UInt8]) {
    switch try? AgentLanguage.read(line) {
    case .result(_, let result)?: answer.give(.success(result))
    case .failure(_, let failure)?:
      answer.give(.failure(CommandFailure(.unavailable, "refused", failure.message)))
    case .request?, .notification?, nil: break
    }
  }

  /// - Throws: ``CommandFailure`` with code 75 where there is no answer in time, 69 where it is refused.
  private func ask(_ method: String, within timeout: Duration) async throws -> JSONValue {
    channel.send(AgentLanguage.request(.number("1"), method, JSONObjectText()))
    let timer = clock.schedule(after: timeout) { [answer] in answer.give(.failure(Self.silent)) }
    defer { timer.cancel() }
    return try await answer.value()
  }

  private static let silent = CommandFailure(
    .tryAgain, "timeout", "The Jackdaw that commands go through does not answer.")

  /// What runs there.
  /// - Throws: as ``stop(within:)``.
  func status(within timeout: Duration) async throws -> AgentRow {
    let result = try await ask("version", within: timeout)
    channel.close()
    guard let process = result["process"].integer else { throw Self.silent }
    let accounts = result["accounts"].elements
    let states = accounts.compactMap { entry in entry["account"].text.map { ($0, entry["state"].text ?? "offline") } }
    return AgentRow(
      process: process, isAgent: result["agent"].isTrue ?? false, program: result["program"].text ?? "",
      state: states.first { $0.0 == account.description }?.1 ?? "offline", commands: result["commands"].integer ?? 0,
      accounts: states.map(\.0),
      absent: Dictionary(states.filter { !["online", "resumed"].contains($0.1) }, uniquingKeysWith: { $1 }))
  }

  /// Ends it, and returns when it has ended.
  /// - Throws: ``CommandFailure`` with code 75 where it does not within `timeout`, 69 where it is no agent.
  func stop(within timeout: Duration) async throws {
    _ = try await ask("stop", within: timeout)
    let gone = Latch(clock: clock)
    channel.onEnd = { _ in gone.open() }
    if !channel.isDeserted { try await gone.wait(for: timeout) }
    guard channel.isDeserted else {
      throw CommandFailure(.tryAgain, "timeout", "The agent did not stop within \(timeout.inSeconds).")
    }
  }
}

/// A socket that another process may listen on.
package struct AgentDoor: Sendable {
  /// Where the socket is.
  package let folder: AgentFolder
  /// What it is called there.
  package let name: String

  package init(folder: AgentFolder, name: String) {
    self.folder = folder
    self.name = name
  }

  /// Connects to a process of the user's own.
  /// - Returns: the descriptor, the caller's to close; nil: nobody listens there, or somebody else.
  package func connect() -> Int32? { (try? reach()) ?? nil }

  /// Hears of the end of the process that listens there: where it is killed its socket stays.
  /// - Returns: nil: nobody listens there, or the system does not tell us.
  @Client func watchHolder(onEnd: @escaping @Client () -> Void) -> ProcessWatch? {
    guard let descriptor = connect() else { return nil }
    defer { close(descriptor) }
    return LocalSocket.peer(of: descriptor).flatMap { ProcessWatch($0.process, onEnd: onEnd) }
  }

  /// Whether whoever listened there has gone and left the socket, as one does that is killed.
  var isStale: Bool {
    do throws(LocalSocket.Failure) {
      if let descriptor = try reach() { close(descriptor) }
      return false
    } catch {
      return error.errno == ECONNREFUSED
    }
  }

  /// As ``connect()``.
  /// - Throws: ``LocalSocket/Failure``, why nobody can be heard there.
  func reach() throws(LocalSocket.Failure) -> Int32? {
    guard folder.isUsable, folder.isSocket(name) else { return nil }
    let descriptor = try LocalSocket.connect(folder: folder.path, name: name)
    guard LocalSocket.peer(of: descriptor)?.user == geteuid() else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
