// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawCommands
import JackdawLoop

/// Rows of one type that follow each other. The first are held back until it is known how wide their columns are.
struct HeldRows {
  var type: ObjectIdentifier
  var layout: TableLayout
  var waiting: [TableLayout.Row] = []
}

extension TextOutput {
  /// - Parameter account: what the account is called that it is of; nil: that is plain.
  func hold(_ row: any CommandRow, of account: String? = nil) {
    let name = account.map { [Cell("[\($0)]", .faint)] } ?? []
    // A row of nothing is for programs: in text, success is silent.
    for cells in row.lines { hold(name + cells, of: ObjectIdentifier(type(of: row))) }
  }

  private func hold(_ cells: [Cell], of type: ObjectIdentifier) {
    clearProgress()
    guard let columns = out.columns else {
      put(
        cells.map { out.style.paint(TableLayout.escaped($0), out.style.look(of: $0.role)) }
          .joined(separator: "\t") + "\n")
      return
    }
    if rows?.type != type {
      endRows()
      rows = HeldRows(type: type, layout: TableLayout(style: out.style, columns: columns))
    }
    let row = TableLayout.Row(cells)
    rows?.layout.widen(for: row)
    rows?.waiting.append(row)
    if let waiting = rows?.waiting.count, waiting >= TerminalLimits.alignedRows { writeRows() }
    guard !rowsAreDue else { return }
    rowsAreDue = true
    clock.nextTurn { [weak self] in
      self?.rowsAreDue = false
      self?.writeRows()
    }
  }

  /// Draws what a camera is to read, where somebody looks or asked for it.
  func show(_ scanned: ScannedText) {
    guard out.columns != nil && !out.style.isSpoken || scanned.isForced else { return }
    endRows()
    guard let code = QRCode(scanned.text) else {
      return put(lines.notice("The text is too long for a QR code."))
    }
    let picture = QRPicture(code: code, style: out.style)
    guard picture.width <= out.columns ?? .max else {
      return put(lines.notice("The QR code needs \(picture.width) columns."))
    }
    put(picture.lines)
  }

  /// Writes the rows that wait; those that follow keep to their columns.
  private func writeRows() {
    guard let table = rows else { return }
    rows?.waiting = []
    guard folds else { return put(table.waiting.map { table.layout.lines(of: $0) }.joined()) }
    for row in table.waiting { write(table.layout.lines(of: row), of: row.content) }
  }

  /// Something of another kind comes: the table is complete.
  func endRows() {
    clearProgress()
    if rows != nil {
      writeRows()
      rows = nil
    }
    if history.hasBegun { history = ShownHistory() }
  }
}
