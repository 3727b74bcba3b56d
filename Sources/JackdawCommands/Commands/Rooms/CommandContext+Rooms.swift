// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Which room words mean, and being in it.
extension CommandContext {
  /// The room that `word` means: an address, an `xmpp:` link, or the name of a room that the user is in or has bookmarked; in a line a
  /// `.` is the one that is open. Where none is known here the bookmarks are read first.
  /// - Throws: ``CommandFailure`` with code 65 for what is no room's address, 67 for a name that no room has, 64 where none is open.
  func room(_ word: String) async throws -> JID {
    if word == CommandSynonym.openConversation, origin != .shell { return try await openRoom() }
    if let jid = try explainedJID(word) { return try Self.checked(room: jid) }
    var known = try account().knownRooms()
    if !known.contains(where: { $0.isCalled(word) }), origin == .shell || known.isEmpty {
      // A server without bookmarks knows no names.
      try await session().features[RoomBookmarks.self].readIfOffered()
      known = try account().knownRooms()
    }
    return try Self.room(word, among: known)
  }

  /// The nick in the room's address, as in `tea@rooms.example.org/Al`: an occupant's address, the user's own where a room is entered
  /// (XEP-0045 7.2).
  static func nick(in word: String) throws -> String? { try jid(word)?.resource }

  private func openRoom() async throws -> JID {
    let account = try account()
    guard conversationMeant != .none else {
      throw CommandFailure(.usage, Conversation.nobodyPicked, "No room is open: '/to ROOM' opens one.")
    }
    let open = try conversationMeant.recipient(example: examplePerson, isOfCommand: true).bare
    if account.knownRooms().contains(where: { $0.jid == open }) { return open }
    // A script's '/to' asks nobody what the address is.
    let groupchat = try await session().features[Groupchat.self]
    await application.approach(open, of: account)
    guard groupchat.isRoom(open) else {
      throw CommandFailure(
        .usage, Conversation.nobodyPicked, "You talk to \(open), which is not a room: '/to ROOM' opens one.")
    }
    return open
  }

  /// The administration of rooms.
  func administration(_ session: Session) -> RoomAdministration {
    RoomAdministration(session.requests, timeout: timeout)
  }

  /// The user in a room. From the shell it is entered, until the command ends; at the prompt and in scripts the user has to be in it, or
  /// on the way, or it is the one that is open.
  func place(in jid: JID) async throws -> (session: Session, room: Room) {
    let session = try await session()
    let groupchat = session.features[Groupchat.self]
    if let room = groupchat.room(jid), room.isWanted {
      application.visit(jid, of: try account())
      // One that is just being entered, as behind a '/to', is waited for.
      return (session, room.isInside ? room : try await entered(jid, groupchat))
    }
    guard origin == .shell || conversationMeant.shown?.bare == jid.bare else {
      throw CommandFailure(
        .unavailable, "not-acceptable", "You are not in \(jid.bare). '/rooms join \(jid.bare)' enters it.")
    }
    try await learnBookmark(of: jid, session)
    application.visit(jid, of: try account())
    return (session, try await entered(jid, groupchat))
  }

  func entered(_ jid: JID, _ groupchat: Groupchat) async throws -> Room {
    do {
      return try await groupchat.join(jid)
    } catch {
      throw refusal(error, of: jid, groupchat)
    }
  }

  /// Looks up all of several people of a room before anything is done to one of them. Each who is not found is told of.
  /// - Throws: the failure of the last who is not found.
  func lookUp<Person>(
    _ people: [String], _ find: @Client (String) async throws -> Person
  ) async throws -> [Person] {
    var (found, failures) = ([Person](), [CommandFailure]())
    for word in people {
      do {
        found.append(try await find(word))
      } catch let failure as CommandFailure where people.count > 1 {
        failures.append(failure)
      }
    }
    if var last = failures.popLast() {
      for failure in failures { fail(failure) }
      last.text += " Nothing was done."
      throw last
    }
    return found
  }

  /// Makes known what is kept of a room on the server, where nothing is known of it here.
  func learnBookmark(of jid: JID, _ session: Session) async throws {
    let groupchat = session.features[Groupchat.self]
    guard groupchat.record(of: jid) == nil else { return }
    guard
      let record = try await session.features[RoomBookmarks.self].readIfOffered().first(where: { $0.jid == jid.bare })
    else { return }
    try groupchat.keep(record)
  }

