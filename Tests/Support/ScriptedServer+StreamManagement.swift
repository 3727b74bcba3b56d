// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawXML

extension ScriptedServer {
  /// The server's side of XEP-0198, which outlives connections: each connection's server gets the same one.
  package final class ManagedStreams {
    /// Seconds that the server says it holds a stream; nil: it does not say.
    package var lifetime: Int?
    /// Where it wants clients to come back to.
    package var location: String?
    /// Whether a stream that was cut can go on.
    package var holds = true
    /// Whether it tells how much it had of a stream that cannot go on.
    package var rememberedCount = true
    /// Whether it says how far it is when it is asked.
    package var answersQuestions = true
    /// Whether stanzas arrive: what comes while this is false was lost on the way.
    package var isTaking = true
    /// What it says instead of how many stanzas it has.
    package var lie: String?

    /// Stanzas of the client that it has, in order, whatever the connection.
    package fileprivate(set) var taken: [Element] = []
    /// Stanzas of the present stream that it has.
    package fileprivate(set) var handled: UInt32 = 0
    /// What the client last said that it has of the server's.
    package fileprivate(set) var clientsCount: String?
    /// How often it was asked.
    package fileprivate(set) var questions = 0
    fileprivate var jid: String?
    private var streams = 0

    package init() {}

    fileprivate var id: String { "stream-\(streams)" }

    fileprivate func begin(_ jid: String?) {
      streams += 1
      handled = 0
      self.jid = jid
    }

    fileprivate var count: String { lie ?? String(handled) }
  }

  /// Takes a stanza or an element of XEP-0198 of a client that is logged in.
  /// - Returns: whether it is for ``answer`` too.
  func manage(_ element: Element) -> Bool {
    guard let streams = managedStreams else { return true }
    guard element.namespace == StreamManagement.namespace else {
      guard streams.isTaking else { return false }
      if isManaged, element.namespace == Namespace.client { streams.handled &+= 1 }
      streams.taken.append(element)
      return true
    }
    switch element.name {
    case "enable":
      streams.begin(boundJID)
      isManaged = true
      let max = streams.lifetime.map { " max='\($0)'" } ?? ""
      let location = streams.location.map { " location='\($0)'" } ?? ""
      send("<enabled xmlns='\(StreamManagement.namespace)' id='\(streams.id)' resume='true'\(max)\(location)/>")
    case "r":
      streams.questions += 1
      if streams.answersQuestions { send("<a xmlns='\(StreamManagement.namespace)' h='\(streams.count)'/>") }
    case "a":
      streams.clientsCount = element.attribute("h")
    case _:
      break
    }
    return false
  }

  /// Answers `<resume/>` before a resource is bound.
  /// - Returns: false for anything else.
  func resume(_ element: Element) -> Bool {
    guard let streams = managedStreams, element.matches("resume", StreamManagement.namespace) else {
      return false
    }
    streams.clientsCount = element.attribute("h")
    guard streams.holds, element.attribute("previd") == streams.id, let jid = streams.jid else {
      let count = streams.rememberedCount ? " h='\(streams.count)'" : ""
      send(
        "<failed xmlns='\(StreamManagement.namespace)'\(count)><item-not-found xmlns='\(Namespace.stanzaErrors)'/></failed>"
      )
      return true
    }
    boundJID = jid
    isManaged = true
    phase = .bound
    send("<resumed xmlns='\(StreamManagement.namespace)' previd='\(streams.id)' h='\(streams.count)'/>")
    return true
  }
}
