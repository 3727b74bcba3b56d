// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawSession

/// What the application is made of; put together by the composition root, and by tests in their own way.
@Client package struct ApplicationParts {
  package var loop: EventLoop
  /// The commands that there are.
  package var table: CommandTable
  /// Measures every wait: the loop, but in tests.
  package var clock: any LoopClock
  /// The time of day.
  package var calendar: @Client () -> Timestamp
  package var output: any Output
  /// Asks for secrets on the terminal; nil where there is none.
  package var secrets: (any SecretAsking)?
  package var standardInput: any LineSource
  package var isStandardInputTerminal: Bool
  /// Opens a script: its path as it was typed, and as this process has to name it. Throws ``CommandFailure`` with code 65 when it
  /// cannot be read.
  package var openScript: @Client (String, String) throws(CommandFailure) -> any LineSource
  /// Makes a session that has not been started.
  package var makeSession: @Client (SessionConfiguration) -> Session
  /// Makes a prompt that has not been started. Throws when there is no terminal for it.
  package var makePrompt: @Client (any PromptDelegate) throws -> any PromptControl
  /// An event of an account as a line of JSON, its newline included.
  package var jsonLine: @Client (any ClientEvent, JID) -> [UInt8]
  /// Forgets what is remembered of an account's log-ins.
  package var openLogins: @Client (JID) -> any LoginMemoryStore
  /// What is kept of an account's messages, without a session.
  package var openMessages: @Client (JID) -> any MessageStore
  /// Everything that was said on an account, without a session.
  package var openLog: @Client (JID) -> any MessageLog
  /// What is kept of an account's contact list, without a session.
  package var openRoster: @Client (JID) -> any RosterStore
  /// The rooms of an account, without a session.
  package var openRooms: @Client (JID) -> any RoomStore
  /// What brings in the history of other programs.
  package var imports: ImportParts
  /// What is kept of an account, as a whole.
  package var storedData: StoredData
  /// What lets other processes' commands go through this one; nil: nothing.
  package var agent: AgentParts?

  package init(
    loop: EventLoop, table: CommandTable = .standard, clock: any LoopClock,
    calendar: @escaping @Client () -> Timestamp, output: any Output,
    secrets: (any SecretAsking)?,
    standardInput: any LineSource,
    isStandardInputTerminal: Bool,
    openScript: @escaping @Client (String, String) throws(CommandFailure) -> any LineSource,
    makeSession: @escaping @Client (SessionConfiguration) -> Session,
    makePrompt: @escaping @Client (any PromptDelegate) throws -> any PromptControl,
    jsonLine: @escaping @Client (any ClientEvent, JID) -> [UInt8],
    openLogins: @escaping @Client (JID) -> any LoginMemoryStore,
    openMessages: @escaping @Client (JID) -> any MessageStore,
    openLog: @escaping @Client (JID) -> any MessageLog,
    openRoster: @escaping @Client (JID) -> any RosterStore, openRooms: @escaping @Client (JID) -> any RoomStore,
    imports: ImportParts, storedData: StoredData, agent: AgentParts? = nil
  ) {
    self.loop = loop
    self.table = table
    self.clock = clock
    self.calendar = calendar
    self.output = output
    self.secrets = secrets
    self.standardInput = standardInput
    self.isStandardInputTerminal = isStandardInputTerminal
    self.openScript = openScript
    self.makeSession = makeSession
    self.makePrompt = makePrompt
    self.jsonLine = jsonLine
    self.openLogins = openLogins
    self.openMessages = openMessages
    self.openLog = openLog
    self.openRoster = openRoster
    self.openRooms = openRooms
    self.imports = imports
    self.storedData = storedData
    self.agent = agent
  }
}

/// What brings in the history of other programs.
@Client package struct ImportParts {
  /// An account's log before its beginning, without a session.
  package var openEarlier: @Client (JID) -> any EarlierMessages
  /// Another program's database. Throws what says why it cannot be read.
  package var openForeign: @Client (String) throws -> any ForeignHistory
  /// A place where messages are put in order.
  package var makeStage: @Client () throws -> any MessageStage

  package init(
    openEarlier: @escaping @Client (JID) -> any EarlierMessages,
    openForeign: @escaping @Client (String) throws -> any ForeignHistory,
    makeStage: @escaping @Client () throws -> any MessageStage
  ) {
    self.openEarlier = openEarlier
    self.openForeign = openForeign
    self.makeStage = makeStage
  }
}