  /// Keeps a room as a bookmark. Where the server keeps none it is kept here, and the user told.
  func bookmark(_ record: RoomRecord, _ session: Session) async throws {
    let groupchat = session.features[Groupchat.self]
    do {
      try groupchat.keep(try await session.features[RoomBookmarks.self].keep(record))
    } catch let error as RequestError where error.stanzaError != nil {
      try groupchat.keep(record)
      output.notice(
        "\(application.named(try account()))The bookmark is on this device alone, as your server did not take it: \(error)"
      )
    }
  }

  /// Refuses a room that does not exist: nobody would hear what is said there. Rooms that the user knows are not asked for, as they are
  /// when they are entered; at the prompt, where nothing that is said waits for the network, none is.
  func refuseMissingRooms(_ addresses: [JID], _ session: Session) async throws {
    guard origin != .prompt else { return }
    let groupchat = session.features[Groupchat.self]
    for jid in addresses where groupchat.isRoom(jid) && groupchat.room(jid)?.isInside != true {
      guard try !account().knows(jid) else { continue }
      do throws(RequestError) {
        _ = try await session.features[ServiceDiscovery.self].information(of: jid.bare)
      } catch  where error.stanzaError?.condition == "item-not-found" {
        throw CommandFailure(
          .noUser, "item-not-found",
          "There is no room \(jid.bare). To make it, type: \(origin == .shell ? "jackdaw " : "/")rooms create \(jid.bare)"
        )
      } catch {
        // What else is wrong with it is said when it is entered.
      }
    }
  }

  /// What was said in a room that the user has left waits for nobody to read it, and plain lines go there no more: they would enter it
  /// again.
  func wasLeft(_ room: JID, _ session: Session) throws {
    lines.close(room, of: try account())
    // What came a moment ago may be on its way into the log.
    session.intake.logArrivals()
    let log = try log
    if let last = try log.summary(of: room)?.last { try log.markRead(room, through: last.number) }
  }

  /// The room of this name among those that are known.
  private nonisolated static func room(_ name: String, among rooms: [RoomRecord]) throws(CommandFailure) -> JID {
    let matching = rooms.filter { $0.isCalled(name) }
    let exact = matching.filter { $0.name == name }
    let found = exact.count == 1 ? exact : matching
    if let only = found.first, found.count == 1 { return only.jid }
    guard found.isEmpty else {
      let candidates = found.map(\.jid.description).joined(separator: ", ")
      throw CommandFailure(.badInput, "ambiguous", "Which '\(name)' do you mean: \(candidates)?")
    }
    throw CommandFailure(
      .noUser, "item-not-found", "You have no room '\(name)', and it is not an address (like tea@rooms.example.org).")
  }

  private nonisolated static func checked(room jid: JID) throws(CommandFailure) -> JID {
    guard jid.localpart != nil else {
      throw CommandFailure(
        .badInput, "jid-malformed", "\(jid) is not a room: the address of one is like tea@\(jid.domain).")
    }
    return jid.bare
  }
}

extension RoomRecord {
  /// Whether it is what somebody means by this name, in any case: what the user calls it, or the part of its address before the `@`.
  func isCalled(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return self.name?.lowercased() == wanted || jid.localpart == wanted
  }

  /// What can be typed for rooms: addresses, and names that mean one of them and nothing else.
  static func words(for rooms: [RoomRecord]) -> [String] {
    let names = rooms.flatMap { Set([$0.name, $0.jid.localpart].compactMap(\.self)) }.filter(CommandContext.isName)
    let count = names.reduce(into: [:]) { $0[$1.lowercased(), default: 0] += 1 }
    return rooms.map(\.jid.description) + names.filter { count[$0.lowercased()] == 1 }
  }
}

extension RoomBookmarks {
  /// The bookmarks, read anew; none where the server keeps none.
  @discardableResult func readIfOffered() async throws -> [RoomRecord] {
    do {
      return try await refresh()
    } catch  where error.stanzaError != nil {
      return []
    }
  }
}
