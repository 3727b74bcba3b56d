// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawSession

/// Contacts as JSON objects: JSON Lines, an array, or whatever has one object after the other. Keys that are not known are
/// passed over, so that what `friends list --json` prints can be read as well.
enum ContactObjects {
  static func entries(of document: [UInt8]) -> [ContactEntry] {
    var reader = JSONReader(document)
    var entries: [ContactEntry] = []
    var wasBroken = false
    while reader.skipToValue() {
      let line = reader.line
      do throws(ContactProblem) {
        entries.append(ContactEntry(line: line, record: .success(try record(try value(&reader)))))
      } catch {
        entries.append(ContactEntry(line: line, record: .failure(error)))
        if reader.isBroken {
          wasBroken = true
          reader.skipToNextObject()
        }
      }
    }
    // Where something could not be read before, it is told, and where arrays end is not known.
    if reader.isCutOff, !wasBroken {
      let problem = ContactProblem("that follows is missing: the list has no end, as in a file that was cut off")
      entries.append(ContactEntry(line: reader.line, record: .failure(problem)))
    }
    return entries
  }

  private static func value(_ reader: inout JSONReader) throws(ContactProblem) -> JSONValue {
    do throws(JSONProblem) {
      return try reader.value()
    } catch {
      throw ContactProblem(error.description)
    }
  }

  private static func record(_ value: JSONValue) throws(ContactProblem) -> ContactRecord {
    guard case .object(let members) = value else { throw ContactProblem("is not a JSON object") }
    func text(_ key: String) throws(ContactProblem) -> String? {
      switch members[key] {
      case nil, .null?: return nil
      case .string(let text)?: return text
      default: throw ContactProblem("has a '\(key)' that is not text")
      }
    }
    var groups: [String] = []
    switch members["groups"] {
    case nil, .null?: break
    case .array(let list)?:
      for element in list {
        guard case .string(let group) = element else { throw ContactProblem("has a group that is not text") }
        groups.append(group)
      }
    default: throw ContactProblem("has 'groups' that are not a list of texts")
    }
    return try ContactRecord(
      address: try text("jid"), name: try text("name"), groups: groups, subscription: try text("subscription"),
      ask: members["ask"] == .bool(true))
  }
}
