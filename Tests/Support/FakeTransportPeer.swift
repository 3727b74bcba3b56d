// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawTransport

/// A ``ScriptedServer`` at the other end of a ``FakeTransport``, whose words a test can change on their way.
@Client package final class FakeTransportPeer: FakePeer {
  /// What becomes of a reply.
  package enum Reply {
    case says(String)
    /// Says it, and keeps the line open even where the server has ended the stream.
    case saysOnly(String)
    /// Says it, and ends the connection properly.
    case hangsUp(String)
    /// Ends the connection as a broken line does.
    case breaks
  }

  /// What the client gets instead of the server's reply to its n-th write, from 1 on; all that the server says to one
  /// write comes in one piece.
  package typealias Edit = @Client (_ write: Int, _ reply: String) -> Reply

  package let server: ScriptedServer
  private let edit: Edit
  private var writes = 0

  package init(_ server: ScriptedServer, edit: @escaping Edit = { .says($1) }) {
    self.server = server
    self.edit = edit
  }

  package func received(_ bytes: [UInt8], from transport: FakeTransport) {
    writes += 1
    var reply: [UInt8] = []
    var isEnd = false
    for output in server.receive(bytes) {
      switch output {
      case .send(let bytes): reply += bytes
      case .startTLS: break
      case .close: isEnd = true
      }
    }
    let text: String
    switch edit(writes, String(decoding: reply, as: UTF8.self)) {
    case .says(let said): text = said
    case .saysOnly(let said): (text, isEnd) = (said, false)
    case .hangsUp(let said): (text, isEnd) = (said, true)
    case .breaks: return transport.peerEnds(FakeConnector.brokenLine)
    }
    if !text.isEmpty { transport.deliver(Array(text.utf8)) }
    if isEnd { transport.peerEnds(nil) }
  }

  package func secured(_ security: TransportSecurity) { server.secured(channelBindings: security.channelBindings) }
}
