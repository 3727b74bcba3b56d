// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawCommands
package import JackdawLoop

/// Asks for a password on the terminal of the process, whatever stdin and stdout are, without showing it; or for something
/// else, and shows it.
///
/// One question at a time is on the terminal: several accounts may ask at once, and what is typed is for whom the last line names.
///
/// The terminal shows again what is typed however the asking ends: by an answer, Ctrl-C, Ctrl-Z, a signal, a cancelled task.
@Client package final class SecretPrompt: SecretAsking {
  private let loop: EventLoop
  /// Pauses from the first question to the last that waits behind it.
  package weak var prompt: Prompt?
  /// The one on the terminal, and those that wait until it has ended, in the order in which they came.
  /// Bounded by the accounts and the commands of a run, each of which asks one thing at a time.
  private var questions: [SecretQuestion] = []

  package init(loop: EventLoop, prompt: Prompt? = nil) {
    self.loop = loop
    self.prompt = prompt
  }

  package func askSecret(_ prompt: String) async throws(CommandFailure) -> String {
    try await ask(prompt, isSecret: true)
  }

  package func askLine(_ prompt: String) async throws(CommandFailure) -> String {
    try await ask(prompt, isSecret: false)
  }

  package var isAsking: Bool { !questions.isEmpty }

  private func ask(_ prompt: String, isSecret: Bool) async throws(CommandFailure) -> String {
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.configuration, "no-terminal", "There is no terminal to ask on.")
    }
    if questions.isEmpty { self.prompt?.pause() }
    let question = SecretQuestion(Escaper.line(prompt), isSecret: isSecret, descriptor: descriptor, loop: loop)
    questions.append(question)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        question.wait(continuation)
        questions.first?.ask()
      }
    } onCancel: {
      loop.start { question.interrupt() }
    }
    questions.removeAll { $0 === question }
    close(descriptor)
    if let next = questions.first { next.ask() } else { self.prompt?.resume() }
    return try result.get()
  }
}

/// One question, from waiting for its turn to giving the terminal back.
@Client private final class SecretQuestion {
  private let text: String
  private let isSecret: Bool
  private let descriptor: Int32
  private let loop: EventLoop
  private var settings = termios()
  private var continuation: CheckedContinuation<Result<String, CommandFailure>, Never>?
  private var inputWatch: DescriptorWatch?
  private var signalWatches: [SignalWatch] = []
  private var suspendWatch: SignalWatch?
  /// It is on the terminal, or was.
  private var isAsked = false
  private var isDone = false

  init(_ text: String, isSecret: Bool, descriptor: Int32, loop: EventLoop) {
    self.text = text
    self.isSecret = isSecret
    self.descriptor = descriptor
    self.loop = loop
  }

  /// From here on what interrupts it ends it.
  func wait(_ continuation: CheckedContinuation<Result<String, CommandFailure>, Never>) {
    self.continuation = continuation
    guard !isDone else {
      continuation.resume(returning: .failure(Self.interrupted))
      return
    }
    signalWatches = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { signal in
      loop.onSignal(signal) { [weak self] in self?.interrupt() }
    }
  }

  /// Its turn has come: the terminal is as the question before it found it.
  func ask() {
    guard !isAsked, !isDone else { return }
    guard tcgetattr(descriptor, &settings) == 0 else { return finish(.failure(Self.gone)) }
    isAsked = true
    watchSuspend()
    silence()
    inputWatch = loop.watch(descriptor, .readable) { [weak self] _ in self?.read() }
  }

  /// Ctrl-C, a signal, or a cancelled task.
  func interrupt() { finish(.failure(Self.interrupted)) }

  private static let interrupted = CommandFailure(
    .interrupted, "interrupted", "Interrupted while asking.")

  private static let gone = CommandFailure(.inputOutput, "io-error", "The terminal is gone.")
  private static let none = CommandFailure(.inputOutput, "no-input", "Nothing was given.")

  /// No echo, if it is a secret; the kernel edits the line, Ctrl-U and all. What was typed before the question is its answer, as
  /// where several lines are pasted; of a secret it is not, as it could be seen, nor are keys that the prompt has not read.
  private func silence() {
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
    if !isSecret { silent.c_lflag |= tcflag_t(ECHO | ECHOE | ECHOK) }
    silent.c_lflag |= tcflag_t(ICANON | ISIG)
    silent.c_iflag |= tcflag_t(ICRNL)
    let hasKeys = settings.c_lflag & tcflag_t(ICANON) == 0
    tcsetattr(descriptor, isSecret || hasKeys ? TCSAFLUSH : TCSADRAIN, &silent)
    show(text)
  }

  /// What was typed of a secret that was not ended is thrown away: whoever reads the terminal next would get it, and show it.
  /// - Parameter isAnswered: the line was ended by the user, whose newline shows where all the rest of it does.
  private func restore(isAnswered: Bool) {
    tcsetattr(descriptor, isSecret && !isAnswered ? TCSAFLUSH : TCSADRAIN, &settings)
    if isSecret || !isAnswered { show("\n") }
  }

  private func show(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: TerminalLimits.secretBytes)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    defer {
      bytes.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
      }
    }
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
    guard count > 0 else {
      finish(.failure(count == 0 ? Self.none : Self.gone))
      return
    }
    let end = bytes[..<count].firstIndex(of: 0x0A) ?? count
    guard let secret = String(validating: bytes[..<end], as: UTF8.self) else {
      finish(.failure(CommandFailure(.badInput, "not-utf-8", "What was typed is not UTF-8.")))
      return
    }
    finish(.success(secret))
  }

  private func finish(_ result: Result<String, CommandFailure>) {
    guard !isDone else { return }
    isDone = true
    guard let continuation else { return }
    if isAsked {
      if case .success = result { restore(isAnswered: true) } else { restore(isAnswered: false) }
    }
    inputWatch?.cancel()
    inputWatch = nil
    signalWatches = []
    suspendWatch = nil
    continuation.resume(returning: result)
  }

  private func watchSuspend() {
    suspendWatch = loop.onSignal(SIGTSTP) { [weak self] in self?.suspend() }
  }

  /// Ctrl-Z: the shell gets a terminal that shows what is typed; back again, the question is asked anew.
  private func suspend() {
    guard !isDone else { return }
    restore(isAnswered: false)
    suspendWatch = nil
    raise(SIGTSTP)
    watchSuspend()
    silence()
  }
}
