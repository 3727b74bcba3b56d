// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much, how long: every bound of this module, with its reason.
enum CommandLimits {
  /// For so long a command, or the log-in of a first start, may wait without a word: then something is in sight.
  static let silence: Duration = .seconds(1)
  /// For so long a client that has said what it can do is waited for with what it has not named: many answer that all the same, and some
  /// (Profanity 0.13) say nothing at all.
  static let unnamedFeature: Duration = .seconds(2)
  /// How far back a message can be named by its number: further, nobody counts.
  static let countedBack = 500
  /// Messages that `/ids` lists: a screen's worth of what was said last.
  static let idsListed = 15
  /// Characters of a message in that list.
  static let idsText = 60
  /// Of the last message in the list of conversations, and of one in the outbox: two rows, and not screens of it.
  static let listedText = 120
  /// Lines and characters of a message that a reply repeats: enough to know it again.
  static let quotedLines = 3
  static let quotedText = 300
  /// Milliseconds for which a message can be corrected: as long as others take a correction for one.
  static let correctable: Int64 = 86_400_000
  /// Characters of a typed line that stand for its command in a sentence.
  static let lineLabel = 60
  /// A configuration is written by hand; a longer file is the wrong file.
  static let configurationBytes = 1 << 20
  /// For so long another process may change the configuration, which takes milliseconds.
  static let fileLock: Duration = .seconds(5)
  /// A script's files within files: whoever needs more has made a circle by other names.
  static let includeDepth = 16
  /// Lines of a script that are there and wait for nothing, until the loop has its turn: what comes from the server, and a Ctrl-C. One takes
  /// less than a tenth of a millisecond, and messages that go out in one turn are kept together: with 16 a message takes half as long again.
  static let linesBetweenTurns = 1_000
  /// Bytes that variables may bring into a line of a script, which itself may be as long.
  static let expandedBytes = 1 << 20
  /// Events since a message that are kept for a later `/wait`, the last ones, and bytes of their texts: what a crowded room says within
  /// seconds. Between a question and the wait for its answer lies the round trip of a line or two.
  static let recentEvents = 500
  static let recentBytes = 1 << 20
  /// Whom a run wrote to of whom it is known since when they may have answered: nobody waits for each of more.
  static let recentRecipients = 1_000
  /// How often it is looked whether somebody's presence is known by now: that a server knows them to be away is no event.
  static let presencePause: Duration = .milliseconds(100)
  /// Who has typed a new password differently, or a wrong one, so often had better look for a keyboard that works.
  static let passwordTries = 3
  /// Of what a server says to whoever wants an account: paragraphs, choices of a question, and characters of each of them. Nobody reads
  /// more before a question.
  static let registrationParagraphs = 4
  static let registrationChoices = 40
  static let registrationWords = 300
  /// A session that is let go of needs some turns of the loop to be gone, and its lock with it.
  static let turnsToLetGo = 100
  /// The screen of a first start waits no longer for the server to tell who is online.
  static let welcomePatience: Duration = .seconds(2)
  /// Friends that it names, and characters of a name: it is to fit a small terminal.
  static let welcomeNames = 5
  static let welcomeName = 30
  /// The first line of a password file; longer is the wrong file.
  static let passwordBytes = 1 << 16
  /// `--timeout`: more than a day is a mistake in the unit.
  static let longestTimeout: Double = 86_400
  /// `--for`, `/sleep`: more than thirty years is no wait.
  static let longestWait: Double = 1e9
  /// Failures of one command for the same reason that are told one by one.
  static let failuresAlike = 10
  /// The user is called no more often; what happens between is one call for each person.
  static let notificationPause: Duration = .seconds(3)
  /// Calls that are gathered, and programs that wait to be started for them: a flood of strangers is no more than this.
  static let notificationsGathered = 16
  /// How long the program of a call may take.
  static let notificationProgram: Duration = .seconds(30)
  /// Who pressed a key so shortly before looks at the conversation that is open.
  static let lookingOn: Duration = .seconds(30)
  /// How long after a log-in the server tells who is there.
  static let loginPresences: Duration = .seconds(10)
  /// A friend whose connection comes and goes is called for no more often.
  static let sameFriendOnline: Duration = .seconds(600)
  /// Messages of a conversation that tell whether it is one with a room.
  static let lookedAtForRoom = 20
  /// `idle_after`: a longer time is a mistake in the unit.
  static let longestIdle: Duration = .seconds(86_400)
  /// A step that runs into its own time limit knows better what was missing than the command around it, so each outer limit is
  /// this much longer.
  static let lastWord: Duration = .milliseconds(200)
  /// How often a log that another program has locked is tried before what is in it is presented.
  static let logPause: Duration = .seconds(1)
  /// Leaving the server takes no longer, whatever it does: a second is for its word on the last message, two are for its answer to the
  /// end of the stream, the rest is for closing.
  static let farewell: Duration = .seconds(5)
  /// So much longer it may take where another program has the database locked: what is not noted in it would be sent or shown again.
  static let lastNotes: Duration = .seconds(6)
  /// The same when the terminal is gone or the system goes down: the whole process is to be gone within two seconds.
  static let hurriedFarewell: Duration = .milliseconds(700)
  /// How long a script that was asked to end looks whether another line stands there: one in a file, or the end of a pipe, is seen at once.
  static let lastLine: Duration = .milliseconds(500)
  /// How long a `password_command` may take, unless `--timeout` is longer: a person may have to type a passphrase or to find the
  /// key that is to be touched.
  static let passwordCommand: Duration = .seconds(60)
  /// How long the program of `listen --exec` may take for one message, unless `--timeout` is longer: one that hangs must not keep
  /// the messages behind it for ever.
  static let programRun: Duration = .seconds(60)
  /// What was typed before leaving the prompt may take this long to be sent and confirmed; so may what an earlier command left.
  static let lastMessages: Duration = .seconds(5)
  /// The same for the program that `listen` runs and those that wait for it, once `listen` has been told to end.
  static let lastPrograms: Duration = .seconds(5)
  /// Messages that may wait for the program of `listen`, of most of which only the place in the log is held: some megabytes. Those
  /// behind them are not read yet.
  static let waitingMessages = 50_000
  /// Bytes of text of them that are held in memory: four of the longest messages that servers pass on, or thousands of usual ones.
  static let waitingBytes = 1 << 20
  /// The same of one sender, or of all strangers together.
  static let waitingBytesOfOne = 256 << 10
  /// A message that was sent so long before it is handed over is not answered: whoever wrote it has stopped waiting.
  static let answeredMilliseconds: Int64 = 300_000
  /// What a program may print as its answer to a message (`listen --reply`); few servers take one that long.
  static let answerBytes = 1 << 20
  /// More answers to one address in ``brakeWindow`` than a person can ask for: there is another program.
  static let brakeAnswers = 20
  static let brakeWindow: Duration = .seconds(10)
  /// Whoever was silent for so long is answered again.
  static let brakeRest: Duration = .seconds(60)
  /// Addresses of which it is known when they were answered.
  static let brakeSenders = 1_000
  /// Messages that are read from the log and presented in one go.
  static let messagesPresentedAtOnce = 500
  /// `--match` looks at so much of a text: no line that a script waits for is longer, and the rest would be work for nothing.
  static let searchedBytes = 64 << 10
  /// A file of contacts: 50,000 of them with long names and some groups take a quarter of it.
  static let contactFileBytes = 32 << 20
  /// Bytes of a text that is imported: no stanza that arrives has more.
  static let importedTextBytes = 1 << 20
  /// Bytes of a message's id that is imported; a longer one was made by nobody who wants to be understood.
  static let importedIDBytes = 1_024
  /// How far ahead the clock of the machine may have been, in milliseconds, that something is imported from: a wrong zone.
  static let importedAhead: Int64 = 86_400_000
  /// Bytes of a line that is imported: the longest text, each character of it escaped.
  static let importedLineBytes = 8 << 20
  /// Messages that are imported in one go: some milliseconds.
  static let importedAtOnce = 500
  /// Lines of a file that are read in one go.
  static let linesAtOnce = 1_000
  /// Folders within folders that are looked into for logs: twice what any program makes.
  static let importedDepth = 8
  /// How often what is imported is tried to be kept while another program has the log locked, with ``logPause`` between.
  static let importTries = 20
  /// A command that writes to the log in one transaction after the other leaves it to other programs after so long: each waits
  /// for 250 ms, and one transaction more is to fit in.
  static let logHeld: Duration = .milliseconds(150)
  /// And for so long: whoever waits looks at least as often.
  static let logLeft: Duration = .milliseconds(50)
  /// Stanzas that are written by hand or by a script and sent in one go; each is bounded by what the decoder takes.
  static let stanzaBytes = 8 << 20

