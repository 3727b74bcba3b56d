// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support
import Testing

/// The page of HTML that the built program writes, as a browser shows it on a phone.
@Suite("The picture of a page") struct HistoryPictureTests {
  /// What would change the page if any of it were more than text, or stand beside it if it were not broken.
  private static let texts = [
    "</p></article></body><script>document.body.innerHTML = 'OWNED'</script>",
    "<img src=x onerror=\"document.title = 'OWNED'\">",
    "<style>body { display: none }</style>", "&#60;b&#62; &amp; \u{202E}backwards\u{202C}",
    String(repeating: "long", count: 300),
    "z\(String(repeating: "\u{301}", count: 1_000))algo", "one\ntwo\n  three", "咖啡 café שלום 👩‍👩‍👧‍👦",
  ]

  /// Prints the colour of the picture's first pixel, then whether nothing but it stands in the last column, then all colours of which
  /// there is much.
  private static let look = """
    import struct, sys, zlib
    from collections import Counter
    from itertools import accumulate
    data = open(sys.argv[1], 'rb').read()
    place, packed = 8, b''
    while place < len(data):
        length, kind = struct.unpack('>I4s', data[place:place + 8])
        if kind == b'IHDR': width, height, depth, colour = struct.unpack('>IIBB', data[place + 8:place + 18])
        if kind == b'IDAT': packed += data[place + 8:place + 8 + length]
        place += length + 12
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for number in range(height):
        start = number * (width * step + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        if kind == 1:
            for channel in range(step): row[channel::step] = bytes(x & 255 for x in accumulate(row[channel::step]))
        elif kind == 2: row = bytearray((x + b) & 255 for x, b in zip(row, before))
        for i in range(len(row) if kind > 2 else 0):
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            if kind == 3: row[i] = (row[i] + (a + b) // 2) & 255
            else:
                p = a + b - c
                row[i] = (row[i] + min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]) & 255
        rows.append(bytes(row))
        before = row
    def pixel(row, place): return row[place:place + 3].hex()
    back, counts = pixel(rows[0], 0), Counter()
    # Many are alike.
    for row, count in Counter(rows).items():
        for place in range(0, len(row), step): counts[pixel(row, place)] += count
    print(back, all(pixel(row, len(row) - step) == back for row in rows), *[pixel for pixel, count in counts.most_common() if count > 2000])
    """

  @Test("is readable on a phone, light and dark, whatever was said, and shows what was said alone")
  func picture() async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      for text in Self.texts { try await bob.does("send", alice.jid, "--", text) }
      _ = try await alice.does("listen", "--count", "\(Self.texts.count)")
      for text in ["my answer", "and another one, long enough for more than one line of a small screen"] {
        try await alice.does("send", bob.jid, text)
      }
      // The page's title.
      try await alice.does("friends", "rename", bob.jid, String(repeating: "name", count: 50))
      let page = try await alice.does("history", bob.jid, "--export", "html").joined(separator: "\n")
      let path = try alice.home.write(page, to: "page.html")

      let dom = try await Self.browser(alice, "--dump-dom", "file://" + path)
      #expect(dom.components(of: "<article") == Self.texts.count + 2)
      #expect(
        dom.components(of: "<script") == 0 && dom.components(of: "<img") == 0 && dom.components(of: "<style") == 1)
      #expect(dom.components(of: "<title>Conversation with") == 1)

      for (scheme, colors) in [("1", ["ffffff", "eef0f3", "d9ecff"]), ("0", ["16181b", "262a2f", "14385c"])] {
        let picture = alice.home.path + "/page.png"
        _ = try await Self.browser(
          alice, "--hide-scrollbars", "--window-size=360,4000", "--blink-settings=preferredColorScheme=" + scheme,
          "--screenshot=" + picture, "file://" + path)
        let outcome = try await TestProcess.run(.init(SourceTree.python, ["-c", Self.look, picture]))
        let found = outcome.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(found.first == colors[0], "\(outcome.errors)")
        #expect(found.dropFirst().first == "True", "something stands beside the page")
        #expect(Set(colors).isSubset(of: found), "\(found)")
      }
    }
  }

  private static func browser(_ person: Person, _ arguments: String...) async throws -> String {
    let fixed = ["--no-sandbox", "--disable-gpu", "--user-data-dir=" + person.home.path + "/browser"]
    let outcome = try await TestProcess.run(.init("chromium-headless-shell", fixed + arguments))
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.output
  }
}

extension String {
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
