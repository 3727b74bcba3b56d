// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much, how long, how often: every bound of this module, with its reason.
package enum SessionLimits {
  /// Nothing that is read as JSON is nested deeper; a file of brackets is not to use up the stack.
  static let jsonDepth = 32
  /// A try to connect that is due in so long is waited for by a command at the prompt; for one that is further away nobody who has
  /// typed something waits.
  static let soon: Duration = .seconds(2)
  /// After `</stream:stream>` a server that works answers at once; a person who quits does not wait longer than this.
  package static let closingPatience: Duration = .seconds(2)
  /// Before it, where stanzas are not counted, an answer is waited for that says what the server has: one round trip.
  static let lastAnswerPatience: Duration = .seconds(1)
  /// A server that has asked for an upgrade of a log-in (XEP-0480) is waited for so long: an upgrade takes two round trips and one
  /// derivation, and a log-in without it has to fit into what is left of a log-in's time.
  static let upgradePatience: Duration = .seconds(10)
  /// So long a server that has taken a connection may say nothing before another of its addresses is tried, and no longer than this
  /// part of a log-in's time: a machine in front of it may take what nobody behind it answers.
  static let firstWordPatience: Duration = .seconds(5)
  static let firstWordShare = 3
  /// How long the questions of a log-in are waited for before we are shown without their answers, which may still come; half of a log-in's
  /// time at most, as a server that leaves one open for good is still one to talk through.
  static let loginPatience: Duration = .seconds(10)
  /// The same for the contact list, and two thirds of a log-in's time: a long one takes longer over a slow line.
  static let rosterPatience: Duration = .seconds(20)
  /// Requests that run side by side at log-in, or for a command with several addresses: more would be queued by the
  /// server anyway.
  package static let requestsAtLogin = 16
  /// Bytes that wait for a server that does not read. More than a script sends in one go; beyond it sending fails, and
  /// requests of others stay unanswered.
  package static let pendingOutput = 33_554_432

  /// Stanzas that a server may have taken without acknowledging them. Far more than any server lets pass before it answers;
  /// beyond it sending fails, so that the memory stays bounded.
  package static let unacknowledged = 50_000
  /// Of these, what answers to others' requests may take, and what answers to strangers may: the rest is for what we say ourselves.
  static let unacknowledgedAnswers = 40_000
  static let unacknowledgedStrangerAnswers = 10_000
  /// Bytes of waiting output over which strangers get no answer, and others none: what we say ourselves has room behind them.
  static let pendingAnswers = 16_777_216
  static let pendingStrangerAnswers = 4_194_304
  /// Stanzas of any kind after which the server is asked for an acknowledgement, so that what waits for one stays bounded.
  static let stanzasPerQuestion = 100
  /// Bytes of messages after which it is asked, too: a hundred long ones take a slow line longer than `--timeout`.
  static let bytesPerQuestion = 65_536

  /// Stanzas that are sent before the server has said that it counts them. What is more waits for a round trip, so that a slow server can be
  /// asked for its progress among them.
  static let sentUncounted = 200
  /// How often it is looked whether messages have been written that somebody waits for: no command is felt to take longer by that.
  static let writingPause: Duration = .milliseconds(50)
  /// A server may keep no more than so many stanzas until they are acknowledged, and end the stream over more: ejabberd over
  /// 5,000, which it says in one go where thousands have asked to be friends. Where a connection ends after so many that came
  /// without a word of ours between, that is taken to be the cause. Servers ask after fewer.
  static let floodOfStanzas = 500
  /// So long a cut stream counts as resumable where the server does not say: what most servers are set to.
  package static let resumptionTime: Duration = .seconds(600)

  /// So long after a log-in a server may still bind the resource to an earlier connection of ours that is dead: longer than a busy
  /// one takes, and about as long as it takes to find the connection dead.
  static let staleBind: Duration = .seconds(60)

  /// How long an archive that refuses is left alone before it is asked again, each time: a server that stops is gone by then, on a
  /// busy machine too.
  static let archivePauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]

  /// So old what is kept of a stream may be before it is kept again, as the server counts its patience from the cut: a
  /// fraction of that.
  static let streamRefresh: Duration = .seconds(20)

  /// Lists of groups that the entries of a contact list share while it is read: more than anybody has by hand.
  static let sharedGroups = 1_000

  /// Friends' requests that are held and stored at once: a flood from made-up addresses must fill neither the memory nor
  /// the disk. Beyond it the newest are not taken in: the server tells them again once others are answered.
  package static let pendingFriendRequests = 10_000
  /// Bytes that are kept of what somebody writes with a request: more than anybody reads in a list, and 5 MB for all
  /// requests that are held.
  package static let requestText = 512
  /// Bytes that are kept of the name that somebody who asks gives themselves, or that is on their vCard.
  package static let requesterName = 128
  /// vCards of those who ask that are asked for side by side: they are never urgent, and each may carry a picture.
  package static let requesterCards = 3
  /// vCards of those who ask that are asked for on one stream. A flood of requests gets no flood of questions: the rest stays without
  /// a card until the next stream.
  package static let requesterCardsOfStream = 500
  /// How long a vCard of somebody who asks may take: no longer than people look at a request without one.
  package static let requesterCardPatience: Duration = .seconds(10)
  /// How often the name and groups of an entry are set at most, where other log-ins set them at the same moment.
  static let changesOfEntry = 3
  /// How long a server that has answered what came after an acceptance may still take to show it in the roster. One that works
  /// shows it before; after it the request counts as withdrawn.
  package static let acceptancePatience: Duration = .seconds(2)
  /// How long the answer to our own request is waited for when theirs is accepted: clients that are online answer at once, and a
  /// person waits no longer for a command.
  package static let answerPatience: Duration = .seconds(1)
  /// How far apart the two parts may come of which the end of a friendship is told to us: the other side's stanza and the roster
  /// push. Servers send both at once.
  package static let endingPatience: Duration = .seconds(2)
  /// So long somebody who withdrew a request and asks again is no news: whoever does both in turn is told of once.
  package static let repeatedRequestSilence: Duration = .seconds(3_600)
  /// Withdrawn requests that are remembered, to say so to somebody who accepts one.
  package static let withdrawnRequests = 1_000

  /// How long a domain may take to say whether it is one of rooms before somebody there is added without its answer.
  package static let roomCheckPatience: Duration = .seconds(3)

  /// Resources of one contact whose presence is kept. Servers allow some ten sessions an account; more is a flood.
  package static let resourcesPerContact = 64
  /// Resources of all contacts whose presence is kept: the largest roster that Jackdaw is built for, each with two.
  package static let resources = 100_000
  /// Resources of all others whose presence is kept: nobody asked for it, and nobody is shown it unasked.
  package static let strangersResources = 1_000
  /// People we wrote to whose presence has a room of its own, where they are no contacts: more than anybody writes to in a session.
  package static let correspondents = 10_000
  /// How long it holds what the user said somebody may be told: a command elsewhere may change it.
  static let disclosuresKnown: Duration = .seconds(1)
  /// So long after we became available, or the stream went on, or something of that came, a server may still bring what it kept for
  /// us: what comes later has just been said, whatever it says of itself.
  static let storedMessagesPatience: Duration = .seconds(60)
  /// All that a server kept has come by then: 100 MB over a slow line.
  static let storedMessagesTime: Duration = .seconds(600)
  /// Contacts of whom it is remembered when they went, or that they are away: one time each, for the largest roster that Jackdaw is built for.
  package static let departures = 50_000
  /// Characters that are kept of a resource's status: more than a list shows.
  package static let statusText = 1_024

  /// Messages of ours that the server has, and whose bounce is still recognised. An error comes back within minutes, if
  /// at all.
  package static let rememberedMessages = 10_000
  /// Messages of ours that the log does not have yet and about which reports are kept: more than another device sends while the archive is
  /// read. Anybody may make up reports: they must not fill the memory.
  static let earlyReports = 2_000
  /// How long these are kept, and at most twice as long: a stream that is resumed brings the message in that time. Some programs give an id
  /// to another message later.
  static let earlyReportAge: Duration = .seconds(600)
  /// Messages of ours that may be open before whoever reads them from a file or a pipe has to wait: some megabytes.
  package static let openMessages = 10_000
  /// Messages that may stand before a request of a script, or before those of a log-in: a server that slows its clients down, to some kilobytes a second, has dealt with them
  /// before the request's time is over.
  static let messagesBeforeRequest = 100
  /// Messages of ours that keep their place in the order though they are settled, as one before them waits: to take them out costs as
  /// much as to look at each once.
  static let settledAmongOpen = 256
  /// Messages that are written before the store is told of the next ones: as many as one transaction is good for.
  static let messagesWrittenAtOnce = 1_000
  /// How long after the archive was read it is read once more: a server of several machines has told all of them by then.
  static let secondLook: Duration = .seconds(2)
  /// By how much what the archive got may be overtaken by what it got later, on its way into it or to us.
  package static let overtakingMilliseconds: Int64 = 10_000
  /// After so long an archive that could not be read is tried once more, then after twice as long each time, up to about an hour.
  static let archiveRetry: Duration = .seconds(60)
  static let archiveRetryDoublings = 6
  /// How long a server may take from putting a message into the archive to keeping it for those who are away.
  static let storingMilliseconds: Int64 = 200
  /// Addresses of servers at which log-ins failed and that are remembered: a domain has fewer, but may name others each time.
  static let failedPlaces = 64
  /// Messages of the archive that are looked at to find out what became of ours that an earlier run left: more than a busy day has.
  static let messagesLookedAt = 10_000
  /// How long a single command looks for what earlier ones left uncertain before it sends that again, with the same id.
  static let lookPatience: Duration = .seconds(5)
  /// Messages that wait for their place and are remembered for a log that turns out to be damaged: some megabytes.
  static let postponedRemembered = 10_000
  /// Messages that another program of the account logged, and that are remembered as told: what comes twice comes within seconds.
  static let toldOfOthers = 10_000
  /// Messages of the archive that are told together, behind their number: less than a megabyte of ordinary ones.
  static let toldTogether = 1_000
  /// How long they wait for more of them.
  static let toldWithin: Duration = .seconds(1)
  /// How long a stage may take with a message that came before the message goes on as it is.
  static let stagePatience: Duration = .seconds(30)
  /// Messages that wait behind it before that: some megabytes.
  static let messagesBehindStage = 1_000
  /// Messages that waited for their place and are placed in one transaction: some hundred kilobytes.
  static let messagesPlacedAtOnce = 1_000
  /// Messages that came without a pause and are enough for one transaction, and how many turns of the loop may bring them:
  /// some megabytes where they are long, taken in within some dozens of milliseconds. With half as many a quarter more pages
  /// are written, as random ids change nearly every page of their index in each transaction.
  static let messagesLoggedAtOnce = 2_000
  /// The same where a person types: a key waits for no longer than one read of the socket takes.
  static let messagesLoggedBetweenKeys = 16
  static let turnsLoggedAtOnce = 32
  /// How long a log that another program has locked is waited for before a message is told that is not in it: longer than any
  /// Jackdaw holds it, and shorter than servers wait for an acknowledgement.
  static let logPatience: Duration = .seconds(10)
  /// How often it is tried meanwhile.
  static let logPause: Duration = .seconds(1)
  /// Between two pages of an archive that is read backwards: the log is written meanwhile, and others have their turn.
  static let archiveRest: Duration = .milliseconds(20)
  /// Messages of an archive that are read without a word; each time it is twice as many until the next word.
  static let archiveTold = 1_000
  /// So long after the last message what came is made findable.
  static let logRest: Duration = .seconds(2)
  /// So long after the first message it is done, however many come.
  static let logRestAtMost: Duration = .seconds(60)
  /// Between two pieces of that work, each of a few milliseconds.
  static let logIndexPause: Duration = .milliseconds(20)
  /// Messages that were presented, and are remembered while the log is locked: some megabytes.
  static let presentedUnnoted = 100_000
  /// Requests that are remembered as standing behind messages whose fate is open, where nobody counts stanzas. More than are ever
  /// under way at once; any one of them settles all the messages before it.
  static let questionsBehindMessages = 100
  /// Streams that XML which is wrong may end before it is got past.
  static let faultyStreams = 2
  /// Lines that tell of stanzas that were left out: whoever sends more of them is not to fill the screen.
  static let leftOutTold = 20
  /// Characters of the reason in such a line.
  static let leftOutReason = 200
  /// So often a server may end the stream over the first message that is open before that one is given up.
  static let refusedStreams = 2
  /// So often a room may not take a message as from somebody who is not in it before that one is given up.
  static let rejections = 3
  /// So long after a message the server is asked whether it has it, when nobody asked before.
  package static let confirmationDelay: Duration = .seconds(1)
}
