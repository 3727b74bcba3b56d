// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The bounds of what this module holds, prints and waits for.
enum TerminalLimits {
  /// Vietnamese, Hebrew with accents and vocalised Arabic have fewer; a flood of marks would cover other lines.
  static let marksPerCluster = 8
  /// Where a TAB leads, as on every terminal.
  static let tabStop = 8
  /// No layout is made for fewer columns: on a narrower terminal lines may wrap.
  static let leastColumns = 20
  /// Where nobody says how wide the terminal is.
  static let usualColumns = 80
  /// Rows of one table that are held back to find its widths; later rows of it use the widths found.
  static let alignedRows = 256
  /// Bytes gathered before a write; a pipe's worth.
  static let writeBuffer = 64 << 10
  /// Bytes that wait for a reader before whoever can wait does: several pipes' worth, so that a reader that is merely slow always finds
  /// something to read.
  static let outputRoom = 256 << 10
  /// Bytes that may wait for a reader that takes nothing: what cannot be held back, as presence and what a server says. Beyond it
  /// output counts as failed.
  static let waitingOutput = 16 << 20
  /// A pipe that is ready for writing takes so much at once (PIPE_BUF).
  static let atomicWrite = 4096
  /// A terminal that is ready for writing takes so much at once.
  static let shortWrite = 256
  /// How long the program waits at its end for what stderr has not taken.
  static let errorsWait = Duration.seconds(30)
  /// Messages of an archive that are fetched without a word at the prompt.
  static let archiveTold = 1_000
  /// How long presence changes are gathered, to be told in one line: a log-in brings one for each friend.
  static let presenceWindow = Duration.milliseconds(400)
  /// That a message has come is told where it took longer: else whoever it is for is there.
  static let lateReceipt: Duration = .seconds(10)
  /// Who has just been told to have a message often reads it in a moment, and then that is the news.
  static let receiptWindow: Duration = .seconds(3)
  /// Who has read a message at once so long ago is taken for somebody who still looks.
  static let stillLooking: Duration = .seconds(600)
  /// People in a room of whom it is told at once that they have read a message.
  static let rememberedReaders = 50
  /// The same just after the connection came up.
  static let loginPresenceWindow = Duration.seconds(2)
  /// More changes of one kind than this are one line.
  static let presenceLines = 3
  /// The longest that requests of friendship are gathered: the time doubles as long as they come in numbers, so that a flood is
  /// a few lines however long it lasts. When there were none for so long it is over.
  static let requestsWindow = Duration.seconds(60)
  /// Addresses of which the output remembers something (presence shown, stranger told of): strangers can send from any.
  static let rememberedAddresses = 20_000
  /// Notes of the user to themselves that are known when they come back: that takes a moment.
  static let rememberedNotes = 1_000
  /// Rows of one text that are shown at the prompt: more than that drives all else off the screen. The rest is for `/show`.
  static let foldedRows = 50
  /// Of a text longer than this, in bytes, only the beginning is looked at before it is asked for.
  static let foldedHead = 64 << 10
  /// Bytes of folded texts that are kept for `/show`: some of the longest that a server passes on.
  static let foldedBytes = 8 << 20
  /// Bytes of a folded text that are printed in one go, lines kept whole.
  static let unfoldedPiece = 64 << 10
  /// Characters of a name (of a friend, a group, a nickname) in a line of an event, and in a cell of a terminal's table.
  static let nameLength = 100
  /// Columns of a name among those of conversations with unread messages.
  static let unreadNameColumns = 20
  /// Columns of a name in the terminal's title.
  static let titleNameColumns = 60
  /// Characters of what somebody says beside a message: a status, a reason, the words of a request.
  static let remarkLength = 500
  /// Characters of an earlier message that are looked at where another one is about it.
  static let quotedLength = 300
  /// Columns of an earlier message that another one is about: enough to know it again, and it is no second copy.
  static let quotedColumns = 40
  /// Suggested contacts that stand in the command which adds them: a screen's width or two; all are in the JSON.
  static let suggestedContacts = 10
  /// Lines of the words of a request.
  static let requestLines = 10
  /// Characters of a failure or a remark of the program, which may hold what a server said.
  static let failureLength = 2000
  /// Entries of the prompt's history.
  static let historyEntries = 1000
  /// A line longer than this is not kept in the history.
  static let historyEntryBytes = 16 << 10
  /// What is read of a history file: the end of it.
  static let historyFileBytes = 4 << 20
  /// A paste beyond this is cut: a stanza may hold 1 MB, and readline redraws all of the line at each key.
  static let pasteBytes = 256 << 10
  /// Bytes of typing handled in one turn of the loop.
  static let keysPerTurn = 4096
  /// How long the bytes of one character may come apart. A terminal sends them in one write, a network may part them.
  static let restOfCharacter = Duration.seconds(1)
  /// Milliseconds that the rest of a sequence of keys is waited for where readline asks for it.
  static let restOfSequence: Int32 = 100
  /// How long the terminal has to say where the cursor is, a part of a second: the loop stands still meanwhile.
  static let cursorReport = Duration.milliseconds(200)
  /// The same in milliseconds, for one wait.
  static let cursorReportWait: Int32 = 200
  /// For so long after the terminal was asked for its background ESC may begin its answer, and is held for as long as the rest of that
  /// needs; over the slowest connection it comes sooner, or somebody else has typed it.
  static let backgroundReport = Duration.seconds(2)
  static let restOfReport = Duration.milliseconds(50)
  /// How long nothing is printed before the prompt comes where it is spoken: answers of the program come sooner, and people hear them first.
  static let quietBeforePrompt = Duration.milliseconds(300)
  /// How often the program stops itself in the background before it takes the terminal all the same: each time somebody has to continue
  /// it, but where there is nobody who could, it does not stop.
  static let backgroundStops = 100
  /// A word longer than this is not offered as a completion: the longest address there may be (RFC 7622 3.1).
  static let completionBytes = 3071
  /// Completions that are listed; the rest is counted.
  static let listedCompletions = 120
  /// A line of a script or of stdin (CLI.md: a stanza may hold 1 MB).
  static let inputLineBytes = 1 << 20
  /// A line that is so much longer has no end: nobody looks for the line behind it.
  static let endlessLineBytes = 64 << 20
  /// Bytes read from stdin at once.
  static let inputChunk = 64 << 10
  /// A password; the kernel's line editing takes no more than 4096.
  static let secretBytes = 4096
}
