// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Reads files of history into the log: each message is put in order in a ``MessageStage``, then kept, the newest first.
@Client final class HistoryImport {
  private(set) var row: ImportedRow
  private let context: CommandContext
  private let own: JID
  private let log: any MessageLog
  private let pauses: LogPauses
  private let earlier: any EarlierMessages
  private let unkept: Set<JID>
  private let now: Timestamp
  private var lastFailure: CommandFailure?
  /// What could not be read and is counted, as there is too much of it to tell each.
  private var unreported = 0
  private var read = 0
  private var conversations: Set<JID> = []

  /// - Parameter isTrial: nothing is kept.
  /// - Throws: ``CommandFailure``; what the store throws.
  init(isTrial: Bool, in context: CommandContext) throws {
    self.context = context
    let account = try context.account()
    own = account.jid.bare
    log = account.log
    // What is imported into memory alone is gone in a moment, and is compared with nothing.
    try log.requireStored()
    pauses = LogPauses(context.application)
    earlier = account.earlier
    unkept = Set(try log.unkept())
    now = context.application.now()
    row = ImportedRow(isTrial: isTrial)
  }

  /// Tells what could not be read.
  /// - Returns: what is still to be told; nil: everything could be read.
  func end() -> CommandFailure? {
    guard unreported > 0 else { return lastFailure }
    if let lastFailure { context.fail(lastFailure) }
    return CommandFailure(.badInput, "bad-input", "\(unreported) more could not be read.")
  }

  /// Imports what belongs together: what was read before it is known, so nothing that several files have is kept twice.
  /// - Throws: ``CommandFailure``; what the store throws; `CancellationError`.
  func take(_ files: [ImportFile]) async throws {
    for kind in ImportFile.Kind.allCases {
      let files = files.filter { $0.kind == kind }
      // Of databases each: two may have what was said to the same people.
      for group in kind == .database ? files.map({ [$0] }) : [files] where !group.isEmpty {
        let stage = try Stage(of: self)
        for file in group { try await stage.read(file) }
        try await keep(stage)
      }
    }
  }

  /// The same for stdin, which has JSON Lines.
  /// - Parameter isJSON: nobody need look whether it has.
  func takeInput(isJSON: Bool) async throws {
    let stage = try Stage(of: self)
    try await stage.readJSON(ImportLines(context.application.input), "stdin", isJSON: isJSON)
    try await keep(stage)
  }

  // MARK: Keeping

  private func keep(_ stage: Stage) async throws {
    try stage.flush()
    var number: Int64?
    while case let batch = try stage.messages.takeNewest(CommandLimits.importedAtOnce), !batch.isEmpty {
      try await makeFindable()
      let kept = try await unlocked {
        row.isTrial ? try earlier.tryImport(batch) : try earlier.keepImported(batch, before: number)
      }
      number = kept.first ?? number
      row.messages += kept.count
      row.known += batch.count - kept.count
      conversations.formUnion(kept.conversations)
      row.conversations = conversations.count
      context.output.progress("Importing: \(row.messages + row.known) of \(stage.count) messages")
      try await pauses.pause()
    }
    try await makeFindable()
  }

  private func makeFindable() async throws {
    while try await unlocked({ try log.extendIndex(isWaitedFor: true) }) > 0 { try await pauses.pause() }
  }

  /// Another program that writes to the log is soon done.
  private func unlocked<Value>(_ body: () throws -> Value) async throws -> Value {
    for _ in 1..<CommandLimits.importTries {
      do {
        return try body()
      } catch let error as any StoreFailure where error.isBusy {
        try await context.application.clock.sleep(for: CommandLimits.logPause)
      }
    }
    return try body()
  }

  // MARK: Reading

  /// What is read before it is kept.
  @Client private final class Stage {
    let messages: any MessageStage
    private(set) var count = 0
    private let reading: HistoryImport
    private var waiting: [StagedMessage] = []

    init(of reading: HistoryImport) throws {
      self.reading = reading
      messages = try reading.context.application.parts.imports.makeStage()
    }

    func flush() throws {
      try messages.add(waiting)
      waiting = []
    }

    func read(_ file: ImportFile) async throws {
      switch file.kind {
      case .database: try await readDatabase(file.path)
      case .json: try await readJSON(ImportLines(path: file.path), file.path, isJSON: true)
      case .profanityLog: try await readProfanityLog(file.path)
      }
    }

