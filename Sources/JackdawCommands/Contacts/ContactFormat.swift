// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawProtocol
import JackdawSession

/// How contacts are written down.
package enum ContactFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// JSON Lines: an object for each contact, with the keys of the event `friend`.
  case json
  /// RFC 4180: a header, then a line for each contact; each group has a column of its own.
  case csv

  /// What a file's name says of it.
  init?(path: String) {
    let name = path.lowercased()
    guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else { return nil }
    self = format
  }

  /// What the first sign of a file says of it: no address begins with a bracket of JSON.
  init(content: [UInt8]) {
    let first = Self.withoutMark(content).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    self = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }

  /// The whole file.
  func document(of records: [ContactRecord]) -> [UInt8] {
    switch self {
    case .json: records.flatMap { $0.jsonLine }
    case .csv: ContactTable.document(of: records)
    }
  }

  /// What each line of a file comes to, in the file's order. Nothing in it is an end for the rest.
  func entries(of document: [UInt8]) -> [ContactEntry] {
    let text = Array(Self.withoutMark(document))
    return switch self {
    case .json: ContactObjects.entries(of: text)
    case .csv: ContactTable.entries(of: text)
    }
  }

  /// A byte order mark is of editors' making.
  private static func withoutMark(_ document: [UInt8]) -> ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return document.dropFirst(document.starts(with: mark) ? mark.count : 0)
  }
}

/// What a file has in one place.
struct ContactEntry: Equatable, Sendable {
  /// The line that it begins in, from 1.
  var line: Int
  var record: Result<ContactRecord, ContactProblem>
}

extension ContactRecord: Encodable {
  private enum CodingKeys: String, CodingKey { case jid, name, subscription, ask, groups }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(jid.description, forKey: .jid)
    try container.encode(name, forKey: .name)
    try container.encode(subscription?.rawValue, forKey: .subscription)
    try container.encode(ask, forKey: .ask)
    try container.encode(groups, forKey: .groups)
  }

  fileprivate var jsonLine: [UInt8] {
    do {
      return try JSONLineEncoder.line(of: self)
    } catch {
      preconditionFailure("a contact that is not a JSON object: \(error)")
    }
  }
}