  /// Conversations of which the prompt knows how they stand, the most recent ones.
  static let conversationsKnown = 1_000
  /// Conversations that '/chats' lists.
  static let conversationsListed = 30
  /// Conversations with unread messages that the prompt names at most.
  static let unreadNamed = 8
  /// Keys for conversations: those of the digits.
  static let conversationNumbers = 9
  /// Messages at the log's end among which '/r' looks for one that somebody else wrote.
  static let lastWriterSought = 500
  /// How long messages arrive before it is looked up again how many are unread: a flood of them is a few looks.
  static let activityPause: Duration = .milliseconds(50)
  /// Conversations that are looked up one by one; where there are more, all are.
  static let activityLookUps = 50

  /// Rooms that 'rooms find' shows at most; nobody reads more, and each is asked what it is.
  static let roomsFound = 500
  /// Messages at the log's end among which an invitation is looked for.
  static let invitationsSought = 500
  /// Occupants whose nicks Tab offers: in a larger room whoever types has to type more.
  static let nicksOffered = 2_000

  /// Messages that 'history' shows where nobody says how many.
  static let historyLength = 50
  /// Lines of a conversation that the prompt shows when it is opened.
  static let conversationLines = 10
  /// The same where nobody has read them: whoever wants more goes back.
  static let unreadLines = 100
  /// Pieces of the work that leaves no trace of removed messages, at the end of a run: the next one goes on.
  static let purgesAtEnd = 50
  /// Messages that `/search` shows.
  static let searchLines = 20
  /// Messages that `/back` shows more.
  static let backLines = 20
  /// More messages than these are not made findable without a word: it takes longer than a second.
  static let indexedSilently = 20_000
  /// Messages that are shown as one group where what stands around one that is found touches the next.
  static let groupLength = 1_000
  /// Places in one text that are marked where a regular expression matches.
  static let placesMarked = 100
  /// Lines of what is known of one address where not all is asked for: most take two rows of 40 columns, and a screen of 24 rows has
  /// room for the command and the prompt too.
  static let infoLines = 10

