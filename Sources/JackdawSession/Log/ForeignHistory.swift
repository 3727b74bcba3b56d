// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol

/// What another program kept in a SQLite database of its own, read row by row and never written to.
@Client package protocol ForeignHistory: AnyObject {
  /// Whose database it is.
  var program: ForeignProgram { get }
  /// The next rows, in the order in which they were written; none: that was all.
  func next() throws -> [ForeignRow]
}

/// Programs whose databases are read.
package enum ForeignProgram: Sendable, Equatable {
  /// `chatlog.db`, since 0.10.
  case profanity
  /// `logs.db`, in either of the two schemas that it had.
  case gajim
}

/// A row of another program's database.
package struct ForeignRow: Sendable, Equatable {
  /// What it holds.
  package enum Content: Sendable, Equatable {
    case message(ForeignMessage)
    /// It was said in a room, or by somebody in one.
    case room
    /// A status, an error, a file, a call: nothing that was said.
    case other
    /// What is wrong with it, to follow its place in a sentence.
    case malformed(String)
  }

  /// As the database numbers it.
  package var number: Int64
  package var content: Content

  package init(number: Int64, content: Content) {
    self.number = number
    self.content = content
  }
}

/// A message of another program's database, with addresses and texts as they stand there.
package struct ForeignMessage: Sendable, Equatable {
  /// An address in two parts.
  package struct Address: Sendable, Equatable {
    /// As the database has it: some programs put the resource there too.
    package var bare: String
    package var resource: String?

    package init(_ bare: String, resource: String? = nil) {
      self.bare = bare
      self.resource = resource
    }
  }

  /// nil: the user, whose address the database does not have.
  package var from: Address?
  /// nil: the user, whose address the database does not have.
  package var to: Address?
  package var kind: Message.Kind
  /// Its attribute id.
  package var id: String?
  package var text: String
  package var time: Timestamp

  package init(from: Address?, to: Address?, kind: Message.Kind, id: String?, text: String, time: Timestamp) {
    self.from = from
    self.to = to
    self.kind = kind
    self.id = id
    self.text = text
    self.time = time
  }
}

extension Timestamp {
  /// A moment as GLib writes it: XEP-0082's form, or with a zone of hours alone (`+01`).
  package init?(iso8601 text: String) {
    let sign = text.utf8.suffix(3).first
    let hasHoursAlone = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    self.init(hasHoursAlone ? text + ":00" : text)
  }
}
