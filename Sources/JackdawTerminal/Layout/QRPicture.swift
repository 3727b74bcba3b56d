// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// A QR code as lines of a terminal: two modules a character, by half blocks, with the quiet zone of four modules around it
/// (ISO/IEC 18004 6.3.8).
///
/// Where there are colours it is dark on light, whatever the terminal's own are. Without them the light modules are drawn and
/// the dark ones left out: right on a dark terminal; on a light one the code is inverted, which most cameras read too.
struct QRPicture {
  private static let quietZone = 4

  let code: QRCode
  let style: Style

  /// Columns that it takes.
  var width: Int { code.size + 2 * Self.quietZone }

  /// Each line with its newline.
  var lines: String {
    let drawn = style.colors != .none
    let places = -Self.quietZone..<code.size + Self.quietZone
    var output = ""
    for row in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
      let text = places.map { column in
        Self.block(upper: code[row, column] == drawn, lower: code[row + 1, column] == drawn)
      }.joined()
      output += style.paint(text, .darkOnLight) + "\n"
    }
    return output
  }

  private static func block(upper: Bool, lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
