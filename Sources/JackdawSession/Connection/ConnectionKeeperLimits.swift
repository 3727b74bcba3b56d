// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The numbers of the connection keeper, each with its reason.
package enum ConnectionKeeperLimits {
  /// The first wait before a new try; each further one is twice the one before.
  package static let firstWait = Duration.seconds(2)

  /// No wait is longer: whoever comes back finds themselves online again about a minute later at worst.
  package static let longestWait = Duration.seconds(64)

  /// The second wait where no server proved to be there, and each further one is twice the one before: a portal that answers in
  /// the server's place is there until somebody has dealt with it.
  package static let firstLongWait = Duration.seconds(32)

  /// No such wait is longer.
  package static let longestLongWait = Duration.seconds(300)

  /// A wait is shortened by up to a quarter at random, so that the clients of a restarted server do not come all at once.
  package static let waitShortening = 4

  /// A connection that lasted this long was a good one: the waits, and the hops of redirection, begin anew.
  package static let stableAfter = Duration.seconds(60)

  /// How many redirections (RFC 6120 4.9.3.19) are followed before a connection must prove stable: two servers that
  /// point at each other would keep us running.
  package static let longestRedirection = 3

  /// After so long without anything from the server it is asked for a sign of life.
  package static let silence = Duration.seconds(60)

  /// The same while the user is away, to spare batteries. With ``answerTime`` a dead connection is still found out
  /// within 150 s.
  package static let silenceWhenInactive = Duration.seconds(120)

  /// So long the server may take to give a sign of life.
  package static let answerTime = Duration.seconds(15)

  /// A server that has taken a stream up again may be silent so long before it shows that it hears us on it, or longer where
  /// the log-in took longer, up to ``answerTime``. Taking a slow one for a deaf one costs a log-in, and nothing else.
  package static let shortestProof = Duration.seconds(2)

  /// So long such a server may take though it is not silent: what waited for us comes before its answer.
  package static let longestProof = Duration.seconds(60)

  /// An answer is listened for so long. Whether it is too late is decided by the times above: on a slow line that brings
  /// something all the time it may be in time after minutes.
  package static let answerPatience = Duration.seconds(600)

  /// From the start of a try to a stream that is ready for stanzas. The steps of a log-in have deadlines of their own;
  /// this holds should all of them fail.
  package static let attemptTime = Duration.seconds(60)

  /// As ``attemptTime``, where a log-in may take longer: one that resumes a stream may need two.
  /// - Parameter timeout: for one log-in, `--timeout`.
  static func attemptTime(for timeout: Duration) -> Duration { max(attemptTime, timeout * 2) }

  /// Whoever waits for a connection while a person is asked waits so much longer, and at least this long before looking again.
  package static let shortestExtension = Duration.seconds(1)

  /// A deadline that is noticed so much too late says nothing of the server: it was us who did not run.
  package static let lateness = Duration.seconds(5)

  /// Without a key for so long the user counts as away.
  package static let idleness = Duration.seconds(600)

  /// A question that was asked so short a time ago is not repeated.
  package static let probePause = Duration.seconds(1)

  /// Two clocks that were read together must have moved this far apart before it is taken for a sleep.
  package static let clockTolerance = Duration.seconds(2)
}
