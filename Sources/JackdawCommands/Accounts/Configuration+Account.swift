// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import JackdawProtocol

extension Configuration {
  /// The account of an address: the default one first where there are several.
  func account(of jid: JID) -> Account? {
    let all = accounts.filter { $0.jid.bare == jid.bare }
    return all.first { $0.jid == jid } ?? all.first { $0.name == defaultAccount } ?? all.first
  }
}

extension Configuration.Account {
  /// An account that is called by its address.
  init(_ jid: JID) { self.init(name: jid.bare.description, jid: jid) }

  /// Connects as it was given, where it was.
  mutating func take(_ given: Settings.Given) {
    if let server = given.server { self.server = server }
    if let tls = given.tls { self.tls = tls }
    if let caFile = given.caFile { self.caFile = Self.absolute(caFile) }
  }

  /// A path from this folder: the file is read from others too.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
