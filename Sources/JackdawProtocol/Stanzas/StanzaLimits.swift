// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// How much of what a peer may put into a stanza is taken in. The size of a whole stanza is limited by the decoder.
package enum StanzaLimits {
  /// Bytes of a timestamp: the 20 that it needs, and more digits of a fraction or a zone than anyone writes.
  package static let timestampBytes = 64
  /// Fields of a data form, of its header or of one of its items: registration and room forms have some dozens.
  package static let formFields = 500
  /// Items of a data form: a search that finds more is not read by people.
  package static let formItems = 2_000
  /// Values and options of a data form, all told: lists of countries and time zones have some hundreds.
  package static let formValues = 20_000
  /// Bytes of a message's id, of whoever gave it, and of that of an earlier one that another is about: clients make some dozens. A longer
  /// one is none: nobody could name the message by it.
  package static let relatedIDBytes = 1_024
  /// Languages of one text: those of the largest institutions.
  package static let languages = 24
  /// Reactions of one person to one message.
  package static let reactions = 20
  /// Bytes of a reaction: the longest emoji have 35.
  package static let reactionBytes = 64
}