    func readJSON(_ lines: ImportLines, _ name: String, isJSON: Bool) async throws {
      var reader = JSONHistoryReader(own: reading.own, now: reading.now)
      var isJSON = isJSON
      while let line = try await lines.next() {
        let place = ImportPlace(file: name, number: lines.number)
        let first = try? line.get().utf8.first { $0 != 0x20 && $0 != 0x09 }
        guard isJSON || first == UInt8(ascii: "{") else { throw ImportFile.unknown(name, nil) }
        isJSON = true
        switch line {
        case .success(let line): if first != nil { try add(reader.entry(line), place) }
        case .failure(let problem): try add(.malformed(problem), place)
        }
        try await pause(lines)
      }
    }

    private func readProfanityLog(_ path: String) async throws {
      let name = ProfanityLogName(
        path: realpath(path, nil).map { real in
          defer { free(real) }
          return String(cString: real)
        } ?? path)
      guard name.isRoom || name.peer != nil else {
        return reading.fail(
          CommandFailure(.badInput, "file", "\(path) is not in a folder named after anybody: whose messages are these?")
        )
      }
      var reader = ProfanityLogReader(name, own: reading.own, now: reading.now)
      let lines = try ImportLines(path: path)
      func add(_ ended: (line: Int64, entry: ImportEntry)?) throws {
        if let ended { try self.add(ended.entry, ImportPlace(file: path, number: ended.line)) }
      }
      while let line = try await lines.next() {
        switch line {
        case .success(let line): try add(reader.take(line, lines.number))
        case .failure(let problem):
          try add(reader.finish())
          try self.add(.malformed(problem), ImportPlace(file: path, number: lines.number))
        }
        try await pause(lines)
      }
      try add(reader.finish())
    }

    private func readDatabase(_ path: String) async throws {
      do {
        let database = try reading.context.application.parts.imports.openForeign(path)
        while case let rows = try database.next(), !rows.isEmpty {
          for row in rows {
            try add(reading.entry(row.content), ImportPlace(file: path, isRow: true, number: row.number))
          }
          try await reading.context.application.pause()
        }
      } catch let error as any StoreFailure {
        // What was read of it is kept.
        reading.fail(CommandFailure(.badInput, "file", "\(path) cannot be read: \(error)"))
      }
    }

    private func pause(_ lines: ImportLines) async throws {
      if lines.number % Int64(CommandLimits.linesAtOnce) == 0 { try await reading.context.application.pause() }
    }

    private func add(_ entry: ImportEntry, _ place: ImportPlace) throws {
      switch entry {
      case .message(let staged):
        guard !reading.unkept.contains(staged.message.conversation) else { return reading.row.leftOut += 1 }
        waiting.append(staged)
        count += 1
        reading.tellRead()
        if waiting.count >= CommandLimits.importedAtOnce { try flush() }
      case .room: reading.row.rooms += 1
      case .otherAccount: reading.row.otherAccounts += 1
      case .leftOut: reading.row.leftOut += 1
      case .malformed(let problem):
        reading.fail(CommandFailure(.badInput, "bad-input", "\(place): The message \(problem)."))
      }
    }
  }

  private func tellRead() {
    read += 1
    if read % CommandLimits.importedAtOnce == 0 { context.output.progress("Reading: \(read) messages") }
  }

  private func fail(_ failure: CommandFailure) {
    row.unreadable += 1
    guard row.unreadable <= CommandLimits.failuresAlike else { return unreported += 1 }
    // The last one is told by whoever runs the command.
    if let lastFailure { context.fail(lastFailure) }
    lastFailure = failure
  }

  private func entry(_ content: ForeignRow.Content) -> ImportEntry {
    switch content {
    case .room: return .room
    case .other: return .leftOut
    case .malformed(let text): return .malformed(ImportProblem(text))
    case .message(let message):
      do throws(ImportProblem) {
        return try entry(message)
      } catch {
        return .malformed(error)
      }
    }
  }

  private func entry(_ message: ForeignMessage) throws(ImportProblem) -> ImportEntry {
    let from = try address(message.from)
    let to = try address(message.to)
    let isOutgoing = from.bare == own
    guard isOutgoing || to.bare == own else { return .otherAccount }
    let imported = ImportedMessage(
      id: message.id, from: from, to: to, isOutgoing: isOutgoing, kind: message.kind, text: message.text,
      time: message.time, state: nil)
    return .message(StagedMessage(try imported.arrived(now: now)))
  }

  private func address(_ address: ForeignMessage.Address?) throws(ImportProblem) -> JID {
    guard let address else { return own }
    // Other programs may have kept it as somebody typed it.
    guard let jid = try? JID(received: address.bare).folded else { throw ImportProblem("has an address that is none") }
    // A resource that is none tells nobody anything.
    guard let resource = address.resource else { return jid }
    return (try? jid.with(resource: resource, isReceived: true)) ?? jid
  }
}
