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
        .init("zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]), within: .seconds(60))
      return String(outcome.output.dropLast())
    }
  }

  static func modules(_ code: QRCode) -> [[Bool]] {
    (-4..<code.size + 4).map { row in (-4..<code.size + 4).map { code[row, $0] } }
  }

  @Test("of each version are read back, filled to the last byte", arguments: 1...40)
  func versions(version: Int) async throws {
    let blocks = QRBlocks(version: version, codewords: QRGrid(version: version).freeModules / 8)
    let room = blocks.dataCodewords - (version < 10 ? 2 : 3)
    let text = String((0..<room).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 7 + version) % 90))) })
    // To weigh all masks takes long in a large one.
    let code = try #require(QRCode(text, masks: version > 8 ? version % 8...version % 8 : 0...7))
    #expect(code.size == 17 + 4 * version)
    #expect(try await Self.read(Self.modules(code)) == text)
    #expect(QRCode(text + "x", masks: 0...0)?.size != code.size)
  }

  @Test("of each mask are read back", arguments: 0...7)
  func masks(mask: Int) async throws {
    let code = try #require(QRCode(Self.link, masks: mask...mask))
    #expect(try await Self.read(Self.modules(code)) == Self.link)
    let best = try #require(QRCode(Self.link))
    func penalty(_ code: QRCode) -> Int {
      QRPenalty.of(Self.modules(code).dropFirst(4).dropLast(4).flatMap { $0[4..<4 + code.size] }, code.size)
    }
    #expect(penalty(best) <= penalty(code))
  }

  @Test("choose more than one mask", .timeLimit(.minutes(1)))
  func choice() {
    let chosen = Set(
      (0..<12).compactMap { number in
        let text = "xmpp:person\(number)@example.org?subscribe"
        return (0...7).first { QRCode(text, masks: $0...$0) == QRCode(text) }
      })
    #expect(chosen.count > 2)
  }

  @Test("hold texts outside ASCII, as links percent-encode them")
  func bytes() async throws {
    let code = try #require(QRCode("xmpp:ji%C5%99i@xn--echy-fua.example?subscribe"))
    #expect(try await Self.read(Self.modules(code)) == "xmpp:ji%C5%99i@xn--echy-fua.example?subscribe")
  }

  @Test("do not hold more than fits")
  func tooLong() {
    #expect(QRCode(String(repeating: "x", count: 2_331), masks: 0...0)?.size == 177)
    #expect(QRCode(String(repeating: "x", count: 2_332)) == nil)
    #expect(QRCode("")?.size == 21)
  }

  @Test("correct by the standard's polynomial")
  func reedSolomon() {
    let data: [UInt8] = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    #expect(ReedSolomon(count: 10).remainder(of: data) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
  }

  @Test("are penalised as the standard says")
  func penalties() {
    let dark = [Bool](repeating: true, count: 49)
    // Fourteen runs of seven, thirty-six squares, and all is dark.
    #expect(QRPenalty.of(dark, 7) == 14 * 5 + 36 * 3 + 100)
    let board = (0..<64).map { ($0 / 8 + $0) % 2 == 0 }
    #expect(QRPenalty.of(board, 8) == 0)
    // A row that looks like a finder: alone between light ones, on both sides.
    var finder = [Bool](repeating: false, count: 49)
    for (column, isDark) in [true, false, true, true, true, false, true].enumerated() { finder[21 + column] = isDark }
    // Six light rows of seven, light above and below in each dark column's place, squares, and what is light beyond half.
    let plain = QRPenalty.of([Bool](repeating: false, count: 49), 7)
    #expect(QRPenalty.of(finder, 7) > 80 && QRPenalty.of(finder, 7) != plain)
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