  // MARK: The agent

  /// Bytes of a socket's name: with its folder it is to fit an address, which holds 108.
  static let agentName = 80
  /// Sockets of a folder that are looked at: one a running account.
  static let agentSockets = 64
  /// Bytes of a line that a client of the agent says: a command line with its environment, or a piece of its input.
  static let agentLine = 1 << 20
  /// Bytes that may wait for a client which does not read. Commands that can wait produce no more than ``agentRoom``.
  static let agentQueue = 4 << 20
  /// How often a log that another program has locked is tried by a client of an agent that was killed.
  static let agentNoteTries = 10
  /// Messages that a client of the agent remembers to be presented: more than stand in ``agentRoom``, as those before that are noted.
  static let agentPresented = 32_768
  /// Bytes of a command's output that its client has not written yet, from which on the command waits.
  static let agentRoom = 256 << 10
  /// A command that was interrupted waits so long for its client to have written what it was sent.
  static let agentConfirmation: Duration = .seconds(2)
  /// Bytes of output that are gathered before they are sent in one turn of the loop.
  static let agentPiece = 16 << 10
  /// Bytes of results that are collected for one answer.
  static let agentAnswer = 1 << 20
  /// For so long nobody is let in where the system has no descriptor for them.
  static let agentPause: Duration = .seconds(1)
  /// Connections at once. Who comes then takes the place of one that has asked for nothing.
  static let agentClients = 128
  /// Commands that a connection runs at once.
  static let agentRuns = 32
  /// Bytes of input that a client has sent without being asked.
  static let agentInput = 1 << 20
  /// For so long the agent waits for others' commands when it ends.
  static let agentFarewell: Duration = .seconds(5)
  /// Whoever does not say within this time that it has begun is looked at more closely.
  static let agentPatience: Duration = .seconds(1)
  /// A client that sees no sign of life for so long asks for one, or for half its timeout, where that is shorter.
  static let agentSilence: Duration = .seconds(5)
  /// However short that is: an agent needs time to answer.
  static let agentReaction: Duration = .milliseconds(250)
  /// An agent gives back memory so long after its last client: not between the commands of a script.
  static let agentRest: Duration = .seconds(10)
  /// An agent that was started by a command ends after so long without one.
  static let agentIdle: Duration = .seconds(600)
  /// For so long what goes on behind an agent that has ended leaves the agent's place to the next one: a service is started anew, after a
  /// pause, and has to log in.
  static let agentSuccession: Duration = .seconds(60)
}
