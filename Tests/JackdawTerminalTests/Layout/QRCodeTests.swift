// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop
import Support
import Testing

@testable import JackdawTerminal

/// What we draw is what another program reads: zbarimg, which knows nothing of us.
@Suite("QR codes")
struct QRCodeTests {
  static let link = "xmpp:alice@example.org?subscribe"

  /// What zbarimg reads in a picture of these modules; true: dark.
  static func read(_ rows: [[Bool]]) async throws -> String {
    let scale = 4
    var bitmap = "P1\n\((rows.first?.count ?? 0) * scale) \(rows.count * scale)\n"
    for row in rows {
      let line = row.map { String(repeating: $0 ? "1" : "0", count: scale) }.joined() + "\n"
      for _ in 0..<scale { bitmap += line }
    }
    let picture = bitmap
    return try await TestDirectory.with { folder in
      let path = try folder.write(picture, to: "code.pbm")
      let outcome = try await TestProcess.run(
        .init("zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]))
      return String(outcome.output.dropLast())
    }
  }

  static func modules(_ code: QRCode) -> [[Bool]] {
    (-4..<code.size + 4).map { row in (-4..<code.size + 4).map { code[row, $0] } }
  }

  @Test(
    "of the first and the last version, and of some between, are read back, filled to the last byte",
    arguments: [(1, 14), (2, 26), (9, 180), (10, 213), (25, 997), (40, 2_331)])
  func versions(version: Int, room: Int) async throws {
    let text = String((0..<room).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 7 + version) % 90))) })
    let code = try #require(QRCode(text))
    #expect(code.size == 17 + 4 * version)
    #expect(try await Self.read(Self.modules(code)) == text)
    #expect(QRCode(text + "x")?.size != code.size)
  }

  @Test("hold texts outside ASCII, as links percent-encode them")
  func bytes() async throws {
    let code = try #require(QRCode("xmpp:ji%C5%99i@xn--echy-fua.example?subscribe"))
    #expect(try await Self.read(Self.modules(code)) == "xmpp:ji%C5%99i@xn--echy-fua.example?subscribe")
  }

  @Test("do not hold more than fits")
  func tooLong() {
    #expect(QRCode(String(repeating: "x", count: 2_331))?.size == 177)
    #expect(QRCode(String(repeating: "x", count: 2_332)) == nil)
    #expect(QRCode("") == nil)
  }

  @Test(
    "are read from the lines that a terminal shows, with colours and without", arguments: [Style.Colors.none, .sixteen])
  func lines(colors: Style.Colors) async throws {
    let code = try #require(QRCode(Self.link))
    let picture = QRPicture(code: code, style: Style(colors))
    let lines = picture.lines.split(separator: "\n").map { line in
      line.replacing("\u{1B}[30;47m", with: "").replacing("\u{1B}[0m", with: "")
    }
    #expect(lines.allSatisfy { Width.of($0) == picture.width })
    #expect(picture.lines.contains("\u{1B}[30;47m") == (colors != .none))
    // Without colours what is drawn is what is light, as on a dark terminal.
    let rows = lines.flatMap { line in
      ["█▀", "█▄"].map { drawn in line.map { drawn.contains($0) == (colors != .none) } }
    }
    #expect(try await Self.read(rows) == Self.link)
  }
}

@Client @Suite("QR codes below a row", .onLoop)
struct ScannedTextTests {
  struct Row: CommandRow {
    var isForced = false
    var cells: [Cell] { [Cell(QRCodeTests.link)] }
    var code: ScannedText? { ScannedText(QRCodeTests.link, isForced: isForced) }
    func encode(to encoder: any Encoder) throws {}
  }

  @Test("are for terminals that are wide enough, and for whoever asks")
  func places() async throws {
    for (columns, isForced, shows) in [
      (37, false, true), (36, false, false), (36, true, false), (nil, false, false), (nil, true, true),
    ] as [(Int?, Bool, Bool)] {
      let fixture = Fixture(columns: columns, isPrompt: false)
      fixture.output.show(Row(isForced: isForced), of: "friends invite")
      fixture.output.settle()
      let text = fixture.out.take()
      #expect(text.hasPrefix(QRCodeTests.link), "\(text)")
      #expect(text.contains("█") == shows)
      #expect(text.contains("needs 37") == (columns == 36))
    }
  }

  @Test("a document goes out as it is, but on a terminal as text")
  func document() throws {
    let document = Array("jid,name\r\nbob@x,\"B\u{9B}\"\r\n".utf8)
    let pipe = Fixture(columns: nil, isPrompt: false)
    pipe.output.show(document: document)
    #expect(pipe.out.take() == String(decoding: document, as: UTF8.self))
    let terminal = Fixture(columns: 40, isPrompt: false)
    terminal.output.show(document: document)
    #expect(terminal.out.take() == "jid,name\nbob@x,\"B\\u{9b}\"\n")
  }
}
