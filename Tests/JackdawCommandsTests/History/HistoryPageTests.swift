// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("History as a page of HTML") struct HistoryPageTests {
  private func message(
    _ body: String, at time: String = "2026-11-23T10:30:15.000Z", isOurs: Bool = false, _ state: DeliveryState? = nil
  ) throws -> LoggedMessage {
    let (alice, bob) = (try JID("alice@example.org"), try JID("bob@example.org"))
    return LoggedMessage(
      number: 1, conversation: bob,
      event: MessageArrived(
        id: nil, from: isOurs ? alice : bob, to: isOurs ? bob : alice, kind: .chat, body: body, delayed: Timestamp(time)
      ),
      isOutgoing: isOurs, state: state)
  }

  private func page() -> HistoryPage { HistoryPage(name: { $0.localpart ?? "" }, localTime: .utc) }

  @Test("has each message under its day") func days() throws {
    var page = page()
    let first = try page.message(message("one"), isOfOne: true)
    #expect(first.hasPrefix("<h2>Monday, 23 November 2026</h2>\n<article><header><bdi>bob</bdi> <time "))
    #expect(first.hasSuffix(">10:30</time></header><p>one</p></article>\n"))
    #expect(
      try page.message(message("two", isOurs: true, .waiting), isOfOne: false).hasPrefix(
        "<article class=\"own\"><header><bdi>alice → bob</bdi> (not sent yet) <time "))
    #expect(try page.message(message("later", at: "2026-11-24T00:00:00.000Z"), isOfOne: true).hasPrefix("<h2>Tuesday"))
  }

  @Test(
    "takes nothing that was said for anything but text",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("</p></article>", "&lt;/p&gt;&lt;/article&gt;"),
      ("&lt;b&gt;", "&amp;lt;b&amp;gt;"), ("\"'>", "&quot;&#39;&gt;"), ("a\nb\tc", "a\nb\tc"),
      ("\u{0}\u{1B}\u{9B}\u{202E}\u{2066}", String(repeating: "\u{FFFD}", count: 5)), ("咖啡 👍🏽", "咖啡 👍🏽"),
    ])
  func isEscaped(text: String, html: String) throws {
    #expect(HistoryPage.escaped(text) == html)
    var page = page()
    #expect(try page.message(message(text), isOfOne: true).contains("<p>\(html)</p>"))
    #expect(HistoryPage.beginning(text).contains("<title>\(html)</title>"))
  }

  @Test("says what somebody does by their name") func action() throws {
    var page = page()
    #expect(try page.message(message("/me <waves>"), isOfOne: true).contains("<p>* <bdi>bob</bdi> &lt;waves&gt;</p>"))
    #expect(
      try page.message(message("/me nods", isOurs: true), isOfOne: false).contains("<p>* <bdi>alice</bdi> nods</p>"))
    for text in ["/men", "say /me x"] {
      #expect(try page.message(message(text), isOfOne: true).contains("<p>\(text)</p>"))
    }
  }

  @Test("calls the user so in a room, whichever of their devices wrote or reacted there")
  func ownInRoom() throws {
    let room = try JID("tea@rooms.example.org")
    let event = MessageArrived(
      id: "1", from: try room.with(resource: "al"), to: room, kind: .groupchat, body: "hi",
      delayed: Timestamp(milliseconds: 0))
    var message = LoggedMessage(number: 1, conversation: room, event: event, isOutgoing: true)
    message.fate.reactions = [.init(from: try room.with(resource: "al"), with: ["👍"], isOwn: true)]
    var page = page()
    let html = page.message(message, isOfOne: true)
    #expect(html.contains("<header><bdi>me</bdi>") && html.contains("<footer>👍 <bdi>me</bdi></footer>"))
  }

  @Test("takes nobody in a room for the user who calls themselves so", arguments: ["me", "Me", "m\u{435}"])
  func namesake(_ nick: String) throws {
    let room = try JID("tea@rooms.example.org")
    let event = MessageArrived(
      id: "1", from: try room.with(resource: nick), to: try JID("alice@example.org"), kind: .groupchat, body: "hi",
      delayed: Timestamp(milliseconds: 0))
    var page = page()
    let html = page.message(
      LoggedMessage(number: 1, conversation: room, event: event, isOutgoing: false), isOfOne: true)
    #expect(html.contains("<article><header><bdi>&quot;\(nick)&quot;</bdi>"))
  }

  @Test("has all of a message, and a spoiler's text behind its hint") func payloads() throws {
    func says(_ html: String, _ body: String, _ change: (inout MessagePayload) -> Void) throws -> Bool {
      var (payload, message) = (MessagePayload(), try message(body))
      change(&payload)
      message.event.payload = payload
      var page = page()
      return page.message(message, isOfOne: true).hasSuffix("</header>\(html)</article>\n")
    }
    let fold = "<details><summary>(spoiler) <bdi>the &lt;end&gt;</bdi></summary><p>the butler</p></details>"
    #expect(try says(fold, "the butler") { $0.spoiler = "the <end>" })
    #expect(try says("<details><summary>(spoiler)</summary><p>it</p></details>", "it") { $0.spoiler = "" })
    #expect(try says("<p><b>Sunday</b></p><p>at nine</p>", "at nine") { $0.subject = "Sunday" })
    #expect(try says("<p><b>Sunday</b></p>", "") { $0.subject = "Sunday" })
    let url = "https://example.org/a"
    let link = MessagePayload.Link(url: url, description: "A picture")
    #expect(try says("<p>\(url)</p><p>A picture</p>", url) { $0.links = [link] })
    #expect(try says("<p>see</p><p>\(url)</p><p>A picture</p>", "see") { $0.links = [link] })
    var file = MessageContent(.file)
    (file.name, file.url, file.type, file.size) = ("a.jpg", url, "image/jpeg", 12)
    #expect(
      try says("<p>a.jpg</p><p>\(url)</p><p>image/jpeg</p><p>12 bytes</p>", "") { $0.content = file })
    // Of what is said in a room it is always noted who said it.
    #expect(try says("<p>hi</p>", "hi") { $0.occupant = "o" })
  }

  @Test("does not show what was linked in a text that was corrected") func corrected() throws {
    var message = try message("see https://example.org/a")
    var payload = MessagePayload()
    payload.links = [.init(url: "https://example.org/a")]
    message.event.payload = payload
    message.fate.correction = "see nothing"
    var page = page()
    #expect(page.message(message, isOfOne: true).hasSuffix("<p>see nothing</p></article>\n"))
  }

  @Test("loads nothing and runs nothing") func standsAlone() {
    let page = HistoryPage.beginning("title") + HistoryPage.end
    for word in ["<script", "http:", "https:", "src=", "url(", "@import", "<link", "javascript"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
  }
}
